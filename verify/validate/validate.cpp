#include "validate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>

using namespace llvm;

namespace retro::validate {

namespace {

struct Decision {
  bool side;
  int64_t value; ///< of a proposal
};

/// One way through a program; the ways not taken are noted.
class Path : public Oracle {
public:
  using Clock = std::chrono::steady_clock;
  Path(Expressions &e, Solver &solver, std::vector<Expr> conditions,
       std::vector<Decision> prefix, std::vector<std::vector<Decision>> &others,
       Clock::time_point end)
      : conditions(std::move(conditions)), e(e), solver(solver),
        prefix(std::move(prefix)), others(others), end(end) {}

  bool decide(Expr condition) override {
    if (int known = truthOf(condition); known >= 0)
      return known;
    Expr opposite = e.negate(condition);
    for (Expr c : conditions)
      if (c == condition || c == opposite)
        return c == condition;
    if (Clock::now() > end)
      throw TooLong("there is no time left");
    bool side;
    if (taken.size() < prefix.size()) {
      side = prefix[taken.size()].side;
    } else {
      side = possible(condition);
      if (side && possible(opposite)) {
        auto other = taken;
        other.push_back({false, 0});
        others.push_back(other);
      }
    }
    taken.push_back({side, 0});
    conditions.push_back(side ? condition : opposite);
    return side;
  }

  int64_t proposal(Expr integer) override {
    if (taken.size() < prefix.size()) {
      taken.push_back(prefix[taken.size()]);
      return taken.back().value;
    }
    auto v = solver.valueOf(integer, conditions);
    if (!v || std::fabs(*v) > 0x1p53)
      throw Unsupported("an integer that depends on an input, of which Z3 "
                        "finds no value");
    taken.push_back({true, std::llround(*v)});
    return taken.back().value;
  }

  std::vector<Expr> conditions;

private:
  bool possible(Expr c) {
    auto all = conditions;
    all.push_back(c);
    return solver.feasible(all);
  }

  Expressions &e;
  Solver &solver;
  std::vector<Decision> prefix, taken;
  std::vector<std::vector<Decision>> &others;
  Clock::time_point end;
};

/// What a program leaves in its outputs on one way through it.
struct Outcome {
  std::vector<Expr> conditions;
  std::vector<std::vector<Expr>> outputs; ///< array by array
};

class Validation {
public:
  Validation(const Question &q, const Limits &limits)
      : q(q), limits(limits), solver(limits.solverMs) {}
  Report run();

private:
  std::vector<Outcome> explore(Module &m, const char *function,
                               const std::vector<Expr> &conditions);
  Outcome follow(Module &m, const char *function, Path &path);
  void compare(const Outcome &primal, const Outcome &reverse);
  void hold(const std::string &entry, Expr claimed, Expr right,
            const std::vector<Expr> &conditions);
  bool differNumerically(const std::string &entry, Expr claimed, Expr right,
                         const std::vector<Expr> &conditions);
  bool refuteAt(const std::string &entry, Expr claimed, Expr right,
                const std::vector<Expr> &conditions, const Point &p);
  void unknown(const std::string &why);
  Expr x(unsigned i) { return e.input("x" + std::to_string(i)); }
  Expr weight(unsigned i) {
    return i == 0 && q.unitWeight ? e.number(1)
                                  : e.input("w" + std::to_string(i));
  }

  const Question &q;
  Limits limits;
  Expressions e;
  Solver solver;
  Report report;
  unsigned questions = 0;
  Path::Clock::time_point end =
      Path::Clock::now() +
      std::chrono::milliseconds(static_cast<int64_t>(1000 * limits.seconds));
};

void Validation::unknown(const std::string &why) {
  ++report.unknown;
  if (std::find(report.reasons.begin(), report.reasons.end(), why) ==
      report.reasons.end())
    report.reasons.push_back(why);
}

Outcome Validation::follow(Module &m, const char *function, Path &path) {
  Function *f = m.getFunction(function);
  if (!f || f->isDeclaration())
    throw Unsupported(std::string("there is no function ") + function);
  Machine machine(m, e, path, limits.steps);
  Type *real = Type::getDoubleTy(m.getContext());
  auto array = [&](unsigned n, auto element) {
    uint64_t at = machine.memory.allocate(8 * std::max(n, 1u), false);
    for (unsigned i = 0; i < n; ++i)
      machine.memory.store(at + 8 * i, Value::real(element(i)), real);
    return Value::of(at, 64);
  };
  auto zero = [&](unsigned) { return e.number(0); };
  bool isPrimal = f->arg_size() == 2;
  std::vector<Value> args{array(q.inputs, [&](unsigned i) { return x(i); })};
  if (!isPrimal) {
    args.push_back(array(q.outputs, [&](unsigned i) { return weight(i); }));
    args.push_back(array(q.inputs, zero));
  }
  args.push_back(array(q.outputs, zero));
  machine.call(*f, args);
  auto read = [&](const Value &a, unsigned n) {
    std::vector<Expr> out;
    for (unsigned i = 0; i < n; ++i) {
      Value v = machine.memory.load(a.address() + 8 * i, real);
      if (v.kind != Value::Real)
        throw Fault("an output is not defined");
      out.push_back(v.e);
    }
    return out;
  };
  Outcome out{path.conditions, {read(args.back(), q.outputs)}};
  if (!isPrimal)
    out.outputs.push_back(read(args[2], q.inputs));
  return out;
}

std::vector<Outcome> Validation::explore(Module &m, const char *function,
                                         const std::vector<Expr> &conditions) {
  std::vector<Outcome> out;
  std::vector<std::vector<Decision>> work{{}};
  for (unsigned count = 0; !work.empty(); ++count) {
    if (count == limits.paths) {
      ++report.cut;
      break;
    }
    auto prefix = work.back();
    work.pop_back();
    Path path(e, solver, conditions, prefix, work, end);
    try {
      out.push_back(follow(m, function, path));
    } catch (const TooLong &) {
      ++report.cut;
    } catch (const Unsupported &u) {
      unknown(std::string("not supported: ") + u.what());
    } catch (const Fault &f) {
      unknown(std::string("while '") + function + "' runs, " + f.what());
    }
  }
  return out;
}

/// At one point: do the two differ by more than rounding?
bool Validation::refuteAt(const std::string &entry, Expr claimed, Expr right,
                          const std::vector<Expr> &conditions, const Point &p) {
  for (Expr c : conditions)
    if (evaluate(c, p) != 1)
      return false;
  double a = evaluate(claimed, p), b = evaluate(right, p);
  if (!std::isfinite(b) || !(std::fabs(a - b) > 1e-7 * (1 + std::fabs(b))))
    return false;
  ++report.refuted;
  if (report.entry.empty()) {
    report.entry = entry;
    report.point = p;
    report.claimed = a;
    report.right = b;
  }
  return true;
}

/// Is there a point, of some tried at random, where they differ?
bool Validation::differNumerically(const std::string &entry, Expr claimed,
                                   Expr right,
                                   const std::vector<Expr> &conditions) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(0.25, 1.75);
  for (int trial = 0; trial < 64; ++trial) {
    Point p;
    for (unsigned i = 0; i < q.inputs; ++i)
      p["x" + std::to_string(i)] = number(random) * (trial % 3 == 2 ? -1 : 1);
    for (unsigned i = 0; i < q.outputs; ++i)
      p["w" + std::to_string(i)] = number(random);
    if (refuteAt(entry, claimed, right, conditions, p))
      return true;
  }
  return false;
}

void Validation::hold(const std::string &entry, Expr claimed, Expr right,
                      const std::vector<Expr> &conditions) {
  if (claimed == right) {
    ++report.proved;
    return;
  }
  if (differNumerically(entry, claimed, right, conditions))
    return;
  std::string text;
  Solver::Result r = solver.equal(claimed, right, conditions,
                                  q.smt2.empty() ? nullptr : &text);
  if (!q.smt2.empty())
    std::ofstream(q.smt2 + "/" + std::to_string(++questions) + "-" + entry +
                  ".smt2")
        << text << "(check-sat)\n";
  switch (r.answer) {
  case Solver::Answer::Proved:
    ++report.proved;
    return;
  case Solver::Answer::Unknown:
    return unknown(r.reason);
  case Solver::Answer::Refuted:
    if (!refuteAt(entry, claimed, right, conditions, r.point))
      unknown("Z3 has a counterexample with other functions in the place of "
              "sin, exp, …, or one that is within rounding");
  }
}

void Validation::compare(const Outcome &primal, const Outcome &reverse) {
  const std::vector<Expr> &y = primal.outputs[0];
  std::vector<Expr> right;
  for (unsigned i = 0; i < q.inputs; ++i) {
    Differentiator d(e, "x" + std::to_string(i));
    Expr sum = e.number(0);
    for (unsigned j = 0; j < q.outputs; ++j)
      sum = e.add(sum, e.mul(weight(j), d.of(y[j])));
    if (!d.missing.empty())
      return unknown("the derivative of " + d.missing);
    right.push_back(sum);
  }
  std::vector<Expr> roots(y);
  roots.insert(roots.end(), right.begin(), right.end());
  std::vector<Expr> conditions = reverse.conditions;
  for (Expr c : domainOf(e, roots))
    conditions.push_back(c);
  // Nothing is proved of no inputs.
  if (!solver.feasible(reverse.conditions))
    return;
  if (!solver.feasible(conditions))
    return unknown("on one way through it, the function is differentiable "
                   "nowhere");
  // What the gradient divides by must be known not to be 0, and so on.
  for (Expr c : domainOf(e, reverse.outputs[1]))
    if (std::find(conditions.begin(), conditions.end(), c) ==
        conditions.end()) {
      auto otherwise = conditions;
      otherwise.push_back(e.negate(c));
      if (solver.feasible(otherwise))
        return unknown("the gradient may be undefined where the function is "
                       "differentiable");
    }
  // A result that is returned is not among what the gradient leaves behind.
  for (unsigned j = q.unitWeight; j < q.outputs; ++j)
    if (reverse.outputs[0][j] != y[j])
      hold("y" + std::to_string(j), reverse.outputs[0][j], y[j], conditions);
  for (unsigned i = 0; i < q.inputs; ++i)
    if (q.active[i])
      hold("g" + std::to_string(i), reverse.outputs[1][i], right[i],
           conditions);
}

Report Validation::run() {
  for (Outcome &p : explore(q.primal, "retro_verify_primal", {})) {
    ++report.paths;
    for (Outcome &r : explore(q.reverse, "retro_verify_reverse", p.conditions))
      compare(p, r);
  }
  report.verdict = report.refuted                     ? Report::Refuted
                   : report.unknown || !report.proved ? Report::Unknown
                                                      : Report::Proved;
  return report;
}

} // namespace

Report validate(const Question &q, const Limits &limits) {
  return Validation(q, limits).run();
}

} // namespace retro::validate
