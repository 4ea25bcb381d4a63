// Relaxes a molecule: the energy is a sum of what a Fortran function finds for
// pairs of atoms, by a potential in C, and of what holds the chain together,
// in Rust. Its gradient is taken through all four languages, and the first one
// is held against differences.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

extern "C" {
double pair_energy(const double *positions, int atoms, const double *well);
double chain_energy(const double *positions, std::size_t count, double rest);
}

template <typename Result, typename... Args> Result __enzyme_autodiff(Args...);
extern int enzyme_dup, enzyme_const;

struct Molecule {
  std::vector<double> positions; // x, y, z of each atom
  std::array<double, 2> well = {1.0, 0.9};
  double rest = 1.1;

  std::size_t atoms() const { return positions.size() / 3; }
};

static double energy(const Molecule *m) {
  double pairs = pair_energy(m->positions.data(), static_cast<int>(m->atoms()),
                             m->well.data());
  return pairs +
         chain_energy(m->positions.data(), m->positions.size(), m->rest);
}

/// The derivatives of the energy: those of positions, and of the parameters.
static Molecule gradient(const Molecule &m) {
  Molecule g = {std::vector<double>(m.positions.size()), {0, 0}, 0};
  __enzyme_autodiff<void>((void *)energy, enzyme_dup, &m, &g);
  return g;
}

/// The largest difference between a gradient and differences.
static double check(Molecule &m, const Molecule &g) {
  double worst = 0;
  auto compare = [&](double &at, double got) {
    const double h = 1e-6, value = at;
    at = value + h;
    double up = energy(&m);
    at = value - h;
    double down = energy(&m);
    at = value;
    worst = std::max(worst, std::fabs((up - down) / (2 * h) - got));
  };
  for (std::size_t i = 0; i < m.positions.size(); ++i)
    compare(m.positions[i], g.positions[i]);
  compare(m.well[0], g.well[0]);
  compare(m.well[1], g.well[1]);
  compare(m.rest, g.rest);
  return worst;
}

int main() {
  Molecule m;
  for (int i = 0; i < 8; ++i) // a bent chain
    m.positions.insert(m.positions.end(),
                       {std::cos(0.7 * i), std::sin(0.7 * i), 0.3 * i});
  double worst = check(m, gradient(m));
  std::printf("differences agree: %s\n", worst < 1e-7 ? "yes" : "no");
  for (int step = 0; step <= 300; ++step) {
    Molecule g = gradient(m);
    double force = 0;
    for (double f : g.positions)
      force = std::max(force, std::fabs(f));
    if (step % 100 == 0)
      std::printf("%3d: energy %10.6f, largest force %.1e\n", step, energy(&m),
                  force);
    for (std::size_t i = 0; i < m.positions.size(); ++i)
      m.positions[i] -= 0.01 * g.positions[i];
  }
  return worst >= 1e-7;
}
