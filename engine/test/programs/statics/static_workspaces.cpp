// Workspaces behind static pointers, made when they are first needed, by
// whatever call comes first: at each level their shadows are found, also where
// other code could set the pointer or its loads are not simplified. The same
// holds with enzyme_runtime_activity: an earlier derivative's tangents are not
// taken for adjoints, and memory of a plain call is no memory without a shadow.
#include "../check.h"

#include <cstdlib>
#include <vector>

extern "C" {
MARKERS(enzyme_runtime_activity, enzyme_width);
}
template <typename T, typename... A> T __enzyme_autodiff(void *, A...);
template <typename T, typename... A> T __enzyme_fwddiff(void *, A...);

struct Pair {
  double lanes[2];
};

/// Other files may set it.
double *shared_work;

namespace {

__attribute__((noinline)) double *from_new() {
  static double *work = new double[10];
  return work;
}

__attribute__((noinline)) double *from_malloc() {
  if (!shared_work)
    shared_work = static_cast<double *>(malloc(10 * sizeof(double)));
  return shared_work;
}

__attribute__((noinline)) double *of_thread() {
  static thread_local double *work;
  if (!work)
    work = static_cast<double *>(malloc(10 * sizeof(double)));
  return work;
}

struct Workspace {
  int size;
  double scale, *values;
};
Workspace in_struct;

__attribute__((noinline)) double *of_struct() {
  if (!in_struct.values) {
    in_struct.size = 10;
    in_struct.values = new double[10];
  }
  return in_struct.values;
}

__attribute__((noinline)) double *of_vector() {
  static std::vector<double> work;
  if (work.size() < 4)
    work.resize(4);
  return work.data();
}

template <double *get()> double through(const double *x) {
  double *b = get();
  b[0] = x[0] * x[1];
  double *c = get();
  c[1] = b[0] * x[0];
  return b[1];
}

/// Each letter of Order is a call: plain, gradient, forward, or of width 2.
template <double *get()> void check(const char *what, const char *order) {
  for (; *order; ++order) {
    double x[2] = {3, 5}, d[2] = {}, e[2] = {}, t[2] = {1, 0}, u[2] = {0, 1};
    void *const f = reinterpret_cast<void *>(through<get>);
    Pair both = {{30, 9}};
    double slope = 30;
    switch (*order) {
    case 'p':
      NEAR(through<get>(x), 45, 0);
      continue;
    case 'g':
      __enzyme_autodiff<void>(f, enzyme_dup, x, d);
      break;
    case 'G':
      __enzyme_autodiff<void>(f, enzyme_runtime_activity, enzyme_dup, x, d);
      break;
    case 'f':
      slope = __enzyme_fwddiff<double>(f, enzyme_dup, x, t);
      break;
    case 'F':
      slope = __enzyme_fwddiff<double>(f, enzyme_runtime_activity, enzyme_dup,
                                       x, t);
      break;
    case 'v':
      __enzyme_autodiff<void>(f, enzyme_runtime_activity, enzyme_width, 2,
                              enzyme_dup, x, d, e);
      NEAR(e[0], 30, 0);
      NEAR(e[1], 9, 0);
      break;
    case 'w':
      both = __enzyme_fwddiff<Pair>(f, enzyme_runtime_activity, enzyme_width, 2,
                                    enzyme_dup, x, t, u);
      break;
    }
    if (*order == 'g' || *order == 'G' || *order == 'v') {
      NEAR(d[0], 30, 0);
      NEAR(d[1], 9, 0);
    }
    if (slope != 30 || both.lanes[0] != 30 || both.lanes[1] != 9)
      printf("%s\n", what);
    NEAR(slope, 30, 0);
    NEAR(both.lanes[0], 30, 0);
    NEAR(both.lanes[1], 9, 0);
  }
}

} // namespace

int main() {
  // What comes first is each time another kind of call.
  check<from_new>("new", "pGfGpgFGvwv");
  check<from_malloc>("malloc", "GFGpgfgwGv");
  check<of_thread>("thread", "FGpGvpwg");
  check<of_struct>("struct", "wGFpgvG");
  check<of_vector>("vector", "pvGfFgwG");
  free(shared_work);
  free(of_thread());
  delete[] in_struct.values;
  delete[] from_new();
  return finish();
}
