// flags: -std=c++20
// entity-component store: vector<any>-like columns by void *, index maps,
// callbacks with void *ctx, struct of arrays and back
#include "../user.h"
#include <functional>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>
struct Pos {
  double x, y;
};
struct Vel {
  float dummy;
  double u, v;
};
struct Name {
  std::string s;
};
struct Spring {
  int other;
  double k;
  std::vector<double> hist;
};
struct ColumnBase {
  virtual ~ColumnBase() = default;
  virtual void erase(int e) = 0;
};
template <class T> struct Column : ColumnBase {
  std::vector<T> data;
  std::vector<int> owner;
  std::unordered_map<int, int> where;
  void add(int e, T t) {
    where[e] = data.size();
    owner.push_back(e);
    data.push_back(std::move(t));
  }
  T *get(int e) {
    auto it = where.find(e);
    return it == where.end() ? nullptr : &data[it->second];
  }
  void erase(int e) override {
    auto it = where.find(e);
    if (it == where.end())
      return;
    int k = it->second;
    where.erase(it);
    if (k + 1 != (int)data.size()) {
      data[k] = std::move(data.back());
      owner[k] = owner.back();
      where[owner[k]] = k;
    }
    data.pop_back();
    owner.pop_back();
  }
};
class World {
  std::unordered_map<std::type_index, std::unique_ptr<ColumnBase>> cols;

public:
  template <class T> Column<T> &col() {
    auto &c = cols[typeid(T)];
    if (!c)
      c = std::make_unique<Column<T>>();
    return static_cast<Column<T> &>(*c);
  }
  void kill(int e) {
    for (auto &[k, c] : cols)
      c->erase(e);
  }
};
static void each(World &w, void (*fn)(Pos &, Vel &, void *), void *ctx) {
  auto &c = w.col<Vel>();
  for (size_t i = 0; i < c.data.size(); ++i)
    if (Pos *p = w.col<Pos>().get(c.owner[i]))
      fn(*p, c.data[i], ctx);
}
static double f(const double *x, int n) {
  World w;
  for (int i = 0; i < n + 2; ++i) {
    w.col<Pos>().add(i, {x[i % n], 0.1 * i});
    if (i % 3)
      w.col<Vel>().add(i, {0, x[(i + 1) % n] * 0.5, -0.2});
    if (i % 2)
      w.col<Spring>().add(i, {(i + 1) % (n + 2), x[i % n], {}});
    w.col<Name>().add(i, {"entity with a long name " + std::to_string(i)});
  }
  struct Ctx {
    double dt, energy;
  } ctx{0.1, 0};
  for (int step = 0; step < 4; ++step) {
    for (auto &s : w.col<Spring>().data)
      if (Pos *q = w.col<Pos>().get(s.other)) {
        q->x += 0.05 * s.k * sin(q->y);
        s.hist.push_back(q->x);
      }
    each(
        w,
        [](Pos &p, Vel &v, void *c) {
          auto *k = (Ctx *)c;
          p.x += k->dt * v.u;
          p.y += k->dt * v.v;
          v.u -= k->dt * p.x;
          k->energy += v.u * v.u;
        },
        &ctx);
    if (step == 1)
      w.kill(1);
    if (step == 2)
      w.kill(0), w.col<Vel>().add(n + 9, {1, x[0], x[n - 1]}),
          w.col<Pos>().add(n + 9, {0, 0});
  }
  double s = ctx.energy;
  for (auto &p : w.col<Pos>().data)
    s += p.x * p.y;
  for (auto &p : w.col<Spring>().data)
    for (double h : p.hist)
      s += h * p.k;
  for (auto &p : w.col<Name>().data)
    s += 0.01 * p.s.size();
  return s;
}
DERIVED(f)
