// Polynomials over the integers, against their values.
#include "facts/polynomials/polynomials.h"

#include <gtest/gtest.h>

#include <limits>

using retro::Polynomial;

namespace {

const Polynomial X = Polynomial::variable(0), Y = Polynomial::variable(1);

int64_t at(const Polynomial &P, int64_t X, int64_t Y) {
  int64_t Sum = 0;
  for (auto &[Factors, C] : P.terms()) {
    int64_t Product = C;
    for (unsigned V : Factors)
      Product *= V == 0 ? X : Y;
    Sum += Product;
  }
  return Sum;
}

TEST(Polynomials, ValuesOfSumsAndProducts) {
  Polynomial P = X * 3 - Y + Polynomial(5), Q = X * Y - Polynomial(2);
  for (int64_t U = -3; U <= 3; ++U)
    for (int64_t V = -3; V <= 3; ++V) {
      int64_t A = 3 * U - V + 5, B = U * V - 2;
      EXPECT_EQ(at(P + Q, U, V), A + B);
      EXPECT_EQ(at(P - Q, U, V), A - B);
      EXPECT_EQ(at(P * Q, U, V), A * B);
      EXPECT_EQ(at(P.substitute(0, Q), U, V), 3 * B - V + 5);
    }
}

TEST(Polynomials, EqualOnesAreEqual) {
  EXPECT_TRUE((X + Y) * (X - Y) == X * X - Y * Y);
  EXPECT_FALSE(X * Y == Y + X);
  EXPECT_EQ((X - X).asConstant(), 0);
  EXPECT_FALSE(X.asConstant());
}

TEST(Polynomials, WhatAVariableIsMultipliedBy) {
  EXPECT_TRUE(*(X * Y * 4 + X - Y).factorOf(0) == Y * 4 + Polynomial(1));
  EXPECT_FALSE((X * X + X).factorOf(0));
}

TEST(Polynomials, MultiplesAndContent) {
  int64_t Times = 0;
  EXPECT_TRUE((X * 6 - Y * 9).isMultipleOf(X * 2 - Y * 3, Times));
  EXPECT_EQ(Times, 3);
  EXPECT_FALSE((X * 6 - Y * 8).isMultipleOf(X * 2 - Y * 3, Times));
  EXPECT_EQ((X * 6 - Y * 9 + Polynomial(12)).content(), 3);
  EXPECT_TRUE((X * 6 - Y * 9).dividedBy(3) == X * 2 - Y * 3);
}

TEST(Polynomials, TooLargeIsNotKnown) {
  // No coefficient above 2^40: products of two that are known do not overflow.
  Polynomial Large(int64_t(1) << 40);
  EXPECT_TRUE(Large.isKnown());
  EXPECT_FALSE((Large + Polynomial(1)).isKnown());
  EXPECT_FALSE((X * (int64_t(1) << 40) * 2).isKnown());
  EXPECT_FALSE(Polynomial(std::numeric_limits<int64_t>::max()).isKnown());
  // What is not known is equal to nothing, itself included.
  EXPECT_FALSE(Large + Large == Large + Large);
  // Nor is a product of more than four variables.
  EXPECT_TRUE((X * X * Y * Y).isKnown());
  EXPECT_FALSE((X * X * Y * Y * X).isKnown());
}

} // namespace
