// Memory from the heap inside the function: per call, per iteration, grown by
// realloc, kept alive across iterations, freed on different paths.
#include "../check.h"

/// One buffer per iteration; the previous one is still read.
static double chain(const double *x, int n) {
  double *last = (double *)malloc(sizeof(double) * 2);
  last[0] = x[0];
  last[1] = 1;
  for (int i = 1; i < n; ++i) {
    double *next = (double *)malloc(sizeof(double) * 2);
    next[0] = last[0] * x[i] + sin(last[1]);
    next[1] = last[1] * 0.5 + last[0] * last[0];
    free(last);
    last = next;
  }
  double result = last[0] * last[1];
  free(last);
  return result;
}

/// A buffer that doubles as it fills; which entries go in depends on the data.
static double collect(const double *x, int n) {
  int size = 0, room = 1;
  double *kept = (double *)malloc(sizeof(double));
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0.3)
      continue;
    if (size == room) {
      room *= 2;
      kept = (double *)realloc(kept, sizeof(double) * (size_t)room);
    }
    kept[size++] = x[i] * x[i];
  }
  if (size == 0) {
    free(kept);
    return x[0];
  }
  double sum = 0;
  for (int i = 0; i < size; ++i)
    sum += kept[i] * kept[size - 1 - i] * (i + 1);
  free(kept);
  return sum;
}

/// Rows allocated one by one through a table of pointers, and calloc's zeros.
static double table(const double *x, int n) {
  double **row = (double **)malloc(sizeof(double *) * (size_t)n);
  double *sum = (double *)calloc((size_t)n, sizeof(double));
  for (int i = 0; i < n; ++i) {
    row[i] = (double *)malloc(sizeof(double) * (size_t)(i + 1));
    for (int j = 0; j <= i; ++j)
      row[i][j] = x[i] * exp(0.2 * x[j]);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      sum[j] += row[i][j] * row[i][j];
  double total = 0;
  for (int i = 0; i < n; ++i) {
    total += sqrt(1 + sum[i]);
    free(row[i]);
  }
  free(row);
  free(sum);
  return total;
}

int main(void) {
  const double x[] = {0.4, 0.9, 0.1, -0.7, 1.1, 0.6, 0.35, 0.8};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.3, 0.7, -0.2};
  for (int n = 1; n <= 8; ++n) {
    double g[3][8] = {{0}};
    BOTH_MODES(chain, x, g[0], v, n);
    BOTH_MODES(collect, x, g[1], v, n);
    BOTH_MODES(table, x, g[2], v, n);
  }
  return finish();
}
