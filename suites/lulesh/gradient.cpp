//===- gradient.cpp - LULESH: derivatives made by the plugin --------------===//
//
// The only file with requests to the differentiation plugin: the whole time
// loop, the state active, the mesh constant.
//
//===----------------------------------------------------------------------===//
#include "model.h"

template <typename R, typename... A> R __enzyme_fwddiff(A...);

using namespace suites::lulesh;

extern "C" void RETRO_SYMBOL(lulesh)(const Mesh *mesh, State *state,
                                     State *shadow) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(RETRO_MODEL::simulate),
                          enzyme_const, mesh, enzyme_dup, state, shadow);
}

extern "C" void RETRO_SYMBOL(lulesh_tangent)(const Mesh *mesh, State *state,
                                             State *tangent) {
  __enzyme_fwddiff<void>(reinterpret_cast<void *>(RETRO_MODEL::simulate),
                         enzyme_const, mesh, enzyme_dup, state, tangent);
}
