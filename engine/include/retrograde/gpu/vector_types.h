// dim3, and the vector types with their make_ functions.
#pragma once

struct uint3;

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int X = 1, unsigned int Y = 1,
                                     unsigned int Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(const uint3 &V);
  __host__ __device__ constexpr operator uint3() const;
};

#define RETRO_GPU_VECTORS(T, Name, Align2, Align4)                             \
  struct Name##1 { T x; };                                                     \
  struct __align__(Align2) Name##2 { T x, y; };                                \
  struct Name##3 { T x, y, z; };                                               \
  struct __align__(Align4) Name##4 { T x, y, z, w; };                          \
  RETRO_GPU_BOTH Name##1 make_##Name##1(T x) { return {x}; }                   \
  RETRO_GPU_BOTH Name##2 make_##Name##2(T x, T y) { return {x, y}; }           \
  RETRO_GPU_BOTH Name##3 make_##Name##3(T x, T y, T z) { return {x, y, z}; }   \
  RETRO_GPU_BOTH Name##4 make_##Name##4(T x, T y, T z, T w) {                  \
    return {x, y, z, w};                                                       \
  }

RETRO_GPU_VECTORS(signed char, char, 2, 4)
RETRO_GPU_VECTORS(unsigned char, uchar, 2, 4)
RETRO_GPU_VECTORS(short, short, 4, 8)
RETRO_GPU_VECTORS(unsigned short, ushort, 4, 8)
RETRO_GPU_VECTORS(int, int, 8, 16)
RETRO_GPU_VECTORS(unsigned int, uint, 8, 16)
RETRO_GPU_VECTORS(long, long, 16, 16)
RETRO_GPU_VECTORS(unsigned long, ulong, 16, 16)
RETRO_GPU_VECTORS(long long, longlong, 16, 16)
RETRO_GPU_VECTORS(unsigned long long, ulonglong, 16, 16)
RETRO_GPU_VECTORS(float, float, 8, 16)
RETRO_GPU_VECTORS(double, double, 16, 16)
#undef RETRO_GPU_VECTORS

__host__ __device__ constexpr dim3::dim3(const uint3 &V)
    : x(V.x), y(V.y), z(V.z) {}
__host__ __device__ constexpr dim3::operator uint3() const { return {x, y, z}; }
