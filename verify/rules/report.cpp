#include "report.h"

#include "calculus.h"
#include "complex_functions/complex_rules.h"
#include "floats/ieee.h"

#include <cstdio>
#include <functional>
#include <ostream>
#include <tuple>

namespace retro::proofs {
namespace {

/// A name that a file can have.
std::string fileName(const std::string &rule, const std::string &obligation) {
  std::string text = rule + "-" + obligation;
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-')
      c = '_';
  return text;
}

/// Asks of all \p obligations, and joins the answers in \p r. Where one is
/// not known, the same claim among \p exact may be.
void answer(RuleReport &r, const std::vector<Obligation> &obligations,
            const std::vector<Obligation> &exact, const Limits &limits) {
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    const Obligation &o = obligations[i];
    Verdict v = check(o, limits, fileName(r.name, o.name));
    if (v.answer == Answer::Unknown && i < exact.size())
      v = check(exact[i], limits, fileName(r.name, o.name));
    r.claims.push_back({o.name, v, o.convention});
    if (v.answer == Answer::Proved) {
      ++r.proved;
      continue;
    }
    bool worse = r.detail.empty() ||
                 (v.answer == Answer::Refuted && r.answer != Answer::Refuted);
    if (v.answer == Answer::Refuted)
      r.answer = Answer::Refuted;
    if (worse)
      r.detail = o.name + ": " + v.detail;
  }
}

void conclude(RuleReport &r) {
  if (r.answer == Answer::Unknown && r.detail.empty())
    r.answer = Answer::Proved;
}

using Part = std::vector<Obligation> (*)(z3::context &, RuleId, Mutation,
                                         bool exact);
constexpr Part parts[] = {
    [](z3::context &c, RuleId id, Mutation m, bool) {
      return calculus(c, id, m);
    },
    [](z3::context &c, RuleId id, Mutation m, bool) { return seeds(c, id, m); },
    seedsInFloat, conventions};

/// What to ask about the mutants of a rule: functions of the context, and of
/// the number of one of their parts.
struct Questions {
  std::function<std::vector<Obligation>(z3::context &, std::size_t, Mutation)>
      claims;
  std::size_t parts;
  std::function<std::vector<Obligation>(z3::context &, Mutation)> equality;
  std::function<std::string(Mutation)> differsAt;
};

/// Whether some obligation fails for the mutant. A counterexample in symbols
/// that stand for operations counts only if the numbers differ as well.
bool isRefuted(z3::context &c, const Questions &q, Mutation m,
               const Limits &limits, bool differs) {
  for (std::size_t part = 0; part < q.parts; ++part)
    for (const Obligation &o : q.claims(c, part, m))
      if ((o.exact || differs) && refute(o, limits).answer == Answer::Refuted)
        return true;
  return false;
}

bool isTheRule(z3::context &c, const Questions &q, Mutation m,
               const Limits &limits) {
  for (const Obligation &o : q.equality(c, m))
    if (check(o, limits).answer != Answer::Proved)
      return false;
  return true;
}

/// All mutants of the partial with respect to operand \p i.
void tryMutants(RuleReport &r, int i, const std::vector<Met> &mistakes,
                const Questions &q, const Limits &limits) {
  for (const Met &met : mistakes) {
    Mutation m{i, met.site, met.variant};
    z3::context c;
    bool refuted = false, same = false;
    std::string where = q.differsAt(m);
    try {
      refuted = isRefuted(c, q, m, limits, !where.empty());
      same = !refuted && isTheRule(c, q, m, limits);
    } catch (const z3::exception &) {
      // It survives, and is reported so.
    }
    r.mutants.refuted += refuted;
    r.mutants.replayed += refuted && !where.empty();
    if (same && where.empty())
      ++r.mutants.equivalent;
    else if (!refuted)
      r.mutants.surviving.push_back(
          "by " + std::string(1, "abc"[i]) + ", operation " +
          std::to_string(met.site) + ": " + met.text +
          (where.empty() ? "" : " (differs at " + where + ")"));
  }
}

const char *text(Answer a) {
  switch (a) {
  case Answer::Proved:
    return "proved";
  case Answer::Refuted:
    return "REFUTED";
  case Answer::Unknown:
    break;
  }
  return "not known";
}

std::string evidenceText(const Evidence &e) {
  char buffer[120];
  std::snprintf(buffer, sizeof buffer,
                "%d partials agree with differences in binary128 to %.1e",
                e.partials, e.error);
  return buffer;
}

} // namespace

RuleReport proveRule(RuleId id, const Limits &limits, bool withMutants) {
  RuleReport r;
  r.name = rules::nameOf(id);
  Statement s = statementOf(id);
  r.domain = s.domain;
  r.definition = s.equation;
  r.evidence = numericEvidence(id);
  r.passesNaN = passesNaN(id);
  if (!isDefined(id))
    r.detail = s.reason;
  for (Part part : parts) {
    z3::context c;
    answer(r, part(c, id, {}, false), part(c, id, {}, true), limits);
  }
  conclude(r);
  if (!withMutants || r.answer != Answer::Proved)
    return r;
  Questions q{[&](z3::context &c, std::size_t part, Mutation m) {
                return parts[part](c, id, m, false);
              },
              std::size(parts),
              [&](z3::context &c, Mutation m) { return equality(c, id, m); },
              [&](Mutation m) { return differsAt(id, m); }};
  for (int i = 0; i < rules::arityOf(id); ++i)
    if (i != rules::integerOperand(id))
      tryMutants(r, i, mistakesOf(id, i, floatsOf(id)), q, limits);
  return r;
}

RuleReport proveComplexRule(ComplexOp op, const Limits &limits,
                            bool withMutants) {
  RuleReport r;
  r.name = complexName(op);
  std::tie(r.domain, r.definition) = complexStatementOf(op);
  r.evidence = complexEvidence(op);
  z3::context c;
  answer(r, complexCalculus(c, op), {}, limits);
  conclude(r);
  if (!withMutants || r.answer != Answer::Proved)
    return r;
  Questions q{
      [&](z3::context &c, std::size_t, Mutation m) {
        return complexCalculus(c, op, m);
      },
      1, [&](z3::context &c, Mutation m) { return complexEquality(c, op, m); },
      [&](Mutation m) { return complexDiffersAt(op, m); }};
  for (int i = 0; i < rules::arityOf(op); ++i)
    tryMutants(r, i, complexMistakesOf(op, i), q, limits);
  return r;
}

std::vector<RuleReport> proveLemmas(const Limits &limits) {
  std::vector<RuleReport> all;
  using Lemmas = std::vector<Obligation> (*)(z3::context &);
  for (auto [name, lemmas] :
       {std::pair<const char *, Lemmas>{"Bessel functions", besselLemmas},
        {"constants", constants},
        {"complex adjoints", complexAdjoints}}) {
    RuleReport r;
    r.name = name;
    z3::context c;
    answer(r, lemmas(c), {}, limits);
    conclude(r);
    all.push_back(r);
  }
  return all;
}

void printLine(std::ostream &s, const RuleReport &r, bool everyClaim) {
  char head[160];
  std::snprintf(head, sizeof head, "%-9s  %-16s %2d of %2zu claims",
                text(r.answer), r.name.c_str(), r.proved, r.claims.size());
  s << head;
  const Mutants &m = r.mutants;
  if (int all = m.refuted + static_cast<int>(m.surviving.size())) {
    s << ", " << m.refuted << " of " << all << " mutants refuted";
    if (m.equivalent)
      s << " (" << m.equivalent << " more are the rule itself)";
  }
  if (!r.detail.empty())
    s << "; " << r.detail;
  if (r.answer != Answer::Proved && r.evidence.partials)
    s << "; " << evidenceText(r.evidence);
  s << "\n";
  for (const Found &f : r.claims)
    if (everyClaim)
      s << "           " << text(f.verdict.answer) << ": " << f.claim
        << (f.verdict.detail.empty() ? "" : "; ") << f.verdict.detail << "\n";
  for (const std::string &mutant : m.surviving)
    s << "           not refuted: " << mutant << "\n";
}

void printSummary(std::ostream &s, const std::vector<RuleReport> &all) {
  int counts[3] = {}, claims = 0, refuted = 0, replayed = 0, same = 0,
      alive = 0;
  for (const RuleReport &r : all) {
    ++counts[static_cast<int>(r.answer)];
    claims += r.proved;
    refuted += r.mutants.refuted;
    replayed += r.mutants.replayed;
    same += r.mutants.equivalent;
    alive += static_cast<int>(r.mutants.surviving.size());
  }
  s << counts[0] << " of " << all.size() << " rules proved, " << counts[1]
    << " refuted, " << counts[2] << " not known; " << claims
    << " claims proved.\n"
    << "Mutants of the proved rules: " << refuted << " of " << refuted + alive
    << " refuted, " << replayed << " of these also by numbers; another " << same
    << " are proved to be the rule itself.\n";
}

} // namespace retro::proofs
