//===- primal.cpp - LULESH: the simulation --------------------------------===//
#include "model.h"

using namespace suites::lulesh;

extern "C" void RETRO_SYMBOL(lulesh)(const Mesh *mesh, State *state) {
  RETRO_MODEL::simulate(mesh, state);
}

#ifdef LULESH_MPI
/// Adds up the partial masses in fx of nodes that ranks share.
extern "C" void RETRO_SYMBOL(lulesh_sum_mass)(const Mesh *mesh, State *state) {
  using namespace RETRO_MODEL;
  double *const fields[] = {state->fx};
  exchange<1, Take::add>(mesh->force, force_tag, fields, 0, state->outgoing,
                         state->incoming);
}
#endif
