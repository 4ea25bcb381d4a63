#include "common/benchmark.hpp"
#include "common/checkpoint.hpp"
#include "common/rng.hpp"
#include "common/timing.hpp"
#include "common/verification.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

using namespace retro::suite;

namespace {

TEST(Rng, GivesThePublishedDraws) {
  Rng raw(1);
  EXPECT_EQ(raw.next(), 0x910a2dec89025cc1ull);
  EXPECT_EQ(raw.next(), 0xbeeb8da1658eec67ull);
  EXPECT_EQ(raw.next(), 0xf893a2eefb32555eull);
  Rng uniform(1);
  EXPECT_EQ(uniform.uniform(), 0.5665615751722809);
  EXPECT_EQ(uniform.uniform(), 0.7457817572627011);
  EXPECT_EQ(Rng(1).normal(), 1.4243480905156511);
}

TEST(Dims, ReadsNamesAndIntegers) {
  const Dims dims = Dims::parse("n=2000,d=10");
  EXPECT_EQ(dims.at("n"), 2000);
  EXPECT_EQ(dims.get("K", 7), 7);
  EXPECT_EQ(dims, Dims::parse("d=10,n=2000"));
  EXPECT_EQ(dims.str(), "d=10,n=2000");
  EXPECT_THROW(dims.at("K"), std::invalid_argument);
}

TEST(Dims, RejectsWhatIsNotASize) {
  for (const char *text : {"n", "n=", "=3", "n=3x", "n=1e6", "n=1,,d=2"})
    EXPECT_THROW(Dims::parse(text), std::invalid_argument) << text;
}

TEST(Quartiles, InterpolateBetweenOrderStatistics) {
  const Quartiles odd = quartiles({5, 1, 4, 2, 3});
  EXPECT_EQ(odd.q1, 2);
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.q3, 4);
  const Quartiles even = quartiles({4, 1, 3, 2});
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.q1, 1.75);
}

TEST(Pick, TakesPartsOfAResult) {
  const std::vector<double> v{1, 2, 2, 4};
  EXPECT_EQ(pick::at(1)(v), 2);
  EXPECT_EQ(pick::sum()(v), 9);
  EXPECT_EQ(pick::norm(0, 3)(v), 3);
  EXPECT_THROW(pick::at(4)(v), std::out_of_range);
}

/// f(x) = sum of cubes, with a gradient that can be wrong in several ways.
struct Cubes : Instance {
  enum Defect { none, entry, not_zeroed, nan };
  Defect defect;
  bool with_hand, with_gradient;
  std::vector<double> x{0.5, -1.25, 2}, g = {0, 0, 0}, h = {0, 0, 0};
  double value = 0;

  Cubes(Defect defect, bool with_hand, bool with_gradient = true)
      : defect(defect), with_hand(with_hand), with_gradient(with_gradient) {}

  std::vector<Column> columns() override {
    std::vector<Column> all{{"primal",
                             {},
                             [this] { value = objective(x); },
                             [this] { return std::vector{value}; }}};
    if (with_gradient)
      all.push_back(
          {"gradient", {}, [this] { differentiate(); }, [this] { return g; }});
    if (with_hand)
      all.push_back({"hand",
                     {},
                     [this] {
                       for (int i = 0; i < 3; ++i)
                         h[i] = 3 * x[i] * x[i];
                     },
                     [this] { return h; }});
    return all;
  }
  void differentiate() {
    for (int i = 0; i < 3; ++i)
      g[i] = (defect == not_zeroed ? g[i] : 0) + 3 * x[i] * x[i];
    if (defect == entry)
      g[0] *= 1 + 1e-5;
    if (defect == nan)
      g[2] = std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<double> point() const override { return x; }
  double objective(const std::vector<double> &at) override {
    double sum = 0;
    for (const double v : at)
      sum += v * v * v;
    return sum;
  }
};

bool gradient_verified(Cubes::Defect defect, bool with_hand) {
  Cubes cubes(defect, with_hand);
  for (const auto &checked : verify_instance(cubes))
    if (checked.column == "gradient")
      return checked.verified();
  throw std::logic_error("no gradient column");
}

TEST(Verification, AcceptsTheRightGradient) {
  EXPECT_TRUE(gradient_verified(Cubes::none, true));
  EXPECT_TRUE(gradient_verified(Cubes::none, false));
}

TEST(Verification, RejectsWrongGradients) {
  for (const auto defect : {Cubes::entry, Cubes::not_zeroed, Cubes::nan}) {
    EXPECT_FALSE(gradient_verified(defect, true)) << defect;
    EXPECT_FALSE(gradient_verified(defect, false)) << defect;
  }
}

TEST(Verification, RejectsAnUnpublishedValue) {
  struct Published : Cubes {
    using Cubes::Cubes;
    std::vector<Reference> references() const override {
      return {{true, "g[0]", pick::at(0), 0.75 * (1 + 1e-9), 1e-12}};
    }
  } cubes(Cubes::none, true);
  for (const auto &checked : verify_instance(cubes))
    EXPECT_EQ(checked.verified(), checked.column == "primal");
}

TEST(Verification, DifferencesAreTakenOnceForAllGradients) {
  struct Counted : Cubes {
    using Cubes::Cubes;
    int calls = 0;
    double objective(const std::vector<double> &at) override {
      ++calls;
      return Cubes::objective(at);
    }
  } one(Cubes::none, false), two(Cubes::none, true);
  verify_instance(one);
  verify_instance(two);
  EXPECT_GT(one.calls, 0);
  EXPECT_EQ(one.calls, two.calls);
}

/// Runs the common main on Cubes; returns its status and, in rows, its JSON.
int run_main(Cubes::Defect defect, std::vector<std::string> arguments,
             nlohmann::json *rows = nullptr, bool with_gradient = true) {
  const std::string path = testing::TempDir() + "cubes.json";
  std::remove(path.c_str());
  arguments.insert(arguments.begin(), "cubes");
  arguments.insert(arguments.end(), {"--json", path, "--min-time", "1e-6"});
  std::vector<char *> argv;
  for (auto &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  Benchmark benchmark{{"test", "cubes", "smoke n=3; other n=4", "smoke",
                       "compiler", "flags", "", "", ""},
                      {"default"},
                      {"n=3"},
                      [=](const Setting &) {
                        return std::make_unique<Cubes>(defect, true,
                                                       with_gradient);
                      }};
  const int status = retro::suite::main(static_cast<int>(arguments.size()),
                                        argv.data(), benchmark);
  if (rows) {
    std::ifstream in(path);
    *rows = nlohmann::json::parse(in).at("rows");
  }
  return status;
}

TEST(Main, TimesAVerifiedGradient) {
  nlohmann::json rows;
  EXPECT_EQ(run_main(Cubes::none, {"--repetitions", "7"}, &rows), 0);
  ASSERT_EQ(rows.size(), 1u);
  const auto &row = rows[0];
  EXPECT_EQ(row.at("variant"), "restrict");
  EXPECT_EQ(row.at("columns").at("gradient").at("runs").size(), 7u);
  EXPECT_GT(row.at("overhead").at("gradient"), 0);
  EXPECT_TRUE(row.at("verified").at("gradient"));
  EXPECT_EQ(row.at("results").at("gradient").at("entries"), 3);
  EXPECT_TRUE(row.at("columns").at("gradient").at("tape_bytes").is_null())
      << "no plugin counted anything";
}

TEST(Main, DoesNotTimeAWrongGradient) {
  nlohmann::json rows;
  EXPECT_EQ(run_main(Cubes::entry, {"--repetitions", "2"}, &rows), 1);
  EXPECT_FALSE(rows[0].at("verified").at("gradient"));
  EXPECT_FALSE(rows[0].at("columns").contains("gradient"));
  EXPECT_TRUE(rows[0].at("columns").contains("hand"));
}

TEST(Main, TimesNothingWhenAskedToVerify) {
  nlohmann::json rows;
  EXPECT_EQ(run_main(Cubes::none, {"--verify"}, &rows), 0);
  EXPECT_TRUE(rows[0].at("columns").empty());
}

TEST(Main, OneMoreLaunchOnlyTimes) {
  nlohmann::json rows;
  EXPECT_EQ(
      run_main(Cubes::entry, {"--time-only", "--repetitions", "2"}, &rows), 0);
  EXPECT_TRUE(rows[0].at("verified").empty());
  EXPECT_TRUE(rows[0].at("verdicts").empty());
  EXPECT_EQ(rows[0].at("columns").at("gradient").at("runs").size(), 2u);
  EXPECT_EQ(run_main(Cubes::none, {"--time-only", "--verify"}), 2);
}

TEST(Main, FailsWithoutARequiredColumn) {
  EXPECT_EQ(run_main(Cubes::none, {"--verify", "--require", "gradient"}), 0);
  EXPECT_EQ(run_main(Cubes::none, {"--verify", "--require", "gradient"},
                     nullptr, false),
            1);
}

TEST(Main, RejectsAWrongCommandLine) {
  EXPECT_EQ(run_main(Cubes::none, {"--size", "huge"}), 2);
  EXPECT_EQ(run_main(Cubes::none, {"--kernel", "nothing"}), 2);
  EXPECT_EQ(run_main(Cubes::none, {"--variant", "both"}), 2);
}

TEST(Memory, SeesWhatAColumnAllocates) {
  struct Hungry : Cubes {
    using Cubes::Cubes;
    std::vector<Column> columns() override {
      return {{"primal",
               {},
               [] {
                 std::vector<char> block(32 << 20, 1);
                 asm volatile("" ::"r"(block.data()) : "memory"); // it is used
               },
               [] { return std::vector<double>{1}; }}};
    }
  };
  const auto make = [] { return std::make_unique<Hungry>(Cubes::none, false); };
  const auto bytes = measure_peak_memory(make, "primal");
  ASSERT_TRUE(bytes);
  EXPECT_GT(*bytes, 30ll << 20);
  EXPECT_LT(*bytes, 40ll << 20);
  EXPECT_FALSE(measure_peak_memory(make, "absent"));
}

} // namespace

// ---- checkpointing

namespace {
/// Fewest steps run forward in a reversal of n steps, by trying every place of
/// the next snapshot.
long long fewest_advances(int n, int free,
                          std::map<std::pair<int, int>, long long> &known) {
  if (n == 1)
    return 0;
  if (free == 0)
    return n * (n - 1ll) / 2;
  const auto [found, fresh] = known.try_emplace({n, free}, 0);
  if (!fresh)
    return found->second;
  long long best = fewest_advances(1, free, known) + n * (n - 1ll) / 2;
  for (int m = 1; m < n; ++m)
    best = std::min(best, m + fewest_advances(n - m, free - 1, known) +
                              fewest_advances(m, free, known));
  return known[{n, free}] = best;
}
} // namespace

TEST(Checkpointing, RunsStepsInOrderAndAsFewAsPossible) {
  std::map<std::pair<int, int>, long long> known;
  for (int snapshots = 1; snapshots <= 6; ++snapshots)
    for (int n = 1; n <= 60; ++n) {
      int state = 0, next = n - 1, kept = 0, most = 0;
      struct Snapshot {
        int state, *kept;
        Snapshot(int s, int *k, int *most) : state(s), kept(k) {
          *most = std::max(*most, ++*kept);
        }
        Snapshot(Snapshot &&other) noexcept
            : state(other.state), kept(std::exchange(other.kept, nullptr)) {}
        ~Snapshot() {
          if (kept)
            --*kept;
        }
      };
      Checkpointing loop([&] { return Snapshot(state, &kept, &most); },
                         [&](const Snapshot &s) { state = s.state; },
                         [&](int step) { EXPECT_EQ(step, state++); },
                         [&](int step) {
                           EXPECT_EQ(step, state);
                           EXPECT_EQ(step, next--);
                         });
      const CheckpointCost cost = loop.run(n, snapshots);
      EXPECT_EQ(next, -1);
      EXPECT_EQ(kept, 0);
      EXPECT_LE(most, snapshots);
      EXPECT_EQ(cost.reversals, n);
      EXPECT_EQ(cost.advances, fewest_advances(n, snapshots - 1, known))
          << n << " steps, " << snapshots << " snapshots";
    }
}
