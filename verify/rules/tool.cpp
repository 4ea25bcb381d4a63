//===- tool.cpp - retro verify rules --------------------------------------===//

#include "report.h"

#include <CLI/CLI.hpp>

#include <atomic>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

using namespace retro::proofs;

namespace {

struct Options {
  std::vector<std::string> names;
  bool markdown = false, mutants = true, claims = false;
  std::string smt2, checkMarkdown;
  double timeout = 10;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
};

constexpr RuleId allRules[] = {
#define RULE(Id, Struct, Arity) RuleId::Id,
#include "rules/rules.def"
};

/// Proves the rules, several at a time; prints their lines in order as they
/// are done.
std::vector<RuleReport> proveAll(const std::vector<RuleId> &ids,
                                 const Options &o, const Limits &limits,
                                 bool print) {
  std::vector<RuleReport> reports(ids.size());
  std::vector<bool> done(ids.size());
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::size_t printed = 0;
  auto work = [&] {
    for (std::size_t i; (i = next++) < ids.size();) {
      RuleReport r = proveRule(ids[i], limits, o.mutants);
      std::lock_guard guard(lock);
      reports[i] = r;
      done[i] = true;
      for (; print && printed < ids.size() && done[printed]; ++printed)
        printLine(std::cout, reports[printed], o.claims);
      std::cout.flush();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < o.jobs; ++k)
    threads.emplace_back(work);
  for (std::thread &t : threads)
    t.join();
  return reports;
}

int statusOf(const std::vector<RuleReport> &all) {
  int status = 0;
  for (const RuleReport &r : all) {
    if (r.answer == Answer::Refuted || !r.mutants.surviving.empty())
      return 1;
    if (r.answer == Answer::Unknown)
      status = 3;
  }
  return status;
}

int run(const Options &o) {
  std::vector<RuleId> ids;
  for (RuleId id : allRules)
    for (const std::string &name : o.names)
      if (name == retro::rules::nameOf(id))
        ids.push_back(id);
  if (ids.size() != o.names.size()) {
    std::cerr << "retro verify rules: no such rule; their names stand in "
                 "engine/rules/rules.def\n";
    return 2;
  }
  if (o.names.empty())
    ids.assign(std::begin(allRules), std::end(allRules));
  Limits limits{static_cast<unsigned>(o.timeout * 1000), o.smt2};
  bool page = o.markdown || !o.checkMarkdown.empty();
  std::vector<RuleReport> lemmas = proveLemmas(limits);
  std::vector<RuleReport> rules = proveAll(ids, o, limits, !o.markdown);
  std::ostringstream text;
  if (page)
    printMarkdown(text, lemmas, rules);
  if (o.markdown) {
    std::cout << text.str();
  } else {
    for (const RuleReport &r : lemmas)
      printLine(std::cout, r, o.claims);
    printSummary(std::cout, rules);
  }
  int status = std::max(statusOf(rules), statusOf(lemmas));
  if (o.checkMarkdown.empty())
    return status;
  std::ifstream file(o.checkMarkdown);
  std::stringstream expected;
  expected << file.rdbuf();
  if (expected.str() != text.str()) {
    std::cerr << o.checkMarkdown
              << " is not what `./retro verify rules --markdown` prints\n";
    return 1;
  }
  return status == 3 ? 0 : status; // What is not known stands on the page.
}

} // namespace

int main(int argc, char **argv) {
  Options o;
  CLI::App app("Proves the engine's derivative rules with Z3: the calculus, "
               "the linearity in the seed and what happens at special values. "
               "Exit status: 0 if every rule is proved, 1 if one is refuted or "
               "a mutant is not, 3 if one is not known.",
               "retro verify rules");
  app.add_option("--rule", o.names, "only this rule (repeatable)");
  app.add_flag("--markdown", o.markdown, "print docs/rules.md");
  app.add_option("--check-markdown", o.checkMarkdown,
                 "fail when this file is not what --markdown prints");
  app.add_option("--smt2", o.smt2, "write the questions there, in SMT-LIB2");
  app.add_option("--timeout", o.timeout, "seconds for one question")
      ->capture_default_str();
  app.add_option("--jobs,-j", o.jobs, "rules at a time")->capture_default_str();
  app.add_flag("--claims", o.claims, "print every claim");
  app.add_flag("!--no-mutants", o.mutants, "leave the mutants out");
  CLI11_PARSE(app, argc, argv);
  return run(o);
}
