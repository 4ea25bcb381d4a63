// Outputs whose memory the function may replace: what a duplicated argument
// leads to is the caller's, also where the code allocates it.
#include "../check.h"

#include <vector>

static void squares(const std::vector<double> &x, std::vector<double> &y) {
  y.clear();
  for (double v : x)
    y.push_back(v * v);
}

/// Room for the output is there: the seeds in its shadow are read.
static void room() {
  std::vector<double> x{1, 2, 3}, dx(3), y(3), dy{1, 10, 100};
  __enzyme_autodiff_void((void *)squares, &x, &dx, &y, &dy);
  NEAR(dx[0], 2, 1e-15);
  NEAR(dx[1], 40, 1e-15);
  NEAR(dx[2], 600, 1e-15);
}

/// The output grows, and its shadow with it.
static void growth() {
  std::vector<double> x{1, 2, 3}, tx{1, 1, 2}, y, ty;
  __enzyme_fwddiff_void((void *)squares, &x, &tx, &y, &ty);
  near_at(__LINE__, "size", static_cast<double>(ty.size()), 3, 0);
  if (ty.size() != 3)
    return;
  NEAR(y[2], 9, 0);
  NEAR(ty[0], 2, 1e-15);
  NEAR(ty[1], 4, 1e-15);
  NEAR(ty[2], 12, 1e-15);
}

struct Buffer {
  double *data;
};
static void replace(double x, Buffer *b, int n) {
  double *fresh = (double *)malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; ++i)
    fresh[i] = x * x * i + b->data[i];
  free(b->data);
  b->data = fresh;
}

/// The tangents of memory that the function leaves behind.
static void replaced() {
  const int n = 3;
  Buffer b{(double *)calloc(n, sizeof(double))};
  Buffer t{(double *)calloc(n, sizeof(double))};
  t.data[1] = 5;
  __enzyme_fwddiff_void((void *)replace, enzyme_dup, 2.0, 1.0, enzyme_dup, &b,
                        &t, enzyme_const, n);
  NEAR(b.data[2], 8, 0);
  NEAR(t.data[0], 0, 0);
  NEAR(t.data[1], 9, 1e-15);
  NEAR(t.data[2], 8, 1e-15);
  free(b.data);
  free(t.data);
}

int main() {
  room();
  growth();
  replaced();
  return finish();
}
