// flags: -std=c++20
// quadtree with unique_ptr children, centres of mass, Barnes-Hut forces,
// leapfrog; KD neighbours
#include "../user.h"
#include <algorithm>
#include <array>
#include <memory>
#include <vector>
struct Body {
  double x, y, vx = 0, vy = 0, m;
};
struct Node {
  double cx, cy, half, m = 0, mx = 0, my = 0;
  const Body *body = nullptr;
  std::array<std::unique_ptr<Node>, 4> kid;
  Node(double a, double b, double h) : cx(a), cy(b), half(h) {}
  bool leaf() const { return !kid[0]; }
  int quad(const Body &b) const { return (b.x > cx) + 2 * (b.y > cy); }
  void insert(const Body *b, int depth = 0) {
    if (leaf() && !body && m == 0)
      body = b;
    else if (depth < 12) {
      if (leaf()) {
        for (int k = 0; k < 4; ++k)
          kid[k] =
              std::make_unique<Node>(cx + (k & 1 ? half : -half) / 2,
                                     cy + (k & 2 ? half : -half) / 2, half / 2);
        const Body *old = body;
        body = nullptr;
        if (old)
          kid[quad(*old)]->insert(old, depth + 1);
      }
      kid[quad(*b)]->insert(b, depth + 1);
    }
    m += b->m;
    mx += b->m * b->x;
    my += b->m * b->y;
  }
  void force(const Body &b, double &fx, double &fy) const {
    if (m == 0 || body == &b)
      return;
    double dx = mx / m - b.x, dy = my / m - b.y, r2 = dx * dx + dy * dy + 0.05;
    if (leaf() || half * half < 0.2 * r2) {
      double w = m / (r2 * sqrt(r2));
      fx += w * dx;
      fy += w * dy;
      return;
    }
    for (auto &k : kid)
      k->force(b, fx, fy);
  }
};
static double f(const double *x, int n) {
  std::vector<Body> b;
  for (int i = 0; i < n; ++i)
    b.push_back({x[i] - 0.9 + 0.07 * (i % 5),
                 0.5 * x[(i + 1) % n] * (i % 2 ? 1 : -1) + 0.03 * i, 0, 0,
                 0.3 + 0.1 * x[i]});
  double s = 0;
  for (int it = 0; it < 3; ++it) {
    auto root = std::make_unique<Node>(0.011, 0.013, 4.0);
    for (auto &p : b)
      root->insert(&p);
    for (auto &p : b) {
      double fx = 0, fy = 0;
      root->force(p, fx, fy);
      p.vx += 0.05 * fx;
      p.vy += 0.05 * fy;
    }
    for (auto &p : b)
      p.x += 0.05 * p.vx, p.y += 0.05 * p.vy;
    s += root->mx * root->my;
  }
  for (auto &p : b)
    s += p.m * (p.vx * p.vx + p.vy * p.vy) + p.x * p.y;
  return s;
}
DERIVED(f)
