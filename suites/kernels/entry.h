// The entries of a kernel of this suite. All have the driver's one type; a
// kernel itself takes as many sizes as it has, then its inputs, then, where it
// has one, an array to work in, whose contents at the start it does not read.
#pragma once

#include "common/kernel.h"

#define RETRO_KERNEL_PRIMAL(name, ...)                                         \
  extern "C" double RETRO_SYMBOL(name)(                                        \
      [[maybe_unused]] int n, [[maybe_unused]] int m, [[maybe_unused]] int k,  \
      const double *x, double *work) {                                         \
    return RETRO_MODEL::name(__VA_ARGS__, x, work);                            \
  }

#define RETRO_KERNEL_PRIMAL_WITHOUT_WORK(name, ...)                            \
  extern "C" double RETRO_SYMBOL(name)(                                        \
      [[maybe_unused]] int n, [[maybe_unused]] int m, [[maybe_unused]] int k,  \
      const double *x, double *) {                                             \
    return RETRO_MODEL::name(__VA_ARGS__, x);                                  \
  }

/* Adds the gradient to xb; workb comes in as zero. */
#define RETRO_KERNEL_GRADIENT(name, ...)                                       \
  extern "C" void RETRO_SYMBOL(name##_gradient)(                               \
      [[maybe_unused]] int n, [[maybe_unused]] int m, [[maybe_unused]] int k,  \
      const double *x, double *xb, double *work, double *workb) {              \
    __enzyme_autodiff<double>((void *)RETRO_MODEL::name, __VA_ARGS__,          \
                              enzyme_dup, x, xb, enzyme_dup, work, workb);     \
  }

#define RETRO_KERNEL_GRADIENT_WITHOUT_WORK(name, ...)                          \
  extern "C" void RETRO_SYMBOL(name##_gradient)(                               \
      [[maybe_unused]] int n, [[maybe_unused]] int m, [[maybe_unused]] int k,  \
      const double *x, double *xb, double *, double *) {                       \
    __enzyme_autodiff<double>((void *)RETRO_MODEL::name, __VA_ARGS__,          \
                              enzyme_dup, x, xb);                              \
  }

/* The head of a hand-written adjoint. */
#define RETRO_KERNEL_HAND(name)                                                \
  extern "C" void RETRO_SYMBOL(name##_gradient)(                               \
      [[maybe_unused]] int n, [[maybe_unused]] int m, [[maybe_unused]] int k,  \
      const double *x, double *xb, [[maybe_unused]] double *work,              \
      [[maybe_unused]] double *workb)
