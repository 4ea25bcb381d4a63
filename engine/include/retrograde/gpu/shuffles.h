// Shuffles of every type over the vendor's shuffle of 32 bits
// (retro_gpu_shuffle_*: mode and lane arithmetic are the vendor's). Those of
// floats and doubles are functions with names, so that the engine knows what
// moves: it sees one value, not two halves.
#pragma once

#define RETRO_GPU_NAMED extern "C" __device__ __forceinline__

#define RETRO_GPU_SHUFFLE(Mode, Name, Offset)                                  \
  RETRO_GPU_DEVICE long long retro_gpu_shuffle64_##Mode(                       \
      retro_gpu_mask Mask, long long Value, Offset By, int Width) {            \
    unsigned Low = retro_gpu_shuffle_##Mode(Mask, (int)Value, By, Width);      \
    unsigned High =                                                            \
        retro_gpu_shuffle_##Mode(Mask, (int)(Value >> 32), By, Width);         \
    return (long long)((unsigned long long)High << 32 | Low);                  \
  }                                                                            \
  RETRO_GPU_NAMED float __retro_shuffle_##Mode##_f32(                          \
      retro_gpu_mask Mask, float Value, Offset By, int Width) {                \
    return __builtin_bit_cast(                                                 \
        float, retro_gpu_shuffle_##Mode(Mask, __builtin_bit_cast(int, Value),  \
                                        By, Width));                           \
  }                                                                            \
  RETRO_GPU_NAMED double __retro_shuffle_##Mode##_f64(                         \
      retro_gpu_mask Mask, double Value, Offset By, int Width) {               \
    return __builtin_bit_cast(                                                 \
        double, retro_gpu_shuffle64_##Mode(                                    \
                    Mask, __builtin_bit_cast(long long, Value), By, Width));   \
  }                                                                            \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, float,                              \
                       __retro_shuffle_##Mode##_f32)                           \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, double,                             \
                       __retro_shuffle_##Mode##_f64)                           \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, int, retro_gpu_shuffle_##Mode)      \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, unsigned, retro_gpu_shuffle_##Mode) \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, long, retro_gpu_shuffle64_##Mode)   \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, unsigned long,                      \
                       retro_gpu_shuffle64_##Mode)                             \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, long long,                          \
                       retro_gpu_shuffle64_##Mode)                             \
  RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, unsigned long long,                 \
                       retro_gpu_shuffle64_##Mode)

/// With a mask, and, where the vendor has it (HIP), without.
#define RETRO_GPU_SHUFFLE_OF(Mode, Name, Offset, T, Function)                  \
  RETRO_GPU_DEVICE T Name##_sync(retro_gpu_mask Mask, T Value, Offset By,      \
                                 int Width = warpSize) {                       \
    return (T)Function(Mask, Value, By, Width);                                \
  }                                                                            \
  RETRO_GPU_DEVICE T Name(T Value, Offset By, int Width = warpSize) {          \
    return (T)Function(retro_gpu_all_lanes, Value, By, Width);                 \
  }

RETRO_GPU_SHUFFLE(idx, __shfl, int)
RETRO_GPU_SHUFFLE(up, __shfl_up, unsigned)
RETRO_GPU_SHUFFLE(down, __shfl_down, unsigned)
RETRO_GPU_SHUFFLE(xor, __shfl_xor, int)
#undef RETRO_GPU_SHUFFLE
#undef RETRO_GPU_SHUFFLE_OF
#undef RETRO_GPU_NAMED
