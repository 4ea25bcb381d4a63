//===- lookup_instance.h - XSBench and RSBench as benchmarks ----*- C++ -*-===//
//
// The part of a benchmark that both suites share: the columns primal, hand,
// gradient and compare over one Case, and the comparison of a gradient with the
// hand adjoint entry by entry.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_XSBENCH_LOOKUP_INSTANCE_H
#define SUITES_XSBENCH_LOOKUP_INSTANCE_H

#include "../common/benchmark.hpp"
#include "reactor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>

namespace suites::reactor {

using retro::suite::Column;
using retro::suite::Dims;
using retro::suite::Reference;

/// The work that a size describes: entries lookups, and particles for the
/// history order or sorted=1 for the sorted one. Throws std::invalid_argument.
inline Work work_of(const Dims &dims) {
  Work work;
  const long long lookups = dims.at("lookups");
  const long long particles = dims.get("particles", 0);
  if (lookups < 1 || particles < 0)
    throw std::invalid_argument("lookups and particles must be positive");
  work.last = lookups;
  if (particles > 0) {
    work.order = Order::history;
    work.last = particles;
    work.lookups_per_particle = lookups;
  } else if (dims.get("sorted", 0)) {
    work.order = Order::sorted;
  }
  return work;
}

/// What a gradient's entries are compared with: the hand adjoint, and of every
/// entry the sum of the magnitudes of the products that it adds up. Rounding is
/// proportional to the latter: where addends cancel, no two orders of the same
/// operations agree to the last digits of what is left. An entry that is right
/// to 1e-14 of its addends is right to 1e-12 of itself unless they cancel to
/// less than a hundredth.
struct Oracle {
  std::vector<double> gradient;
  std::vector<double> addends;

  /// max_i |g_i - gradient_i| / addends_i; where nothing is added up, exactly
  /// 0.
  double worst_to_addends(const std::vector<double> &g) const {
    return worst(g, addends);
  }

  /// max_i |g_i - gradient_i| / |gradient_i|.
  double worst_to_itself(const std::vector<double> &g) const {
    return worst(g, gradient);
  }

  /// Share of the nonzero entries that are off by more than `tolerance` of
  /// themselves.
  double share_above(const std::vector<double> &g, double tolerance) const {
    std::size_t above = 0, nonzero = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double limit = tolerance * std::fabs(gradient[i]);
      above += !(std::fabs(g.at(i) - gradient[i]) <= limit);
      nonzero += gradient[i] != 0;
    }
    return static_cast<double>(above) / static_cast<double>(nonzero);
  }

private:
  double worst(const std::vector<double> &g,
               const std::vector<double> &scale) const {
    if (g.size() != gradient.size())
      return HUGE_VAL;
    double result = 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double difference = std::fabs(g[i] - gradient[i]);
      if (!std::isfinite(difference))
        return HUGE_VAL;
      if (difference != 0)
        result = std::fmax(result, difference / std::fabs(scale[i]));
    }
    return result;
  }
};

/// Picks |entry i|.
inline auto magnitude_at(std::size_t i) {
  return [i](const std::vector<double> &v) { return std::fabs(v.at(i)); };
}

/// Records of doubles as one vector of doubles.
template <class Record>
std::vector<double> flatten(const std::vector<Record> &records) {
  static_assert(std::is_trivially_copyable_v<Record> &&
                sizeof(Record) % sizeof(double) == 0);
  std::vector<double> values(records.size() * sizeof(Record) / sizeof(double));
  std::memcpy(values.data(), records.data(), values.size() * sizeof(double));
  return values;
}

template <class Record>
std::vector<Record> unflatten(const std::vector<double> &values) {
  std::vector<Record> records(values.size() * sizeof(double) / sizeof(Record));
  std::memcpy(records.data(), values.data(), values.size() * sizeof(double));
  return records;
}

/// A benchmark over one Case. Gradients are those of J_w with respect to the
/// records (grid points or poles); a primal's result is the sums of all
/// channels followed by the checksum.
template <class Case, class Totals, class Record>
class LookupInstance : public retro::suite::Instance {
public:
  using Primal = void(const Case &, Totals *);
  using Gradient = void(const Case &, const double *, Record *, Totals *);

  struct Functions {
    Primal *primal;
    Gradient *hand;
    std::vector<std::pair<std::string, Gradient *>> gradients; ///< by column
  };

  std::vector<Column> columns() override {
    std::vector<Column> all;
    all.push_back({"primal", nullptr,
                   [this] { functions.primal(run, &totals); },
                   [this] { return flatten_totals(); }});
    for (const auto &[name, function] : functions.gradients)
      all.push_back(
          {name, [this] { std::fill(shadow.begin(), shadow.end(), Record{}); },
           [this, function = function] {
             function(run, weights.data(), shadow.data(), &totals);
           },
           [this] { return flatten(shadow); }});
    return all;
  }

  double tolerance() const override { return strict() ? 1e-12 : 1e-10; }

  /// Threads and ranks add in any order.
  double repeat_tolerance() const override { return parallel ? 1e-10 : 0; }

protected:
  LookupInstance(const Functions &f, const Case &c, std::size_t n_records,
                 std::vector<double> w)
      : functions(f), run(c), weights(std::move(w)), shadow(n_records) {}

  /// Whether little enough cancels that every entry of a gradient has to agree
  /// with the hand adjoint to 1e-12 of itself.
  virtual bool strict() const = 0;

  /// Adds to `scale` the magnitudes of a gradient's addends.
  virtual void add_addends(Record *scale) const = 0;

  /// Adds the comparisons with the hand adjoint: every entry to 1e-14 of its
  /// addends (more from 1e5 lookups on: the rounding of a sum of n terms grows
  /// like the root of n), and if strict() to 1e-12 of itself; else one in a
  /// thousand may be off by more.
  /// Devices contract products and sums and have a math library of their own:
  /// ten times as much, and a hundred times where terms cancel.
  void add_entrywise(std::vector<Reference> &references) const {
    const double slack = !retro::suite::has_device() ? 1 : strict() ? 10 : 100;
    const auto add = [&](const char *name, auto measure, double tolerance) {
      references.push_back({true, name, measure, 0.0, tolerance});
    };
    using Values = std::vector<double>;
    std::vector<Record> gradient(shadow.size()), scale(shadow.size());
    Totals unused;
    functions.hand(run, weights.data(), gradient.data(), &unused);
    add_addends(scale.data());
    const auto hand = std::make_shared<const Oracle>(
        Oracle{flatten(gradient), flatten(scale)});
    add(
        "hand adjoint: entries relative to their addends",
        [=](const Values &g) { return hand->worst_to_addends(g); },
        slack * 1e-14 * std::sqrt(std::fmax(1.0, run.work.lookups() / 1e5)));
    if (strict())
      add(
          "hand adjoint: entries relative to themselves",
          [=](const Values &g) { return hand->worst_to_itself(g); },
          slack * 1e-12);
    else
      add(
          "hand adjoint: share of entries off by over 1e-12 of themselves",
          [=](const Values &g) { return hand->share_above(g, slack * 1e-12); },
          1e-3);
  }

  double weighted(const double *macro) const {
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      sum += weights[k] * macro[k];
    return sum;
  }

  bool parallel = false;
  Functions functions;
  Case run;
  std::vector<double> weights;
  std::vector<Record> shadow;
  Totals totals{};

private:
  std::vector<double> flatten_totals() const {
    std::vector<double> result(std::begin(totals.macro),
                               std::end(totals.macro));
    result.push_back(static_cast<double>(totals.scores % checksum_modulus));
    return result;
  }
};

} // namespace suites::reactor

#endif // SUITES_XSBENCH_LOOKUP_INSTANCE_H
