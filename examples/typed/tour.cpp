// A tour of the typed interface; docs/cpp-api.md explains it.
#include <array>
#include <cmath>
#include <cstdio>
#include <retrograde/retrograde.hpp>
#include <vector>

using namespace retro;

// Plain code: values, references, containers, structs, functors.
struct Well {
  double depth;
  std::array<double, 2> center;
};
double energy(const std::vector<double> &x, const Well &w) {
  double r2 = 0;
  for (std::size_t i = 0; i < x.size(); i++)
    r2 += std::pow(x[i] - w.center[i], 2);
  return -w.depth * std::exp(-r2);
}
void orbit(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[(i + 1) % n];
}

int main() {
  const std::vector<double> x{1.0, 0.5}, v{1, 0};
  const Well w{2.0, {0.5, 0.0}};

  // 1. The gradient with respect to every number in the arguments.
  auto [gx, gw] = gradient(energy, x, w);
  std::printf("dE/dx = %.4f %.4f, dE/ddepth = %.4f\n", gx[0], gx[1], gw.depth);
  auto [E, g] = value_and_gradient(energy, x, Const{w});
  std::printf("E = %.4f, dE/dx = %.4f %.4f\n", E, g[0], g[1]);

  // 2. Directions and matrices, with respect to the first argument.
  std::printf("along v: %.4f\n", directional(energy, x, v, w));
  auto H = hessian(energy, x, w);
  auto Hv = hessian_vector_product(energy, x, v, w);
  std::printf("H = %.4f %.4f / %.4f %.4f, H v = %.4f %.4f\n", H(0, 0), H(0, 1),
              H(1, 0), H(1, 1), Hv[0], Hv[1]);

  // 3. A request in full: each argument is wrapped.
  double a[3] = {1, 2, 3}, da[3] = {}, y[3], dy[3] = {1, 10, 100};
  autodiff<Reverse>(orbit, Duplicated{a, da}, DuplicatedNoNeed{y, dy},
                    Const{3});
  std::printf("J^T w = %g %g %g\n", da[0], da[1], da[2]);
  auto [value, tangent] = autodiff<ForwardWithPrimal>(
      [k = 3](double s) { return k * s * s; }, Duplicated{2.0, 1.0});
  std::printf("(3 s^2)' = %g, 3 s^2 = %g\n", tangent, value);

  // 4. Several directions at once.
  double t0[3] = {1, 0, 0}, t1[3] = {0, 1, 0}, z0[3], z1[3];
  autodiff<ForwardVector<2>>(orbit, BatchDuplicated<double *, 2>{a, {t0, t1}},
                             BatchDuplicated<double *, 2>{y, {z0, z1}},
                             Const{3});
  std::printf("columns %g %g %g and %g %g %g\n", z0[0], z0[1], z0[2], z1[0],
              z1[1], z1[2]);

  // 5. The function now, its gradient later.
  auto pass = augmented(Function<energy>{}, Active{x}, Const{w});
  const double seed = pass.primal() < 0 ? -1 : 1;
  auto [later] = pass.reverse(seed);
  std::printf("seed %g: %.4f %.4f\n", seed, later[0], later[1]);
}
