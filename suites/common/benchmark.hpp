// The interface between a benchmark and the common main program.
//
// A benchmark describes itself with a Benchmark and builds Instances: one
// kernel, one variant, one size, with all its data. The common main
// (retro::suite::main) verifies the instance, then times its columns round
// robin.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace retro::suite {

/// 'restrict': pointer parameters carry no-alias qualifiers; 'plain': they do
/// not.
enum class Variant { restrict_, plain };
const char *to_string(Variant v);

/// Functions of one signature that were linked into this executable; null where
/// there is none.
template <class F> struct Linked {
  F *restricted;
  F *plain;
  F *operator[](Variant v) const {
    return v == Variant::restrict_ ? restricted : plain;
  }
};

/// RETRO_DECLARE(F, role, name), at namespace scope: declares
/// role_restrict_name and role_plain_name, functions of type F which may be
/// missing. RETRO_LINKED(role, name) is the Linked pair of them.
#define RETRO_DECLARE(F, role, name)                                           \
  extern "C" {                                                                 \
  [[gnu::weak]] F role##_restrict_##name;                                      \
  [[gnu::weak]] F role##_plain_##name;                                         \
  }
#define RETRO_LINKED(role, name)                                               \
  ::retro::suite::Linked<                                                      \
      std::remove_reference_t<decltype(role##_restrict_##name)>> {             \
    role##_restrict_##name, role##_plain_##name                                \
  }

/// The gradients of one variant that are linked, by column name.
template <class F>
std::vector<std::pair<std::string, F *>>
linked_gradients(Linked<F> gradient, Linked<F> hand, Linked<F> compare,
                 Variant v) {
  std::vector<std::pair<std::string, F *>> all{
      {"gradient", gradient[v]}, {"hand", hand[v]}, {"compare", compare[v]}};
  std::erase_if(all, [](const auto &entry) { return !entry.second; });
  return all;
}

/// RETRO_DECLARE_GRADIENTS(F, name) declares the three gradient columns;
/// RETRO_GRADIENTS(name, variant) lists those that are linked.
#define RETRO_DECLARE_GRADIENTS(F, name)                                       \
  RETRO_DECLARE(F, gradient, name)                                             \
  RETRO_DECLARE(F, hand, name)                                                 \
  RETRO_DECLARE(F, compare, name)
#define RETRO_GRADIENTS(name, variant)                                         \
  ::retro::suite::linked_gradients(RETRO_LINKED(gradient, name),               \
                                   RETRO_LINKED(hand, name),                   \
                                   RETRO_LINKED(compare, name), variant)

/// Named whole numbers of a size, written "d=10,K=25,n=2000".
class Dims {
public:
  /// Throws std::invalid_argument when the text is not a list of name=integer.
  static Dims parse(const std::string &text);
  /// Throws std::invalid_argument naming the missing entry.
  long long at(const std::string &name) const;
  long long get(const std::string &name, long long fallback) const;
  std::string str() const;
  const std::map<std::string, long long> &entries() const { return values; }
  bool operator==(const Dims &) const = default;

private:
  std::map<std::string, long long> values;
};

/// What an Instance is built from.
struct Setting {
  std::string kernel; ///< one of Benchmark::kernels
  Variant variant = Variant::restrict_;
  Dims dims; ///< ignored when input is given
  std::uint64_t seed =
      1; ///< of the generator; reference values hold for seed 1 only
  std::string input; ///< data file in the benchmark's text format, or empty
};

/// What all ranks did in one run of a column.
struct Tally {
  std::map<std::string, long long> messages; ///< by name of the count
  std::optional<unsigned long long> tape;    ///< the largest, bytes
};

/// One timed thing. 'primal' comes first; every other column computes the
/// gradient.
struct Column {
  std::string name; ///< primal, gradient, hand or compare
  std::function<void()>
      prepare;               ///< restores in-out data; not timed; may be empty
  std::function<void()> run; ///< timed; a gradient zeroes its outputs in here
  std::function<std::vector<double>()>
      result; ///< outputs (primal) or gradient of the last run, flattened
  bool parallel = false; ///< timed by the clock, not by the thread's CPU time
  std::function<Tally()> count = {}; ///< one more run; empty without ranks
};

/// A published number that a result must reproduce.
struct Reference {
  bool of_gradient; ///< else of the primal's result
  std::string name;
  std::function<double(const std::vector<double> &)> pick;
  double value;
  double tolerance; ///< relative to |value|
};

namespace pick {
std::function<double(const std::vector<double> &)> at(std::size_t i);
/// Euclidean norm and sum of count entries from first on; count 0 means all the
/// rest.
std::function<double(const std::vector<double> &)> norm(std::size_t first = 0,
                                                        std::size_t count = 0);
std::function<double(const std::vector<double> &)> sum(std::size_t first = 0,
                                                       std::size_t count = 0);
} // namespace pick

class Instance {
public:
  virtual ~Instance() = default;

  /// Primal first, then those gradients that are linked. The functions refer to
  /// this instance.
  virtual std::vector<Column> columns() = 0;

  /// The active inputs, flattened.
  virtual std::vector<double> point() const = 0;

  /// The scalar whose gradient the columns compute (seed-weighted sum of the
  /// outputs), by the primal object, at any x of the size of point(). Leaves
  /// the instance's own data as it was.
  virtual double objective(const std::vector<double> &x) = 0;

  /// Turns a gradient column's result into the gradient of objective(): the
  /// identity unless the column computes a Jacobian.
  virtual std::vector<double>
  gradient_of_objective(const std::vector<double> &result) {
    return result;
  }

  /// Published values that hold for this instance.
  virtual std::vector<Reference> references() const { return {}; }

  /// Largest entrywise error |g - hand| / max(|hand|, entry_floor() max|hand|)
  /// allowed between a gradient and the hand adjoint.
  virtual double tolerance() const { return 1e-10; }
  virtual double entry_floor() const { return 1e-8; }

  /// Largest difference between two runs, relative to the largest entry: 0
  /// unless threads add up in no order.
  virtual double repeat_tolerance() const { return 0; }

  /// Unit roundoff of the arithmetic in objective().
  virtual double roundoff() const { return 0x1p-53; }
};

/// The result of one run of a column. Throws std::logic_error if there is none
/// of that name.
std::vector<double> result_of(Instance &instance, const std::string &column);

/// A gradient's largest difference to `oracle`, relative to the largest entry.
/// For single precision, where differences of the primal say little.
Reference largest_difference(std::string name, std::vector<double> oracle,
                             double tolerance);

/// Facts of the build, from the generated build_info.h (macro
/// RETRO_BUILD_INFO).
struct BuildInfo {
  std::string suite, benchmark;
  std::string sizes;        ///< "name d=1,n=2; name ..."
  std::string default_size; ///< name
  std::string compiler, flags, plugin, compare_compiler, compare_plugin;
};

struct Benchmark {
  BuildInfo build;
  std::vector<std::string> kernels; ///< the first is the default
  /// Sizes with published values, checked on every run whatever size is timed.
  std::vector<std::string> reference_sizes;
  std::function<std::unique_ptr<Instance>(const Setting &)> make;
  int ranks = 0; ///< of MPI; 0: a program without
};

/// Whether primal and gradient run on a device (device.hpp).
bool has_device();

/// The whole program: command line, verification, timing, report.
/// Returns 0; 1 when a verification failed; 2 when the command line or an input
/// file is wrong.
int main(int argc, char **argv, const Benchmark &benchmark);

} // namespace retro::suite
