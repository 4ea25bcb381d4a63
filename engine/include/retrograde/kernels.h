// For kernels whose launches are differentiated from the host:
//
//   RETRO_KERNEL __global__ void scale(double *x, double a, int n) { … }
//
// or, of a kernel that is defined elsewhere, the same in a declaration before.
// The plugin runs on both sides of the compilation.
#ifndef RETROGRADE_KERNELS_H
#define RETROGRADE_KERNELS_H

#define RETRO_KERNEL __attribute__((annotate("retro-kernel")))

#endif
