// flags: -std=c++17
#include "../user.h"
#include <array>
#include <memory>
#include <vector>
struct Body {
  double x, y, m;
  float radius;
  int id;
  bool fixed;
};
struct Quad {
  double cx, cy, half;
  double mx = 0, my = 0, mass = 0;
  int count = 0;
  const Body *single = nullptr;
  std::array<std::unique_ptr<Quad>, 4> kid;
  Quad(double a, double b, double h) : cx(a), cy(b), half(h) {}
  int which(const Body &b) const { return (b.x > cx) + 2 * (b.y > cy); }
  void push(const Body *b, int depth) {
    int k = which(*b);
    if (!kid[k])
      kid[k] =
          std::make_unique<Quad>(cx + (k & 1 ? half : -half) / 2,
                                 cy + (k & 2 ? half : -half) / 2, half / 2);
    kid[k]->insert(b, depth + 1);
  }
  void insert(const Body *b, int depth) {
    if (count == 1 && depth < 12) {
      push(single, depth);
      single = nullptr;
    }
    if (count >= 1 && depth < 12)
      push(b, depth);
    else
      single = b;
    ++count;
    mass += b->m;
    mx += b->m * b->x;
    my += b->m * b->y;
  }
  void force(const Body &b, double theta, double &fx, double &fy) const {
    if (count == 0 || single == &b)
      return;
    double dx = mx / mass - b.x, dy = my / mass - b.y,
           r2 = dx * dx + dy * dy + 0.05;
    if (count == 1 || 4 * half * half < theta * theta * r2) {
      double inv = b.m * mass / (r2 * sqrt(r2));
      fx += dx * inv;
      fy += dy * inv;
      return;
    }
    for (const auto &k : kid)
      if (k)
        k->force(b, theta, fx, fy);
  }
};
class Galaxy {
  std::vector<Body> bodies_;
  std::vector<std::pair<double, double>> vel_;

public:
  void add(Body b) {
    bodies_.push_back(b);
    vel_.emplace_back(0.1 * b.y, -0.1 * b.x);
  }
  void step(double dt) {
    auto root = std::make_unique<Quad>(0, 0, 4);
    for (auto &b : bodies_)
      root->insert(&b, 0);
    for (size_t i = 0; i < bodies_.size(); ++i) {
      double fx = 0, fy = 0;
      root->force(bodies_[i], 0.4, fx, fy);
      vel_[i].first += dt * fx / bodies_[i].m;
      vel_[i].second += dt * fy / bodies_[i].m;
    }
    for (size_t i = 0; i < bodies_.size(); ++i)
      if (!bodies_[i].fixed) {
        bodies_[i].x += dt * vel_[i].first;
        bodies_[i].y += dt * vel_[i].second;
      }
  }
  double energy() const {
    double e = 0;
    for (size_t i = 0; i < bodies_.size(); ++i)
      e += 0.5 * bodies_[i].m *
               (vel_[i].first * vel_[i].first +
                vel_[i].second * vel_[i].second) +
           bodies_[i].radius * bodies_[i].x;
    return e;
  }
};
static double f(const double *x, int n) {
  Galaxy g;
  for (int i = 0; i < n; ++i)
    g.add({x[i] * cos(2.4 * i + 0.3), x[i] * sin(2.4 * i + 0.3),
           0.5 + 0.1 * x[(i + 1) % n], 0.25f, i, i % 7 == 6});
  for (int s = 0; s < 4; ++s)
    g.step(0.03);
  return g.energy();
}
DERIVED(f)
