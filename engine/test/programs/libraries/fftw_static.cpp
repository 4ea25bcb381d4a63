// HEADER: fftw3.h
// LINK: fftw3
// NOT-SANITIZED: nobody destroys a static plan, nor its shadow.
// A plan of FFTW that is made at the first call; its arrays are named.
#include "fftw.h"
#include <vector>

// The plan is made at the first call, and the arrays are each call's own.
double f(const double *x, int n) {
  static fftw_plan p = nullptr;
  std::vector<double> u(x, x + n), w(n + 2);
  auto *h = reinterpret_cast<fftw_complex *>(w.data());
  if (!p)
    p = fftw_plan_dft_r2c_1d(n, u.data(), h, FFTW_ESTIMATE | FFTW_UNALIGNED);
  for (double &v : u)
    v *= v;
  fftw_execute_dft_r2c(p, u.data(), h);
  return weighed(&h[0][0], n + 2);
}

int main() {
  TRY(f, 8)
  return finish();
}
