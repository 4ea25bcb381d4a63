#include "verification.hpp"
#include "device.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

namespace retro::suite {

using verify::Verdict;

static std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", x);
  return text;
}

static const char *const repeat_check = "same bits in two runs";
static const char *const agree_check = "two runs agree";

bool ColumnVerdicts::verified() const {
  const auto failed = [](const Verdict &v) {
    return v.outcome() == verify::Outcome::Failed;
  };
  const auto passed = [](const Verdict &v) {
    return v.passed && v.check != repeat_check && v.check != agree_check;
  };
  return std::none_of(verdicts.begin(), verdicts.end(), failed) &&
         std::any_of(verdicts.begin(), verdicts.end(), passed);
}

static std::vector<double> run_once(const Column &column) {
  if (column.prepare)
    column.prepare();
  column.run();
  return column.result();
}

static Verdict check_repeat(const std::vector<double> &first,
                            const std::vector<double> &second,
                            double tolerance) {
  if (tolerance > 0)
    return verify::compareEntries(second, first, {tolerance, 1, true},
                                  agree_check);
  const bool same = first.size() == second.size() && !first.empty() &&
                    std::memcmp(first.data(), second.data(),
                                first.size() * sizeof(double)) == 0;
  return verify::judge(repeat_check, same ? 0 : 1, 0);
}

static Verdict check_reference(const Reference &reference,
                               const std::vector<double> &result) {
  const double value = reference.pick(result);
  const double scale = std::fabs(reference.value);
  const double error =
      std::fabs(value - reference.value) / (scale > 0 ? scale : 1);
  return verify::judge("published " + reference.name, error,
                       reference.tolerance,
                       number(value) + " for " + number(reference.value));
}

namespace {
/// Central differences of the objective, which every gradient is held against.
/// Along a direction whose entries are in proportion to those of x, because
/// inputs may differ by orders of magnitude (focal lengths and distortions in
/// BA).
class Differences {
public:
  explicit Differences(Instance &of) : instance(of) {}

  Verdict check(const std::vector<double> &gradient) {
    if (!along)
      estimate();
    return verify::directionalDerivative(*along, direction, gradient, options,
                                         "central differences");
  }

private:
  void estimate() {
    const std::vector<double> x = instance.point();
    direction = verify::randomDirection(x.size(), 7);
    for (std::size_t i = 0; i < x.size(); ++i)
      direction[i] *= std::max(std::fabs(x[i]), 0.01);
    options.steps.largestStep = 1.0 / 32;
    options.steps.roundoff = instance.roundoff();
    options.worstTolerance =
        std::fmax(options.worstTolerance, 8 * std::sqrt(instance.roundoff()));
    along = verify::estimateAlong(
        [&](const std::vector<double> &at) { return instance.objective(at); },
        x, direction, options.steps);
  }

  Instance &instance;
  std::vector<double> direction;
  verify::DifferenceOptions options;
  std::optional<verify::Estimate> along; ///< once there is a gradient
};
} // namespace

/// Threads of a device add atomically in no order.
static double repeat_tolerance_of(const Instance &instance,
                                  const Column &column) {
  const bool in_no_order = runs_on_device(column) && column.name != "primal";
  return std::fmax(instance.repeat_tolerance(),
                   in_no_order ? 1e5 * instance.roundoff() : 0);
}

std::vector<ColumnVerdicts> verify_instance(Instance &instance) {
  std::vector<Column> columns = instance.columns();
  // The hand adjoint first among the gradients: the others are compared to it.
  const auto rank = [](const Column &c) {
    return c.name == "primal" ? 0 : c.name == "hand" ? 1 : 2;
  };
  std::sort(
      columns.begin(), columns.end(),
      [&](const Column &a, const Column &b) { return rank(a) < rank(b); });
  const std::vector<Reference> references = instance.references();
  Differences differences(instance);
  std::vector<double> hand;
  std::vector<ColumnVerdicts> all;
  for (const Column &column : columns) {
    const bool is_gradient = column.name != "primal";
    const std::vector<double> result = run_once(column);
    ColumnVerdicts checked{column.name, {}, result};
    checked.verdicts.push_back(check_repeat(
        result, run_once(column), repeat_tolerance_of(instance, column)));
    for (const Reference &reference : references)
      if (reference.of_gradient == is_gradient)
        checked.verdicts.push_back(check_reference(reference, result));
    if (!is_gradient) {
      const bool finite =
          std::all_of(result.begin(), result.end(),
                      [](double v) { return std::isfinite(v); });
      checked.verdicts.push_back(
          verify::judge("finite outputs", finite ? 0 : 1, 0));
    } else {
      if (column.name == "hand")
        hand = result;
      else if (!hand.empty())
        checked.verdicts.push_back(verify::compareEntries(
            result, hand, {instance.tolerance(), instance.entry_floor()},
            "entries against the hand adjoint"));
      checked.verdicts.push_back(
          differences.check(instance.gradient_of_objective(result)));
    }
    all.push_back(std::move(checked));
  }
  return all;
}

std::vector<ColumnVerdicts> run_on_device(Instance &instance) {
  std::vector<ColumnVerdicts> all;
  for (const Column &column : instance.columns())
    if (runs_on_device(column)) {
      const std::vector<double> result = run_once(column);
      all.push_back({column.name,
                     {check_repeat(result, run_once(column),
                                   repeat_tolerance_of(instance, column))},
                     result});
    }
  return all;
}

void compare_with_serial(
    std::vector<ColumnVerdicts> &all, const Instance &instance,
    const std::function<std::vector<double>(const std::string &)> &serial) {
  for (ColumnVerdicts &checked : all)
    if (checked.column == "primal" || checked.column == "gradient")
      checked.verdicts.push_back(
          verify::compareEntries(checked.result, serial(checked.column),
                                 {instance.tolerance(), instance.entry_floor()},
                                 "entries against the serial program"));
}

} // namespace retro::suite
