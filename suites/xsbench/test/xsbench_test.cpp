//===- xsbench_test.cpp - XSBench against its specification ---------------===//
//
// Random numbers, data, bits of the cross sections, checksums, the hand adjoint
// and its exact identities. Suites named Slow... build large problems.
//
//===----------------------------------------------------------------------===//
#include "../model.h"
#include "../reference.h"
#include "../xsbench.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace suites;
using namespace suites::xsbench;
using reactor::Lcg;
using reactor::Order;
using reactor::Work;

extern "C" {
Primal primal_restrict_xsbench;
Gradient hand_restrict_xsbench;
}

namespace {

constexpr GridType grid_types[] = {GridType::unionized, GridType::nuclide,
                                   GridType::hash};
constexpr int small_n = reactor::small_nuclides;
constexpr int large_n = reactor::large_nuclides;
constexpr double total_only[channels] = {1, 0, 0, 0, 0};
constexpr double all_channels[channels] = {1, 2, 3, 4, 5};

void expect_relative(double value, double expected, double tolerance,
                     const char *what) {
  EXPECT_NEAR(value, expected, tolerance * std::fabs(expected)) << what;
}

std::uint64_t checksum(const Problem &problem, const Work &work) {
  Totals totals;
  primal_restrict_xsbench(problem.with(work), &totals);
  return totals.scores % reactor::checksum_modulus;
}

struct GridGradient {
  std::vector<GridPoint> entries;
  double objective = 0;
};

GridGradient hand_gradient(const Problem &problem, const Work &work,
                           const double (&w)[channels]) {
  GridGradient result{std::vector<GridPoint>(problem.grid.size()), 0};
  Totals totals;
  hand_restrict_xsbench(problem.with(work), w, result.entries.data(), &totals);
  for (int k = 0; k < channels; ++k)
    result.objective += w[k] * totals.macro[k];
  return result;
}

/// Bits of the macroscopic cross sections of the first 1000 lookups.
template <GridType G> std::uint64_t macro_bits(const Problem &problem) {
  std::uint64_t hash = 0;
  for (int i = 0; i < 1000; ++i) {
    const reactor::Lookup at = reactor::event_lookup(i);
    double macro[channels];
    macro_xs<G>(at.energy, at.material, &problem.tables, problem.conc.data(),
                problem.grid.data(), macro);
    hash = reactor::hash_bits(hash, macro, channels);
  }
  return hash;
}

//===----------------------------------------------------------------------===//
// Random numbers and materials
//===----------------------------------------------------------------------===//

TEST(Random, Draws) {
  Lcg rng{42};
  EXPECT_EQ(rng.uniform(), 0.77843610453296175);
  EXPECT_EQ(rng.state, 7179805799027480083u);
  EXPECT_EQ(rng.uniform(), 0.05668352566303738);
  EXPECT_EQ(rng.state, 522813245550799040u);
  EXPECT_EQ(rng.uniform(), 0.52269290716334915);
  EXPECT_EQ(rng.state, 4820991143792763841u);
}

TEST(Random, SkipAhead) {
  const std::pair<std::uint64_t, std::uint64_t> expected[] = {
      {1, 5034782264453221031u},
      {2, 413720145226129956u},
      {10, 8454434782736025244u},
      {1000, 4431472941795656326u},
      {1000000, 443776670795765742u}};
  for (const auto &[steps, state] : expected) {
    Lcg rng{1070};
    rng.skip(steps);
    EXPECT_EQ(rng.state, state) << steps;
  }
  Lcg rng{1070};
  rng.skip(0);
  EXPECT_EQ(rng.state, 1070u);
}

TEST(Random, Lookups) {
  const reactor::Lookup expected[] = {
      {0.54587218691116701, 1}, {0.41728101142959284, 3},
      {0.64560429066334313, 4}, {0.72980358965188252, 3},
      {0.52412955440278952, 0}, {0.94811989613300318, 2}};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(reactor::event_lookup(i).energy, expected[i].energy);
    EXPECT_EQ(reactor::event_lookup(i).material, expected[i].material);
  }
}

TEST(Materials, FuelIsTheRemainder) {
  EXPECT_EQ(reactor::pick_material(0.0), 1);
  EXPECT_EQ(reactor::pick_material(0.0519), 1);
  EXPECT_EQ(reactor::pick_material(0.0521), 2);
  EXPECT_EQ(reactor::pick_material(0.8609), 11);
  EXPECT_EQ(reactor::pick_material(0.8611), 0);
}

TEST(Materials, Concentrations) {
  const auto concentrations = [](int nuclides) {
    Lcg rng{1070 * 1070};
    return reactor::Materials(nuclides).draw_concentrations(rng);
  };
  const auto sum = [](const std::vector<double> &v) {
    double total = 0;
    for (double x : v)
      total += x;
    return total;
  };
  const auto small = concentrations(small_n), large = concentrations(large_n);
  EXPECT_NEAR(sum(small), 97.0941088366616, 1e-12);
  EXPECT_NEAR(sum(large), 238.989331019581, 1e-12);
  EXPECT_EQ(small[0], 0.08323999494866291);
  EXPECT_EQ(small[1], 0.75389827907335805);
  EXPECT_EQ(small[2], 0.95493792082404927);
  EXPECT_EQ(small[1 * 34 + 0], 0.41281317090781222);
  EXPECT_EQ(small[11 * 34 + 8], 0.68700053868156574);
  EXPECT_EQ(large[1 * 321 + 0], 0.93858449947615064);
  EXPECT_EQ(large[11 * 321 + 8], 0.72202836389320901);
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

void expect_point(const Problem &problem, std::size_t index,
                  const GridPoint &expected) {
  const GridPoint &point = problem.grid.at(index);
  EXPECT_EQ(point.energy, expected.energy) << index;
  for (int k = 0; k < channels; ++k)
    EXPECT_EQ(point.xs[k], expected.xs[k]) << index << " channel " << k;
}

void expect_field_sums(const Problem &problem, const double (&expected)[6]) {
  double sums[6] = {};
  for (const GridPoint &point : problem.grid) {
    sums[0] += point.energy;
    for (int k = 0; k < channels; ++k)
      sums[k + 1] += point.xs[k];
  }
  for (int f = 0; f < 6; ++f)
    expect_relative(sums[f], expected[f], 1e-13, "field sum");
}

std::int64_t index_sum(const Problem &problem) {
  std::int64_t sum = 0;
  for (int entry : problem.index)
    sum += entry;
  return sum;
}

TEST(Data, Grid64) {
  const Problem problem({small_n, 64, GridType::nuclide, 1});
  expect_point(
      problem, 0,
      {8.860379768575483e-05,
       {0.051186393850718777, 0.34730868317589297, 0.029943099388043019,
        0.25095533041568929, 0.42629500735259268}});
  expect_point(problem, 4351,
               {0.98804052012010102,
                {0.42761604130774972, 0.30741195584403525, 0.89252436469958873,
                 0.82006273315848777, 0.18408757374981899}});
  expect_field_sums(problem,
                    {2175.9699971633, 2179.52118957166, 2163.76832770014,
                     2177.92375434275, 2183.98815711347, 2157.78652884135});
}

TEST(Data, Grid500) {
  const Problem problem({small_n, 500, GridType::nuclide, 1});
  expect_point(problem, 1,
               {0.00052366225892377537,
                {0.28943062136035547, 0.93725981275709158, 0.56821324990726074,
                 0.4410851338304223, 0.20603742999082211}});
  expect_point(problem, 33999,
               {0.99795325428233994,
                {0.6567243577978612, 0.061772446281883962, 0.68946240985928553,
                 0.15301092297641519, 0.12224004815341587}});
}

TEST(Data, IndexSums) {
  EXPECT_EQ(index_sum(Problem({small_n, 500, GridType::unionized, 1})),
            575704639);
  EXPECT_EQ(index_sum(Problem({small_n, 500, GridType::hash, 10000})),
            169165424);
  EXPECT_EQ(index_sum(Problem({small_n, 11303, GridType::hash, 10000})),
            3844257568);
}

TEST(Data, SeedChangesTheData) {
  const Problem one({small_n, 64, GridType::unionized, 1});
  const Problem two({small_n, 64, GridType::unionized, 1, 2});
  int same = 0;
  for (std::size_t i = 0; i < one.grid.size(); ++i)
    same += one.grid[i].xs[0] == two.grid[i].xs[0];
  EXPECT_EQ(same, 0);
  EXPECT_NE(one.conc[0], two.conc[0]);
}

TEST(Data, RejectsBadSizes) {
  EXPECT_THROW(Problem({67, 64, GridType::hash, 100}), std::invalid_argument);
  EXPECT_THROW(Problem({small_n, 1, GridType::hash, 100}),
               std::invalid_argument);
  EXPECT_THROW(Problem({small_n, 64, GridType::hash, 0}),
               std::invalid_argument);
}

TEST(SlowData, Large) {
  const Problem problem({large_n, 11303, GridType::hash, 10000});
  EXPECT_EQ(index_sum(problem), 20071932788);
  expect_point(problem, 0,
               {1.5981154276845078e-05,
                {0.88349575044703832, 0.53102424384572577, 0.1046068047585668,
                 0.67782224177225425, 0.39200432823412373}});
  expect_point(problem, 4012564,
               {0.99999855080078004,
                {0.87810701332056418, 0.59195134730512411, 0.49280566157555172,
                 0.16484019177036435, 0.53756561118064661}});
  expect_field_sums(problem,
                    {2004816.10482132, 2005324.99165564, 2006968.66010517,
                     2006047.77047409, 2006750.35310412, 2005623.26685617});
  double macro[channels];
  const reactor::Lookup first = reactor::event_lookup(0);
  macro_xs<GridType::hash>(first.energy, first.material, &problem.tables,
                           problem.conc.data(), problem.grid.data(), macro);
  const double expected[channels] = {1.3149435257351081, 1.5979984095918522,
                                     1.5680887511595283, 1.001733478939439,
                                     0.76668078399809492};
  for (int k = 0; k < channels; ++k)
    EXPECT_EQ(macro[k], expected[k]);
}

TEST(SlowData, LargeUnionIndexSum) {
  EXPECT_EQ(index_sum(Problem({large_n, 500, GridType::unionized, 1})),
            15690203723);
}

//===----------------------------------------------------------------------===//
// Primal
//===----------------------------------------------------------------------===//

/// Every grid type gives the same bits.
void expect_bits(int n_nuclides, int n_grid, std::uint64_t expected) {
  EXPECT_EQ(macro_bits<GridType::unionized>(
                Problem({n_nuclides, n_grid, GridType::unionized, 1})),
            expected);
  EXPECT_EQ(macro_bits<GridType::nuclide>(
                Problem({n_nuclides, n_grid, GridType::nuclide, 1})),
            expected);
  for (int bins : {1, 10, 100, 10000})
    EXPECT_EQ(macro_bits<GridType::hash>(
                  Problem({n_nuclides, n_grid, GridType::hash, bins})),
              expected)
        << bins << " bins";
}

TEST(Primal, Bits64) { expect_bits(small_n, 64, 0x767eec9f9a3caa86); }
TEST(Primal, Bits500) { expect_bits(small_n, 500, 0xdd871cf23fa25a1e); }
TEST(SlowPrimal, Bits500Large) {
  expect_bits(large_n, 500, 0x5580948811882da1);
}

TEST(Primal, Values) {
  const Problem problem({small_n, 64, GridType::unionized, 1});
  const std::pair<int, std::vector<double>> expected[] = {
      {0,
       {1.1077610937251441, 1.4920718233607564, 2.1142937288703938,
        1.6716694482604613, 1.260896960084857}},
      {4,
       {5.9657708434781975, 7.2448975013901196, 7.7776670523724043,
        7.2093429365000592, 6.1469023484691192}}};
  for (const auto &[lookup, values] : expected) {
    const reactor::Lookup at = reactor::event_lookup(lookup);
    double macro[channels];
    macro_xs<GridType::unionized>(at.energy, at.material, &problem.tables,
                                  problem.conc.data(), problem.grid.data(),
                                  macro);
    for (int k = 0; k < channels; ++k)
      EXPECT_EQ(macro[k], values[k]) << lookup;
  }
}

Work work_of(const Checksum &c) {
  if (c.particles > 0)
    return {Order::history, 0, c.particles, c.lookups};
  return {Order::event, 0, c.lookups};
}

/// All published checksums of one data set, up to a number of lookups.
void expect_checksums(int n_nuclides, int n_grid, GridType type,
                      std::int64_t least, std::int64_t most) {
  const Problem problem({n_nuclides, n_grid, type, 10000});
  for (const Checksum &c : checksums) {
    const Work work = work_of(c);
    if (c.n_nuclides != n_nuclides || c.n_grid != n_grid ||
        work.lookups() < least || work.lookups() > most)
      continue;
    EXPECT_EQ(checksum(problem, work), c.value)
        << n_nuclides << " nuclides, " << n_grid << " points, " << c.lookups
        << " lookups, " << c.particles << " particles";
    if (work.order == Order::event)
      EXPECT_EQ(checksum(problem, {Order::sorted, 0, c.lookups}), c.value);
  }
}

TEST(Primal, Checksums) {
  for (GridType type : grid_types)
    for (int n_grid : {64, 500})
      expect_checksums(small_n, n_grid, type, 0, 100000);
}

TEST(SlowPrimal, Checksums) {
  for (GridType type : grid_types)
    for (int n_grid : {64, 500, 11303})
      expect_checksums(small_n, n_grid, type, 100001, 1000000);
  expect_checksums(small_n, 11303, GridType::hash, 0, 100000);
}

TEST(SlowPrimal, ChecksumsLarge) {
  for (GridType type : grid_types)
    expect_checksums(large_n, 500, type, 0, 200000);
  for (GridType type : {GridType::nuclide, GridType::hash})
    expect_checksums(large_n, 11303, type, 0, 200000);
}

/// The original's default runs, 17 million lookups each: minutes.
TEST(DISABLED_FullPrimal, Checksums) {
  for (int n_nuclides : {small_n, large_n}) {
    const Problem problem({n_nuclides, 11303, GridType::hash, 10000});
    for (const Checksum &c : checksums)
      if (c.n_nuclides == n_nuclides && work_of(c).lookups() > 1000000) {
        EXPECT_EQ(checksum(problem, work_of(c)), c.value)
            << n_nuclides << " nuclides, " << c.particles << " particles";
      }
  }
}

TEST(Primal, RangesAddUp) {
  const Problem problem({small_n, 64, GridType::hash, 1000});
  Totals whole, first, second;
  primal_restrict_xsbench(problem.with({Order::history, 0, 100, 34}), &whole);
  primal_restrict_xsbench(problem.with({Order::history, 0, 41, 34}), &first);
  primal_restrict_xsbench(problem.with({Order::history, 41, 100, 34}), &second);
  EXPECT_EQ(whole.scores, first.scores + second.scores);
  EXPECT_NEAR(whole.macro[0], first.macro[0] + second.macro[0],
              1e-9 * std::fabs(whole.macro[0]));
}

//===----------------------------------------------------------------------===//
// The hand adjoint
//===----------------------------------------------------------------------===//

struct Moments {
  double energy_sum = 0, energy_abs_sum = 0, total_sum = 0, total_abs_sum = 0;
  double norm = 0, largest = 0, random_dot = 0;
  long nonzeros = 0, largest_entry = 0;
};

Moments moments_of(const std::vector<GridPoint> &gradient) {
  Moments m;
  Lcg rng{2021};
  long at = 0;
  const auto entry = [&](double g) {
    m.norm += g * g;
    m.nonzeros += g != 0;
    m.random_dot += g * (rng.uniform() - 0.5);
    if (std::fabs(g) > m.largest) {
      m.largest = std::fabs(g);
      m.largest_entry = at;
    }
    ++at;
  };
  for (const GridPoint &g : gradient) {
    m.energy_sum += g.energy;
    m.energy_abs_sum += std::fabs(g.energy);
    m.total_sum += g.xs[0];
    m.total_abs_sum += std::fabs(g.xs[0]);
    entry(g.energy);
    for (double xs : g.xs)
      entry(xs);
  }
  m.norm = std::sqrt(m.norm);
  return m;
}

void expect_published(const PublishedGradient &p, GridType type) {
  const Problem problem({p.n_nuclides, p.n_grid, type, 10000});
  const GridGradient g =
      hand_gradient(problem, {Order::event, 0, p.lookups}, total_only);
  // Published to twelve digits; sums of cancelling entries lose some.
  const double digits = 2e-11;
  expect_relative(g.objective, p.objective, 1e-12, "J");
  expect_relative(g.entries[0].energy, p.record0_energy, digits, "dE_0");
  expect_relative(g.entries[0].xs[0], p.record0_total, digits, "dtotal_0");
  expect_relative(g.entries[1].energy, p.record1_energy, digits, "dE_1");
  expect_relative(g.entries[1].xs[0], p.record1_total, digits, "dtotal_1");
  const GridPoint &far = g.entries[24ul * p.n_grid + 10];
  expect_relative(far.energy, p.record_far_energy, digits, "dE_far");
  expect_relative(far.xs[0], p.record_far_total, digits, "dtotal_far");

  const Moments m = moments_of(g.entries);
  EXPECT_NEAR(m.energy_sum, p.energy_sum, 1e-11 * m.energy_abs_sum);
  expect_relative(m.energy_abs_sum, p.energy_abs_sum, digits, "sum |dE|");
  expect_relative(m.total_sum, p.total_sum, digits, "sum dtotal");
  expect_relative(m.total_abs_sum, p.total_abs_sum, digits, "sum |dtotal|");
  expect_relative(m.norm, p.norm, digits, "norm");
  expect_relative(m.largest, p.largest, digits, "largest");
  EXPECT_EQ(m.largest_entry, 6 * p.largest_record);
  EXPECT_EQ(m.nonzeros, p.nonzeros);
  EXPECT_NEAR(m.random_dot, p.random_dot, 1e-11 * m.norm);
}

TEST(HandAdjoint, Published64) {
  for (GridType type : grid_types)
    expect_published(gradients[0], type);
}
TEST(HandAdjoint, Published500) {
  for (GridType type : grid_types)
    expect_published(gradients[1], type);
}
TEST(SlowHandAdjoint, PublishedLarge) {
  expect_published(gradients[2], GridType::hash);
}

TEST(HandAdjoint, PublishedAllChannels) {
  for (const PublishedWeightedGradient &p : weighted_gradients) {
    const Problem problem({p.n_nuclides, p.n_grid, GridType::nuclide, 1});
    const GridGradient g =
        hand_gradient(problem, {Order::event, 0, p.lookups}, all_channels);
    const Moments m = moments_of(g.entries);
    expect_relative(g.objective, p.objective, 1e-12, "J");
    expect_relative(g.entries[0].energy, p.record0_energy, 1e-11, "dE_0");
    EXPECT_NEAR(m.energy_sum, p.energy_sum, 1e-11 * m.energy_abs_sum);
    EXPECT_NEAR(m.random_dot, p.random_dot, 1e-11 * m.norm);
    if (p.lookups == 1000) {
      EXPECT_EQ(m.nonzeros, weighted_nonzeros);
      for (int k = 0; k < channels; ++k)
        expect_relative(g.entries[0].xs[k], weighted_record0[k], 1e-11, "xs");
    }
  }
}

TEST(HandAdjoint, UntouchedRecordIsExactlyZero) {
  const Problem problem({small_n, 500, GridType::hash, 10000});
  const GridGradient g =
      hand_gradient(problem, {Order::event, 0, 1000}, all_channels);
  EXPECT_EQ(g.entries[0].energy, 0.0);
  for (double xs : g.entries[0].xs)
    EXPECT_EQ(xs, 0.0);
}

/// J is linear in the cross sections; the sum of their gradients is w_k times
/// the concentrations met; shifting all energies is shifting every lookup back.
TEST(HandAdjoint, ExactIdentities) {
  const Problem problem({small_n, 64, GridType::unionized, 1});
  const Tables &t = problem.tables;
  for (Order order : {Order::event, Order::history, Order::sorted}) {
    const Work work{order, 0, 300, 34};
    const GridGradient g = hand_gradient(problem, work, all_channels);

    double linear = 0, linear_abs = 0, sums[channels] = {}, energy_sum = 0,
           energy_abs = 0;
    for (std::size_t i = 0; i < g.entries.size(); ++i) {
      energy_sum += g.entries[i].energy;
      energy_abs += std::fabs(g.entries[i].energy);
      for (int k = 0; k < channels; ++k) {
        const double term = problem.grid[i].xs[k] * g.entries[i].xs[k];
        linear += term;
        linear_abs += std::fabs(term);
        sums[k] += g.entries[i].xs[k];
      }
    }
    double conc_met = 0, slope = 0;
    reactor::visit_lookups<Physics>(work, [&](double energy, int material,
                                              double *macro) {
      macro_xs<GridType::unionized>(energy, material, &t, problem.conc.data(),
                                    problem.grid.data(), macro);
      const std::int64_t row = index_row<GridType::unionized>(energy, &t);
      for (int j = 0; j < t.counts[material]; ++j) {
        const int n = t.nuclides[material * t.max_nuclides + j];
        const double c = problem.conc[material * t.max_nuclides + j];
        const GridPoint *low =
            &problem.grid[n * t.n_grid + t.index[row * t.n_nuclides + n]];
        conc_met += c;
        for (int k = 0; k < channels; ++k)
          slope += all_channels[k] * c * (low[1].xs[k] - low[0].xs[k]) /
                   (low[1].energy - low[0].energy);
      }
    });
    EXPECT_NEAR(linear, g.objective, 1e-13 * linear_abs);
    for (int k = 0; k < channels; ++k)
      expect_relative(sums[k], all_channels[k] * conc_met, 1e-11, "sum of xs");
    EXPECT_NEAR(energy_sum, -slope, 1e-13 * energy_abs);
  }
}

//===----------------------------------------------------------------------===//
// Differences with the published steps
//===----------------------------------------------------------------------===//

/// Sum over event lookups of the change of M_total when `from` becomes `to`;
/// the union grid's indices stay. Lookup by lookup, or J's rounding would drown
/// it.
double change_of_total(const Problem &problem, std::int64_t lookups,
                       const std::vector<GridPoint> &from,
                       const std::vector<GridPoint> &to) {
  double change = 0;
  for (std::int64_t i = 0; i < lookups; ++i) {
    const reactor::Lookup at = reactor::event_lookup(i);
    double before[channels], after[channels];
    macro_xs<GridType::unionized>(at.energy, at.material, &problem.tables,
                                  problem.conc.data(), from.data(), before);
    macro_xs<GridType::unionized>(at.energy, at.material, &problem.tables,
                                  problem.conc.data(), to.data(), after);
    change += after[0] - before[0];
  }
  return change;
}

/// The energy of record 0 of the small grids.
void expect_differences(int n_grid, std::int64_t lookups, double one_sided,
                        double central) {
  const Problem problem({small_n, n_grid, GridType::unionized, 1});
  const double gradient =
      hand_gradient(problem, {Order::event, 0, lookups}, total_only)
          .entries[0]
          .energy;
  const auto moved_by = [&](double step) {
    std::vector<GridPoint> grid = problem.grid;
    grid[0].energy += step;
    return grid;
  };
  const double step = 1e-4 * (problem.grid[1].energy - problem.grid[0].energy);
  const double by_central =
      change_of_total(problem, lookups, moved_by(-step), moved_by(step)) /
      (2 * step);
  const double by_one_sided =
      change_of_total(problem, lookups, problem.grid, moved_by(1e-6)) / 1e-6;
  // The differences' own truncation is 1e-8, the published digits 7 to 12.
  expect_relative(by_central, gradient, 2e-8, "central");
  expect_relative(by_central, central, 1e-9, "central, as published");
  expect_relative(by_one_sided, one_sided, 1e-8, "one-sided, as published");
}

TEST(Differences, FirstEnergy64) {
  expect_differences(64, 1000, -9.52355568, -9.52284728487);
}
TEST(Differences, FirstEnergy500) {
  expect_differences(500, 100000, -1490.894375, -1487.46750708);
}

} // namespace
