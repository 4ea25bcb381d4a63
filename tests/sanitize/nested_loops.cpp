// Nested loops with trip counts that depend on data, early exits, and a heap
// scratch array that is reused: the tape has a place for every iteration.
#include "check.h"

#include <memory>

// sum over rows of (partial sum of the row until it exceeds limit)^3
static double rows(const double *m, const int *length, int count,
                   double limit) {
  double total = 0;
  int at = 0;
  for (int r = 0; r < count; r++) {
    auto scratch = std::make_unique<double[]>(length[r]);
    double sum = 0;
    for (int i = 0; i < length[r]; i++) {
      scratch[i] = m[at + i] * m[at + i];
      sum += scratch[i];
      if (sum > limit)
        break;
    }
    total += sum * sum * sum;
    at += length[r];
  }
  return total;
}

int main() {
  const int length[] = {3, 1, 5, 0, 4};
  const int count = 5, entries = 13;
  double m[entries], dm[entries] = {}, expected[entries] = {};
  for (int i = 0; i < entries; i++)
    m[i] = 0.5 + 0.25 * (i % 5);
  const double limit = 3;
  for (int r = 0, at = 0; r < count; at += length[r++]) {
    double sum = 0;
    int used = 0;
    while (used < length[r] && sum <= limit) {
      sum += m[at + used] * m[at + used];
      used++;
    }
    for (int i = 0; i < used; i++)
      expected[at + i] = 3 * sum * sum * 2 * m[at + i];
  }
  __enzyme_autodiff<void>(reinterpret_cast<void *>(rows), enzyme_dup, m, dm,
                          enzyme_const, length, enzyme_const, count,
                          enzyme_const, limit);
  for (int i = 0; i < entries; i++)
    check("rows", dm[i], expected[i]);
}
