// Functions of the device's library, differentiated in the ordinary compilation
// of one step, in which clang links the library before passes run.
__device__ int enzyme_width;
template <typename R, typename... T>
__device__ R __enzyme_autodiff(void *, T...);
template <typename R, typename... T>
__device__ R __enzyme_fwddiff(void *, T...);
template <typename R> struct Two {
  R First, Second;
};

#ifdef __HIP__
#define CUDA_FUNCTION(...)
#else
#define CUDA_FUNCTION FUNCTION
#endif
#define CALLED extern "C" __attribute__((used)) __device__
#define FUNCTION(name, real, ...)                                              \
  __device__ real f_##name(real x){__VA_ARGS__} CALLED real primal_##name(     \
      real x) {                                                                \
    return f_##name(x);                                                        \
  }                                                                            \
  CALLED real reverse_##name(real x) {                                         \
    return __enzyme_autodiff<real>((void *)f_##name, x);                       \
  }                                                                            \
  CALLED real forward_##name(real x) {                                         \
    return __enzyme_fwddiff<real>((void *)f_##name, x, real(1));               \
  }                                                                            \
  CALLED real both_##name(real x) {                                            \
    Two<real> t = __enzyme_fwddiff<Two<real>>((void *)f_##name, enzyme_width,  \
                                              2, x, real(1), real(3));         \
    return t.Second - 2 * t.First;                                             \
  }
#include "functions.def"
