// Indices, wavefronts, barriers and loads as HIP spells them.
#pragma once

struct retro_gpu_thread_index {
#define RETRO_GPU_INDEX(Field, Value)                                          \
  __declspec(property(get = get_##Field)) unsigned Field;                      \
  __device__ __forceinline__ unsigned get_##Field() const { return Value; }
  RETRO_GPU_INDEX(x, __builtin_amdgcn_workitem_id_x())
  RETRO_GPU_INDEX(y, __builtin_amdgcn_workitem_id_y())
  RETRO_GPU_INDEX(z, __builtin_amdgcn_workitem_id_z())
  __device__ operator dim3() const { return {x, y, z}; }
};
struct retro_gpu_block_index {
  RETRO_GPU_INDEX(x, __builtin_amdgcn_workgroup_id_x())
  RETRO_GPU_INDEX(y, __builtin_amdgcn_workgroup_id_y())
  RETRO_GPU_INDEX(z, __builtin_amdgcn_workgroup_id_z())
  __device__ operator dim3() const { return {x, y, z}; }
};
struct retro_gpu_block_size {
  RETRO_GPU_INDEX(x, __builtin_amdgcn_workgroup_size_x())
  RETRO_GPU_INDEX(y, __builtin_amdgcn_workgroup_size_y())
  RETRO_GPU_INDEX(z, __builtin_amdgcn_workgroup_size_z())
  __device__ operator dim3() const { return {x, y, z}; }
};
struct retro_gpu_grid_size {
  RETRO_GPU_INDEX(x, __builtin_amdgcn_grid_size_x() /
                         __builtin_amdgcn_workgroup_size_x())
  RETRO_GPU_INDEX(y, __builtin_amdgcn_grid_size_y() /
                         __builtin_amdgcn_workgroup_size_y())
  RETRO_GPU_INDEX(z, __builtin_amdgcn_grid_size_z() /
                         __builtin_amdgcn_workgroup_size_z())
  __device__ operator dim3() const { return {x, y, z}; }
#undef RETRO_GPU_INDEX
};
extern const __device__ __attribute__((weak)) retro_gpu_thread_index threadIdx;
extern const __device__ __attribute__((weak)) retro_gpu_block_index blockIdx;
extern const __device__ __attribute__((weak)) retro_gpu_block_size blockDim;
extern const __device__ __attribute__((weak)) retro_gpu_grid_size gridDim;
#ifdef __AMDGCN_WAVEFRONT_SIZE__
#define warpSize __AMDGCN_WAVEFRONT_SIZE__
#else
#define warpSize ((int)__builtin_amdgcn_wavefrontsize())
#endif

using retro_gpu_mask = unsigned long long;
static constexpr retro_gpu_mask retro_gpu_all_lanes = ~0ull;

RETRO_GPU_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
RETRO_GPU_DEVICE void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
RETRO_GPU_DEVICE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
RETRO_GPU_DEVICE void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}
RETRO_GPU_DEVICE void __syncwarp(retro_gpu_mask = retro_gpu_all_lanes) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

RETRO_GPU_DEVICE unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
RETRO_GPU_DEVICE unsigned long long __ballot(int Holds) {
  return __builtin_amdgcn_ballot_w64(Holds != 0);
}
RETRO_GPU_DEVICE unsigned long long __activemask() { return __ballot(1); }
RETRO_GPU_DEVICE int __any(int Holds) { return __ballot(Holds) != 0; }
RETRO_GPU_DEVICE int __all(int Holds) { return __ballot(Holds == 0) == 0; }
RETRO_GPU_DEVICE unsigned long long __ballot_sync(retro_gpu_mask, int Holds) {
  return __ballot(Holds);
}
RETRO_GPU_DEVICE int __any_sync(retro_gpu_mask, int Holds) {
  return __any(Holds);
}
RETRO_GPU_DEVICE int __all_sync(retro_gpu_mask, int Holds) {
  return __all(Holds);
}

/// Lane `From`'s value, or this lane's where that one is outside the part of
/// Width lanes.
RETRO_GPU_DEVICE int retro_gpu_shuffle_from(int Value, int From, bool Inside) {
  return __builtin_amdgcn_ds_bpermute((Inside ? From : (int)__lane_id()) << 2,
                                      Value);
}
RETRO_GPU_DEVICE int retro_gpu_shuffle_idx(retro_gpu_mask, int Value, int By,
                                           int Width) {
  int First = __lane_id() & ~(Width - 1);
  return retro_gpu_shuffle_from(Value, First + (By & (Width - 1)), true);
}
RETRO_GPU_DEVICE int retro_gpu_shuffle_up(retro_gpu_mask, int Value,
                                          unsigned By, int Width) {
  int Lane = __lane_id(), First = Lane & ~(Width - 1);
  return retro_gpu_shuffle_from(Value, Lane - (int)By, Lane - (int)By >= First);
}
RETRO_GPU_DEVICE int retro_gpu_shuffle_down(retro_gpu_mask, int Value,
                                            unsigned By, int Width) {
  int Lane = __lane_id();
  return retro_gpu_shuffle_from(Value, Lane + (int)By,
                                (Lane & (Width - 1)) + (int)By < Width);
}
RETRO_GPU_DEVICE int retro_gpu_shuffle_xor(retro_gpu_mask, int Value, int By,
                                           int Width) {
  int Lane = __lane_id(), To = Lane ^ By;
  return retro_gpu_shuffle_from(Value, To,
                                To < ((Lane + Width) & ~(Width - 1)));
}

RETRO_GPU_DEVICE int __popc(unsigned V) { return __builtin_popcount(V); }
RETRO_GPU_DEVICE int __popcll(unsigned long long V) {
  return __builtin_popcountll(V);
}
RETRO_GPU_DEVICE int __clz(int V) { return V ? __builtin_clz(V) : 32; }
RETRO_GPU_DEVICE int __clzll(long long V) {
  return V ? __builtin_clzll(V) : 64;
}
RETRO_GPU_DEVICE int __ffs(int V) { return __builtin_ffs(V); }
RETRO_GPU_DEVICE int __ffsll(long long V) { return __builtin_ffsll(V); }
RETRO_GPU_DEVICE unsigned __brev(unsigned V) {
  return __builtin_bitreverse32(V);
}

#include <retrograde/gpu/common_device_functions.h>
RETRO_GPU_DEVICE float unsafeAtomicAdd(float *Address, float Value) {
  return atomicAdd(Address, Value);
}
RETRO_GPU_DEVICE double unsafeAtomicAdd(double *Address, double Value) {
  return atomicAdd(Address, Value);
}
