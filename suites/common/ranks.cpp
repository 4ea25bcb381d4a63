#include "ranks.hpp"
#include "message_counts.h"
#include "timing.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>

namespace retro::suite {

using nlohmann::json;

namespace {

/// What the first rank tells the others to do.
enum class Task : int { end, run, count };

/// The first rank's text, on every rank.
std::string broadcast(std::string text) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(length);
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

std::string order(Task task, const Setting &setting,
                  const std::string &column) {
  return json{{"task", static_cast<int>(task)},
              {"kernel", setting.kernel},
              {"plain", setting.variant == Variant::plain},
              {"dims", setting.dims.str()},
              {"seed", setting.seed},
              {"input", setting.input},
              {"column", column},
              {"warm_heap", process_conditions().warm_heap},
              {"flushed_subnormals", process_conditions().flushed_subnormals}}
      .dump();
}

/// A rank in other conditions than the first would be waited for.
void adopt_conditions(const json &order) {
  if (order.at("warm_heap") && !process_conditions().warm_heap)
    keep_heap_warm();
  if (order.at("flushed_subnormals") &&
      !process_conditions().flushed_subnormals)
    flush_subnormals();
}

Setting setting_of(const json &order) {
  return {order.at("kernel"),
          order.at("plain") ? Variant::plain : Variant::restrict_,
          Dims::parse(order.at("dims")), order.at("seed"), order.at("input")};
}

/// To be called on all ranks together; on the first: messages of all of them in
/// one run, and their largest tape.
Tally tally(const Column &column) {
  if (column.prepare)
    column.prepare();
  MPI_Barrier(MPI_COMM_WORLD);
  reset_tape();
  const retro_message_counts_t before = retro_message_counts;
  column.run();
  const retro_message_counts_t after = retro_message_counts;
  const long long own[4] = {after.messages - before.messages,
                            after.message_bytes - before.message_bytes,
                            after.collectives - before.collectives,
                            after.collective_bytes - before.collective_bytes};
  long long all[4], tape = -1, largest = -1;
  if (const auto bytes = largest_tape())
    tape = static_cast<long long>(*bytes);
  MPI_Reduce(own, all, 4, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&tape, &largest, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  Tally result;
  result.messages = {{"messages", all[0]},
                     {"message_bytes", all[1]},
                     {"collectives", all[2]},
                     {"collective_bytes", all[3]}};
  if (largest >= 0)
    result.tape = static_cast<unsigned long long>(largest);
  return result;
}

/// The first rank's instance: running a column starts it on the others.
class OnAllRanks : public Instance {
public:
  OnAllRanks(Setting s, std::unique_ptr<Instance> i)
      : setting(std::move(s)), inner(std::move(i)) {}

  std::vector<Column> columns() override {
    std::vector<Column> all = inner->columns();
    for (Column &column : all) {
      const Column own = column;
      column.parallel = true;
      column.prepare = [this, own] {
        broadcast(order(Task::run, setting, own.name));
        if (own.prepare)
          own.prepare();
        MPI_Barrier(MPI_COMM_WORLD);
      };
      column.count = [this, own] {
        broadcast(order(Task::count, setting, own.name));
        return tally(own);
      };
    }
    return all;
  }
  std::vector<double> point() const override { return inner->point(); }
  double objective(const std::vector<double> &x) override {
    return inner->objective(x);
  }
  std::vector<double>
  gradient_of_objective(const std::vector<double> &result) override {
    return inner->gradient_of_objective(result);
  }
  std::vector<Reference> references() const override {
    return inner->references();
  }
  double tolerance() const override { return inner->tolerance(); }
  double entry_floor() const override { return inner->entry_floor(); }
  double repeat_tolerance() const override { return inner->repeat_tolerance(); }
  double roundoff() const override { return inner->roundoff(); }

private:
  Setting setting;
  std::unique_ptr<Instance> inner;
};

/// What the other ranks do, until the first one has ended.
void follow(const Benchmark &benchmark) {
  std::unique_ptr<Instance> instance;
  json last;
  while (true) {
    json now = json::parse(broadcast(""));
    const Task task{now.at("task").get<int>()};
    if (task == Task::end)
      return;
    adopt_conditions(now);
    const std::string name = now.at("column");
    now.erase("task");
    now.erase("column");
    if (now != last)
      instance = benchmark.make(setting_of(now));
    last = now;
    const std::vector<Column> columns = instance->columns();
    const auto column =
        std::find_if(columns.begin(), columns.end(),
                     [&](const Column &c) { return c.name == name; });
    if (column == columns.end())
      throw std::logic_error("there is no column '" + name + "'");
    if (task == Task::count) {
      tally(*column);
      continue;
    }
    if (column->prepare)
      column->prepare();
    MPI_Barrier(MPI_COMM_WORLD);
    column->run();
  }
}

} // namespace

int main_on_ranks(int argc, char **argv, Benchmark benchmark) {
  int provided; // of threads: only the first one sends
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &benchmark.ranks);
  int status = 0;
  if (rank == 0) {
    benchmark.make = [make = benchmark.make](const Setting &setting) {
      return std::make_unique<OnAllRanks>(setting, make(setting));
    };
    status = main(argc, argv, benchmark);
    broadcast(order(Task::end, {}, ""));
  } else {
    try {
      follow(benchmark);
    } catch (const std::exception &error) {
      std::fprintf(stderr, "rank %d: error: %s\n", rank, error.what());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  MPI_Finalize();
  return status;
}

} // namespace retro::suite
