// HEADER: fftw3.h
// LINK: fftw3
// Plans of FFTW as programs keep them: in classes, pointers and vectors.
#include "fftw.h"
#include <complex>
#include <memory>
#include <vector>

using C = std::complex<double>;

namespace in_classes {
class Plan {
  fftw_plan P;

public:
  Plan(int n, double *in, C *out)
      : P(fftw_plan_dft_r2c_1d(n, in, reinterpret_cast<fftw_complex *>(out),
                               FFTW_ESTIMATE)) {}
  Plan(int n, C *in, double *out)
      : P(fftw_plan_dft_c2r_1d(n, reinterpret_cast<fftw_complex *>(in), out,
                               FFTW_ESTIMATE)) {}
  Plan(const Plan &) = delete;
  ~Plan() { fftw_destroy_plan(P); }
  void operator()() const { fftw_execute(P); }
};
struct Spectral {
  int n;
  std::vector<double> u;
  std::vector<C> uh;
  Plan there, back;
  explicit Spectral(int n)
      : n(n), u(n), uh(n / 2 + 1), there(n, u.data(), uh.data()),
        back(n, uh.data(), u.data()) {}
  void diffuse(double nu) {
    there();
    for (int k = 0; k <= n / 2; ++k)
      uh[k] *= std::exp(-nu * k * k) / n;
    back();
  }
};
double f(const double *x, int n) {
  Spectral s(n);
  for (int i = 0; i < n; ++i)
    s.u[i] = x[i];
  for (int t = 0; t < 5; ++t) {
    s.diffuse(0.1 + 0.01 * x[0]);
    for (double &v : s.u)
      v += 0.1 * v * (1 - v);
  }
  return weighed(s.u.data(), n);
}
} // namespace in_classes

namespace in_unique_pointers {
struct Destroy {
  void operator()(fftw_plan p) const { fftw_destroy_plan(p); }
};
using Plan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, Destroy>;
template <class T> struct FreeIt {
  void operator()(T *p) const { fftw_free(p); }
};
double f(const double *x, int n) {
  std::unique_ptr<double[], FreeIt<double>> u(fftw_alloc_real(n));
  std::unique_ptr<fftw_complex[], FreeIt<fftw_complex>> h(
      fftw_alloc_complex(n / 2 + 1));
  Plan p(fftw_plan_dft_r2c_1d(n, u.get(), h.get(), FFTW_MEASURE));
  for (int i = 0; i < n; ++i)
    u[i] = x[i] * x[i];
  for (int t = 0; t < 3; ++t) {
    fftw_execute(p.get());
    for (int i = 0; i < n; ++i)
      u[i] = std::sin(u[i]) + h[i / 2][i % 2] / n;
  }
  return weighed(u.get(), n);
}
} // namespace in_unique_pointers

namespace many {
// Several transforms at once, in place, in rows that are longer than they need.
double f(const double *x, int n) {
  const int rows = 4, pad = 2 * (n / 2 + 1);
  std::vector<double> a(rows * pad);
  std::vector<fftw_plan> plans;
  int size[] = {n};
  plans.push_back(fftw_plan_many_dft_r2c(1, size, rows, a.data(), nullptr, 1,
                                         pad, (fftw_complex *)a.data(), nullptr,
                                         1, pad / 2, FFTW_ESTIMATE));
  plans.push_back(fftw_plan_many_dft_c2r(
      1, size, rows, (fftw_complex *)a.data(), nullptr, 1, pad / 2, a.data(),
      nullptr, 1, pad, FFTW_ESTIMATE));
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < n; ++i)
      a[r * pad + i] = x[i] * (r + x[i]);
  fftw_execute(plans[0]);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k <= n / 2; ++k) {
      a[r * pad + 2 * k] /= 1 + k * k + x[0];
      a[r * pad + 2 * k + 1] *= 0.5;
    }
  fftw_execute(plans[1]);
  double s = 0;
  for (int r = 0; r < rows; ++r)
    s += weighed(&a[r * pad], n);
  for (auto p : plans)
    fftw_destroy_plan(p);
  return s;
}
} // namespace many

namespace three_dimensions {
// Also transforms of one number, and input that is preserved and read.
double f(const double *x, int n) {
  double r[3 * 2 * 5];
  fftw_complex c[3 * 2 * 3], d[1];
  fftw_plan p = fftw_plan_dft_r2c_3d(3, 2, 5, r, c, FFTW_ESTIMATE),
            q = fftw_plan_dft_c2r_3d(3, 2, 5, c, r, FFTW_ESTIMATE);
  for (int i = 0; i < 30; ++i)
    r[i] = x[i % n] * x[(i * 7) % n];
  fftw_execute(p);
  double s = weighed(&c[0][0], 36);
  for (int i = 0; i < 18; ++i)
    c[i][0] *= 0.1, c[i][1] *= 0.05 * i;
  fftw_execute(q);
  s += weighed(r, 30);
  fftw_destroy_plan(p);
  fftw_destroy_plan(q);
  fftw_complex e[4];
  double o[7];
  fftw_plan keep =
      fftw_plan_dft_c2r_1d(7, e, o, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  for (int i = 0; i < 4; ++i)
    e[i][0] = x[i] * x[i], e[i][1] = x[i + 4];
  fftw_execute(keep);
  s += weighed(o, 7) + weighed(&e[0][0], 8);
  fftw_destroy_plan(keep);
  fftw_plan one = fftw_plan_dft_1d(1, d, e, FFTW_FORWARD, FFTW_ESTIMATE);
  d[0][0] = x[0] * x[1], d[0][1] = x[2];
  fftw_execute(one);
  fftw_destroy_plan(one);
  return s + e[0][0] * e[0][1];
}
} // namespace three_dimensions

int main() {
  TRY(in_classes::f, 9)
  TRY(in_classes::f, 8)
  TRY(in_unique_pointers::f, 8)
  TRY(many::f, 6)
  TRY(many::f, 7)
  TRY(three_dimensions::f, 8)
  return finish();
}
