// flags: -std=c++20
#include "../user.h"
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>
struct Vec3 {
  double x = 0, y = 0, z = 0;
  Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  friend Vec3 operator*(double s, Vec3 v) {
    return {s * v.x, s * v.y, s * v.z};
  }
  friend Vec3 operator-(Vec3 a, const Vec3 &b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  double norm2() const { return x * x + y * y + z * z; }
};
struct Particle {
  Vec3 pos, vel, acc;
  double mass;
  int cell = -1;
  float colour[3] = {0.5f, 0.25f, 1.0f};
  bool alive = true;
  char species = 'H';
  std::string tag;
};
struct Species {
  double eps;
  float charge;
  int count;
};
class System {
  std::vector<Particle> p_;
  std::unordered_map<char, Species> table_;
  std::array<std::vector<int>, 8> cells_;
  double virial_ = 0;

public:
  void species(char c, double eps, float q) { table_[c] = {eps, q, 0}; }
  void spawn(Vec3 pos, Vec3 vel, double m, char c) {
    Particle p;
    p.pos = pos;
    p.vel = vel;
    p.mass = m;
    p.species = c;
    p.tag = std::string("particle of kind ") + c;
    table_.at(c).count++;
    p_.push_back(std::move(p));
  }
  void bin() {
    for (auto &c : cells_)
      c.clear();
    for (size_t i = 0; i < p_.size(); ++i) {
      auto &p = p_[i];
      p.cell = (p.pos.x > 0) + 2 * (p.pos.y > 0) + 4 * (p.pos.z > 0);
      cells_[p.cell].push_back((int)i);
    }
  }
  void forces() {
    for (auto &p : p_)
      p.acc = {0, -0.1, 0};
    for (auto &c : cells_)
      for (size_t a = 0; a < c.size(); ++a)
        for (size_t b = a + 1; b < c.size(); ++b) {
          Particle &p = p_[c[a]], &q = p_[c[b]];
          Vec3 d = p.pos - q.pos;
          double r2 = d.norm2() + 0.3;
          double e = sqrt(table_[p.species].eps * table_[q.species].eps) *
                     table_[p.species].charge;
          double k = e * (1 / (r2 * r2) - 0.5 / r2);
          p.acc += (k / p.mass) * d;
          q.acc += (-k / q.mass) * d;
          virial_ += k * r2;
        }
  }
  void step(double dt) {
    for (auto &p : p_) {
      p.vel += (0.5 * dt) * p.acc;
      p.pos += dt * p.vel;
    }
    forces();
    for (auto &p : p_)
      p.vel += (0.5 * dt) * p.acc;
  }
  void cull() {
    for (auto &p : p_)
      p.alive = p.species != 'X';
    std::erase_if(p_, [](const Particle &p) { return !p.alive; });
  }
  double measure() const {
    double s = 0.01 * virial_;
    for (auto &p : p_)
      s += 0.5 * p.mass * p.vel.norm2() + p.colour[1] * p.pos.y +
           1e-3 * p.tag.size() * p.pos.z;
    return s;
  }
};
static double f(const double *x, int n) {
  System s;
  s.species('H', 0.5 + 0.1 * x[0], 1.0f);
  s.species('O', x[n - 1], -0.5f);
  s.species('X', 0.3, 0.25f);
  for (int i = 0; i < n; ++i)
    s.spawn({x[i] * cos(2.1 * i + 0.4), x[i] * sin(1.7 * i + 0.4),
             0.5 * x[(i + 1) % n] * (i % 2 ? -1 : 1)},
            {0.1 * x[i], 0, 0.05}, 1 + 0.2 * x[(i + 2) % n], "HOHX"[i % 4]);
  s.bin();
  s.forces();
  for (int k = 0; k < 3; ++k)
    s.step(0.04);
  double a = s.measure();
  s.cull();
  s.bin();
  s.step(0.04);
  return a + s.measure();
}
DERIVED(f)
