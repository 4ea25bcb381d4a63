// Keywords of CUDA and HIP, for a build with no SDK.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#ifdef __HIP__
// clang takes the bounds of AMD's kernels from an attribute of their own.
#define RETRO_GPU_BOUNDS1(threads)                                             \
  __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define RETRO_GPU_BOUNDS2(threads, waves)                                      \
  RETRO_GPU_BOUNDS1(threads) __attribute__((amdgpu_waves_per_eu(waves)))
#define RETRO_GPU_SELECT_BOUNDS(first, second, chosen, ...) chosen
#define __launch_bounds__(...)                                                 \
  RETRO_GPU_SELECT_BOUNDS(__VA_ARGS__, RETRO_GPU_BOUNDS2,                      \
                          RETRO_GPU_BOUNDS1, )(__VA_ARGS__)
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
// __noinline__ is the compiler's own; as a macro it would break <memory>.
#define __align__(n) __attribute__((aligned(n)))

/// What the device functions of these headers are.
#define RETRO_GPU_DEVICE static __device__ __forceinline__
#define RETRO_GPU_BOTH static __host__ __device__ __forceinline__
