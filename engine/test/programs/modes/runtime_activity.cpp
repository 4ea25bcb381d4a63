// Runtime activity: which nodes are constant is known only when the program
// runs, where the shadow of a node is the node itself.
#include "../check.h"

MARKERS(enzyme_runtime_activity);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

struct Node {
  double v;
  Node *next;
  double w[3];
};

/// Copies, writes in place, pointers from node to node.
static double run(Node **nodes, int n, double *tmp) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Node *p = nodes[i];
    memcpy(tmp, p->w, sizeof p->w);
    tmp[0] *= p->v;
    s += tmp[0] * tmp[1] + sin(tmp[2]) + (p->next ? p->next->v * p->v : 0);
    p->w[2] = p->v * s * 0.1;
    s += p->v * s * 0.1;
  }
  return s;
}

struct Nodes {
  Node a{1.1, nullptr, {0.5, 0.7, 0.2}}, b{0.6, nullptr, {1.5, -0.7, 0.3}},
      c{2.1, &b, {-0.5, 0.4, 0.9}};
  Node *all[3] = {&a, &b, &c};
  double tmp[3];
};

/// The active numbers: a's and c's.
static double of(const double *x, int) {
  Nodes s;
  s.a.v = x[0];
  s.c.v = x[4];
  for (int i = 0; i < 3; ++i) {
    s.a.w[i] = x[1 + i];
    s.c.w[i] = x[5 + i];
  }
  return run(s.all, 3, s.tmp);
}

int main() {
  const double x[8] = {1.1, 0.5, 0.7, 0.2, 2.1, -0.5, 0.4, 0.9};
  const double t[8] = {1, 0.5, -1, 2, -2, 1, 3, 0.5};
  Nodes s;
  Node da{0, nullptr, {0, 0, 0}}, dc{0, &s.b, {0, 0, 0}};
  Node *d[3] = {&da, &s.b, &dc};
  double dtmp[3] = {};
  __enzyme_autodiff<void>((void *)run, enzyme_runtime_activity, enzyme_dup,
                          s.all, d, enzyme_const, 3, enzyme_dup, s.tmp, dtmp);
  const double g[8] = {da.v, da.w[0], da.w[1], da.w[2],
                       dc.v, dc.w[0], dc.w[1], dc.w[2]};
  GRADIENT(of, x, g, 8);
  NEAR(s.b.v, 0.6, 0); // untouched, though it was its own shadow
  NEAR(s.b.w[0], 1.5, 0);

  Nodes f;
  Node ta{t[0], nullptr, {t[1], t[2], t[3]}},
      tc{t[4], &f.b, {t[5], t[6], t[7]}};
  Node *td[3] = {&ta, &f.b, &tc};
  NEAR(__enzyme_fwddiff<double>((void *)run, enzyme_runtime_activity,
                                enzyme_dup, f.all, td, enzyme_const, 3,
                                enzyme_dup, f.tmp, dtmp),
       dot(g, t, 8), 1e-12);
  return finish();
}
