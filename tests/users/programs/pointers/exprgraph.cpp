// flags: -std=c++20
#include "../user.h"
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
// expression DAG: shared children, weak parents, cached values
class Node : public std::enable_shared_from_this<Node> {
  mutable double cache_ = 0;
  mutable bool valid_ = false;
  std::string label_;
  std::vector<std::weak_ptr<Node>> parents_;

protected:
  virtual double compute() const = 0;
  void adopt(const std::shared_ptr<Node> &c) {
    c->parents_.push_back(weak_from_this());
  }

public:
  explicit Node(std::string l) : label_(std::move(l)) {}
  virtual ~Node() = default;
  virtual void link() {}
  double value() const {
    if (!valid_) {
      cache_ = compute();
      valid_ = true;
    }
    return cache_;
  }
  void invalidate() {
    if (!valid_)
      return;
    valid_ = false;
    for (auto &w : parents_)
      if (auto p = w.lock())
        p->invalidate();
  }
  const std::string &label() const { return label_; }
  size_t fanout() const { return parents_.size(); }
};
using P = std::shared_ptr<Node>;
struct Var : Node {
  double v;
  Var(std::string l, double x) : Node(std::move(l)), v(x) {}
  double compute() const override { return v; }
  void set(double x) {
    v = x;
    invalidate();
  }
};
struct Bin : Node {
  P a, b;
  char op;
  Bin(char o, P l, P r)
      : Node("(" + l->label() + o + r->label() + ")"), a(std::move(l)),
        b(std::move(r)), op(o) {}
  void link() override {
    adopt(a);
    adopt(b);
  }
  double compute() const override {
    switch (op) {
    case '+':
      return a->value() + b->value();
    case '*':
      return a->value() * b->value();
    default:
      return a->value() / (1 + b->value() * b->value());
    }
  }
};
struct Fun : Node {
  P a;
  double (*fn)(double);
  Fun(const char *n, P c, double (*g)(double))
      : Node(std::string(n) + c->label()), a(std::move(c)), fn(g) {}
  void link() override { adopt(a); }
  double compute() const override { return fn(a->value()); }
};
template <class T, class... A> std::shared_ptr<T> mk(A &&...a) {
  auto p = std::make_shared<T>(std::forward<A>(a)...);
  p->link();
  return p;
}
static double f(const double *x, int n) {
  std::vector<std::shared_ptr<Var>> vars;
  std::unordered_map<std::string, P> named;
  for (int i = 0; i < n; ++i) {
    auto v = mk<Var>("x" + std::to_string(i), x[i]);
    vars.push_back(v);
    named[v->label()] = v;
  }
  P acc = mk<Var>("zero", 0.25);
  for (int i = 0; i < n; ++i) {
    P a = named.at("x" + std::to_string(i)),
      b = named["x" + std::to_string((i * 3 + 1) % n)];
    P t = mk<Bin>("+*/"[i % 3], a, b);
    if (i % 2)
      t = mk<Fun>("sin", t, [](double u) { return sin(u); });
    else
      t = mk<Fun>("log1p", t, [](double u) { return log(1 + u * u); });
    acc = mk<Bin>(i % 4 == 3 ? '/' : '+', acc, t);
    if (i % 5 == 4)
      named["sub" + std::to_string(i)] = acc;
  }
  double r = acc->value();
  vars[0]->set(x[0] * x[n - 1] + 0.1);
  r += 0.5 * acc->value();
  for (auto &[k, p] : named)
    r += 0.01 * p->fanout() * p->value();
  return r;
}
DERIVED(f)
