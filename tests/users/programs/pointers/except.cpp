// flags: -std=c++17
#include "../user.h"
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
struct NoConvergence : std::runtime_error {
  double last;
  int iters;
  NoConvergence(const std::string &m, double l, int i)
      : std::runtime_error(m), last(l), iters(i) {}
};
struct DomainError : std::domain_error {
  using std::domain_error::domain_error;
};
class Log {
public:
  int lines = 0;
  double weight = 0;
  std::vector<std::string> text;
  void add(const std::string &s, double w) {
    ++lines;
    weight += w;
    text.push_back(s);
  }
};
struct Guard {
  Log &log;
  double &v;
  double factor;
  ~Guard() {
    v *= factor;
    log.lines++;
  }
};
static double newton(double target, double guess, int budget) {
  double y = guess;
  for (int k = 0; k < budget; ++k) {
    double r = y * y * y + y - target;
    if (fabs(r) < 1e-12)
      return y;
    y -= r / (3 * y * y + 1);
  }
  throw NoConvergence(
      "newton gave up after " + std::to_string(budget) + " steps", y, budget);
}
static double robust(double target, Log &log) {
  for (int budget = 2;; budget *= 4) {
    try {
      return newton(target, target * 0.5, budget);
    } catch (const NoConvergence &e) {
      log.add(e.what(), e.last * 0.01);
      if (budget > 20)
        throw;
    }
  }
}
static double checked_sqrt(double v) {
  if (v < 0.2)
    throw DomainError("value below the range of the table");
  return sqrt(v);
}
static double f(const double *x, int n) {
  Log log;
  double s = 0, damp = 1;
  std::vector<std::unique_ptr<double>> kept;
  for (int i = 0; i < n; ++i) {
    try {
      Guard g{log, damp, 0.95 + 0.01 * x[i]};
      kept.push_back(std::make_unique<double>(x[i] * damp));
      s += robust(*kept.back() + 1, log);
      s += checked_sqrt(x[i] - 0.65);
      s *= 1.01;
    } catch (const DomainError &e) {
      s += 0.1 * x[i] * x[i];
      log.add(std::string("clipped: ") + e.what(), 0.2 * x[i]);
    } catch (...) {
      s -= 1000;
    }
    if (i % 4 == 3) {
      try {
        try {
          if (x[i] > 0.1)
            throw x[i] * 2;
        } catch (double v) {
          s += 0.05 * v;
          throw;
        }
      } catch (double v) {
        s += 0.05 * sin(v);
      }
    }
  }
  for (auto &p : kept)
    s += 0.1 * *p;
  for (auto &t : log.text)
    s += 1e-3 * t.size();
  return s + damp + log.weight + 1e-3 * log.lines;
}
DERIVED(f)
