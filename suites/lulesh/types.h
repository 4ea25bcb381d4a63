//===- types.h - LULESH: the data of one rank -------------------*- C++ -*-===//
#ifndef SUITES_LULESH_TYPES_H
#define SUITES_LULESH_TYPES_H

namespace suites::lulesh {

constexpr int corners = 8; ///< of an element

/// One neighbouring rank of an exchange: the entries of a field that go out to
/// it, and those that come in from it; their lists have the same length.
struct Neighbour {
  int rank;
  int count;  ///< entries of one field
  int offset; ///< into the message buffers, in entries of one field
  const int *entries;
};

/// The neighbours of one kind of exchange, in the order in which messages are
/// taken in.
struct Exchange {
  int n_send, n_receive;
  const Neighbour *send, *receive;
};

/// What no derivative is taken of: connectivity, regions, masses, and the
/// schedule of time steps that the driver recorded.
struct Mesh {
  int nx; ///< elements along an edge of the rank's cube
  int n_elem, n_node;
  int rank;

  const int *nodes;        ///< [n_elem][corners]
  const int *corner_start; ///< [n_node + 1] into corner_list
  const int *corner_list;  ///< corners element * 8 + a that touch a node
  const int *neighbour;    ///< [6][n_elem]: xi-, xi+, eta-, eta+, zeta-, zeta+
  const int *boundary;     ///< [n_elem]: bits of boundary.h
  int n_symmetry[3];
  const int *symmetry[3]; ///< nodes on the planes x = 0, y = 0, z = 0

  int n_regions;
  const int *region_start; ///< [n_regions + 1] into region_elements
  const int *region_elements;
  const int *region_passes; ///< how often the equation of state is evaluated

  const double *volume, *element_mass, *nodal_mass;

  double stop_time;
  int max_cycles;
  const double *schedule; ///< step of each cycle; null: by the time constraints
  double *load;           ///< [2][n_elem] what repeated passes write

  Exchange force, motion, ghost; ///< empty in a run of one rank
};

/// What derivatives are taken of, with the scratch arrays that carry active
/// values. A shadow is a second one of these.
struct State {
  double *x, *y, *z;    ///< [n_node] positions
  double *xd, *yd, *zd; ///< velocities
  double *xdd, *ydd, *zdd;
  double *fx, *fy, *fz;
  double *corner_force; ///< [3][n_elem * corners], with OpenMP only

  double *e, *p, *q, *v, *ss; ///< [n_elem] energy, pressure, artificial
                              ///< viscosity, relative volume, sound speed
  double *vnew, *delv, *vdov, *length; ///< of the end of the cycle
  double *delv_xi, *delv_eta,
      *delv_zeta; ///< [n_elem + 6 nx^2], with the ghosts
  double *delx_xi, *delx_eta, *delx_zeta;
  double *ql, *qq;
  double *e_new, *p_new, *q_new, *ss_new;
  double *outgoing, *incoming; ///< messages

  double dtcourant, dthydro, dt, time;
  int cycle;
};

/// The signatures that primal and gradients are linked by.
/// Runs cycles until the stop time or mesh->max_cycles is reached.
using Primal = void(const Mesh *mesh, State *state);
/// The same, and turns the adjoint of the final state in `shadow` into that of
/// the initial state.
using Gradient = void(const Mesh *mesh, State *state, State *shadow);
/// The same, and turns the tangent of the initial state into that of the final
/// state.
using Tangent = void(const Mesh *mesh, State *state, State *tangent);

} // namespace suites::lulesh

#endif // SUITES_LULESH_TYPES_H
