//===- dg_test.cpp - DG: the specification, item by item ------------------===//
#include "../dg.h"
#include "../mersenne.h"
#include "../model.h"
#include "../reference.h"

#include <gtest/gtest.h>

#include <cmath>

extern "C" suites::dg::Primal<double> primal_restrict_dg;
extern "C" suites::dg::Gradient<double> hand_restrict_dg;

namespace suites::dg {
namespace {

struct Problem {
  Problem(std::int64_t elements, const Inputs &inputs)
      : elements(elements), q(inputs.q.begin(), inputs.q.end()),
        geometry(inputs.geometry.begin(), inputs.geometry.end()),
        matrix(inputs.matrix.begin(), inputs.matrix.end()), rhs(q.size()) {}
  Arrays<double> arrays() {
    return {q.data(), geometry.data(), matrix.data(), rhs.data()};
  }
  /// Sum over all nodes of component `c` of an array with `count`.
  double sum(const std::vector<double> &v, int count, int c) const {
    double result = 0;
    for (std::int64_t e = 0; e < elements; ++e)
      for (int n = 0; n < nodes; ++n)
        result += v[(e * count + c) * nodes + n];
    return result;
  }

  std::int64_t elements;
  std::vector<double> q, geometry, matrix, rhs;
};

TEST(Mersenne, DoublesOfTwoSeeds) {
  Mersenne zero(0), other(1234);
  for (const double expected : {0.8236475079774124, 0.9103565379264364,
                                0.16456579813368521, 0.17732884646626457})
    EXPECT_EQ(zero.uniform(), expected);
  for (const double expected :
       {0.5908446386657102, 0.7667970365022592, 0.5662374165061859})
    EXPECT_EQ(other.uniform(), expected);
}

TEST(Mersenne, FloatsOfAnArray) {
  const std::vector<float> values = Mersenne(0).floats(2500);
  const float expected[] = {0.774360657f, 0.911188126f, 0.237942219f,
                            0.86788404f, 0.128039479f};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(values[i], expected[i]);
  for (const float v : values)
    ASSERT_TRUE(v >= 0 && v < 1);
}

TEST(Inputs, HashedDataDoNotDependOnTheNumberOfElements) {
  EXPECT_EQ(hash(1, 1), 0x910a2dec89025cc1u);
  EXPECT_EQ(hash(2, 1), 0x975835de1c9756ceu);
  EXPECT_EQ(hash(3, 1), 0x1d0b14e4db018fedu);
  const Inputs one = hashed_inputs(1), three = hashed_inputs(3);
  EXPECT_EQ(one.q[0], 1 + 0.56656152f);
  EXPECT_EQ(one.geometry[0], 0.591189682f);
  EXPECT_EQ(one.matrix[1], 0.700293481f);
  for (std::size_t n = 0; n < one.geometry.size(); ++n)
    ASSERT_EQ(one.geometry[n], three.geometry[n]);
}

TEST(Inputs, OriginalDataOfFourElements) {
  const Inputs inputs = original_inputs(4);
  const float column[] = {0.484118462f, 0.2700454f, 0.51997149f, 0.853129268f,
                          0.182207465f};
  for (int n = 0; n < nq; ++n)
    EXPECT_EQ(inputs.matrix[n], column[n]);
  EXPECT_EQ(inputs.geometry[0], 0.157104135f);
  EXPECT_EQ(inputs.geometry[nodes * jacobian], 3.51716828f);
  EXPECT_EQ(inputs.geometry[nodes * z], 0.426757097f);
  EXPECT_THROW(original_inputs(3), std::invalid_argument);
}

/// The right-hand side is added to, in whatever order elements come.
TEST(Dg, ElementsAreIndependentAndAddedTo) {
  Problem p(3, hashed_inputs(3)), expected = p;
  primal_restrict_dg(3, expected.arrays(), gravity);
  std::fill(p.rhs.begin(), p.rhs.end(), 1.0);
  for (int e = 2; e >= 0; --e)
    add_element(p.q.data() + e * state_size,
                p.geometry.data() + e * geometry_size, p.matrix.data(),
                double(gravity), p.rhs.data() + e * state_size);
  for (std::size_t n = 0; n < p.rhs.size(); ++n)
    ASSERT_NEAR(p.rhs[n], expected.rhs[n] + 1, 1e-12 * std::fabs(p.rhs[n]));
}

TEST(SlowDg, OriginalOfTwentyThousandElements) {
  Problem p(20000, original_inputs(20000));
  EXPECT_EQ(float(p.q[0]), 1.77436066f);
  EXPECT_EQ(float(p.q[nodes * energy]), 21.6538067f);
  EXPECT_EQ(float(p.geometry[nodes * inverse_jacobian]), 0.259969264f);
  Problem bar(20000, {std::vector<float>(p.q.size()),
                      std::vector<float>(p.geometry.size()),
                      std::vector<float>(matrix_size)});
  bar.rhs[nodes * mom_x] = 1;
  hand_restrict_dg(p.elements, p.arrays(), bar.arrays(), gravity);

  const PublishedRhs &rhs = right_hand_sides[4];
  const PublishedProbe &probe = probes[2];
  ASSERT_EQ(rhs.elements, 20000);
  ASSERT_EQ(probe.elements, 20000);
  const auto near = [](double value, double expected, double relative) {
    EXPECT_NEAR(value, expected, relative * std::fabs(expected));
  };
  for (int s = 0; s < states; ++s) {
    near(p.sum(p.rhs, states, s), rhs.sum[s], 1e-12);
    near(p.rhs[nodes * s], rhs.first[s], 1e-12);
    near(p.rhs[19999 * state_size + nodes * s + nodes - 1], rhs.last[s], 1e-12);
    near(bar.q[nodes * s], probe.q[s], 1e-11);
  }
  for (int n = 0; n < nq; ++n)
    near(bar.matrix[n], probe.column[n], 1e-10);
  near(bar.sum(bar.geometry, geometries, inverse_jacobian), 78.425302385,
       1e-10);
  near(bar.sum(bar.geometry, geometries, z), -12.982619770, 1e-10);

  bar = Problem(20000, {std::vector<float>(p.q.size()),
                        std::vector<float>(p.geometry.size()),
                        std::vector<float>(matrix_size)});
  std::fill(bar.rhs.begin(), bar.rhs.end(), 1.0);
  hand_restrict_dg(p.elements, p.arrays(), bar.arrays(), gravity);
  const double sums[states] = {-650662659.7455, 185792326.7135, 185786388.5512,
                               185759254.3972, 45310802.94053};
  for (int s = 0; s < states; ++s)
    near(bar.sum(bar.q, states, s), sums[s], 1e-11);
  near(bar.q[0], -92.79875902332, 1e-11);
  near(bar.matrix[0], 85934692.601, 1e-10);
  near(bar.matrix[24], 85900081.665, 1e-10);
}

} // namespace
} // namespace suites::dg
