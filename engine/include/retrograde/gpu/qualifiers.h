// Keywords of CUDA and HIP, for a build with no SDK.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
// __noinline__ is the compiler's own; as a macro it would break <memory>.
#define __align__(n) __attribute__((aligned(n)))

/// What the device functions of these headers are.
#define RETRO_GPU_DEVICE static __device__ __forceinline__
#define RETRO_GPU_BOTH static __host__ __device__ __forceinline__
