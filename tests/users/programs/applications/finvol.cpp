// flags: -std=c++17
#include "../user.h"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Conserved {
  double rho = 0, mom = 0, ene = 0;
  Conserved operator+(const Conserved &o) const {
    return {rho + o.rho, mom + o.mom, ene + o.ene};
  }
  Conserved operator-(const Conserved &o) const {
    return {rho - o.rho, mom - o.mom, ene - o.ene};
  }
  Conserved operator*(double s) const { return {rho * s, mom * s, ene * s}; }
};
struct Cell {
  Conserved u;
  double dx;
  int id;
  bool ghost;
};
struct Boundary {
  virtual ~Boundary() = default;
  virtual Cell apply(const Cell &inner) const = 0;
};
struct Reflect : Boundary {
  Cell apply(const Cell &c) const override {
    Cell g = c;
    g.u.mom = -g.u.mom;
    g.ghost = true;
    return g;
  }
};
struct Inflow : Boundary {
  Conserved state;
  std::string label;
  Inflow(Conserved s, std::string l) : state(s), label(std::move(l)) {}
  Cell apply(const Cell &c) const override {
    Cell g = c;
    g.u = state;
    g.ghost = true;
    return g;
  }
};
class Euler {
  std::vector<Cell> cells_;
  std::map<std::string, std::shared_ptr<Boundary>> bc_;
  double gamma_;
  int steps_ = 0;
  std::vector<double> flux_hist_;
  double pressure(const Conserved &u) const {
    return (gamma_ - 1) * (u.ene - 0.5 * u.mom * u.mom / u.rho);
  }
  Conserved flux(const Conserved &u) const {
    double v = u.mom / u.rho, p = pressure(u);
    return {u.mom, u.mom * v + p, (u.ene + p) * v};
  }
  double speed(const Conserved &u) const {
    return std::sqrt(u.mom * u.mom / (u.rho * u.rho) + 1e-3) +
           std::sqrt(gamma_ * pressure(u) / u.rho);
  }
  Conserved rusanov(const Cell &l, const Cell &r) const {
    double a = 0.5 * (speed(l.u) + speed(r.u));
    return (flux(l.u) + flux(r.u)) * 0.5 - (r.u - l.u) * (0.5 * a);
  }

public:
  explicit Euler(double g) : gamma_(g) {}
  void boundary(const std::string &side, std::shared_ptr<Boundary> b) {
    bc_[side] = std::move(b);
  }
  void init(int n, const std::function<Conserved(int)> &ic) {
    for (int i = 0; i < n; ++i)
      cells_.push_back({ic(i), 0.5 + 0.01 * i, i, false});
  }
  void step(double dt) {
    std::vector<Cell> ext;
    ext.reserve(cells_.size() + 2);
    ext.push_back(bc_.at("left")->apply(cells_.front()));
    ext.insert(ext.end(), cells_.begin(), cells_.end());
    ext.push_back(bc_.at("right")->apply(cells_.back()));
    std::vector<Conserved> F;
    for (size_t i = 0; i + 1 < ext.size(); ++i)
      F.push_back(rusanov(ext[i], ext[i + 1]));
    for (size_t i = 0; i < cells_.size(); ++i)
      cells_[i].u = cells_[i].u - (F[i + 1] - F[i]) * (dt / cells_[i].dx);
    flux_hist_.push_back(F.back().ene);
    ++steps_;
  }
  double functional() const {
    double s = 0;
    for (auto &c : cells_)
      if (!c.ghost)
        s += c.u.ene * c.dx + 0.2 * c.u.rho * c.u.rho +
             pressure(c.u) / (1 + c.id);
    for (double h : flux_hist_)
      s += 0.1 * h / steps_;
    return s;
  }
};
static double f(const double *x, int n) {
  Euler e(1.4);
  e.boundary("left",
             std::make_shared<Inflow>(Conserved{1 + 0.1 * x[0], 0.2, 2.2},
                                      "supersonic inflow at the left"));
  e.boundary("right", std::make_shared<Reflect>());
  e.init(n + 3, [&](int i) -> Conserved {
    double r = 1 + 0.3 * x[i % n];
    return {r, 0.1 * x[(i + 1) % n], 2 + x[i % n]};
  });
  for (int k = 0; k < 6; ++k)
    e.step(0.03);
  return e.functional();
}
DERIVED(f)
