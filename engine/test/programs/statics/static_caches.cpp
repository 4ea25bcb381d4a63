// What static variables lead to before a derivative begins has no shadow: a
// plain call has filled them, or an earlier derivative. It is constant, as long
// as nothing active is written there; what the derivative itself allocates has
// a shadow.
#include "../check.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace {

/// Weights of a number of points, found once and kept.
class Rule {
  std::vector<double> nodes, weights;

public:
  explicit Rule(int n) {
    for (int i = 0; i < n; ++i) {
      nodes.push_back((i + 0.5) / n);
      weights.push_back(1.0 / n + 0.1 * i);
    }
  }
  double sum(const std::vector<double> &at) const {
    double s = 0;
    for (size_t i = 0; i < at.size(); ++i)
      s += weights[i] * at[i] * sin(at[i] * nodes[i]);
    return s;
  }
  static const Rule &of(int n) {
    static std::map<int, std::unique_ptr<Rule>> rules;
    auto &r = rules[n];
    if (!r)
      r = std::make_unique<Rule>(n);
    return *r;
  }
};
double integral(const double *x, int n) {
  std::vector<double> at(x, x + n);
  const double once = Rule::of(n).sum(at);
  for (double &y : at)
    y = y * y + once;
  return Rule::of(n).sum(at);
}

/// A static vector that grows in the derivative.
std::vector<double> &table() {
  static std::vector<double> t;
  return t;
}
double tabled(const double *x, int n) {
  auto &t = table();
  for (size_t i = t.size(); i < size_t(n); ++i)
    t.push_back(0.3 * double(i) - 0.4);
  std::vector<double> own(x, x + n);
  const std::vector<double> *rows[2] = {&t, &own};
  double s = 0;
  for (int k = 0; k < 2 * n; ++k)
    s += (*rows[k % 2])[size_t(k / 2)] * x[k / 2] + 0.1 * s * s;
  return s;
}

/// A list in a static variable, of nodes that were there and of new ones, which
/// are taken out again.
struct Node {
  double value;
  Node *next;
};
Node *Head;
double listed(const double *x, int n) {
  Node *const old = Head;
  for (int i = 0; i < n; ++i)
    Head = new Node{x[i] * x[i], Head};
  double s = 0;
  for (Node *p = Head; p; p = p->next)
    s = p->value * (1 + 0.5 * s);
  while (Head != old) {
    Node *next = Head->next;
    delete Head;
    Head = next;
  }
  return s;
}

} // namespace

template <double (*F)(const double *, int)> static void check_all() {
  check_modes<F>({0.7, -0.4, 1.2, 0.9}, 1e-8);
  check_modes<F>({0.3, 0.5, -0.6, 0.2}, 1e-8);
}

int main(int argc, char **) {
  const double x[4] = {0.7, -0.4, 1.2, 0.9};
  // The first derivative fills the cache, and others find it filled.
  double g[4] = {}, again[4] = {};
  __enzyme_autodiff((void *)integral, enzyme_dup, x, g, enzyme_const, 4);
  __enzyme_autodiff((void *)integral, enzyme_dup, x, again, enzyme_const, 4);
  GRADIENT(integral, x, g, 4);
  GRADIENT(integral, x, again, 4);
  // A plain call fills it, for another number of points.
  NEAR(integral(x, 3) > -1e9, 1, 0);
  double three[3] = {};
  __enzyme_autodiff((void *)integral, enzyme_dup, x, three, enzyme_const, 3);
  GRADIENT(integral, x, three, 3);
  check_all<integral>();

  // The first derivative fills the table, and the second finds it.
  for (int round = 0; round < 2; ++round) {
    double t[4] = {};
    __enzyme_autodiff((void *)tabled, enzyme_dup, x, t, enzyme_const, 4);
    GRADIENT(tabled, x, t, 4);
    NEAR(double(table().size()), 4, 0);
  }

  Node last{0.6, nullptr}, first{-0.8, &last};
  for (int k = 0; k < 3; ++k) {
    Head = k == 0 ? nullptr : k == 1 ? &last : &first;
    check_all<listed>();
    NEAR(first.value, -0.8, 0);
    NEAR(last.value, 0.6, 0);
  }
  return finish() + (argc > 9);
}
