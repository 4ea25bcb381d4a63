//===- driver.cpp - miniBUDE: the benchmark's main program ----------------===//
#include "../common/benchmark.hpp"
#include "build_info.h"
#include "deck.h"
#include "model.h"
#include "reference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace suites::minibude {

RETRO_DECLARE(Primal<float>, primal, minibude_float)
RETRO_DECLARE(Primal<double>, primal, minibude_double)
RETRO_DECLARE_GRADIENTS(ProteinGradient<float>, protein_float)
RETRO_DECLARE_GRADIENTS(ProteinGradient<double>, protein_double)
RETRO_DECLARE_GRADIENTS(PoseGradient<float>, pose_float)
RETRO_DECLARE_GRADIENTS(PoseGradient<double>, pose_double)

namespace {

using retro::suite::Column;
using retro::suite::Reference;
using retro::suite::Setting;
using retro::suite::Variant;
namespace pick = retro::suite::pick;
using Values = std::vector<double>;

/// Whether kernels run in several threads.
const bool threads =
    std::string(RETRO_BUILD_INFO.flags).find("-fopenmp") != std::string::npos;

template <class Real> constexpr bool is_float = std::is_same_v<Real, float>;

/// A deck in one precision, with as many poses as asked for: those of the deck
/// again and again.
template <class Real> struct Data {
  Data(const Deck &deck, int n_poses, int group) {
    convert(deck.ligand, ligand);
    convert(deck.protein, protein);
    for (const Parameters<float> &p : deck.parameters)
      parameters.push_back({p.hbtype, p.radius, p.hphb, p.elsc});
    for (int k = 0; k < degrees_of_freedom; ++k)
      for (int i = 0; i < n_poses; ++i)
        poses.push_back(deck.poses[k * deck.n_poses() + i % deck.n_poses()]);
    run = {static_cast<int>(ligand.size()),
           static_cast<int>(protein.size()),
           n_poses,
           group,
           ligand.data(),
           parameters.data(),
           protein.data(),
           poses.data()};
  }

  static void convert(const std::vector<Atom<float>> &from,
                      std::vector<Atom<Real>> &to) {
    for (const Atom<float> &a : from)
      to.push_back({a.x, a.y, a.z, a.type});
  }

  std::vector<Atom<Real>> ligand, protein;
  std::vector<Parameters<Real>> parameters;
  std::vector<Real> poses;
  Case<Real> run;
};

/// The folder of deck bm1 is the user's to say: it is too large to be a source.
constexpr const char *deck_variable = "RETRO_MINIBUDE_DECK";

Deck deck_of(const Setting &setting) {
  if (!setting.input.empty())
    throw std::invalid_argument("minibude: a deck is a folder, not a file");
  if (!setting.dims.get("bm1", 0))
    return synthetic_deck();
  const char *const folder = std::getenv(deck_variable);
  if (!folder)
    throw std::invalid_argument(std::string("minibude: ") + deck_variable +
                                " is not set to the folder of deck bm1");
  return read_deck(folder);
}

/// `poses` poses, `group` of them per work item. Protein gradients are
/// flattened atom by atom, pose gradients array by array.
template <class Real> class MiniBude : public retro::suite::Instance {
public:
  MiniBude(const Setting &setting, bool of_poses)
      : deck(deck_of(setting)), synthetic(!setting.dims.get("bm1", 0)),
        by_poses(of_poses), variant(setting.variant),
        data(deck, checked(setting, "poses"), checked(setting, "group")),
        exact(deck, data.run.n_poses, data.run.group),
        energies(data.run.n_poses), seed(data.run.n_poses),
        atom_shadow(data.protein.size()), pose_shadow(data.poses.size()) {
    const int group = data.run.group;
    if (group > 128 || (group & (group - 1)) || data.run.n_poses % group)
      throw std::invalid_argument("minibude: group must be a power of two, at "
                                  "most 128, and divide the number of poses");
  }

  std::vector<Column> columns() override {
    std::vector<Column> all{
        {"primal",
         {},
         [this] { primal(data.run, energies.data()); },
         [this] { return Values(energies.begin(), energies.end()); }}};
    if (by_poses)
      for (const auto &[name, gradient] : pose_gradients())
        all.push_back({name,
                       {},
                       [this, gradient = gradient] {
                         start(pose_shadow);
                         gradient(data.run, pose_shadow.data(), energies.data(),
                                  seed.data());
                       },
                       [this] {
                         return Values(pose_shadow.begin(), pose_shadow.end());
                       }});
    else
      for (const auto &[name, gradient] : protein_gradients())
        all.push_back({name,
                       {},
                       [this, gradient = gradient] {
                         start(atom_shadow);
                         gradient(data.run, atom_shadow.data(), energies.data(),
                                  seed.data());
                       },
                       [this] { return flatten(atom_shadow); }});
    return all;
  }

  /// Displacements: from 1 on, because directions are in proportion to this.
  Values point() const override {
    return Values(by_poses ? data.poses.size() : 3 * data.protein.size(), 1.0);
  }
  /// Energies have kinks, many per unit length, so differences hold every
  /// pair's case fixed: its energy is then linear in the distance.
  double objective(const Values &x) override {
    freeze();
    std::vector<Atom<double>> protein = exact.protein;
    std::vector<double> poses = exact.poses;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (by_poses)
        poses[i] += x[i] - 1;
      else
        axis(protein[i / 3], i % 3) += x[i] - 1;
    long double sum = 0; // its rounding must not show in differences
    int pose = -1, ligand = -1;
    Position at{};
    for (const FrozenPair &pair : pairs) {
      if (pair.pose != pose || pair.ligand != ligand) {
        pose = pair.pose;
        ligand = pair.ligand;
        at = place(poses, pose, exact.ligand[ligand]);
      }
      sum += 0.5 * pair.slope * distance(at, protein[pair.protein]);
    }
    return static_cast<double>(sum);
  }

  std::vector<Reference> references() const override;

  double tolerance() const override { return is_float<Real> ? 1e-3 : 1e-10; }
  double entry_floor() const override { return is_float<Real> ? 1e-2 : 1e-8; }
  /// Threads add to an atom in any order: the sum of n numbers is off by some
  /// sqrt(n) roundings (1.0e-5 in float of 65536 poses on an H100).
  double repeat_tolerance() const override {
    if (!threads || by_poses)
      return 0;
    const double roundings = std::sqrt(static_cast<double>(data.run.n_poses));
    return std::max(is_float<Real> ? 1e-5 : 1e-13,
                    double(std::numeric_limits<Real>::epsilon()) * roundings);
  }
  /// Differences are those of doubles, whatever the gradient.
  double roundoff() const override { return is_float<Real> ? 1e-10 : 0x1p-53; }

private:
  struct Position {
    double x, y, z;
  };
  /// A pair with a slope, twice the derivative of its energy with respect to
  /// the distance.
  struct FrozenPair {
    int pose, ligand, protein;
    double slope;
  };

  Position place(const std::vector<double> &poses, int i,
                 const Atom<double> &a) const {
    const auto value = [&](int k) { return poses[k * data.run.n_poses + i]; };
    // Turned about x, then y, then z, then moved.
    const double cx = std::cos(value(0)), sx = std::sin(value(0));
    const double cy = std::cos(value(1)), sy = std::sin(value(1));
    const double cz = std::cos(value(2)), sz = std::sin(value(2));
    const double y1 = cx * a.y - sx * a.z, z1 = sx * a.y + cx * a.z;
    const double x2 = cy * a.x + sy * z1, z2 = cy * z1 - sy * a.x;
    return {cz * x2 - sz * y1 + value(3), sz * x2 + cz * y1 + value(4),
            z2 + value(5)};
  }
  static double distance(const Position &p, const Atom<double> &a) {
    return std::hypot(p.x - a.x, p.y - a.y, p.z - a.z);
  }

  /// Lists the pairs that have a slope.
  void freeze();

  static int checked(const Setting &setting, const char *name) {
    const long long value = setting.dims.get(name, 1);
    if (value < 1 || value > (1 << 24))
      throw std::invalid_argument(std::string("minibude: wrong ") + name);
    return static_cast<int>(value);
  }

  static double &axis(Atom<double> &a, std::size_t k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
  }

  static Values flatten(const std::vector<Atom<Real>> &atoms) {
    Values all;
    for (const Atom<Real> &a : atoms)
      all.insert(all.end(), {a.x, a.y, a.z});
    return all;
  }

  template <class Record> void start(std::vector<Record> &shadow) {
    std::fill(shadow.begin(), shadow.end(), Record{});
    std::fill(seed.begin(), seed.end(), Real(1));
  }

  auto protein_gradients() const {
    if constexpr (is_float<Real>)
      return RETRO_GRADIENTS(protein_float, variant);
    else
      return RETRO_GRADIENTS(protein_double, variant);
  }
  auto pose_gradients() const {
    if constexpr (is_float<Real>)
      return RETRO_GRADIENTS(pose_float, variant);
    else
      return RETRO_GRADIENTS(pose_double, variant);
  }
  static Primal<Real> *primal_of(Variant variant) {
    if constexpr (is_float<Real>)
      return RETRO_LINKED(primal, minibude_float)[variant];
    else
      return RETRO_LINKED(primal, minibude_double)[variant];
  }

  Values double_energies(const Case<double> &c) const {
    Values found(c.n_poses);
    RETRO_LINKED(primal, minibude_double)[variant](c, found.data());
    return found;
  }

  /// The hand adjoint in double precision.
  Values exact_gradient() const {
    Values unused(exact.run.n_poses), ones(exact.run.n_poses, 1.0);
    if (by_poses) {
      Values shadow(exact.poses.size());
      RETRO_LINKED(hand, pose_double)
      [variant](exact.run, shadow.data(), unused.data(), ones.data());
      return shadow;
    }
    std::vector<Atom<double>> shadow(exact.protein.size());
    RETRO_LINKED(hand, protein_double)
    [variant](exact.run, shadow.data(), unused.data(), ones.data());
    Values all;
    for (const Atom<double> &a : shadow)
      all.insert(all.end(), {a.x, a.y, a.z});
    return all;
  }

  const Published *find_published() const {
    for (const Published &p : published)
      if (p.synthetic == synthetic && p.poses == data.run.n_poses)
        return &p;
    return nullptr;
  }
  void add_energies(std::vector<Reference> &all) const;
  void add_protein(std::vector<Reference> &all, const Published &p) const;
  void add_poses(std::vector<Reference> &all, const Published &p) const;

  Deck deck;
  bool synthetic, by_poses;
  Variant variant;
  Data<Real> data;
  Data<double> exact; ///< the same in double precision
  Primal<Real> *primal = primal_of(variant);
  std::vector<Real> energies, seed;
  std::vector<Atom<Real>> atom_shadow;
  std::vector<Real> pose_shadow;
  std::vector<FrozenPair> pairs;
};

template <class Real> void MiniBude<Real>::freeze() {
  if (!pairs.empty())
    return;
  for (int i = 0; i < data.run.n_poses; ++i)
    for (int l = 0; l < data.run.n_ligand; ++l) {
      const Atom<double> &a = exact.ligand[l];
      const Position at = place(exact.poses, i, a);
      for (int b = 0; b < data.run.n_protein; ++b) {
        const Atom<double> &other = exact.protein[b];
        const auto pair = RETRO_MODEL::pair_of(exact.parameters[other.type],
                                               exact.parameters[a.type]);
        const double d = distance(at, other);
        const double slope = RETRO_MODEL::slope_of(pair, d - pair.radii);
        if (slope != 0)
          pairs.push_back({i, l, b, slope});
      }
    }
}

std::uint64_t hash_of(const Values &energies) {
  std::uint64_t hash = 0;
  for (const double energy : energies) {
    const auto single = static_cast<float>(energy);
    std::uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    hash = hash * 1099511628211u + bits;
  }
  return hash;
}

/// The original's rule with |ref|: poses where both are below 1 do not count.
double worst_energy(const Values &found, const Values &expected) {
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double ref = expected[i % expected.size()];
    if (std::fabs(ref) < 1 && std::fabs(found[i]) < 1)
      continue;
    const double error = std::fabs((found[i] - ref) / ref);
    worst = std::isfinite(error) ? std::fmax(worst, error) : HUGE_VAL;
  }
  return worst;
}

double relative_distance(const Values &found, const Values &expected) {
  double squares = 0, scale = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    squares += (found[i] - expected[i]) * (found[i] - expected[i]);
    scale += expected[i] * expected[i];
  }
  return std::sqrt(squares / scale);
}

template <class Real>
void MiniBude<Real>::add_energies(std::vector<Reference> &all) const {
  const auto add = [&](const char *name, auto value, double expected,
                       double tolerance) {
    all.push_back({false, name, value, expected, tolerance});
  };
  const Values in_double = double_energies(exact.run);
  if (is_float<Real>)
    add(
        "energies against double precision",
        [=](const Values &v) { return worst_energy(v, in_double); }, 0, 5e-5);
  if (!deck.reference_energies.empty())
    add(
        "energies of the deck",
        [this](const Values &v) {
          return worst_energy(v, deck.reference_energies);
        },
        0, 2.5e-4);
  const Published *p = find_published();
  if (!p)
    return;
  if (is_float<Real>) {
    // Other functions for sine and cosine give other bits.
    const std::uint64_t hash = p->hash;
    add(
        "bits of the energies",
        [=](const Values &v) {
          return hash_of(v) == hash ? 0 : worst_energy(v, in_double);
        },
        0, 1e-5);
    add("sum of energies", pick::sum(), p->float_sum, 1e-7);
    return;
  }
  add("sum of energies", pick::sum(), p->sum, 1e-13);
  for (int i = 0; i < 4; ++i)
    add("energy", pick::at(i), p->first[i], 1e-11);
}

/// Sum of every `stride`-th entry from `first` on, `count` of them.
auto strided_sum(std::size_t first, std::size_t stride, std::size_t count) {
  return [=](const Values &v) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
      sum += v.at(first + i * stride);
    return sum;
  };
}

template <class Real>
void MiniBude<Real>::add_protein(std::vector<Reference> &all,
                                 const Published &p) const {
  const auto add = [&](const std::string &name, auto value, double expected,
                       double tolerance) {
    all.push_back({true, name, value, expected, tolerance});
  };
  const std::size_t n = data.protein.size();
  for (std::size_t k = 0; k < 3; ++k)
    add("sum of axis " + std::to_string(k), strided_sum(k, 3, n),
        p.protein_sum[k], 2e-9);
  add("norm", pick::norm(), p.norm, 2e-9);
  const std::size_t largest = 3 * p.largest_atom + p.largest_axis;
  add(
      "largest entry",
      [=](const Values &v) { return std::fabs(v.at(largest)); }, p.largest,
      1e-7);
  for (const AtomGradient &a : p.atoms) {
    const std::size_t at = a.atom < 0 ? n - 1 : a.atom;
    for (std::size_t k = 0; k < 3; ++k)
      add("atom " + std::to_string(at), pick::at(3 * at + k), a.xyz[k], 1e-8);
  }
}

template <class Real>
void MiniBude<Real>::add_poses(std::vector<Reference> &all,
                               const Published &p) const {
  const auto add = [&](const std::string &name, auto value, double expected,
                       double tolerance) {
    all.push_back({true, name, value, expected, tolerance});
  };
  const std::size_t n = data.run.n_poses;
  for (std::size_t k = 0; k < degrees_of_freedom; ++k) {
    const std::string which = " of degree " + std::to_string(k);
    add("sum" + which, strided_sum(k * n, 1, n), p.pose_sum[k], 5e-9);
    add("pose 0" + which, pick::at(k * n), p.pose0[k], 1e-8);
    add("pose 1" + which, pick::at(k * n + 1), p.pose1[k], 1e-8);
  }
}

template <class Real>
std::vector<Reference> MiniBude<Real>::references() const {
  std::vector<Reference> all;
  add_energies(all);
  if (is_float<Real>) {
    const Values expected = exact_gradient();
    all.push_back(
        {true, "hand adjoint in double: relative distance",
         [=](const Values &v) { return relative_distance(v, expected); }, 0.0,
         5e-5});
    return all;
  }
  const Published *p = find_published();
  if (p && by_poses)
    add_poses(all, *p);
  else if (p)
    add_protein(all, *p);
  return all;
}

std::unique_ptr<retro::suite::Instance> make(const Setting &setting) {
  const bool by_poses = setting.kernel.rfind("pose", 0) == 0;
  if (setting.kernel.find("double") != std::string::npos)
    return std::make_unique<MiniBude<double>>(setting, by_poses);
  return std::make_unique<MiniBude<float>>(setting, by_poses);
}

} // namespace
} // namespace suites::minibude

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv,
      {RETRO_BUILD_INFO,
       RETRO_KERNELS,
       // Devices have kernels of groups of 1 and 4.
       {retro::suite::has_device() ? "poses=512,group=4"
                                   : "poses=512,group=16"},
       suites::minibude::make});
}
