// Memory of FFTW for so many numbers.
#include <stddef.h>

#define MODELS(V, Real)                                                        \
  void *V##_malloc(size_t bytes);                                              \
  Real *retro_##V##_alloc_real(size_t n) {                                     \
    return V##_malloc(n * sizeof(Real));                                       \
  }                                                                            \
  Real(*retro_##V##_alloc_complex(size_t n))[2] {                              \
    return V##_malloc(n * sizeof(Real[2]));                                    \
  }
MODELS(fftw, double)
MODELS(fftwf, float)
