// Kernels of the suites, of a size that symbolic execution can follow.
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
