// 16-bit floating point: the arithmetic of clang's own types under the names
// of both vendors. Every operation rounds once.
#pragma once

#define RETRO_GPU_SHORT_FLOAT(Name, Base, Short)                               \
  struct Name {                                                                \
    Base Value;                                                                \
    Name() = default;                                                          \
    __host__ __device__ constexpr Name(Base V) : Value(V) {}                   \
    __host__ __device__ constexpr Name(float V) : Value((Base)V) {}            \
    __host__ __device__ constexpr Name(double V) : Value((Base)V) {}           \
    __host__ __device__ constexpr Name(int V) : Value((Base)(float)V) {}       \
    __host__ __device__ constexpr operator float() const {                     \
      return (float)Value;                                                     \
    }                                                                          \
  };                                                                           \
  RETRO_GPU_BOTH Name operator+(Name A, Name B) {                              \
    return (Base)(A.Value + B.Value);                                          \
  }                                                                            \
  RETRO_GPU_BOTH Name operator-(Name A, Name B) {                              \
    return (Base)(A.Value - B.Value);                                          \
  }                                                                            \
  RETRO_GPU_BOTH Name operator*(Name A, Name B) {                              \
    return (Base)(A.Value * B.Value);                                          \
  }                                                                            \
  RETRO_GPU_BOTH Name operator/(Name A, Name B) {                              \
    return (Base)(A.Value / B.Value);                                          \
  }                                                                            \
  RETRO_GPU_BOTH Name operator-(Name A) { return (Base)(-A.Value); }           \
  RETRO_GPU_BOTH Name &operator+=(Name &A, Name B) { return A = A + B; }       \
  RETRO_GPU_BOTH Name &operator-=(Name &A, Name B) { return A = A - B; }       \
  RETRO_GPU_BOTH Name &operator*=(Name &A, Name B) { return A = A * B; }       \
  RETRO_GPU_BOTH Name __float2##Short(float V) { return Name(V); }             \
  RETRO_GPU_BOTH float __##Short##2float(Name V) { return (float)V.Value; }
