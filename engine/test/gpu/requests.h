// Requests inside kernels.
#pragma once
#include "vendor.h"

extern "C" __device__ int enzyme_dup, enzyme_const, enzyme_out;
/// What a kernel calls to run a device function and its reverse pass.
template <typename... T> __device__ void __enzyme_autodiff_kernel(void *, T...);
template <typename R, typename... T>
__device__ R __enzyme_autodiff_value(void *, T...);

/// The kernel fGradient, whose threads ask for the gradient of f, a function of
/// X that writes to Y.
#define GRADIENT_KERNEL(f)                                                     \
  __global__ void f##Gradient(const double *X, double *DX, double *Y,          \
                              double *DY) {                                    \
    __enzyme_autodiff_kernel((void *)f, enzyme_dup, X, DX, enzyme_dup, Y, DY); \
  }
