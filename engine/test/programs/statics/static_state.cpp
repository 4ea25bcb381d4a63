// The state of a simulation in memory to which static variables lead, and which
// other code has made before the first derivative: what is differentiated
// allocates none of it. Each namespace keeps it in another way; their functions
// are derived as often as an optimizer would ask for it.
#include "../check.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

template <typename T, typename... A> T __enzyme_autodiff(void *, A...);
template <typename T, typename... A> T __enzyme_fwddiff(void *, A...);

static constexpr int n = 6;

namespace rows_of_c {
static double **state;
static void init() {
  state = static_cast<double **>(malloc(n * sizeof *state));
  for (int i = 0; i < n; i++)
    state[i] = static_cast<double *>(calloc(n, sizeof **state));
}
static double &at(int i, int j) { return state[i][j]; }
} // namespace rows_of_c

namespace vectors {
std::vector<std::vector<double>> state; // other files may see it
static void init() { state.assign(n, std::vector<double>(n)); }
static double &at(int i, int j) { return state[size_t(i)][size_t(j)]; }
} // namespace vectors

namespace domain {
struct Domain {
  std::vector<double> mass, field;
  double &at(int i, int j) { return field[size_t(i * n + j)]; }
};
static Domain *state;
static void init() {
  state = new Domain;
  state->field.resize(n * n);
}
static double &at(int i, int j) { return state->at(i, j); }
} // namespace domain

namespace owner {
struct Domain {
  double *field;
  int stride;
};
static std::unique_ptr<Domain> state;
static void init() {
  state = std::make_unique<Domain>();
  state->field = new double[n * n]();
  state->stride = n;
}
static double &at(int i, int j) { return state->field[i * state->stride + j]; }
} // namespace owner

namespace singleton {
struct Domain {
  std::vector<double> field;
  static Domain &get() {
    static Domain only;
    return only;
  }
};
static void init() { Domain::get().field.resize(n * n); }
static double &at(int i, int j) {
  return Domain::get().field[size_t(i * n + j)];
}
} // namespace singleton

namespace by_name {
static std::map<std::string, std::vector<double>> state;
static void init() { state["field"].resize(n * n); }
static double &at(int i, int j) { return state.at("field")[size_t(i * n + j)]; }
} // namespace by_name

namespace records {
struct Cell {
  double value;
  int visits;
  Cell *next;
};
static Cell *state;
static void init() {
  state = new Cell[n * n]();
  for (int i = 0; i + 1 < n * n; i++)
    state[i].next = state + i + 1;
}
static double &at(int i, int j) {
  ++state[i * n + j].visits;
  return i * n + j ? state[i * n + j - 1].next->value : state->value;
}
} // namespace records

/// Other files may set it.
double *array_state;
namespace array {
static void init() { array_state = new double[n * n]; }
static double &at(int i, int j) { return array_state[i * n + j]; }
} // namespace array

namespace pointers {
static std::vector<double *> state;
static void init() {
  for (int i = 0; i < n; i++)
    state.push_back(new double[n]);
}
static double &at(int i, int j) { return state[size_t(i)][j]; }
} // namespace pointers

template <double &at(int, int)> static double cost(const double *k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      at(i, j) = i == j ? k[i] : sin(i + 2 * j) * k[j];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      at(i, j) += 0.3 * at(i - 1, j) * at(i, j - 1);
  double e = 0;
  for (int i = 0; i < n; i++)
    e += at(i, n - 1 - i) * at(i, i);
  return e;
}

template <void init(), double &at(int, int)> static void check() {
  init();
  double k[n], d[n], t[n] = {};
  for (int i = 0; i < n; i++)
    k[i] = 1 + 0.2 * i;
  const auto f = [](const double *x, int) { return cost<at>(x); };
  for (int round = 0; round < 3; round++) {
    for (double &x : d)
      x = 0;
    __enzyme_autodiff<void>(reinterpret_cast<void *>(cost<at>), enzyme_dup, k,
                            d);
    for (int i = 0; i < n; i++) {
      t[i] = 1;
      NEAR(d[i], slope(f, k, t, n), 1e-9);
      NEAR(__enzyme_fwddiff<double>(reinterpret_cast<void *>(cost<at>),
                                    enzyme_dup, k, t),
           d[i], 1e-13);
      t[i] = 0;
    }
  }
}

int main() {
  check<rows_of_c::init, rows_of_c::at>();
  check<vectors::init, vectors::at>();
  check<domain::init, domain::at>();
  check<owner::init, owner::at>();
  check<singleton::init, singleton::at>();
  check<by_name::init, by_name::at>();
  check<records::init, records::at>();
  check<array::init, array::at>();
  check<pointers::init, pointers::at>();
  // They are as long in use as the program runs.
  for (double *row : pointers::state)
    delete[] row;
  delete[] array_state;
  delete[] records::state;
  delete[] owner::state->field;
  delete domain::state;
  for (int i = 0; i < n; i++)
    free(rows_of_c::state[i]);
  free(rows_of_c::state);
  return finish();
}
