// OPTIONS: -mllvm -retro-inline-budget=3 -mllvm -retro-parts-above=0
// OPTIONS: -mllvm -retro-part-size=20
// Large functions that are differentiated in parts, and whose calls, which are
// not inlined, may throw: what a handler reads of an exception stays in the
// function that catches it, also where the handler does nothing to numbers.
#include "../check.h"

#include <utility>
#include <vector>

namespace {

constexpr int Size = 4;

/// Rows that change places; handlers give them back, and do no more.
double eliminate(const double *x, int n) {
  std::vector<std::vector<double>> a(Size, std::vector<double>(Size));
  for (int i = 0; i < Size; ++i)
    for (int j = 0; j < Size; ++j)
      a[i][j] = x[(i * 2 + j) % n] + (i == j ? (i == 1 ? -0.7 : 3) : 0);
  for (int k = 0; k < Size; ++k) {
    int best = k;
    for (int i = k + 1; i < Size; ++i)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    std::swap(a[k], a[best]);
    for (int i = k + 1; i < Size; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < Size; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
  double sum = 0;
  for (int i = 0; i < Size; ++i)
    for (int j = 0; j < Size; ++j)
      sum += a[i][j] * (i + 1) * (j + 2);
  return 0.1 * sum;
}

NOINLINE double throwsAtNegative(const double *x, int depth) {
  if (depth == 0) {
    if (x[0] < 0)
      throw 2;
    return x[0];
  }
  return x[1] * throwsAtNegative(x, depth - 1) +
         0.5 * throwsAtNegative(x + 1, depth - 1);
}

/// Handlers that go on with numbers, and calls that do throw.
double goesOn(const double *x, int n) {
  double sum = 0.5;
  for (int i = 0; i + 2 < n; ++i) {
    std::vector<double> kept(x + i, x + i + 3);
    try {
      sum += sin(x[i]) * throwsAtNegative(kept.data(), 1);
      sum *= cos(x[i + 1] * sum);
    } catch (int at) {
      sum += kept[static_cast<size_t>(at)] * x[i] * sum;
    }
  }
  return sum;
}

} // namespace

int main() {
  check_modes<eliminate>({0.7, 0.4, 1.2, 0.9, 1.1, 0.3}, 1e-7);
  check_modes<goesOn>();
  return finish();
}
