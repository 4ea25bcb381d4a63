// CUDA with no SDK: what device code and the host's launches need, for
//   clang++ -x cuda -nogpulib -nogpuinc -include retrograde/gpu/retro_cuda.h
// Device math is what clang's own headers make of it: calls of libdevice.
#pragma once
#include <retrograde/gpu/qualifiers.h>
#include <retrograde/gpu/vector_types.h>

#define RETRO_GPU_NAME(Name) cuda##Name
#define RETRO_GPU_PUSH __cudaPushCallConfiguration
#include <retrograde/gpu/host_api.h>
using cudaDeviceProp = retro::gpu::DeviceProp;
enum { cudaLimitStackSize = 0, cudaLimitMallocHeapSize = 2 };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

#ifndef CUDA_VERSION
#define CUDA_VERSION 12090
#endif
// The device's heap, which clang's header for new and delete calls.
extern "C" {
__device__ void *malloc(__SIZE_TYPE__) noexcept;
__device__ void free(void *) noexcept;
}
// In this order, which is not the alphabet's: declarations, the host's own
// functions, definitions over both.
// clang-format off
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_math_forward_declares.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
// clang-format on

#define RETRO_GPU_INDEX(Name)                                                  \
  __device__ inline __cuda_builtin_##Name##_t::operator dim3() const {         \
    return {x, y, z};                                                          \
  }                                                                            \
  __device__ inline __cuda_builtin_##Name##_t::operator uint3() const {        \
    return {x, y, z};                                                          \
  }
RETRO_GPU_INDEX(threadIdx)
RETRO_GPU_INDEX(blockIdx)
RETRO_GPU_INDEX(blockDim)
RETRO_GPU_INDEX(gridDim)
#undef RETRO_GPU_INDEX

#include <retrograde/gpu/cuda_float_math.h>

#include <retrograde/gpu/cuda_device_functions.h>
