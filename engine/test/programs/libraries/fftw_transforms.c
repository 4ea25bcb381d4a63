// HEADER: fftw3.h
// LINK: fftw3
// Transforms of FFTW against central differences, and an adjoint by hand.
#include "fftw.h"

enum { N = 6, M = 4 };

double forward_1d(const double *x, UNUSED int n) {
  fftw_complex in[N], out[N];
  for (int i = 0; i < N; ++i) {
    in[i][0] = x[2 * i] * x[2 * i];
    in[i][1] = sin(x[2 * i + 1]);
  }
  fftw_plan p = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(p);
  fftw_destroy_plan(p);
  return weighed(&out[0][0], 2 * N) + weighed(&in[0][0], 2 * N);
}
double backward_in_place(const double *x, UNUSED int n) {
  fftw_complex *a = fftw_alloc_complex(N);
  fftw_plan p = fftw_plan_dft_1d(N, a, a, FFTW_BACKWARD, FFTW_MEASURE);
  for (int i = 0; i < N; ++i) {
    a[i][0] = x[2 * i] * x[2 * i];
    a[i][1] = sin(x[2 * i + 1]);
  }
  fftw_execute(p);
  double sum = weighed(&a[0][0], 2 * N);
  fftw_destroy_plan(p);
  fftw_free(a);
  return sum;
}
double half_1d(const double *x, UNUSED int n) {
  double *in = fftw_alloc_real(N);
  fftw_complex *out = fftw_alloc_complex(N / 2 + 1);
  fftw_plan p = fftw_plan_dft_r2c_1d(N, in, out, FFTW_ESTIMATE);
  for (int i = 0; i < N; ++i)
    in[i] = x[i] * x[i];
  fftw_execute(p);
  double sum = weighed(&out[0][0], N + 2);
  fftw_destroy_plan(p);
  fftw_free(in);
  fftw_free(out);
  return sum;
}
double back_1d(const double *x, UNUSED int n) {
  double *out = fftw_malloc(N * sizeof(double));
  fftw_complex *in = fftw_malloc((N / 2 + 1) * sizeof(fftw_complex));
  fftw_plan p = fftw_plan_dft_c2r_1d(N, in, out, FFTW_ESTIMATE);
  for (int i = 0; i < N / 2 + 1; ++i) {
    in[i][0] = x[2 * i] * x[2 * i];
    in[i][1] = sin(x[2 * i + 1]);
  }
  fftw_execute(p);
  double sum = weighed(out, N);
  fftw_destroy_plan(p);
  fftw_free(in);
  fftw_free(out);
  return sum;
}
double plane(const double *x, UNUSED int n) {
  fftw_complex *in = fftw_alloc_complex(N * M),
               *out = fftw_alloc_complex(N * M);
  fftw_plan p = fftw_plan_dft_2d(N, M, in, out, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (int i = 0; i < N * M; ++i) {
    in[i][0] = x[2 * i] * x[2 * i];
    in[i][1] = sin(x[2 * i + 1]);
  }
  fftw_execute(p);
  fftw_execute(p);
  double sum = weighed(&out[0][0], 2 * N * M);
  fftw_destroy_plan(p);
  fftw_free(in);
  fftw_free(out);
  return sum;
}
double there_and_back(const double *x, UNUSED int n) {
  double *r = fftw_alloc_real(N * M);
  fftw_complex *c = fftw_alloc_complex(N * (M / 2 + 1));
  fftw_plan p = fftw_plan_dft_r2c_2d(N, M, r, c, FFTW_ESTIMATE),
            q = fftw_plan_dft_c2r_2d(N, M, c, r, FFTW_ESTIMATE);
  for (int i = 0; i < N * M; ++i)
    r[i] = x[i] * x[i];
  for (int k = 0; k < 3; ++k) {
    fftw_execute(p);
    for (int i = 0; i < N * (M / 2 + 1); ++i) {
      double re = c[i][0], im = c[i][1];
      c[i][0] = (0.3 * re - 0.1 * im * im) / (N * M);
      c[i][1] = (re + 0.2 * im) / (N * M);
    }
    fftw_execute(q);
    for (int i = 0; i < N * M; ++i)
      r[i] = sin(r[i]) + x[i];
  }
  double sum = weighed(r, N * M);
  fftw_destroy_plan(p);
  fftw_destroy_plan(q);
  fftw_free(r);
  fftw_free(c);
  return sum;
}

/// The adjoint of half_1d by hand: each sum over the frequencies that there
/// are.
static void half_1d_by_hand(const double *x, double *g) {
  double h[N + 2] = {0};
  for (int k = 0; k <= N / 2; ++k)
    for (int j = 0; j < N; ++j) {
      h[2 * k] += x[j] * x[j] * cos(2 * M_PI * j * k / N);
      h[2 * k + 1] -= x[j] * x[j] * sin(2 * M_PI * j * k / N);
    }
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N + 2; ++i) {
      double angle = 2 * M_PI * j * (i / 2) / N;
      g[j] += 2 * x[j] * (sin(i + 1.) + 0.02 * cos(3. * i) * h[i]) *
              (i % 2 ? -sin(angle) : cos(angle));
    }
}

int main() {
  TRY(forward_1d, 2 * N)
  TRY(backward_in_place, 2 * N)
  TRY(half_1d, N)
  TRY(back_1d, N + 2)
  TRY(plane, 2 * N * M)
  TRY(there_and_back, N * M)
  double x[N] = {0.3, 0.7, -1, 2, 0.1, 0.5}, got[N] = {0}, want[N] = {0};
  half_1d_by_hand(x, want);
  __enzyme_autodiff((void *)half_1d, enzyme_dup, x, got, enzyme_const, N);
  for (int j = 0; j < N; ++j)
    NEAR(got[j], want[j], 1e-12);
  return finish();
}
