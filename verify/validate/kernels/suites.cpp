// Kernels of the suites, of a size that symbolic execution can follow.
#include "dg/model.h"
#include "lbm/model.h"
#include "lulesh/physics.h"
#include "minibude/model.h"
#include "neurips20/ba/model.h"
#include "neurips20/brusselator/model.h"
#include "neurips20/fft/model.h"
#include "neurips20/gmm/model.h"
#include "neurips20/lstm/model.h"
#include "neurips20/matvec/model.h"
#include "neurips20/rk4/model.h"
#include "xsbench/model.h"

namespace model = RETRO_MODEL;

double decay_rk4(double end, long n) { return model::classic_loop(end, n); }

double norm_of_product(int n, const double *m, const double *x) {
  return model::squared_norm_of_product(n, m, x);
}

void fft_stage(double *data, int n) { model::transform(data, n, 1); }

void brusselator_stencil(int n, const double *u, const double *v,
                         const double *p, double *du, double *dv) {
  model::brusselator(n, u, v, p, 1.0, du, dv);
}

void lstm_layer(int b, const double *weights, const double *biases,
                double *hidden, double *cell, const double *input) {
  model::lstm_layer(b, weights, biases, hidden, cell, input);
}

double gmm_log_sum_exp(int n, const double *v) {
  return model::log_sum_exp(n, v);
}

void gmm_triangular_product(int d, const double *diagonal, const double *icf,
                            const double *x, double *out) {
  model::triangular_product(d, diagonal, icf, x, out);
}

void ba_distort(const double *coefficients, double *point) {
  model::distort(coefficients, point);
}

void ba_rotate(const double *rotation, const double *point, double *out) {
  model::rotate(rotation, point, out);
}

void ba_residual(const double *camera, const double *point, const double *w,
                 const double *feature, double *err) {
  model::reprojection_residual(camera, point, w, feature, err);
}

/// low: two grid points of six numbers; sum: five.
void xs_interpolation(double energy, const double *low, double amount,
                      double *sum) {
  using suites::xsbench::GridPoint;
  double all[suites::xsbench::channels] = {};
  suites::xsbench::add_micro_xs(
      energy, reinterpret_cast<const GridPoint *>(low), amount, all);
  for (int k = 0; k < suites::xsbench::channels; ++k)
    sum[k] = all[k];
}

void lbm_collision(const double *f, const double *parameters, double *out) {
  suites::lbm::collide(f, false, parameters, out);
}

/// Density and velocity.
void lbm_moments(const double *f, double *out) {
  double density, u[3];
  suites::lbm::moments(f, density, u);
  out[0] = density;
  for (int d = 0; d < 3; ++d)
    out[1 + d] = u[d];
}

/// What is pushed along (1,1,0).
double lbm_one_population(const double *f, const double *parameters) {
  double out[suites::lbm::populations];
  suites::lbm::collide(f, false, parameters, out);
  return out[7];
}

void lbm_lid(const double *f, const double *parameters, double *out) {
  suites::lbm::collide(f, true, parameters, out);
}

/// Along the first reference direction.
void dg_flux(const double *state, const double *metric, double jacobian,
             double height, double *out) {
  double flux[3][suites::dg::states];
  suites::dg::contravariant_fluxes(state, metric, jacobian, height, 9.81, flux);
  for (int s = 0; s < suites::dg::states; ++s)
    out[s] = flux[0][s];
}

/// out: three directions of five states.
void dg_fluxes(const double *state, const double *metric, double jacobian,
               double height, double *out) {
  double flux[3][suites::dg::states];
  suites::dg::contravariant_fluxes(state, metric, jacobian, height, 9.81, flux);
  for (int d = 0; d < 3; ++d)
    for (int s = 0; s < suites::dg::states; ++s)
      out[suites::dg::states * d + s] = flux[d][s];
}

/// corners: eight points.
double lulesh_volume(const double *corners) {
  return model::volume_of(reinterpret_cast<const model::Vector *>(corners));
}

double lulesh_length(const double *corners, double volume) {
  return model::characteristic_length(
      reinterpret_cast<const model::Vector *>(corners), volume);
}

double lulesh_strain_rate(const double *corners, const double *velocities) {
  return model::strain_rate(
      reinterpret_cast<const model::Vector *>(corners),
      reinterpret_cast<const model::Vector *>(velocities));
}

double lulesh_limiter(double own, double lower, double upper) {
  return model::limiter(own, lower, upper);
}

double lulesh_courant_limit(double ss, double length, double vdov) {
  return model::courant_limit(ss, length, vdov);
}

/// out: energy, pressure, viscosity, speed of sound.
void lulesh_equation_of_state(double e, double p, double q, double delv,
                              double v, double ql, double qq, double *out) {
  const model::Material m = model::equation_of_state(e, p, q, delv, v, ql, qq);
  out[0] = m.e;
  out[1] = m.p;
  out[2] = m.q;
  out[3] = m.ss;
}

/// Twice the energy of two atoms. Each atom: radius, water term, charge.
double minibude_pair(int protein_kind, int ligand_kind, const double *distance,
                     const double *protein, const double *ligand) {
  using suites::minibude::Parameters;
  const Parameters<double> p{protein_kind, protein[0], protein[1], protein[2]};
  const Parameters<double> l{ligand_kind, ligand[0], ligand[1], ligand[2]};
  double sum = 0;
  model::add_pair(model::pair_of(p, l), distance[0], distance[1], distance[2],
                  sum);
  return sum;
}

/// The energy of one atom at one pose, beside one of the protein.
double minibude_pose(const double *pose, const double *ligand,
                     const double *protein) {
  using namespace suites::minibude;
  const Parameters<double> parameters[2] = {{70, 1.5, -0.8, 0.3},
                                            {70, 1.25, 0.5, -0.2}};
  const Atom<double> l{ligand[0], ligand[1], ligand[2], 0};
  const Atom<double> p{protein[0], protein[1], protein[2], 1};
  double energy = 0;
  model::dock_group<double, 1>(1, 1, 1, 0, &l, parameters, &p, pose, &energy);
  return energy;
}
