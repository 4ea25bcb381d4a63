//===- gpu_test.cpp - LULESH: the kernels against the serial program ------===//
#include "../../common/gpu_orders.h"
#include "../fields.h"
#include "../problem.h"

#include <algorithm>
#include <cmath>

extern "C" {
suites::lulesh::Primal primal_restrict_lulesh, cuda_restrict_lulesh,
    hip_restrict_lulesh;
suites::lulesh::Gradient gradient_restrict_lulesh,
    cuda_restrict_lulesh_gradient, hip_restrict_lulesh_gradient,
    cuda_restrict_lulesh_energy_gradient, hip_restrict_lulesh_energy_gradient;
}

namespace suites::lulesh {
namespace {

using LuleshKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(LuleshKernels);

struct Program {
  explicit Program(int size)
      : problem(options(size)), state(problem.initial()) {
    problem.mesh.stop_time = 1e-2;
  }
  static Options options(int size) {
    Options o;
    o.size = size;
    return o;
  }
  std::vector<double> flat() const {
    return Layout{problem.mesh.n_elem, problem.mesh.n_node}.flatten(*state);
  }
  void advance(Primal *primal, int cycles) {
    problem.mesh.max_cycles = state->cycle + cycles;
    primal(&problem.mesh, state.get());
  }

  Problem problem;
  StateMemory state;
};

TEST_P(LuleshKernels, SameBitsAsTheSerialPrimal) {
  Program expected(5);
  expected.advance(primal_restrict_lulesh, 12);
  for (const auto primal : {cuda_restrict_lulesh, hip_restrict_lulesh}) {
    Program found(5);
    found.advance(primal, 12);
    EXPECT_EQ(found.flat(), expected.flat());
    EXPECT_EQ(found.state->dt, expected.state->dt);
    EXPECT_EQ(found.state->time, expected.state->time);
    EXPECT_EQ(found.state->cycle, 12);
  }
}

/// Adjoint of the state before the last two of fourteen cycles, for weights of
/// no pattern on all fields after them; steps are recorded ones.
std::vector<double> differentiate(Gradient *gradient) {
  Program run(4);
  run.advance(primal_restrict_lulesh, 12);
  std::vector<double> schedule(run.state->cycle, 0.0);
  Program ahead(4);
  ahead.state = run.state;
  for (int k = 0; k < 2; ++k) {
    ahead.advance(primal_restrict_lulesh, 1);
    schedule.push_back(ahead.state->dt);
  }
  Mesh &mesh = run.problem.mesh;
  mesh.schedule = schedule.data();
  mesh.max_cycles = 14;
  StateMemory shadow(mesh, false);
  const Layout layout{mesh.n_elem, mesh.n_node};
  std::vector<double> weights(layout.size());
  for (std::size_t n = 0; n < weights.size(); ++n)
    weights[n] = 1 + 0.5 * std::sin(static_cast<double>(n));
  layout.unflatten(weights, *shadow.get());
  gradient(&mesh, run.state.get(), shadow.get());
  EXPECT_EQ(run.flat(), ahead.flat());
  return layout.flatten(*shadow);
}

TEST_P(LuleshKernels, GradientOfCyclesLikeTheSerialOne) {
  const std::vector<double> expected = differentiate(gradient_restrict_lulesh);
  for (const auto gradient :
       {cuda_restrict_lulesh_gradient, hip_restrict_lulesh_gradient}) {
    const std::vector<double> found = differentiate(gradient);
    retro::suite::expect_same_gradient(found.data(), expected.data(),
                                       expected.size(), "state");
  }
}

/// What the study of 2021 differentiated, of which values are published: the
/// energy after a cycle by the energy before, at the origin.
TEST_P(LuleshKernels, GradientOfTheEquationOfState) {
  constexpr double published[] = {1, 0.89901113749875, 0.95670815843993,
                                  0.95932202293773, 0.96086496370832};
  for (const auto gradient : {cuda_restrict_lulesh_energy_gradient,
                              hip_restrict_lulesh_energy_gradient})
    for (int cycle = 2; cycle <= 5; ++cycle) {
      Program run(4);
      run.problem.mesh.max_cycles = cycle;
      StateMemory shadow(run.problem.mesh, false);
      std::fill_n(shadow->e, run.problem.mesh.n_elem, 1.0);
      gradient(&run.problem.mesh, run.state.get(), shadow.get());
      EXPECT_NEAR(shadow->e[0], published[cycle - 1], 1e-12) << cycle;
      // Pressure and viscosity enter as their sum.
      EXPECT_NE(shadow->p[0], 0) << cycle;
      EXPECT_EQ(shadow->q[0], shadow->p[0]) << cycle;
    }
}

TEST_P(LuleshKernels, GradientsOfPressureAndOfAllEnergies) {
  Program run(10);
  run.problem.mesh.max_cycles = 10;
  const int n_elem = run.problem.mesh.n_elem;
  StateMemory by_e(run.problem.mesh, false), by_p(run.problem.mesh, false);
  std::fill_n(by_e->e, n_elem, 1.0);
  by_p->p[0] = 1;
  cuda_restrict_lulesh_energy_gradient(&run.problem.mesh, run.state.get(),
                                       by_e.get());
  double sum = 0;
  for (int i = 0; i < n_elem; ++i)
    sum += by_e->e[i];
  EXPECT_NEAR(sum, 27.37033255538781, 1e-10);
  Program again(10);
  again.problem.mesh.max_cycles = 10;
  hip_restrict_lulesh_energy_gradient(&again.problem.mesh, again.state.get(),
                                      by_p.get());
  EXPECT_NEAR(by_p->e[0], 0.29788773898647, 1e-12);
  EXPECT_EQ(by_p->e[1], 0);
}

} // namespace
} // namespace suites::lulesh
