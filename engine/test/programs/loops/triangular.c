// Loop nests with bounds that depend on outer counters, in place: the Cholesky
// factor, whose log determinant has the inverse matrix as its gradient.
#include "../check.h"

enum { MAX = 5 };

/// log det A of the symmetric positive definite n x n matrix in a, of which the
/// lower triangle is read, and overwritten by the factor.
static double log_det(double *a, int n) {
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      a[j * n + j] -= a[j * n + k] * a[j * n + k];
    a[j * n + j] = sqrt(a[j * n + j]);
    sum += 2 * log(a[j * n + j]);
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  return sum;
}

/// Gauss and Jordan, without pivoting: the matrix is positive definite.
static void invert(const double *a, double *inverse, int n) {
  double work[MAX * MAX];
  memcpy(work, a, sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < n * n; ++i)
    inverse[i] = i % (n + 1) == 0;
  for (int p = 0; p < n; ++p) {
    double scale = 1 / work[p * n + p];
    for (int j = 0; j < n; ++j) {
      work[p * n + j] *= scale;
      inverse[p * n + j] *= scale;
    }
    for (int i = 0; i < n; ++i) {
      double factor = work[i * n + p];
      for (int j = 0; i != p && j < n; ++j) {
        work[i * n + j] -= factor * work[p * n + j];
        inverse[i * n + j] -= factor * inverse[p * n + j];
      }
    }
  }
}

int main(void) {
  for (int n = 1; n <= MAX; ++n) {
    double a[MAX * MAX], factor[MAX * MAX], g[MAX * MAX] = {0};
    double inverse[MAX * MAX], v[MAX * MAX], expected = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        a[i * n + j] = 1. / (1 + abs(i - j)) + (i == j ? 1 + 0.3 * i : 0);
        v[i * n + j] = cos(i + 2 * j);
      }
    invert(a, inverse, n);
    memcpy(factor, a, sizeof a);
    __enzyme_autodiff((void *)log_det, factor, g, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        // An entry below the diagonal stands for the one above it too.
        double exact = (i == j ? 1 : 2) * inverse[i * n + j];
        NEAR(g[i * n + j], exact, 1e-12);
        expected += exact * v[i * n + j];
      }
    memcpy(factor, a, sizeof a);
    NEAR(__enzyme_fwddiff((void *)log_det, factor, v, n), expected, 1e-12);
  }
  return finish();
}
