//===- lbm_test.cpp - LBM: the specification, item by item ----------------===//
#include "../lbm.h"
#include "../model.h"
#include "../reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>

extern "C" suites::lbm::Primal<double> primal_restrict_lbm;
extern "C" suites::lbm::Primal<float> primal_restrict_lbm_float;

namespace suites::lbm {
namespace {

const Box original(120, 120, 150);

template <class Real>
std::vector<double> run(Primal<Real> *primal, const Box &box,
                        const std::vector<std::uint8_t> &flags, int steps) {
  const Real parameters[n_parameters] = {Real(1.95), Real(0.005), Real(0.002),
                                         0};
  Grid<Real> a(box), b(box);
  set_at_rest(box, a);
  set_at_rest(box, b);
  primal(box, flags.data(), parameters, steps, a.data(), b.data());
  return pack(box, steps % 2 ? b : a);
}

TEST(Lbm, EveryDirectionHasItsOpposite) {
  double sum = 0;
  for (int e = 0; e < populations; ++e) {
    const Velocity c = velocity(e), o = velocity(opposite(e));
    EXPECT_EQ(c.x, -o.x);
    EXPECT_EQ(c.y, -o.y);
    EXPECT_EQ(c.z, -o.z);
    EXPECT_EQ(opposite(opposite(e)), e);
    sum += weight<double>(e);
  }
  EXPECT_NEAR(sum, 1, 1e-15);
}

TEST(Lbm, EllipsoidAndFlagsOfTheOriginalsBox) {
  const Obstacles text = ellipsoid(original);
  EXPECT_EQ(text.size(), 2178150u);
  EXPECT_EQ(std::count(text.begin(), text.end(), '#'), 244073);
  const std::vector<std::uint8_t> flags = cavity_flags(original, text);
  const Statistics s = statistics(
      original, flags, std::vector<double>(populations * original.cells(), 1));
  EXPECT_EQ(s.obstacles, 343321);
  EXPECT_EQ(s.accelerated, 26912);
  EXPECT_EQ(s.fluid, 1789767);
}

TEST(Lbm, ObstacleFileIsReadBackAndItsSizeChecked) {
  const Box box(8, 6, 5);
  const std::string path = testing::TempDir() + "lbm_obstacles.of";
  const Obstacles text = ellipsoid(box);
  std::ofstream(path) << text;
  EXPECT_EQ(read_obstacles(box, path), text);
  EXPECT_THROW(read_obstacles(Box(8, 6, 6), path), std::runtime_error);
  std::remove(path.c_str());
}

/// No cell reads what another one writes in the same sweep, and no two write
/// the same entry: the order of the cells does not matter.
TEST(Lbm, OrderOfTheCellsDoesNotMatter) {
  const Box box(7, 6, 8);
  const auto flags = cavity_flags(box, ellipsoid(box));
  const double parameters[n_parameters] = {1.95, 0.005, 0.002, 0};
  Grid<double> a(box), forward(box), backward(box);
  set_at_rest(box, a);
  std::vector<double> values = pack(box, a);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] *= 1 + 0.1 * std::sin(i);
  unpack(box, values, a);
  set_at_rest(box, forward);
  set_at_rest(box, backward);
  sweep(box, flags.data(), parameters, a.data(), forward.data());
  for (int z = box.nz; z-- > 0;)
    for (int y = box.ny; y-- > 0;)
      for (int x = box.nx; x-- > 0;)
        sweep_cell(box, flags.data(), parameters, a.data(), backward.data(),
                   box.index(x, y, z));
  EXPECT_EQ(pack(box, forward), pack(box, backward));
  EXPECT_NE(pack(box, forward), values);
}

TEST(Lbm, ThousandSweepsOfTheCube) {
  const Box box(16, 16, 16);
  const auto flags = cavity_flags(box, {});
  const PublishedState &published = states_16[4];
  ASSERT_EQ(published.steps, 1000);
  const auto packed = run(primal_restrict_lbm, box, flags, published.steps);
  const Statistics s = statistics(box, flags, packed);
  EXPECT_NEAR(s.mass, 4096, 1e-9);
  EXPECT_NEAR(s.fluid_mass, published.fluid_mass, 1e-9);
  EXPECT_NEAR(s.max_speed, published.max_speed, 6e-12);
  EXPECT_NEAR(s.sum_u[0], published.sum_ux, 1e-10);
  EXPECT_NEAR(s.sum_u2, published.sum_u2, 1e-11);
  const Moments centre = moments_of(box, packed, 8, 8, 8);
  EXPECT_NEAR(centre.density, published.centre_density, 2e-12);
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(centre.u[d], published.centre_u[d], 1e-12);
}

struct Row {
  int steps;
  double min_density, max_density, fluid_mass, max_speed, sum_ux, sum_uy,
      sum_u2, sum_f2;
};
constexpr Row rows[] = {
    {2, 0.996145445, 1.0038775, 1816678.993082, 4.025410693e-3, 56.27797069708,
     22.51117084075, 0.4836309672594, 252316.5820214354},
    {20, 0.979249395, 1.02166637, 1816678.977798, 8.777815795e-3,
     133.5469071181, 53.41970141167, 0.7493631538498, 252316.4634889268}};

TEST(SlowLbm, OriginalsBox) {
  const auto flags = cavity_flags(original, ellipsoid(original));
  for (const Row &row : rows) {
    const auto packed = run(primal_restrict_lbm, original, flags, row.steps);
    const Statistics s = statistics(original, flags, packed);
    EXPECT_NEAR(s.mass, 2160000, 1e-6);
    EXPECT_NEAR(s.min_density, row.min_density, 5.1e-10);
    EXPECT_NEAR(s.max_density, row.max_density, 5.1e-9);
    EXPECT_NEAR(s.fluid_mass, row.fluid_mass, 2e-6);
    EXPECT_NEAR(s.max_speed, row.max_speed, 1e-12);
    EXPECT_NEAR(s.sum_u[0], row.sum_ux, 1e-9);
    EXPECT_NEAR(s.sum_u[1], row.sum_uy, 1e-9);
    EXPECT_NEAR(s.sum_u2, row.sum_u2, 1e-11);
    EXPECT_NEAR(s.sum_f2, row.sum_f2, 1e-8);
    if (row.steps == 20) {
      const Moments m = moments_of(original, packed, 1, 1, 1);
      EXPECT_NEAR(m.density, 0.9807699516626, 1e-12);
      EXPECT_NEAR(m.u[0], -7.616398884625e-5, 1e-12);
      EXPECT_NEAR(m.u[2], -7.764908100827e-4, 1e-12);
    }
  }
}

TEST(SlowLbm, OriginalsBoxInFloat) {
  const auto flags = cavity_flags(original, ellipsoid(original));
  const auto packed = run(primal_restrict_lbm_float, original, flags, 20);
  const Statistics s = statistics(original, flags, packed);
  // The last bits of the weights and of the relaxation are not those of the
  // original.
  EXPECT_NEAR(s.mass, 2160001.103040, 1);
  EXPECT_NEAR(s.sum_f2, 252316.7503240928, 1);
  EXPECT_NEAR(s.max_speed, 8.777910913e-3, 2e-6);
  EXPECT_NEAR(packed[1 + 120 * (1 + 120 * 1)], 0.326616615, 1e-6);
}

} // namespace
} // namespace suites::lbm
