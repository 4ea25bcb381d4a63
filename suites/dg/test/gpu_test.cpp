//===- gpu_test.cpp - DG: the kernels against the serial primal -----------===//
#include "../../common/gpu_orders.h"
#include "../dg.h"

#include <algorithm>
#include <cmath>

extern "C" {
suites::dg::Primal<double> primal_restrict_dg, cuda_restrict_dg,
    hip_restrict_dg;
suites::dg::Gradient<double> hand_restrict_dg, cuda_restrict_dg_gradient,
    hip_restrict_dg_gradient;
suites::dg::Primal<float> primal_restrict_dg_float, cuda_restrict_dg_float,
    hip_restrict_dg_float;
suites::dg::Gradient<float> cuda_restrict_dg_gradient_float,
    hip_restrict_dg_gradient_float;
}

namespace suites::dg {
namespace {

using DgKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(DgKernels);

/// The right-hand side, which was 1 before.
template <class Real>
std::vector<Real> run(Primal<Real> *primal, std::int64_t elements) {
  const Inputs inputs = hashed_inputs(elements);
  std::vector<Real> q(inputs.q.begin(), inputs.q.end()),
      metric(inputs.geometry.begin(), inputs.geometry.end()),
      matrix(inputs.matrix.begin(), inputs.matrix.end()), rhs(q.size(), 1);
  primal(elements, {q.data(), metric.data(), matrix.data(), rhs.data()},
         gravity);
  return rhs;
}

/// Largest difference of a state's entries, relative to its largest.
template <class Real>
double worst(const std::vector<Real> &found,
             const std::vector<Real> &expected) {
  double result = 0;
  for (int s = 0; s < states; ++s) {
    double largest = 0, difference = 0;
    for (std::size_t n = 0; n < expected.size(); ++n)
      if (static_cast<int>(n % state_size / nodes) == s) {
        const double d = std::fabs(double(found[n]) - double(expected[n]));
        difference = std::isfinite(d) ? std::max(difference, d) : HUGE_VAL;
        largest = std::max(largest, std::fabs(double(expected[n])));
      }
    result = std::max(result, difference / largest);
  }
  return result;
}

template <class Real> struct Gradients {
  std::vector<Real> rhs, q, metric, matrix, seed;
};

/// Gradient of a weighted sum of the right-hand side, added to shadows that are
/// not zero.
template <class Real>
Gradients<Real> differentiate(Gradient<Real> *gradient, std::int64_t elements) {
  const Inputs inputs = hashed_inputs(elements);
  std::vector<Real> q(inputs.q.begin(), inputs.q.end()),
      metric(inputs.geometry.begin(), inputs.geometry.end()),
      matrix(inputs.matrix.begin(), inputs.matrix.end());
  Gradients<Real> to{
      std::vector<Real>(q.size(), 1), std::vector<Real>(q.size(), 0.5),
      std::vector<Real>(metric.size(), 0.25),
      std::vector<Real>(matrix.size(), 2), std::vector<Real>(q.size())};
  for (std::size_t n = 0; n < to.seed.size(); ++n)
    to.seed[n] = static_cast<float>(1 + 0.5 * std::cos(static_cast<double>(n)));
  gradient(elements, {q.data(), metric.data(), matrix.data(), to.rhs.data()},
           {to.q.data(), to.metric.data(), to.matrix.data(), to.seed.data()},
           gravity);
  return to;
}

TEST_P(DgKernels, GradientLikeTheHandAdjoint) {
  constexpr std::int64_t elements = 5;
  const Gradients<double> expected = differentiate(hand_restrict_dg, elements);
  for (const auto gradient :
       {cuda_restrict_dg_gradient, hip_restrict_dg_gradient}) {
    const Gradients<double> found = differentiate(gradient, elements);
    const auto expect_same = [&](std::vector<double> Gradients<double>::*field,
                                 const char *what) {
      retro::suite::expect_same_gradient((found.*field).data(),
                                         (expected.*field).data(),
                                         (expected.*field).size(), what);
    };
    expect_same(&Gradients<double>::q, "q");
    expect_same(&Gradients<double>::metric, "geometry");
    expect_same(&Gradients<double>::matrix, "matrix");
    expect_same(&Gradients<double>::seed, "seed");
    expect_same(&Gradients<double>::rhs, "right-hand side");
  }
}

/// Largest difference from the adjoint in double, relative to the largest of
/// it.
double distance(const std::vector<float> &found,
                const std::vector<double> &expected) {
  double largest = 0, difference = 0;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const double d = std::fabs(double(found[n]) - expected[n]);
    difference = std::isfinite(d) ? std::max(difference, d) : HUGE_VAL;
    largest = std::max(largest, std::fabs(expected[n]));
  }
  return difference / largest;
}

TEST_P(DgKernels, GradientInFloatLikeTheHandAdjoint) {
  constexpr std::int64_t elements = 5;
  const Gradients<double> expected = differentiate(hand_restrict_dg, elements);
  for (const auto gradient :
       {cuda_restrict_dg_gradient_float, hip_restrict_dg_gradient_float}) {
    const Gradients<float> found = differentiate(gradient, elements);
    EXPECT_LT(distance(found.q, expected.q), 1e-6);
    EXPECT_LT(distance(found.metric, expected.metric), 1e-6);
    EXPECT_LT(distance(found.matrix, expected.matrix), 1e-6);
    EXPECT_LT(distance(found.seed, expected.seed), 1e-6);
    EXPECT_LT(distance(found.rhs, expected.rhs), 1e-6);
  }
}

TEST_P(DgKernels, LikeTheSerialPrimal) {
  const auto expected = run(primal_restrict_dg, 5);
  EXPECT_LT(worst(run(cuda_restrict_dg, 5), expected), 1e-14);
  EXPECT_LT(worst(run(hip_restrict_dg, 5), expected), 1e-14);
}

TEST_P(DgKernels, LikeTheSerialPrimalInFloat) {
  const auto expected = run(primal_restrict_dg_float, 5);
  EXPECT_LT(worst(run(cuda_restrict_dg_float, 5), expected), 1e-6);
  EXPECT_LT(worst(run(hip_restrict_dg_float, 5), expected), 1e-6);
}

} // namespace
} // namespace suites::dg
