#include "model.h"

extern "C" double RETRO_SYMBOL(dopri5_generic)(double end, long n) {
  return RETRO_MODEL::dopri5_generic(end, n);
}

extern "C" double RETRO_SYMBOL(dopri5_loop)(double end, long n) {
  return RETRO_MODEL::dopri5_loop(end, n);
}

extern "C" double RETRO_SYMBOL(classic_generic)(double end, long n) {
  return RETRO_MODEL::classic_generic(end, n);
}

extern "C" double RETRO_SYMBOL(classic_loop)(double end, long n) {
  return RETRO_MODEL::classic_loop(end, n);
}
