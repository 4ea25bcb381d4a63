// retro-validate PLAN.json REPORT.json: the program behind `retro verify
// --prove`, which writes the plan and prints the report.
#include "validate.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

using nlohmann::json;
using namespace retro::validate;

namespace {

std::unique_ptr<llvm::Module> read(const std::string &path,
                                   llvm::LLVMContext &c) {
  llvm::SMDiagnostic problem;
  auto m = llvm::parseIRFile(path, problem, c);
  if (!m)
    throw std::runtime_error(path + ": " + problem.getMessage().str());
  return m;
}

json run(const json &plan) {
  llvm::LLVMContext c;
  auto primal = read(plan.at("primal"), c),
       reverse = read(plan.at("reverse"), c);
  Question q{*primal,
             *reverse,
             plan.at("num_inputs"),
             plan.at("num_outputs"),
             {},
             plan.at("returns_real"),
             plan.value("smt2", "")};
  q.active.assign(q.inputs, false);
  for (const json &input : plan.at("inputs"))
    for (unsigned i = 0; i < input.at("length"); ++i)
      q.active[input.at("at").get<unsigned>() + i] = input.at("active");
  Limits limits;
  limits.paths = plan.value("paths", limits.paths);
  limits.solverMs = plan.value("solver_ms", limits.solverMs);
  limits.seconds = plan.value("seconds", limits.seconds);
  auto start = std::chrono::steady_clock::now();
  Report r = validate(q, limits);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  static const char *const Verdicts[] = {"proved", "refuted", "unknown"};
  json out = {{"outcome", Verdicts[r.verdict]},
              {"paths", r.paths},
              {"cut", r.cut},
              {"proved", r.proved},
              {"refuted", r.refuted},
              {"unknown", r.unknown},
              {"reasons", r.reasons},
              {"seconds", seconds.count()}};
  if (r.refuted)
    out["counterexample"] = {{"entry", r.entry},
                             {"point", r.point},
                             {"claimed", r.claimed},
                             {"right", r.right}};
  return out;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: retro-validate PLAN.json REPORT.json\n";
    return 2;
  }
  try {
    json plan;
    std::ifstream(argv[1]) >> plan;
    std::ofstream(argv[2]) << run(plan).dump(1) << "\n";
    return 0;
  } catch (const std::exception &problem) { // Z3's too
    std::cerr << "retro-validate: " << problem.what() << "\n";
    return 2;
  }
}
