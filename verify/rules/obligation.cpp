#include "obligation.h"

#include <fstream>

namespace retro::proofs {
namespace {

z3::solver solverFor(const Obligation &o, const Limits &limits) {
  z3::context &c = o.claim.ctx();
  z3::solver s = o.floats ? z3::solver(c, "QF_FP") : z3::solver(c, "QF_NRA");
  z3::params p(c);
  p.set("timeout", limits.milliseconds);
  s.set(p);
  for (const z3::expr &fact : o.given)
    s.add(fact);
  return s;
}

/// The values of the symbols, the operands and the seed first.
std::string modelText(const z3::model &m) {
  std::string text;
  for (unsigned i = 0; i < m.num_consts(); ++i) {
    z3::func_decl d = m.get_const_decl(i);
    std::string name = d.name().str();
    if (name.size() > 24 || name.find('!') != std::string::npos)
      continue;
    std::string value = m.get_const_interp(d).to_string();
    if (value.size() > 60)
      value = value.substr(0, 57) + "...";
    text += (text.empty() ? "" : ", ") + name + " = " + value;
  }
  return text;
}

void write(z3::solver &s, const Limits &limits, const std::string &file) {
  if (limits.smt2.empty() || file.empty())
    return;
  std::ofstream(limits.smt2 + "/" + file + ".smt2") << s.to_smt2();
}

Verdict ask(z3::solver &s) {
  switch (s.check()) {
  case z3::unsat:
    return {Answer::Proved, ""};
  case z3::sat:
    return {Answer::Refuted, modelText(s.get_model())};
  default:
    return {Answer::Unknown, s.reason_unknown()};
  }
}

} // namespace

Verdict refute(const Obligation &o, const Limits &limits) {
  auto solver = [&] {
    z3::solver s = solverFor(o, limits);
    s.add(!o.claim);
    return s;
  };
  if (!o.witness.empty()) {
    z3::solver there = solver();
    for (const z3::expr &value : o.witness)
      there.add(value);
    Verdict v = ask(there);
    if (v.answer == Answer::Refuted)
      return v;
  }
  z3::solver s = solver();
  return ask(s);
}

Verdict check(const Obligation &o, const Limits &limits,
              const std::string &file) {
  try {
    z3::solver possible = solverFor(o, limits);
    for (const z3::expr &value : o.witness)
      possible.add(value);
    write(possible, limits, file.empty() ? "" : file + ".given");
    Verdict given = ask(possible);
    if (given.answer == Answer::Proved && o.witness.empty())
      return {Answer::Unknown, "nothing satisfies what is given"};
    if (given.answer != Answer::Refuted)
      return {Answer::Unknown,
              "whether what is given can hold: " + given.detail};
    z3::solver s = solverFor(o, limits);
    s.add(!o.claim);
    write(s, limits, file);
    Verdict v = ask(s);
    if (v.answer == Answer::Refuted && !o.exact)
      return {Answer::Unknown, "fails for some number in place of an "
                               "operation: " +
                                   v.detail};
    return v;
  } catch (const z3::exception &e) {
    return {Answer::Unknown, e.msg()};
  }
}

} // namespace retro::proofs
