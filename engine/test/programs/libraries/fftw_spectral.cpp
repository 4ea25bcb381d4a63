// HEADER: fftw3.h
// LINK: fftw3
// A pseudospectral solver of Burgers' equation, as a user would write it.
#include "fftw.h"
#include <complex>
#include <vector>

namespace {

constexpr int N = 6, M = N / 2 + 1;
using Field = std::vector<double>;
using Spectrum = std::vector<std::complex<double>>;

fftw_complex *raw(Spectrum &s) {
  return reinterpret_cast<fftw_complex *>(s.data());
}

/// Transforms of one field, again and again.
class Transform {
  Field values;
  Spectrum waves;
  fftw_plan there, back;

public:
  Transform() : values(N * N), waves(N * M) {
    there =
        fftw_plan_dft_r2c_2d(N, N, values.data(), raw(waves), FFTW_ESTIMATE);
    back = fftw_plan_dft_c2r_2d(N, N, raw(waves), values.data(), FFTW_ESTIMATE);
  }
  Transform(const Transform &) = delete;
  Transform &operator=(const Transform &) = delete;
  ~Transform() {
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
  }

  Spectrum operator()(const Field &f) {
    values = f;
    fftw_execute(there);
    return waves;
  }
  Field operator()(const Spectrum &s) {
    waves = s;
    fftw_execute(back);
    for (double &v : values)
      v /= N * N;
    return values;
  }
};

double frequency(int k) { return k <= N / 2 ? k : k - N; }

/// x holds the initial state, then the viscosity.
double misfit(const double *x, UNUSED int n) {
  Transform transform;
  Spectrum u = transform(Field(x, x + N * N));
  const double viscosity = x[N * N], step = 0.02;
  for (int t = 0; t < 4; ++t) {
    Spectrum slope_x(u), slope_y(u);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < M; ++j) {
        using namespace std::complex_literals;
        slope_x[i * M + j] *= 1i * (i == N / 2 ? 0. : frequency(i));
        slope_y[i * M + j] *= 1i * (j == N / 2 ? 0. : frequency(j));
      }
    Field v = transform(u), vx = transform(slope_x), vy = transform(slope_y);
    for (int i = 0; i < N * N; ++i)
      v[i] *= vx[i] + 0.5 * vy[i];
    Spectrum w = transform(v);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < M; ++j) {
        const double k2 = frequency(i) * frequency(i) + j * j;
        u[i * M + j] =
            (u[i * M + j] - step * w[i * M + j]) / (1 + step * viscosity * k2);
      }
  }
  return weighed(transform(u).data(), N * N);
}

} // namespace

int main() {
  TRY(misfit, N * N + 1)
  return finish();
}
