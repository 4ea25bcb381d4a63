// Least squares with a model of one's own: the parameters of a damped
// oscillation from noisy measurements, by the method of Levenberg and
// Marquardt. The Jacobian of the residuals comes from forward mode, all four
// columns at once; the gradient of the misfit, which must be 2 J^T r, from
// reverse mode. Typed interface, retrograde/retrograde.hpp.
#include <array>
#include <cmath>
#include <cstdio>
#include <retrograde/retrograde.hpp>
#include <utility>
#include <vector>

struct Parameters {
  double amplitude, decay, frequency, offset;
};

/// What is measured at time t.
struct Oscillation {
  double operator()(const Parameters &p, double t) const {
    return p.amplitude * std::exp(-p.decay * t) * std::cos(p.frequency * t) +
           p.offset;
  }
};

/// The differences between a model and the data; the data are constant.
template <class Model> struct Residuals {
  Model model;
  std::vector<double> t, y;
  std::vector<double> operator()(const Parameters &p) const {
    std::vector<double> r;
    for (std::size_t i = 0; i < t.size(); i++)
      r.push_back(model(p, t[i]) - y[i]);
    return r;
  }
};
template <class Model> struct Misfit {
  const Residuals<Model> &residuals;
  double operator()(const Parameters &p) const {
    double sum = 0;
    for (double r : residuals(p))
      sum += r * r;
    return sum;
  }
};

/// Solves A x = b of four unknowns by elimination with pivots.
static std::array<double, 4> solve(std::array<std::array<double, 4>, 4> A,
                                   std::array<double, 4> b) {
  for (std::size_t k = 0; k < 4; k++) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < 4; i++)
      if (std::fabs(A[i][k]) > std::fabs(A[p][k]))
        p = i;
    std::swap(A[k], A[p]);
    std::swap(b[k], b[p]);
    for (std::size_t i = k + 1; i < 4; i++) {
      const double f = A[i][k] / A[k][k];
      for (std::size_t j = k; j < 4; j++)
        A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = 4; k-- > 0;) {
    for (std::size_t j = k + 1; j < 4; j++)
      b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

static Parameters plus(Parameters p, const std::array<double, 4> &d) {
  return {p.amplitude + d[0], p.decay + d[1], p.frequency + d[2],
          p.offset + d[3]};
}

int main() {
  const Parameters truth{2.0, 0.3, 3.0, 0.5};
  Residuals<Oscillation> residuals;
  unsigned state = 1;
  for (int i = 0; i < 200; i++) {
    const double t = 0.05 * i;
    state = state * 1664525u + 1013904223u; // noise in [-0.01, 0.01]
    const double noise = 0.02 * (state / 4294967296.0 - 0.5);
    residuals.t.push_back(t);
    residuals.y.push_back(residuals.model(truth, t) + noise);
  }
  const Misfit<Oscillation> misfit{residuals};

  Parameters p{1.5, 0.5, 2.7, 0.0};
  double damping = 1e-2, wrong = 0;
  auto [value, gradient] = retro::value_and_gradient(misfit, p);
  for (int step = 0; step < 30; step++) {
    const std::vector<double> r = residuals(p);
    const auto J = retro::jacobian(residuals, p);
    std::array<std::array<double, 4>, 4> A{};
    std::array<double, 4> b{};
    for (std::size_t i = 0; i < r.size(); i++)
      for (std::size_t j = 0; j < 4; j++) {
        b[j] -= J(i, j) * r[i];
        for (std::size_t k = 0; k < 4; k++)
          A[j][k] += J(i, j) * J(i, k);
      }
    const std::array<double, 4> g{gradient.amplitude, gradient.decay,
                                  gradient.frequency, gradient.offset};
    for (std::size_t j = 0; j < 4; j++) {
      wrong = std::fmax(wrong, std::fabs(g[j] + 2 * b[j]) /
                                   std::fmax(1, std::fabs(g[j])));
      A[j][j] *= 1 + damping;
    }
    const Parameters next = plus(p, solve(A, b));
    const auto at = retro::value_and_gradient(misfit, next);
    if (at.value < value) {
      p = next;
      value = at.value;
      gradient = at.gradient;
      damping /= 10;
    } else {
      damping *= 10;
    }
  }
  std::printf("fitted:  %.4f exp(-%.4f t) cos(%.4f t) + %.4f\n", p.amplitude,
              p.decay, p.frequency, p.offset);
  std::printf("misfit %.6f; gradients of both modes differ by %.1e\n", value,
              wrong);
  const bool close = std::fabs(p.amplitude - truth.amplitude) < 5e-3 &&
                     std::fabs(p.decay - truth.decay) < 5e-3 &&
                     std::fabs(p.frequency - truth.frequency) < 5e-3 &&
                     std::fabs(p.offset - truth.offset) < 5e-3;
  return close && wrong < 1e-12 ? 0 : 1;
}
