// The second derivative of a program that a second one ends: of the same mode
// as the first, or of forward mode (-DFORWARD).
#ifndef RETROGRADE_TEST_PROGRAMS_FAILURES_AGAIN_H
#define RETROGRADE_TEST_PROGRAMS_FAILURES_AGAIN_H

#ifdef FORWARD
#define AGAIN __enzyme_fwddiff
#else
#define AGAIN __enzyme_autodiff
#endif

#endif
