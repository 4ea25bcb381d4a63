//===- problem.cpp - LULESH: initial data ---------------------------------===//
#include "problem.h"

#include "boundary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace suites::lulesh {

// ---- memory of a state

namespace {
/// The slots of an exchange of three nodal fields or six (motion).
constexpr int message_fields = 6;

/// Every array of a state with its length class, in one place.
template <class Nodal, class Elemental, class Ghosted>
void for_each_array(State &s, Nodal nodal, Elemental elemental,
                    Ghosted ghosted) {
  for (double *State::*field :
       {&State::x, &State::y, &State::z, &State::xd, &State::yd, &State::zd,
        &State::xdd, &State::ydd, &State::zdd, &State::fx, &State::fy,
        &State::fz})
    nodal(s.*field);
  for (double *State::*field :
       {&State::e, &State::p, &State::q, &State::v, &State::ss, &State::vnew,
        &State::delv, &State::vdov, &State::length, &State::delx_xi,
        &State::delx_eta, &State::delx_zeta, &State::ql, &State::qq,
        &State::e_new, &State::p_new, &State::q_new, &State::ss_new})
    elemental(s.*field);
  for (double *State::*field :
       {&State::delv_xi, &State::delv_eta, &State::delv_zeta})
    ghosted(s.*field);
}
} // namespace

static int message_length(const Mesh &mesh) {
  int entries = 0;
  for (const Exchange *x : {&mesh.force, &mesh.motion, &mesh.ghost}) {
    int sent = 0, received = 0;
    for (int k = 0; k < x->n_send; ++k)
      sent += x->send[k].count;
    for (int k = 0; k < x->n_receive; ++k)
      received += x->receive[k].count;
    entries = std::max({entries, sent, received});
  }
  return message_fields * entries;
}

StateMemory::StateMemory(const Mesh &mesh, bool corner_forces)
    : n_node(mesh.n_node), n_elem(mesh.n_elem),
      n_ghost(mesh.n_elem + 6 * mesh.nx * mesh.nx),
      n_corner(corner_forces ? 3 * corners * mesh.n_elem : 0),
      n_message(message_length(mesh)) {
  std::size_t total = n_corner + 2 * std::size_t(n_message);
  for_each_array(
      state, [&](double *) { total += n_node; },
      [&](double *) { total += n_elem; }, [&](double *) { total += n_ghost; });
  values.resize(total);
  bind();
}

StateMemory::StateMemory(const StateMemory &other)
    : n_node(other.n_node), n_elem(other.n_elem), n_ghost(other.n_ghost),
      n_corner(other.n_corner), n_message(other.n_message),
      values(other.values), state(other.state) {
  bind();
}

StateMemory &StateMemory::operator=(const StateMemory &other) {
  n_node = other.n_node;
  n_elem = other.n_elem;
  n_ghost = other.n_ghost;
  n_corner = other.n_corner;
  n_message = other.n_message;
  values = other.values;
  state = other.state;
  bind();
  return *this;
}

void StateMemory::bind() {
  double *at = values.data();
  const auto take = [&at](int n) {
    double *const here = at;
    at += n;
    return here;
  };
  for_each_array(
      state, [&](double *&field) { field = take(n_node); },
      [&](double *&field) { field = take(n_elem); },
      [&](double *&field) { field = take(n_ghost); });
  state.corner_force = take(n_corner);
  state.outgoing = take(n_message);
  state.incoming = take(n_message);
}

void StateMemory::clear() {
  std::fill(values.begin(), values.end(), 0.0);
  state.dtcourant = state.dthydro = state.dt = state.time = 0;
  state.cycle = 0;
}

// ---- regions

Random::Random(std::uint32_t seed) {
  std::int64_t s = seed == 0 ? 1 : seed;
  ring[0] = static_cast<std::uint32_t>(s);
  for (int i = 1; i < 31; ++i) {
    s = 16807 * s % 2147483647;
    ring[i] = static_cast<std::uint32_t>(s);
  }
  for (int i = 0; i < 310; ++i)
    next();
}

int Random::next() {
  ring[front] += ring[back];
  const std::uint32_t word = ring[front];
  front = (front + 1) % 31;
  back = (back + 1) % 31;
  return static_cast<int>(word >> 1);
}

/// Length of a run of elements of one region.
static int draw_run(Random &random) {
  static constexpr struct {
    int below, range, first;
  } bins[] = {{773, 15, 1},    {937, 16, 16},   {970, 32, 32},    {974, 64, 64},
              {978, 128, 128}, {981, 256, 256}, {1000, 1537, 512}};
  const int bin = random.next() % 1000;
  for (const auto &b : bins)
    if (bin < b.below)
      return random.next() % b.range + b.first;
  return 0; // not reached
}

std::vector<int> assign_regions(int n_elem, const Options &options) {
  const int regions = options.regions;
  if (regions == 1)
    return std::vector<int>(n_elem, 1);
  std::vector<int> ends;
  int total = 0;
  for (int t = 0; t < regions; ++t) {
    total += static_cast<int>(std::pow(t + 1, options.balance));
    ends.push_back(total);
  }
  Random random(static_cast<std::uint32_t>(options.rank));
  std::vector<int> region_of;
  for (int last = -1; static_cast<int>(region_of.size()) < n_elem;) {
    int region;
    do {
      const int drawn = random.next() % total;
      const int i = static_cast<int>(
          std::upper_bound(ends.begin(), ends.end(), drawn) - ends.begin());
      region = (i + options.rank) % regions + 1;
    } while (region == last);
    last = region;
    const int left = n_elem - static_cast<int>(region_of.size());
    region_of.insert(region_of.end(), std::min(left, draw_run(random)), region);
  }
  return region_of;
}

// ---- the mesh

Problem::Problem(const Options &o) : options(o) {
  if (o.size < 1 || o.regions < 1 || o.balance < 0 || o.cost < 0)
    throw std::invalid_argument("lulesh: needs size and regions above 0, "
                                "balance and cost not below 0");
  const int per_edge = o.ranks_per_edge;
  column = o.rank % per_edge;
  row = o.rank / per_edge % per_edge;
  plane = o.rank / (per_edge * per_edge);
  mesh.nx = o.size;
  mesh.n_elem = o.size * o.size * o.size;
  mesh.n_node = (o.size + 1) * (o.size + 1) * (o.size + 1);
  mesh.rank = o.rank;
  mesh.stop_time = 1e-2;
  mesh.max_cycles = 9999999;
  const double scale = o.size * per_edge / 45.0;
  energy = 3.948746e7 * scale * scale * scale;

  make_coordinates();
  make_elements();
  make_corner_lists();
  make_neighbours();
  make_regions();
  make_exchanges();
}

void Problem::make_coordinates() {
  const int m = options.size + 1;
  const int edge = options.ranks_per_edge * options.size;
  const auto coordinate = [&](int first, int i) {
    return 1.125 * (first * options.size + i) / edge;
  };
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) {
        x.push_back(coordinate(column, i));
        y.push_back(coordinate(row, j));
        z.push_back(coordinate(plane, k));
        const int n = node(i, j, k);
        const int at[3] = {column + i, row + j, plane + k};
        for (int d = 0; d < 3; ++d)
          if (at[d] == 0)
            symmetry[d].push_back(n);
      }
  for (int d = 0; d < 3; ++d) {
    mesh.symmetry[d] = symmetry[d].data();
    mesh.n_symmetry[d] = static_cast<int>(symmetry[d].size());
  }
}

namespace {
struct Point {
  double x, y, z;
};
} // namespace

static double determinant(Point a, Point b, Point c) {
  return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
         a.z * (b.x * c.y - b.y * c.x);
}

/// The formula of 4.5 at the initial positions.
static double element_volume(const Point *r) {
  const auto minus = [](Point a, Point b) {
    return Point{a.x - b.x, a.y - b.y, a.z - b.z};
  };
  const auto plus = [](Point a, Point b) {
    return Point{a.x + b.x, a.y + b.y, a.z + b.z};
  };
  return (determinant(plus(minus(r[3], r[1]), minus(r[7], r[2])),
                      minus(r[6], r[3]), minus(r[2], r[0])) +
          determinant(plus(minus(r[4], r[3]), minus(r[5], r[7])),
                      minus(r[6], r[4]), minus(r[7], r[0])) +
          determinant(plus(minus(r[1], r[4]), minus(r[2], r[5])),
                      minus(r[6], r[1]), minus(r[5], r[0]))) *
         (1.0 / 12.0);
}

void Problem::make_elements() {
  const int nx = options.size;
  nodal_mass.assign(mesh.n_node, 0.0);
  for (int k = 0; k < nx; ++k)
    for (int j = 0; j < nx; ++j)
      for (int i = 0; i < nx; ++i) {
        const int of[corners] = {node(i, j, k),
                                 node(i + 1, j, k),
                                 node(i + 1, j + 1, k),
                                 node(i, j + 1, k),
                                 node(i, j, k + 1),
                                 node(i + 1, j, k + 1),
                                 node(i + 1, j + 1, k + 1),
                                 node(i, j + 1, k + 1)};
        Point r[corners];
        for (int a = 0; a < corners; ++a)
          r[a] = {x[of[a]], y[of[a]], z[of[a]]};
        volume.push_back(element_volume(r));
        for (const int n : of) {
          nodes.push_back(n);
          nodal_mass[n] += volume.back() / 8.0;
        }
      }
  load.resize(2 * std::size_t(mesh.n_elem));
  mesh.nodes = nodes.data();
  mesh.volume = mesh.element_mass = volume.data(); // the density is 1
  mesh.nodal_mass = nodal_mass.data();
  mesh.load = load.data();
}

void Problem::make_corner_lists() {
  corner_start.assign(mesh.n_node + 1, 0);
  for (const int n : nodes)
    ++corner_start[n + 1];
  for (int n = 0; n < mesh.n_node; ++n)
    corner_start[n + 1] += corner_start[n];
  corner_list.resize(nodes.size());
  std::vector<int> next = corner_start;
  for (std::size_t c = 0; c < nodes.size(); ++c)
    corner_list[next[nodes[c]]++] = static_cast<int>(c);
  mesh.corner_start = corner_start.data();
  mesh.corner_list = corner_list.data();
}

void Problem::make_neighbours() {
  const int nx = options.size, last = options.ranks_per_edge - 1;
  const int n = mesh.n_elem, face = nx * nx;
  const int cube[3] = {column, row, plane}, step[3] = {1, nx, face};
  // Ghosts follow the elements, by face: zeta-, zeta+, eta-, eta+, xi-, xi+.
  int ghosts[6] = {}, next_ghost = n;
  for (const int f : {4, 5, 2, 3, 0, 1}) {
    ghosts[f] = next_ghost;
    if (f % 2 == 0 ? cube[f / 2] > 0 : cube[f / 2] < last)
      next_ghost += face;
  }
  neighbour.resize(6 * std::size_t(n));
  boundary.assign(n, 0);
  for (int e = 0; e < n; ++e) {
    const int at[3] = {e % nx, e / nx % nx, e / face};
    const int in_face[3] = {at[1] + nx * at[2], at[0] + nx * at[2],
                            at[0] + nx * at[1]};
    for (int f = 0; f < 6; ++f) {
      const int d = f / 2;
      const bool low = f % 2 == 0;
      int &to = neighbour[std::size_t(f) * n + e];
      to = std::clamp(e + (low ? -step[d] : step[d]), 0, n - 1);
      if (at[d] != (low ? 0 : nx - 1))
        continue;
      int kind = other_rank;
      if (cube[d] == (low ? 0 : last))
        kind = low ? symmetric : free_surface;
      else
        to = ghosts[f] + in_face[d];
      boundary[e] |= kind << (3 * f);
    }
  }
  mesh.neighbour = neighbour.data();
  mesh.boundary = boundary.data();
}

void Problem::make_regions() {
  const int regions = options.regions;
  region_of = assign_regions(mesh.n_elem, options);
  for (int r = 0; r < regions; ++r) {
    region_start.push_back(static_cast<int>(region_elements.size()));
    for (int e = 0; e < mesh.n_elem; ++e)
      if (region_of[e] == r + 1)
        region_elements.push_back(e);
    const bool cheap = r < regions / 2;
    const bool dear = r >= regions - (regions + 15) / 20;
    region_passes.push_back(cheap  ? 1
                            : dear ? 10 * (1 + options.cost)
                                   : 1 + options.cost);
  }
  region_start.push_back(mesh.n_elem);
  mesh.n_regions = regions;
  mesh.region_start = region_start.data();
  mesh.region_elements = region_elements.data();
  mesh.region_passes = region_passes.data();
}

// ---- exchanges (4.12)

namespace {
/// Where a neighbouring rank lies: -1, 0 or 1 in x (column), y (row) and z
/// (plane), in the order in which messages are taken in.
struct Direction {
  int column, row, plane;
};
constexpr Direction directions[] = {
    {0, 0, -1},   {0, 0, 1},   {0, -1, 0},  {0, 1, 0},  {-1, 0, 0},  {1, 0, 0},
    {-1, -1, 0},  {0, -1, -1}, {-1, 0, -1}, {1, 1, 0},  {0, 1, 1},   {1, 0, 1},
    {-1, 1, 0},   {0, -1, 1},  {-1, 0, 1},  {1, -1, 0}, {0, 1, -1},  {1, 0, -1},
    {-1, -1, -1}, {-1, -1, 1}, {1, -1, -1}, {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1},
    {1, 1, -1},   {1, 1, 1}};

/// Whether the rank there has a lower number.
bool is_lower(const Direction &d) {
  return d.plane < 0 ||
         (d.plane == 0 && (d.row < 0 || (d.row == 0 && d.column < 0)));
}
} // namespace

/// `points` along an edge: nodes or elements. `all`: both ways; else to lower
/// ranks only (or, where not send_low, to higher ranks).
void Problem::add_exchange(Exchange &exchange, int points, bool all,
                           bool send_low, bool faces_only) {
  const int per_edge = options.ranks_per_edge;
  std::vector<Neighbour> sends, receives;
  int sent = 0, received = 0;
  for (const Direction &d : directions) {
    const int axes = std::abs(d.column) + std::abs(d.row) + std::abs(d.plane);
    const int at[3] = {column + d.column, row + d.row, plane + d.plane};
    if ((faces_only && axes != 1) ||
        std::any_of(at, at + 3, [&](int c) { return c < 0 || c >= per_edge; }))
      continue;
    const auto range = [&](int side) {
      return side == 0  ? std::pair{0, points - 1}
             : side < 0 ? std::pair{0, 0}
                        : std::pair{points - 1, points - 1};
    };
    const auto [i0, i1] = range(d.column);
    const auto [j0, j1] = range(d.row);
    const auto [k0, k1] = range(d.plane);
    std::vector<int> list;
    for (int k = k0; k <= k1; ++k)
      for (int j = j0; j <= j1; ++j)
        for (int i = i0; i <= i1; ++i)
          list.push_back(i + points * (j + points * k));
    const int count = static_cast<int>(list.size());
    entry_lists.push_back(std::move(list));
    const int rank = at[0] + per_edge * (at[1] + per_edge * at[2]);
    const int *entries = entry_lists.back().data();
    if (all || is_lower(d) == send_low) {
      sends.push_back({rank, count, sent, entries});
      sent += count;
    }
    if (all || is_lower(d) != send_low) {
      receives.push_back({rank, count, received, entries});
      received += count;
    }
  }
  neighbour_lists.push_back(std::move(sends));
  exchange.n_send = static_cast<int>(neighbour_lists.back().size());
  exchange.send = neighbour_lists.back().data();
  neighbour_lists.push_back(std::move(receives));
  exchange.n_receive = static_cast<int>(neighbour_lists.back().size());
  exchange.receive = neighbour_lists.back().data();
}

void Problem::make_exchanges() {
  add_exchange(mesh.force, options.size + 1, true, true, false);
  add_exchange(mesh.motion, options.size + 1, false, true, false);
  add_exchange(mesh.ghost, options.size, true, true, true);
}

void Problem::sum_nodal_mass(void (*sum)(const Mesh *, State *)) {
  StateMemory work(mesh, false);
  std::copy(nodal_mass.begin(), nodal_mass.end(), work->fx);
  sum(&mesh, work.get());
  std::copy(work->fx, work->fx + mesh.n_node, nodal_mass.begin());
}

StateMemory Problem::initial() const {
  StateMemory s(mesh, true);
  std::copy(x.begin(), x.end(), s->x);
  std::copy(y.begin(), y.end(), s->y);
  std::copy(z.begin(), z.end(), s->z);
  std::fill(s->v, s->v + mesh.n_elem, 1.0);
  if (options.rank == 0)
    s->e[0] = energy;
  s->dt = 0.5 * std::cbrt(volume[0]) / std::sqrt(2.0 * energy);
  s->dtcourant = s->dthydro = 1e20;
  return s;
}

} // namespace suites::lulesh
