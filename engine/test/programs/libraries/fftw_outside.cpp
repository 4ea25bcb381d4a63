// HEADER: fftw3.h
// LINK: fftw3
// Plans of FFTW from outside, with arrays named, and in second derivatives.
#include "fftw.h"
#include <complex>
#include <memory>
#include <vector>

using C = std::complex<double>;

namespace arrays_named {
// Plans from outside, with arrays of the function.
static fftw_plan outside, outsideBack;
double f(const double *x, int n) {
  std::vector<C> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = C(x[i] * x[i], std::sin(x[i]));
  fftw_execute_dft(outside, reinterpret_cast<fftw_complex *>(in.data()),
                   reinterpret_cast<fftw_complex *>(out.data()));
  for (int i = 0; i < n; ++i)
    out[i] *= C(0.1 * i, 0.2);
  fftw_execute_dft(outsideBack, reinterpret_cast<fftw_complex *>(out.data()),
                   reinterpret_cast<fftw_complex *>(in.data()));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += std::norm(in[i]) * sin(i + 1.) * 0.01 + out[i].real();
  return s;
}

void check() {
  std::vector<C> a(8), b(8);
  outside =
      fftw_plan_dft_1d(8, (fftw_complex *)a.data(), (fftw_complex *)b.data(),
                       FFTW_FORWARD, FFTW_ESTIMATE);
  outsideBack =
      fftw_plan_dft_1d(8, (fftw_complex *)b.data(), (fftw_complex *)a.data(),
                       FFTW_BACKWARD, FFTW_MEASURE);
  TRY(f, 8)
  fftw_destroy_plan(outside);
  fftw_destroy_plan(outsideBack);
  fftw_cleanup();
}
} // namespace arrays_named

namespace made_outside {
struct Solver {
  int n;
  double *u;
  fftw_complex *h;
  fftw_plan there, back;
  explicit Solver(int n)
      : n(n), u(fftw_alloc_real(n)), h(fftw_alloc_complex(n / 2 + 1)),
        there(fftw_plan_dft_r2c_1d(n, u, h, FFTW_MEASURE)),
        back(fftw_plan_dft_c2r_1d(n, h, u, FFTW_MEASURE)) {}
  ~Solver() {
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
    fftw_free(u);
    fftw_free(h);
  }
  void step(double nu) {
    fftw_execute_dft_r2c(there, u, h);
    for (int k = 0; k <= n / 2; ++k) {
      h[k][0] *= exp(-nu * k * k) / n;
      h[k][1] *= exp(-nu * k * k) / n;
    }
    fftw_execute_dft_c2r(back, h, u);
    for (int i = 0; i < n; ++i)
      u[i] += 0.1 * u[i] * (1 - u[i]);
  }
};
double f(Solver *s, const double *x) {
  for (int i = 0; i < s->n; ++i)
    s->u[i] = x[i];
  for (int t = 0; t < 4; ++t)
    s->step(0.1 + 0.01 * x[0]);
  return weighed(s->u, s->n);
}

void check() {
  Solver s(8), ds(8);
  for (int i = 0; i < 8; ++i)
    ds.u[i] = 0;
  for (int i = 0; i < 5; ++i)
    ds.h[i][0] = ds.h[i][1] = 0;
  double x[8], g[8] = {}, v[8];
  for (int i = 0; i < 8; ++i)
    x[i] = 0.5 + 0.3 * sin(5. * i), v[i] = cos(i);
  __enzyme_autodiff((void *)f, enzyme_dup, &s, &ds, enzyme_dup, x, g);
  double all = 0;
  for (int i = 0; i < 8; ++i) {
    double at = x[i], h = 1e-4;
    x[i] = at + h;
    double up = f(&s, x);
    x[i] = at - h;
    double dn = f(&s, x);
    x[i] = at;
    NEAR(g[i], (up - dn) / (2 * h), 1e-5);
    all += g[i] * v[i];
  }
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, &s, &ds, enzyme_dup, x, v), all,
       1e-10);
}
} // namespace made_outside

namespace twice {
double f(const double *x, int n) {
  std::vector<std::complex<double>> c(n);
  for (int i = 0; i < n; ++i)
    c[i] = std::complex<double>(x[i] * x[i], std::sin(x[i]));
  auto *d = reinterpret_cast<fftw_complex *>(c.data());
  fftw_plan p = fftw_plan_dft_1d(n, d, d, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(p);
  for (auto &v : c)
    v = v * v * 0.1;
  fftw_execute_dft(p, d, d);
  fftw_destroy_plan(p);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += std::norm(c[i]) * sin(i + 1.) * 0.01;
  return s;
}
void gradient(const double *x, double *g, int n) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
}

void check() {
  double x[8], v[8], g[8], hv[8], d[8];
  for (int i = 0; i < 8; ++i)
    x[i] = 0.5 + 0.3 * sin(5. * i), v[i] = cos(i), g[i] = hv[i] = 0;
  __enzyme_fwddiff_void((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, hv,
                        enzyme_const, 8);
  double h = 1e-4, up[8] = {}, down[8] = {};
  for (int i = 0; i < 8; ++i)
    d[i] = x[i] + h * v[i];
  gradient(d, up, 8);
  for (int i = 0; i < 8; ++i)
    d[i] = x[i] - h * v[i];
  gradient(d, down, 8);
  for (int i = 0; i < 8; ++i)
    NEAR(hv[i], (up[i] - down[i]) / (2 * h), 1e-5);
  TRY(f, 8)
}
} // namespace twice

int main() {
  arrays_named::check();
  made_outside::check();
  twice::check();
  return finish();
}
