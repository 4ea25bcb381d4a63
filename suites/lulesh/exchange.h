//===- exchange.h - LULESH: messages between ranks --------------*- C++ -*-===//
//
// Section 4.12. Without LULESH_MPI there is one rank and nothing to do.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LULESH_EXCHANGE_H
#define SUITES_LULESH_EXCHANGE_H

#include "../common/kernel.h"
#include "types.h"

#ifdef LULESH_MPI
#include <mpi.h>
#endif

namespace RETRO_MODEL {

using namespace suites::lulesh;

#ifndef LULESH_MPI

static inline void exchange_forces(const Mesh *, State *) {}
static inline void exchange_motion(const Mesh *, State *) {}
static inline void exchange_slopes(const Mesh *, State *) {}
static inline double least_of_all_ranks(double value) { return value; }

#endif

} // namespace RETRO_MODEL

#endif // SUITES_LULESH_EXCHANGE_H
