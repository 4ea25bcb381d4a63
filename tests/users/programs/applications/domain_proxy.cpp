// flags: -std=c++20
// proxy application: a Domain with all fields as std::vectors, accessors,
// member-pointer tables for exchange
#include "../user.h"
#include <memory>
#include <vector>
class Domain {
  std::vector<double> m_x, m_v, m_f, m_e, m_p, m_q, m_mass, m_vol;
  std::vector<int> m_list, m_reg;

public:
  double dt = 0.01, time = 0;
  int cycle = 0;
  Domain(int n)
      : m_x(n + 1), m_v(n + 1), m_f(n + 1), m_e(n), m_p(n), m_q(n),
        m_mass(n + 1), m_vol(n), m_list(2 * n), m_reg(n) {
    for (int i = 0; i < n; ++i)
      m_list[2 * i] = i, m_list[2 * i + 1] = i + 1, m_reg[i] = i % 3;
  }
  double &x(int i) { return m_x[i]; }
  double &v(int i) { return m_v[i]; }
  double &f(int i) { return m_f[i]; }
  double &e(int i) { return m_e[i]; }
  double &p(int i) { return m_p[i]; }
  double &q(int i) { return m_q[i]; }
  double &mass(int i) { return m_mass[i]; }
  double &vol(int i) { return m_vol[i]; }
  int *nodes(int i) { return &m_list[2 * i]; }
  int reg(int i) { return m_reg[i]; }
  int elems() const { return m_e.size(); }
  int points() const { return m_x.size(); }
};
typedef double &(Domain::*Field)(int);
static void pack(Domain &d, const Field *fields, int nf, int at, double *buf) {
  for (int k = 0; k < nf; ++k)
    buf[k] = (d.*fields[k])(at);
}
static void unpackAdd(Domain &d, const Field *fields, int nf, int at,
                      const double *buf) {
  for (int k = 0; k < nf; ++k)
    (d.*fields[k])(at) += 0.1 * buf[k];
}
static void eos(Domain &d, std::vector<int> &elems, int rep) {
  std::vector<double> pnew(elems.size()), comp(elems.size());
  for (int r = 0; r < rep; ++r)
    for (size_t k = 0; k < elems.size(); ++k) {
      int i = elems[k];
      comp[k] = 1 / d.vol(i) - 1;
      pnew[k] = (0.4 + 0.1 * comp[k]) * d.e(i) + 0.05 * pnew[k];
      if (pnew[k] < 1e-6)
        pnew[k] = 0;
    }
  for (size_t k = 0; k < elems.size(); ++k)
    d.p(elems[k]) = pnew[k];
}
static void step(Domain &d) {
  for (int i = 0; i < d.points(); ++i)
    d.f(i) = 0;
  for (int i = 0; i < d.elems(); ++i) {
    int *nd = d.nodes(i);
    double s = d.p(i) + d.q(i);
    d.f(nd[0]) -= s;
    d.f(nd[1]) += s;
  }
  Field fields[] = {&Domain::f, &Domain::v};
  double buf[2];
  pack(d, fields, 2, 0, buf);
  unpackAdd(d, fields, 2, d.points() - 1, buf);
  for (int i = 0; i < d.points(); ++i) {
    d.v(i) += d.dt * d.f(i) / d.mass(i);
    if (fabs(d.v(i)) < 1e-9)
      d.v(i) = 0;
    d.x(i) += d.dt * d.v(i);
  }
  double dtmin = 1e20;
  for (int i = 0; i < d.elems(); ++i) {
    int *nd = d.nodes(i);
    double len = d.x(nd[1]) - d.x(nd[0]), dv = d.v(nd[1]) - d.v(nd[0]);
    d.q(i) = dv < 0 ? 0.5 * dv * dv - 0.1 * dv : 0;
    d.e(i) -= d.dt * (d.p(i) + d.q(i)) * dv;
    d.vol(i) = len;
    double c = sqrt(0.6 * fabs(d.p(i)) + 0.1);
    if (len / c < dtmin)
      dtmin = len / c;
  }
  std::vector<std::vector<int>> regs(3);
  for (int i = 0; i < d.elems(); ++i)
    regs[d.reg(i)].push_back(i);
  for (int r = 0; r < 3; ++r)
    eos(d, regs[r], 1 + r);
  d.time += d.dt;
  d.dt = std::min(0.2 * dtmin, d.dt * 1.1);
  ++d.cycle;
}
static double f(const double *x, int n) {
  auto d = std::make_unique<Domain>(n);
  for (int i = 0; i < n; ++i)
    d->e(i) = x[i], d->vol(i) = 1, d->p(i) = 0.4 * x[i];
  for (int i = 0; i <= n; ++i)
    d->x(i) = i, d->mass(i) = 1 + 0.1 * i;
  while (d->cycle < 12)
    step(*d);
  double s = d->time;
  for (int i = 0; i < n; ++i)
    s += d->e(i) * d->p(i) + d->vol(i);
  for (int i = 0; i <= n; ++i)
    s += d->v(i) * d->v(i) * d->mass(i);
  return s;
}
DERIVED(f)
