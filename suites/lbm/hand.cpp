//===- hand.cpp - LBM: the adjoint in closed form -------------------------===//
//
// With r_e the adjoint of what a fluid cell pushes in direction e,
//   g_e = 1 + 3 s_e + 4.5 s_e^2 - 1.5 |u|^2,  s_e = c_e . u,
//   A = sum_e w_e r_e g_e,   B = sum_e w_e r_e (3 c_e + 9 s_e c_e - 3 u):
//   adjoint of f_e   = (1 - omega) r_e + omega (A + B . (c_e - u)),
// where the velocity is imposed without B, which then is the lid's, times omega
// rho; that of omega is sum_e r_e (w_e rho g_e - f_e). A push is gathered back,
// so every entry has one writer. Of a sweep density and velocity are recorded,
// and the populations if omega is active.
//
//===----------------------------------------------------------------------===//
#include "model.h"

#include <cstddef>
#include <cstring>
#include <vector>

using namespace suites::lbm;

namespace {
inline namespace RETRO_MODEL {

template <class Real> struct Record {
  Real density, u[3];
};

/// Calls visit(index in a population, number of the cell) for every cell.
template <class Visit> void for_cells(const Box &box, Visit &&visit) {
  std::size_t number = 0;
  for (int z = 0; z < box.nz; ++z)
    for (int y = 0; y < box.ny; ++y)
      for (int x = 0; x < box.nx; ++x)
        visit(box.index(x, y, z), number++);
}

template <class Real> class Adjoint {
public:
  Adjoint(const Box &box, const std::uint8_t *flags, const Real *parameters,
          Real *parameters_shadow, int steps)
      : box(box), flags(flags), parameters(parameters),
        parameters_shadow(parameters_shadow),
        records(std::size_t(steps) * box.cells()),
        kept(parameters_shadow ? records.size() * populations : 0) {}

  void forward(int step, const Real *source, Real *destination) {
    Record<Real> *record = records.data() + step * box.cells();
    for_cells(box, [&](std::int64_t at, std::size_t number) {
      if (!(flags[at] & obstacle)) {
        Real f[populations];
        for (int e = 0; e < populations; ++e)
          f[e] = source[e * box.volume + at];
        moments(f, record[number].density, record[number].u);
        if (parameters_shadow)
          std::memcpy(kept_of(step, number), f, sizeof f);
      }
      sweep_cell(box, flags, parameters, source, destination, at);
    });
  }

  void reverse(int step, Real *source_shadow, Real *destination_shadow) {
    const Record<Real> *record = records.data() + step * box.cells();
    for_cells(box, [&](std::int64_t at, std::size_t number) {
      Real r[populations];
      for (int e = 0; e < populations; ++e) {
        Real &entry =
            destination_shadow[e * box.volume + at + push_offset(box, e)];
        r[e] = entry;
        entry = 0;
      }
      if (flags[at] & obstacle) {
        for (int e = 0; e < populations; ++e)
          source_shadow[opposite(e) * box.volume + at] += r[e];
        return;
      }
      fluid_cell(r, (flags[at] & accelerated) != 0, record[number],
                 kept.empty() ? nullptr : kept_of(step, number),
                 source_shadow + at);
    });
  }

private:
  Real *kept_of(int step, std::size_t number) {
    return kept.data() + (step * box.cells() + number) * populations;
  }

  void fluid_cell(const Real (&r)[populations], bool imposed,
                  const Record<Real> &record, const Real *f,
                  Real *source_shadow) const {
    const Real rate = parameters[omega];
    const Real u[3] = {imposed ? parameters[lid_x] : record.u[0],
                       imposed ? parameters[lid_y] : record.u[1],
                       imposed ? parameters[lid_z] : record.u[2]};
    const Real u2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    Real a = 0, b[3] = {};
    for (int e = 0; e < populations; ++e) {
      const Velocity c = velocity(e);
      const Real s = along(e, u), wr = weight<Real>(e) * r[e];
      const Real g = 1 + 3 * s + Real(4.5) * s * s - Real(1.5) * u2;
      a += wr * g;
      b[0] += wr * ((3 + 9 * s) * c.x - 3 * u[0]);
      b[1] += wr * ((3 + 9 * s) * c.y - 3 * u[1]);
      b[2] += wr * ((3 + 9 * s) * c.z - 3 * u[2]);
      if (f)
        parameters_shadow[omega] +=
            r[e] * (weight<Real>(e) * record.density * g - f[e]);
    }
    if (imposed && f)
      for (int d = 0; d < 3; ++d)
        parameters_shadow[lid_x + d] += rate * record.density * b[d];
    for (int e = 0; e < populations; ++e) {
      const Velocity c = velocity(e);
      Real sum = a;
      if (!imposed)
        sum += b[0] * (c.x - u[0]) + b[1] * (c.y - u[1]) + b[2] * (c.z - u[2]);
      source_shadow[e * box.volume] += (1 - rate) * r[e] + rate * sum;
    }
  }

  const Box &box;
  const std::uint8_t *flags;
  const Real *parameters;
  Real *parameters_shadow;
  std::vector<Record<Real>> records;
  std::vector<Real> kept; ///< populations of every cell and step
};

template <class Real>
void gradient(const Box &box, const std::uint8_t *flags, const Real *parameters,
              Real *parameters_shadow, int steps, Real *a, Real *a_shadow,
              Real *b, Real *b_shadow) {
  Adjoint<Real> adjoint(box, flags, parameters, parameters_shadow, steps);
  for (int step = 0; step < steps; ++step)
    adjoint.forward(step, step % 2 ? b : a, step % 2 ? a : b);
  for (int step = steps; step-- > 0;)
    adjoint.reverse(step, step % 2 ? b_shadow : a_shadow,
                    step % 2 ? a_shadow : b_shadow);
}

} // namespace RETRO_MODEL
} // namespace

extern "C" void RETRO_SYMBOL(lbm)(const Box &box, const std::uint8_t *flags,
                                  const double *parameters, double *, int steps,
                                  double *a, double *a_shadow, double *b,
                                  double *b_shadow) {
  gradient<double>(box, flags, parameters, nullptr, steps, a, a_shadow, b,
                   b_shadow);
}

extern "C" void RETRO_SYMBOL(lbm_float)(const Box &box,
                                        const std::uint8_t *flags,
                                        const float *parameters, float *,
                                        int steps, float *a, float *a_shadow,
                                        float *b, float *b_shadow) {
  gradient<float>(box, flags, parameters, nullptr, steps, a, a_shadow, b,
                  b_shadow);
}

extern "C" void
RETRO_SYMBOL(lbm_parameters)(const Box &box, const std::uint8_t *flags,
                             const double *parameters,
                             double *parameters_shadow, int steps, double *a,
                             double *a_shadow, double *b, double *b_shadow) {
  gradient(box, flags, parameters, parameters_shadow, steps, a, a_shadow, b,
           b_shadow);
}
