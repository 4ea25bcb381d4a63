//===- tool.cpp - retro verify rules --------------------------------------===//

#include "complex_functions/complex_rules.h"
#include "report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
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
  double timeout = 60;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
};

/// A rule, real or complex.
struct Rule {
  std::string name;
  std::function<RuleReport(const Limits &, bool withMutants)> prove;
};

std::vector<Rule> allRules() {
  std::vector<Rule> all;
#define RULE(Id, Struct, Arity)                                                \
  all.push_back({#Id, [](const Limits &limits, bool withMutants) {             \
                   return proveRule(RuleId::Id, limits, withMutants);          \
                 }});
#include "rules/rules.def"
#define COMPLEX_OP(Id, Name, Arity)                                            \
  all.push_back({complexName(ComplexOp::Id),                                   \
                 [](const Limits &limits, bool withMutants) {                  \
                   return proveComplexRule(ComplexOp::Id, limits,              \
                                           withMutants);                       \
                 }});
#include "rules/complex.def"
  return all;
}

/// Proves the rules, several at a time; prints their lines in order as they
/// are done.
std::vector<RuleReport> proveAll(const std::vector<Rule> &rules,
                                 const Options &o, const Limits &limits,
                                 bool print) {
  std::vector<RuleReport> reports(rules.size());
  std::vector<bool> done(rules.size());
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::size_t printed = 0;
  auto work = [&] {
    for (std::size_t i; (i = next++) < rules.size();) {
      RuleReport r = rules[i].prove(limits, o.mutants);
      std::lock_guard guard(lock);
      reports[i] = r;
      done[i] = true;
      for (; print && printed < rules.size() && done[printed]; ++printed)
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
  std::vector<Rule> chosen;
  for (const Rule &rule : allRules())
    if (o.names.empty() ||
        std::ranges::find(o.names, rule.name) != o.names.end())
      chosen.push_back(rule);
  if (!o.names.empty() && chosen.size() != o.names.size()) {
    std::cerr << "retro verify rules: no such rule; their names stand in "
                 "engine/rules/rules.def, and in complex.def (complex.exp)\n";
    return 2;
  }
  Limits limits{static_cast<unsigned>(o.timeout * 1000), o.smt2};
  bool page = o.markdown || !o.checkMarkdown.empty();
  std::vector<RuleReport> lemmas = proveLemmas(limits);
  std::vector<RuleReport> rules = proveAll(chosen, o, limits, !o.markdown);
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
  // As the other commands of ./retro say it.
  app.get_formatter()->label("Usage", "usage");
  app.get_formatter()->label("OPTIONS", "options");
  app.get_help_ptr()->group("options")->description("show this and exit");
  app.option_defaults()->group("options");
  app.add_option("--rule", o.names, "only this rule (repeatable)")
      ->type_name("NAME");
  app.add_flag("--markdown", o.markdown, "print docs/rules.md");
  app.add_option("--check-markdown", o.checkMarkdown,
                 "fail when this file is not what --markdown prints")
      ->type_name("FILE");
  app.add_option("--smt2", o.smt2, "write the questions there, in SMT-LIB2")
      ->type_name("FOLDER");
  app.add_option("--timeout", o.timeout, "seconds for one question")
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--jobs,-j", o.jobs, "rules at a time")
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--claims", o.claims, "print every claim");
  app.add_flag_callback(
      "--no-mutants", [&] { o.mutants = false; }, "leave the mutants out");
  CLI11_PARSE(app, argc, argv);
  return run(o);
}
