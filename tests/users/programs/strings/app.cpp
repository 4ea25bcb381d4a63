// flags: -std=c++17
#include "../user.h"
#include <functional>
#include <string>
#include <vector>
// LULESH-like proxy: all fields are vectors behind accessors; tables of member
// pointers
class Domain {
public:
  typedef double &(Domain::*Accessor)(int);
  explicit Domain(int n)
      : m_x(n), m_v(n), m_e(n), m_p(n), m_mass(n), m_q(n), m_region(n) {}
  double &x(int i) { return m_x[i]; }
  double &v(int i) { return m_v[i]; }
  double &e(int i) { return m_e[i]; }
  double &p(int i) { return m_p[i]; }
  double &mass(int i) { return m_mass[i]; }
  double &q(int i) { return m_q[i]; }
  int &region(int i) { return m_region[i]; }
  int size() const { return (int)m_x.size(); }
  double dt = 0.02, time = 0;
  int cycle = 0;
  bool quiet = true;

private:
  std::vector<double> m_x, m_v, m_e, m_p, m_mass, m_q;
  std::vector<int> m_region;
};
struct Field {
  const char *name;
  Domain::Accessor get;
  double weight;
};
static const Field fields[] = {{"position", &Domain::x, 1.0},
                               {"velocity", &Domain::v, 0.5},
                               {"energy", &Domain::e, 2.0},
                               {"pressure", &Domain::p, 0.25}};
static void eos(Domain &d, int i) {
  double rho = d.mass(i) / (0.2 + d.q(i) * d.q(i));
  d.p(i) = (d.region(i) == 1 ? 0.4 : 0.6) * rho * d.e(i);
}
static void exchange(Domain &d, Domain::Accessor *which, int count) {
  for (int k = 0; k < count; ++k) {
    double first = (d.*which[k])(0);
    (d.*which[k])(d.size() - 1) += 0.05 * first;
  }
}
static void lagrange(Domain &d) {
  int n = d.size();
  for (int i = 0; i < n; ++i)
    eos(d, i);
  for (int i = 0; i < n; ++i) {
    double pl = i ? d.p(i - 1) : 0.1, pr = i + 1 < n ? d.p(i + 1) : 0.1;
    d.v(i) += d.dt * (pl - pr) / d.mass(i);
  }
  for (int i = 0; i < n; ++i) {
    double old = d.x(i);
    d.x(i) += d.dt * d.v(i);
    d.q(i) = 0.9 * d.q(i) + (d.x(i) - old);
    d.e(i) -= d.dt * d.p(i) * d.v(i);
  }
  Domain::Accessor acc[] = {&Domain::x, &Domain::e};
  exchange(d, acc, d.cycle % 2 ? 2 : 1);
  d.time += d.dt;
  d.cycle++;
}
static double f(const double *x, int n) {
  Domain d(n);
  for (int i = 0; i < n; ++i) {
    d.x(i) = i;
    d.v(i) = 0.1 * x[i];
    d.e(i) = x[i];
    d.mass(i) = 1 + 0.1 * i;
    d.q(i) = 0.5 * x[(i + 1) % n];
    d.region(i) = i % 2;
  }
  std::vector<std::function<void(Domain &)>> phases = {
      lagrange, [](Domain &d) { d.dt *= 1.05; },
      [&](Domain &d) { d.e(0) += 0.01 * x[n - 1]; }};
  while (d.cycle < 6)
    for (auto &ph : phases)
      ph(d);
  double r = 0;
  for (const Field &fl : fields)
    for (int i = 0; i < n; ++i) {
      double v = (d.*fl.get)(i);
      r += fl.weight * v * v * 0.1 + (fl.name[0] == 'e' ? v : 0);
    }
  return r;
}
DERIVED(f)
