/* The calling convention, for C: markers and entry points. A call of an entry
   point is a request, which the plugin answers by code for the derivative:

     double g[] = {0, 0};
     __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);

   A result by value has an entry point of its own type, and others can be
   declared: each function is one whose name contains that of an entry point.
   docs/user-guide.md explains markers and requests. C++ has types for the same,
   <retrograde/retrograde.hpp>; this header declares there what C++ code in this
   convention declares. */
#ifndef RETROGRADE_RETROGRADE_H
#define RETROGRADE_RETROGRADE_H

/* Before an argument: its activity. The linkage is that of a program that
   declares them itself. */
extern int enzyme_const;      /* held fixed: the value */
extern int enzyme_dup;        /* active, in memory: pointer, shadow */
extern int enzyme_dupnoneed;  /* the same; its primal value is not needed */
extern int enzyme_out;        /* active, by value: its derivative is returned */
extern int enzyme_dupv;       /* a block of shadows: bytes apart, and pointer */
extern int enzyme_dupnoneedv; /* the same; its primal value is not needed */

/* Before all arguments: how a request is answered. */
extern int enzyme_width;         /* so many directions at once */
extern int enzyme_primal_return; /* the value is returned, too */
extern int enzyme_const_return;  /* what the function returns is constant */
extern int enzyme_active_return; /* it is active, as without a marker */
extern int enzyme_dup_return;    /* the same */
extern int enzyme_noret;         /* says nothing here */
extern int enzyme_strong_zero;   /* 0 times what is not finite is 0 */
extern int enzyme_byref;         /* bytes; then the addresses of an argument */
extern int enzyme_interleave;    /* behind the arguments: all shadows */
extern int enzyme_runtime_activity; /* find out at run time what is active */
extern int enzyme_allocated;        /* of split mode: the bytes of the tape */
extern int enzyme_tape;             /* and where it is */
extern int enzyme_nofree;           /* and that it is kept */

/* Of __enzyme_batch, before an argument. */
extern int enzyme_vector; /* a value for each lane */
extern int enzyme_scalar; /* one for all */
extern int enzyme_buffer; /* bytes from lane to lane, and a pointer */

#ifdef __cplusplus

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_augmentfwd(A...);
template <typename R, typename... A> R __enzyme_augmentsize(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);
template <typename R, typename... A> R __enzyme_fwdsplit(A...);
template <typename R, typename... A> R __enzyme_batch(A...);
template <typename R, typename... A> R __enzyme_error_estimate(A...);

#else

/* Reverse mode. One enzyme_out argument: its derivative is returned. */
void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_double(void *, ...);
float __enzyme_autodiff_float(void *, ...);

/* Forward mode: what the function returns, differentiated. */
void __enzyme_fwddiff(void *, ...);
double __enzyme_fwddiff_double(void *, ...);
float __enzyme_fwddiff_float(void *, ...);

/* Bounds of rounding errors: behind each argument is its error. */
double __enzyme_error_estimate(void *, ...);
float __enzyme_error_estimate_float(void *, ...);

/* Split mode, of a function that returns nothing: the tape; its bytes; the
   second pass. */
void *__enzyme_augmentfwd(void *, ...);
unsigned long __enzyme_augmentsize(void *, ...);
void __enzyme_reverse(void *, ...);
double __enzyme_reverse_double(void *, ...);
float __enzyme_reverse_float(void *, ...);
void __enzyme_fwdsplit(void *, ...);

#endif
#endif
