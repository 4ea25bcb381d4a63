// Regions of threads that work on what static variables lead to, and which was
// made before: the shadows are the derivative's that runs the regions, and not
// each thread's own.
// FLAGS: -fopenmp
#include "../check.h"

#include <thread>
#include <vector>

template <typename T, typename... A> T __enzyme_autodiff(void *, A...);
template <typename T, typename... A> T __enzyme_fwddiff(void *, A...);

static constexpr int n = 64, K = 4;

/// Other files may set them.
double *field, *next_field;

namespace {

struct Domain {
  std::vector<std::vector<double>> rows;
  double *weights;
};
Domain *domain;

double regions(const double *k) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    field[i] = sin(i) * k[i % K];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    next_field[i] = field[i] * field[(i + 1) % n];
  double e = 0;
#pragma omp parallel for reduction(+ : e)
  for (int i = 0; i < n; i++)
    e += next_field[i] * field[i];
  return e;
}

double rows(const double *k) {
  const int m = int(domain->rows.size());
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < m; i++)
      for (size_t j = 0; j < domain->rows[size_t(i)].size(); j++)
        domain->rows[size_t(i)][j] = k[j % K] * domain->weights[i];
#pragma omp for
    for (int i = 0; i < m; i++)
      for (size_t j = 1; j < domain->rows[size_t(i)].size(); j++)
        domain->rows[size_t(i)][j] *= domain->rows[size_t(i)][j - 1];
  }
  double e = 0;
  for (auto &row : domain->rows)
    e += row.back();
  return e;
}

void fill(int from, int to, const double *k) {
  for (int i = from; i < to; i++)
    field[i] = cos(i) * k[i % K] * k[(i + 1) % K];
}

double spawned(const double *k) {
  std::thread first(fill, 0, n / 2, k), second(fill, n / 2, n, k);
  first.join();
  second.join();
  double e = 0;
  for (int i = 1; i < n; i++)
    e += field[i] * field[i - 1];
  return e;
}

void check(double (*f)(const double *)) {
  double k[K] = {1.1, -0.8, 0.6, 0.9}, d[K], v[K] = {0.3, 0.4, -0.2, 0.5};
  for (int round = 0; round < 3; round++) {
    for (double &x : d)
      x = 0;
    __enzyme_autodiff<void>(reinterpret_cast<void *>(f), enzyme_dup, k, d);
    double along = 0, h = 1e-4, at[4];
    for (int i = 0; i < K; i++)
      along += d[i] * v[i];
    for (int s = 0; s < 4; s++) {
      double x[K];
      for (int i = 0; i < K; i++)
        x[i] = k[i] + (s < 2 ? s + 1 : 1 - s) * h * v[i];
      at[s] = f(x);
    }
    NEAR(along, (8 * (at[0] - at[2]) - at[1] + at[3]) / (12 * h), 1e-8);
    NEAR(
        __enzyme_fwddiff<double>(reinterpret_cast<void *>(f), enzyme_dup, k, v),
        along, 1e-12);
  }
}

} // namespace

int main() {
  field = new double[n];
  next_field = new double[n];
  domain = new Domain{std::vector<std::vector<double>>(9), new double[9]};
  for (size_t i = 0; i < 9; i++) {
    domain->rows[i].resize(5 + i);
    domain->weights[i] = 1 + 0.1 * double(i);
  }
  check(regions);
  check(rows);
  check(spawned);
  delete[] field;
  delete[] next_field;
  delete[] domain->weights;
  delete domain;
  return finish();
}
