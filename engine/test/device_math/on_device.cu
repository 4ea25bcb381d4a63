// The functions that main.cpp asks for, each computed by a kernel of one thread
// on a GPU.
#include "math.cu"
#include <cstdio>
#include <cstdlib>

namespace {
template <typename T> T result(T *Of) {
  T Value;
  const cudaError_t Error =
      cudaMemcpy(&Value, Of, sizeof(T), cudaMemcpyDeviceToHost);
  if (Error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(Error));
    std::exit(Error == cudaErrorNoDevice || Error == cudaErrorInsufficientDriver
                  ? 77
                  : 1);
  }
  return Value;
}
template <typename T> T *place() {
  static T *At = nullptr;
  if (!At)
    (void)cudaMalloc(&At, sizeof(T));
  return At;
}
} // namespace

#define ON_DEVICE(what, name, real)                                            \
  __global__ void kernel_##what##_##name(real X, real *Out) {                  \
    *Out = what##_##name(X);                                                   \
  }                                                                            \
  extern "C" real what##_##name(real X) {                                      \
    kernel_##what##_##name<<<1, 1>>>(X, place<real>());                        \
    return result(place<real>());                                              \
  }
#undef FUNCTION
#define FUNCTION(name, real, ...)                                              \
  ON_DEVICE(primal, name, real)                                                \
  ON_DEVICE(reverse, name, real)                                               \
  ON_DEVICE(forward, name, real)                                               \
  ON_DEVICE(both, name, real)
#include "functions.def"
