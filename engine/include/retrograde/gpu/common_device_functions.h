// Functions of devices that are the same for both vendors, after those in which
// they differ.
#pragma once

template <typename T> RETRO_GPU_DEVICE T __ldg(const T *Address) {
  return *Address;
}

extern "C" {
__device__ int printf(const char *, ...);
__device__ void __assertfail(const char *Text, const char *File, unsigned Line,
                             const char *Function, size_t Width);
__device__ inline void __assert_fail(const char *Text, const char *File,
                                     unsigned Line,
                                     const char *Function) noexcept {
  __assertfail(Text, File, Line, Function, sizeof(char));
}
}

#include <retrograde/gpu/atomics.h>
#include <retrograde/gpu/shuffles.h>
