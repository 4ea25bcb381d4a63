//===- complex_test.cpp - Derivatives of complex functions ----------------===//

#include "complex_numbers.h"

#include <gtest/gtest.h>

#include <vector>

namespace retro::rules::test {
namespace {

const ComplexOp All[] = {
#define COMPLEX_OP(Id, Name, Arity) ComplexOp::Id,
#include "rules/complex.def"
};

template <class T>
std::complex<T> factor(ComplexOp op, std::complex<T> z, std::complex<T> w,
                       int i) {
  ComplexNumbers<T> b;
  typename ComplexNumbers<T>::Operands x{{z, w}, evaluate<T>(op, z, w)};
  return complexFactor(op, b, x, i);
}

using Wide = std::complex<long double>;

const std::vector<Wide> &points() {
  static const std::vector<Wide> at = {
      {0.7L, 1.2L},  {-0.4L, 2},     {1.5L, -0.3L}, {-1.1L, -0.8L},
      {0.2L, 0.05L}, {0.01L, 0.02L}, {3, 4},        {-0.3L, 1e-3L}};
  return at;
}

class ComplexRule : public testing::TestWithParam<ComplexOp> {};

TEST_P(ComplexRule, AgreesWithDifferences) {
  ComplexOp op = GetParam();
  const Wide other(0.6L, -0.9L);
  for (Wide z : points())
    for (int i = 0; i < arityOf(op); ++i) {
      auto along = [&](Wide h) {
        auto at = [&](long double t) {
          return i == 0 ? evaluate<long double>(op, z + t * h, other)
                        : evaluate<long double>(op, other, z + t * h);
        };
        // Order 6.
        const long double h0 = 1e-3L * std::min(1.0L, std::abs(z));
        return (45.0L * (at(h0) - at(-h0)) - 9.0L * (at(2 * h0) - at(-2 * h0)) +
                (at(3 * h0) - at(-3 * h0))) /
               (60 * h0);
      };
      Wide d = i == 0 ? factor<long double>(op, z, other, 0)
                      : factor<long double>(op, other, z, 1);
      const Wide directions[] = {{1, 0}, {0, 1}};
      for (Wide h : directions) {
        Wide want = op == ComplexOp::Conj ? std::conj(h)
                    : isReal(op)          ? Wide((std::conj(d) * h).real())
                                          : d * h;
        EXPECT_LT(std::abs(along(h) - want), 1e-9L * (1 + std::abs(want)))
            << nameOf(op) << " at " << z << ", operand " << i;
      }
    }
}

/// Near the points where they are singular too: no digits cancel.
TEST_P(ComplexRule, IsAsGoodInDoubleAsItsResult) {
  ComplexOp op = GetParam();
  if (op == ComplexOp::Tan || op == ComplexOp::Tanh || op == ComplexOp::Log)
    return; // by the result, or ill-conditioned by the C library
  const std::complex<double> near[] = {{1 + 1e-9, 1e-9},
                                       {1 - 1e-9, -1e-10},
                                       {1e-9, 1 - 1e-8},
                                       {1e-10, -1 - 1e-9},
                                       {-1 + 1e-10, 1e-10}};
  for (std::complex<double> z : near)
    for (int i = 0; i < arityOf(op); ++i) {
      Wide want = factor<long double>(op, Wide(z), Wide(0.5L, 0.25L), i);
      std::complex<double> got =
          factor<double>(op, z, std::complex<double>(0.5, 0.25), i);
      EXPECT_LT(std::abs(Wide(got) - want), 1e-13L * std::abs(want))
          << nameOf(op) << " at " << z;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, ComplexRule, testing::ValuesIn(All),
                         [](const auto &info) { return nameOf(info.param); });

TEST(ComplexUses, AreWhatTheFactorReads) {
  auto reads = [](ComplexOp op) {
    auto x = complexUsesOf(op);
    return std::pair(x.operand, x.result);
  };
  EXPECT_EQ(reads(ComplexOp::Exp), std::pair(false, true));
  EXPECT_EQ(reads(ComplexOp::Sin), std::pair(true, false));
  EXPECT_EQ(reads(ComplexOp::Pow), std::pair(true, true));
  EXPECT_EQ(reads(ComplexOp::Abs), std::pair(true, true));
  EXPECT_EQ(reads(ComplexOp::Conj), std::pair(false, false));
}

TEST(ComplexPower, IsConstantInTheBaseForTheExponentZero) {
  EXPECT_EQ(factor<double>(ComplexOp::Pow, {0, 0}, {0, 0}, 0),
            std::complex<double>());
}

} // namespace
} // namespace retro::rules::test
