// Warps, barriers and loads as CUDA spells them.
#pragma once

using retro_gpu_mask = unsigned;
static constexpr retro_gpu_mask retro_gpu_all_lanes = 0xffffffffu;

#define RETRO_GPU_CUDA_SHUFFLE(Mode, Builtin, Clamp)                           \
  RETRO_GPU_DEVICE int retro_gpu_shuffle_##Mode(                               \
      retro_gpu_mask Mask, int Value, int By, int Width) {                     \
    return Builtin(Mask, Value, By, ((32 - Width) << 8) | Clamp);              \
  }
RETRO_GPU_CUDA_SHUFFLE(idx, __nvvm_shfl_sync_idx_i32, 31)
RETRO_GPU_CUDA_SHUFFLE(up, __nvvm_shfl_sync_up_i32, 0)
RETRO_GPU_CUDA_SHUFFLE(down, __nvvm_shfl_sync_down_i32, 31)
RETRO_GPU_CUDA_SHUFFLE(xor, __nvvm_shfl_sync_bfly_i32, 31)
#undef RETRO_GPU_CUDA_SHUFFLE

RETRO_GPU_DEVICE void __syncwarp(unsigned Mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(Mask);
}
RETRO_GPU_DEVICE int __all_sync(unsigned Mask, int Holds) {
  return __nvvm_vote_all_sync(Mask, Holds);
}
RETRO_GPU_DEVICE int __any_sync(unsigned Mask, int Holds) {
  return __nvvm_vote_any_sync(Mask, Holds);
}
RETRO_GPU_DEVICE unsigned __ballot_sync(unsigned Mask, int Holds) {
  return __nvvm_vote_ballot_sync(Mask, Holds);
}
RETRO_GPU_DEVICE unsigned __activemask() { return __nvvm_activemask(); }

/// Loads by the cache of what the kernel does not write.
#define RETRO_GPU_LDG(T, Builtin)                                              \
  RETRO_GPU_DEVICE T __ldg(const T *Address) { return Builtin(Address); }
RETRO_GPU_LDG(int, __nvvm_ldg_i)
RETRO_GPU_LDG(unsigned, __nvvm_ldg_ui)
RETRO_GPU_LDG(long long, __nvvm_ldg_ll)
RETRO_GPU_LDG(unsigned long long, __nvvm_ldg_ull)
RETRO_GPU_LDG(long, __nvvm_ldg_l)
RETRO_GPU_LDG(unsigned long, __nvvm_ldg_ul)
RETRO_GPU_LDG(float, __nvvm_ldg_f)
RETRO_GPU_LDG(double, __nvvm_ldg_d)
RETRO_GPU_LDG(char, __nvvm_ldg_c)
RETRO_GPU_LDG(signed char, __nvvm_ldg_sc)
RETRO_GPU_LDG(unsigned char, __nvvm_ldg_uc)
RETRO_GPU_LDG(short, __nvvm_ldg_s)
RETRO_GPU_LDG(unsigned short, __nvvm_ldg_us)
#undef RETRO_GPU_LDG
#include <retrograde/gpu/common_device_functions.h>
