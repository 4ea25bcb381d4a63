// Memory that the differentiated function allocates in several places, and
// pointers that change between it: accesses are said to be apart where they are
// of objects that never meet, and only there.
#include "../check.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

using Vector = std::vector<double>;

/// A product of a matrix, by rows, with a vector that is assigned to.
static double powers(const double *x, int n) {
  std::vector<Vector> a(n, Vector(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i][j] = 0.1 * x[(i + 2 * j) % n] + (i == j);
  Vector v(x, x + n);
  for (int step = 0; step < 3; ++step) {
    Vector u(n, 0.0);
    double length = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        u[i] += a[i][j] * v[j];
      length += u[i] * u[i];
    }
    for (double &e : u)
      e /= sqrt(length);
    v = u;
  }
  return v[0] + 2 * v[n - 1];
}

/// Two buffers change roles, and one of them ends as a third.
static double swapped(const double *x, int n) {
  Vector a(x, x + n), b(n), c;
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        b[i] += 0.2 * a[j] * a[i] + 0.1 * b[(i + 1) % n];
    if (step == 2)
      c = std::move(a), a.assign(n, x[1]);
    std::swap(a, b);
  }
  return a[0] * b[1] + c[n - 1];
}

/// Rows that are one and the same memory, by several pointers.
static double shared_rows(const double *x, int n) {
  std::unique_ptr<double[]> block(new double[2 * n]), other(new double[n]);
  std::vector<double *> rows;
  for (int i = 0; i < n; ++i)
    rows.push_back(i % 3 == 2 ? other.get() : block.get() + (i % 2) * (n / 2));
  std::fill_n(block.get(), 2 * n, x[0]);
  std::fill_n(other.get(), n, x[1]);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      rows[i][j] += 0.3 * rows[(i + 1) % n][(j + 1) % n] * x[j];
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i)
    sum += block[i] * block[i];
  return sum + other[0] * other[n - 1];
}

/// Memory that is given back and handed out again at the same place.
static double again(const double *x, int n) {
  double sum = 0;
  for (int step = 0; step < 3; ++step) {
    double *first = (double *)malloc(sizeof(double) * n);
    for (int i = 0; i < n; ++i)
      first[i] = x[i] * x[(i + step) % n];
    double last = first[n - 1];
    free(first);
    double *second = (double *)malloc(sizeof(double) * n);
    for (int i = 0; i < n; ++i)
      second[i] = last * x[i] + sum;
    for (int i = 1; i < n; ++i)
      second[0] += 0.1 * second[i] * second[i];
    sum = second[0];
    free(second);
  }
  return sum;
}

/// An allocator of the program: all that it hands out is of one block.
struct Pool {
  double *block;
  int used = 0;
  double *take(int n) {
    used += n;
    return block + used - n;
  }
};
static double pooled(const double *x, int n) {
  Pool pool{(double *)calloc(sizeof(double), 4 * n)};
  double *a = pool.take(n), *b = pool.take(n);
  double *kept = n % 2 ? a : b; // of either
  for (int i = 0; i < n; ++i)
    a[i] = x[i], b[i] = x[n - 1 - i] * x[0];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      kept[i] += 0.1 * a[j] * b[i];
  memmove(a + 1, a, sizeof(double) * (n - 1));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[n - 1 - i];
  free(pool.block);
  return sum;
}

/// A pointer to one of two arrays, and an array that grows.
static double chosen(const double *x, int n) {
  double *a = (double *)malloc(sizeof(double) * n), local[16];
  for (int i = 0; i < n; ++i)
    a[i] = x[i], local[i] = x[i] * x[i];
  for (int step = 0; step < 4; ++step) {
    double *to = x[step] > 0.5 ? a : local, *from = step % 2 ? a : local;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        to[i] += 0.05 * from[j] * to[j];
  }
  a = (double *)realloc(a, sizeof(double) * 3 * n);
  for (int i = n; i < 3 * n; ++i)
    a[i] = a[i - n] * local[i % n];
  double last = a[3 * n - 1] + a[n];
  free(a);
  return last;
}

int main() {
  const int n = 7;
  double x[n], v[n], d[n];
  for (int i = 0; i < n; ++i)
    x[i] = 0.4 + 0.07 * ((3 * i) % n), v[i] = 0.3 * i - 0.8;
#define CHECK(f)                                                               \
  {                                                                            \
    memset(d, 0, sizeof d);                                                    \
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, n);           \
    double along = 0, want = slope(f, x, v, n);                                \
    for (int i = 0; i < n; ++i)                                                \
      along += d[i] * v[i];                                                    \
    NEAR(along, want, 1e-8);                                                   \
    NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, n), want, \
         1e-8);                                                                \
  }
  CHECK(powers)
  CHECK(swapped)
  CHECK(shared_rows)
  CHECK(again)
  CHECK(pooled)
  CHECK(chosen)
  return finish();
}
