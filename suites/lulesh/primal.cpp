//===- primal.cpp - LULESH: the simulation --------------------------------===//
#include "model.h"

extern "C" void RETRO_SYMBOL(lulesh)(const suites::lulesh::Mesh *mesh,
                                     suites::lulesh::State *state) {
  RETRO_MODEL::simulate(mesh, state);
}
