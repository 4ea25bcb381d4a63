// flags: -std=c++20
// a user's own tape: shared_ptr<Node> graph with parents, weak_ptr,
// std::function backward closures; differentiated through
#include "../user.h"
#include <functional>
#include <memory>
#include <set>
#include <vector>
struct Node;
using Ptr = std::shared_ptr<Node>;
struct Node {
  double val, grad = 0;
  std::vector<Ptr> parents;
  std::weak_ptr<Node> self;
  std::function<void(Node &)> back;
};
static Ptr leaf(double v) {
  auto p = std::make_shared<Node>();
  p->val = v;
  p->self = p;
  return p;
}
static Ptr operator*(Ptr a, Ptr b) {
  auto r = leaf(a->val * b->val);
  r->parents = {a, b};
  r->back = [a = a.get(), b = b.get()](Node &n) {
    a->grad += n.grad * b->val;
    b->grad += n.grad * a->val;
  };
  return r;
}
static Ptr operator+(Ptr a, Ptr b) {
  auto r = leaf(a->val + b->val);
  r->parents = {a, b};
  r->back = [a = a.get(), b = b.get()](Node &n) {
    a->grad += n.grad;
    b->grad += n.grad;
  };
  return r;
}
static Ptr vsin(Ptr a) {
  auto r = leaf(sin(a->val));
  r->parents.push_back(a);
  r->back = [a = a.get()](Node &n) { a->grad += n.grad * cos(a->val); };
  return r;
}
static void topo(Node *n, std::set<Node *> &seen, std::vector<Node *> &order) {
  if (!seen.insert(n).second)
    return;
  for (auto &p : n->parents)
    topo(p.get(), seen, order);
  order.push_back(n);
}
static double f(const double *x, int n) {
  std::vector<Ptr> v;
  for (int i = 0; i < n; ++i)
    v.push_back(leaf(x[i]));
  Ptr acc = leaf(1.0);
  for (int i = 0; i < n; ++i) {
    Ptr t = vsin(v[i] * v[(i + 1) % n]);
    if (i % 3 == 2)
      t = t * acc;
    acc = acc + t;
  }
  std::set<Node *> seen;
  std::vector<Node *> order;
  topo(acc.get(), seen, order);
  acc->grad = 1;
  for (auto it = order.rbegin(); it != order.rend(); ++it)
    if ((*it)->back)
      (*it)->back(**it);
  double s = acc->val;
  for (auto &p : v) {
    s += p->grad * p->grad;
    if (auto q = p->self.lock())
      s += 0.1 * q->val * q.use_count() / q.use_count();
  }
  return s;
}
DERIVED(f)
