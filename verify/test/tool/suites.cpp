// Kernels of the suites, with parameters that `retro rounding` can fill in.
#include "../../../suites/lbm/model.h"
#include "../../../suites/minibude/model.h"
#include "../../../suites/neurips20/gmm/model.h"
#include "../../../suites/rsbench/model.h"

/// transport: the Faddeeva function of a resonance, |re + i im| below 6.
void faddeeva(double re, double im, double w[2]) {
  const suites::rsbench::Complex of = suites::rsbench::w_series({re, im});
  w[0] = of.re;
  w[1] = of.im;
}

/// fluid: the collision of one cell.
void collision(const double f[19], const double parameters[4], double out[19]) {
  suites::lbm::collide(f, false, parameters, out);
}

/// neurips20: the objective of a Gaussian mixture, of three in four dimensions.
double mixture(int n, const double alphas[3], const double means[12],
               const double factors[30], const double *x) {
  double objective = 0;
  RETRO_MODEL::gmm_objective(4, 3, n, alphas, means, factors, x, 1, 0,
                             &objective);
  return objective;
}

/// docking: the energy of a ligand of two atoms in one pose, beside five atoms
/// of a protein.
double docking(const double pose[6], const double ligand[6],
               const double protein[15]) {
  using namespace suites::minibude;
  const Parameters<double> parameters[2] = {{69, 1.5, -0.3, 0.4},
                                            {70, 1.2, 0.2, -0.7}};
  Atom<double> a[2], b[5];
  for (int i = 0; i < 2; ++i)
    a[i] = {ligand[3 * i], ligand[3 * i + 1], ligand[3 * i + 2], i};
  for (int i = 0; i < 5; ++i)
    b[i] = {protein[3 * i], protein[3 * i + 1], protein[3 * i + 2], i % 2};
  double energy = 0;
  RETRO_MODEL::dock_group<double, 1>(2, 5, 1, 0, a, parameters, b, pose,
                                     &energy);
  return energy;
}
