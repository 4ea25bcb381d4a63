#include "model.h"

extern "C" double RETRO_SYMBOL(euler_generic)(double end, long n) {
  return RETRO_MODEL::euler_generic(end, n);
}

extern "C" double RETRO_SYMBOL(euler_loop)(double end, long n) {
  return RETRO_MODEL::euler_loop(end, n);
}
