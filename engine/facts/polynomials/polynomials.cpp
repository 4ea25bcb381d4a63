// Sums and products of polynomials. A coefficient that would overflow makes the
// whole polynomial unknown. Places of threads and iterations are compared by
// polynomials: a wrong product would prove places apart that meet.
#include "facts/polynomials/polynomials.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace retro {
namespace {

/// Indices and strides are far below; what is beyond is no plain index.
constexpr int64_t Largest = int64_t(1) << 40;
constexpr size_t MostTerms = 64, MostFactors = 4;

} // namespace

void Polynomial::add(const Monomial &M, int64_t C) {
  if (!Known || !C)
    return;
  int64_t &At = Terms[M];
  if (AddOverflow(At, C, At) || At > Largest || At < -Largest ||
      Terms.size() > MostTerms || M.size() > MostFactors)
    Known = false;
  if (At == 0)
    Terms.erase(M);
}

int64_t Polynomial::coefficient(const Monomial &M) const {
  auto It = Terms.find(M);
  return It == Terms.end() ? 0 : It->second;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (!Known || Terms.size() > 1 ||
      (Terms.size() == 1 && !Terms.begin()->first.empty()))
    return std::nullopt;
  return constant();
}

Polynomial Polynomial::operator+(const Polynomial &O) const {
  Polynomial R = *this;
  R.Known &= O.Known;
  for (auto &[M, C] : O.Terms)
    R.add(M, C);
  return R;
}

Polynomial Polynomial::operator*(const Polynomial &O) const {
  Polynomial R;
  R.Known = Known && O.Known;
  for (auto &[M, C] : Terms)
    for (auto &[N, D] : O.Terms) {
      Monomial Product(M);
      Product.insert(Product.end(), N.begin(), N.end());
      std::sort(Product.begin(), Product.end());
      int64_t E;
      if (MulOverflow(C, D, E))
        R.Known = false;
      R.add(Product, E);
    }
  return R;
}

bool Polynomial::anyVariable(function_ref<bool(unsigned)> Holds) const {
  return any_of(Terms, [&](const auto &T) { return any_of(T.first, Holds); });
}

std::optional<Polynomial> Polynomial::factorOf(unsigned V) const {
  Polynomial R;
  R.Known = Known;
  for (auto &[M, C] : Terms) {
    auto Power = count(M, V);
    if (Power > 1)
      return std::nullopt;
    Monomial Rest;
    copy_if(M, std::back_inserter(Rest), [&](unsigned X) { return X != V; });
    if (Power == 1)
      R.add(Rest, C);
  }
  return R;
}

Polynomial Polynomial::substitute(unsigned V, const Polynomial &By) const {
  Polynomial R;
  R.Known = Known;
  for (auto &[M, C] : Terms)
    if (!is_contained(M, V))
      R.add(M, C);
  return R + *factorOf(V) * By;
}

int64_t Polynomial::content() const {
  int64_t G = 0;
  for (auto &[M, C] : Terms)
    G = std::gcd(G, C);
  return G;
}

Polynomial Polynomial::dividedBy(int64_t C) const {
  Polynomial R;
  R.Known = Known;
  for (auto &[M, D] : Terms)
    R.Terms[M] = D / C;
  return R;
}

bool Polynomial::isMultipleOf(const Polynomial &O, int64_t &Times) const {
  if (!Known || !O.Known || Terms.empty() || O.Terms.empty())
    return false;
  int64_t First = O.Terms.begin()->second;
  int64_t Mine = coefficient(O.Terms.begin()->first);
  if (!Mine || Mine % First)
    return false;
  Times = Mine / First;
  return *this == O * Times;
}

} // namespace retro
