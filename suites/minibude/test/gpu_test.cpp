//===- gpu_test.cpp - miniBUDE: the kernels against the serial program ----===//
#include "../../common/gpu_orders.h"
#include "../deck.h"

#include <cmath>

extern "C" {
suites::minibude::Primal<double> primal_restrict_minibude_double,
    cuda_restrict_minibude_double, hip_restrict_minibude_double;
suites::minibude::Primal<float> primal_restrict_minibude_float,
    cuda_restrict_minibude_float, hip_restrict_minibude_float;
suites::minibude::ProteinGradient<double> hand_restrict_protein_double,
    cuda_restrict_protein_double, hip_restrict_protein_double;
suites::minibude::PoseGradient<double> hand_restrict_pose_double,
    cuda_restrict_pose_double, hip_restrict_pose_double;
suites::minibude::ProteinGradient<float> cuda_restrict_protein_float,
    hip_restrict_protein_float;
}

namespace suites::minibude {
namespace {

using MiniBudeKernels = retro::suite::InEveryOrder;
RETRO_IN_EVERY_ORDER(MiniBudeKernels);

/// The first atoms and poses of the synthetic deck.
template <class Real> struct Docking {
  explicit Docking(int group) {
    const Deck deck = synthetic_deck();
    constexpr int n_protein = 48, n_poses = 64;
    const auto atom = [](const Atom<float> &a) {
      return Atom<Real>{a.x, a.y, a.z, a.type};
    };
    for (const Atom<float> &a : deck.ligand)
      ligand.push_back(atom(a));
    for (int b = 0; b < n_protein; ++b)
      protein.push_back(atom(deck.protein[b]));
    for (const Parameters<float> &p : deck.parameters)
      parameters.push_back({p.hbtype, p.radius, p.hphb, p.elsc});
    for (int k = 0; k < degrees_of_freedom; ++k)
      for (int i = 0; i < n_poses; ++i)
        poses.push_back(deck.poses[k * deck.n_poses() + i]);
    view = {static_cast<int>(ligand.size()),
            n_protein,
            n_poses,
            group,
            ligand.data(),
            parameters.data(),
            protein.data(),
            poses.data()};
  }
  std::vector<Real> energies(Primal<Real> *primal) const {
    std::vector<Real> found(view.n_poses);
    primal(view, found.data());
    return found;
  }
  std::vector<Real> seed() const {
    std::vector<Real> seed(view.n_poses);
    for (int i = 0; i < view.n_poses; ++i)
      seed[i] = Real(1 + 0.5 * std::sin(i));
    return seed;
  }
  std::vector<Real> by_protein(ProteinGradient<Real> *gradient) const {
    std::vector<Atom<Real>> shadow(view.n_protein);
    std::vector<Real> found(view.n_poses), weights = seed(), flat;
    gradient(view, shadow.data(), found.data(), weights.data());
    EXPECT_EQ(weights, std::vector<Real>(view.n_poses));
    for (const Atom<Real> &a : shadow)
      flat.insert(flat.end(), {a.x, a.y, a.z});
    return flat;
  }
  std::vector<Real> by_poses(PoseGradient<Real> *gradient) const {
    std::vector<Real> shadow(poses.size()), found(view.n_poses),
        weights = seed();
    gradient(view, shadow.data(), found.data(), weights.data());
    EXPECT_EQ(weights, std::vector<Real>(view.n_poses));
    return shadow;
  }

  std::vector<Atom<Real>> ligand, protein;
  std::vector<Parameters<Real>> parameters;
  std::vector<Real> poses;
  Case<Real> view;
};

TEST_P(MiniBudeKernels, SameBitsAsTheSerialPrimal) {
  for (const int group : {1, 4}) {
    const Docking<double> of(group);
    const auto expected = of.energies(primal_restrict_minibude_double);
    EXPECT_EQ(of.energies(cuda_restrict_minibude_double), expected);
    EXPECT_EQ(of.energies(hip_restrict_minibude_double), expected);
    const Docking<float> narrow(group);
    const auto in_float = narrow.energies(primal_restrict_minibude_float);
    EXPECT_EQ(narrow.energies(cuda_restrict_minibude_float), in_float);
    EXPECT_EQ(narrow.energies(hip_restrict_minibude_float), in_float);
  }
}

TEST_P(MiniBudeKernels, ProteinGradientLikeTheHandAdjoint) {
  const auto expected =
      Docking<double>(1).by_protein(hand_restrict_protein_double);
  for (const int group : {1, 4})
    for (const auto gradient :
         {cuda_restrict_protein_double, hip_restrict_protein_double}) {
      const auto found = Docking<double>(group).by_protein(gradient);
      retro::suite::expect_same_gradient(found.data(), expected.data(),
                                         expected.size(), "protein");
    }
  for (const auto gradient :
       {cuda_restrict_protein_float, hip_restrict_protein_float}) {
    const auto found = Docking<float>(4).by_protein(gradient);
    double difference = 0, all = 0;
    for (std::size_t n = 0; n < expected.size(); ++n) {
      difference += std::pow(found[n] - expected[n], 2);
      all += std::pow(expected[n], 2);
    }
    EXPECT_LT(std::sqrt(difference / all), 1e-5);
  }
}

TEST_P(MiniBudeKernels, PoseGradientLikeTheHandAdjoint) {
  const auto expected = Docking<double>(1).by_poses(hand_restrict_pose_double);
  for (const int group : {1, 4})
    for (const auto gradient :
         {cuda_restrict_pose_double, hip_restrict_pose_double}) {
      const auto found = Docking<double>(group).by_poses(gradient);
      retro::suite::expect_same_gradient(found.data(), expected.data(),
                                         expected.size(), "poses");
    }
}

} // namespace
} // namespace suites::minibude
