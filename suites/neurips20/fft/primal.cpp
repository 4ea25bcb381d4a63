#include "model.h"

extern "C" void RETRO_SYMBOL(fft_roundtrip)(double *data, int n) {
  RETRO_MODEL::roundtrip(data, n);
}

extern "C" void RETRO_SYMBOL(fft_forward)(double *data, int n) {
  RETRO_MODEL::forward(data, n);
}
