#include "model.h"

extern "C" void RETRO_SYMBOL(hand_simple)(const double *theta,
                                          const HandData *data, double *err) {
  RETRO_MODEL::hand_simple(theta, data, err);
}

extern "C" void RETRO_SYMBOL(hand_complicated)(const double *theta,
                                               const double *st,
                                               const HandData *data,
                                               double *err) {
  RETRO_MODEL::hand_complicated(theta, st, data, err);
}
