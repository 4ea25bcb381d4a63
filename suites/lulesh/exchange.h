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

#ifdef LULESH_MPI

enum Tag : int { force_tag = 1024, motion_tag = 2048, ghost_tag = 3072 };

/// What is done with the values that come in.
enum class Take {
  add,       ///< to the entries of the neighbour's list
  overwrite, ///< the same entries
  ghosts     ///< into the ghosts behind the elements
};

static void pack(int count, const int *RETRO_RESTRICT entries,
                 const double *RETRO_RESTRICT field,
                 double *RETRO_RESTRICT message) {
  for (int k = 0; k < count; ++k)
    message[k] = field[entries[k]];
}

template <Take take>
static void unpack(int count, const int *RETRO_RESTRICT entries,
                   const double *RETRO_RESTRICT message,
                   double *RETRO_RESTRICT field) {
  for (int k = 0; k < count; ++k) {
    if (take == Take::add)
      field[entries[k]] += message[k];
    else if (take == Take::overwrite)
      field[entries[k]] = message[k];
    else
      field[k] = message[k];
  }
}

/// Sends the entries of N fields and takes in those of the neighbours; a
/// message is field after field. `ghosts` is where a field's ghosts start.
template <int N, Take take>
static void exchange(const Exchange &x, int tag, double *const *fields,
                     int ghosts, double *outgoing, double *incoming) {
  constexpr int most = 26;
  MPI_Request requests[2 * most];
  int pending = 0;
  for (int k = 0; k < x.n_receive; ++k) {
    const Neighbour &from = x.receive[k];
    MPI_Irecv(incoming + N * from.offset, N * from.count, MPI_DOUBLE, from.rank,
              tag, MPI_COMM_WORLD, &requests[pending++]);
  }
  for (int k = 0; k < x.n_send; ++k) {
    const Neighbour &to = x.send[k];
    double *message = outgoing + N * to.offset;
    for (int f = 0; f < N; ++f)
      pack(to.count, to.entries, fields[f], message + f * to.count);
    MPI_Isend(message, N * to.count, MPI_DOUBLE, to.rank, tag, MPI_COMM_WORLD,
              &requests[pending++]);
  }
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < x.n_receive; ++k) {
    const Neighbour &from = x.receive[k];
    const double *message = incoming + N * from.offset;
    for (int f = 0; f < N; ++f)
      unpack<take>(from.count, from.entries, message + f * from.count,
                   fields[f] +
                       (take == Take::ghosts ? ghosts + from.offset : 0));
  }
}

static inline void exchange_forces(const Mesh *m, State *s) {
  double *const fields[] = {s->fx, s->fy, s->fz};
  exchange<3, Take::add>(m->force, force_tag, fields, 0, s->outgoing,
                         s->incoming);
}

static inline void exchange_motion(const Mesh *m, State *s) {
  double *const fields[] = {s->x, s->y, s->z, s->xd, s->yd, s->zd};
  exchange<6, Take::overwrite>(m->motion, motion_tag, fields, 0, s->outgoing,
                               s->incoming);
}

static inline void exchange_slopes(const Mesh *m, State *s) {
  double *const fields[] = {s->delv_xi, s->delv_eta, s->delv_zeta};
  exchange<3, Take::ghosts>(m->ghost, ghost_tag, fields, m->n_elem, s->outgoing,
                            s->incoming);
}

static inline double least_of_all_ranks(double value) {
  double least;
  MPI_Allreduce(&value, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

#else

static inline void exchange_forces(const Mesh *, State *) {}
static inline void exchange_motion(const Mesh *, State *) {}
static inline void exchange_slopes(const Mesh *, State *) {}
static inline double least_of_all_ranks(double value) { return value; }

#endif

} // namespace RETRO_MODEL

#endif // SUITES_LULESH_EXCHANGE_H
