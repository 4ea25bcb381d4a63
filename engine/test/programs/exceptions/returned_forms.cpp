// FLAGS: -fopenmp
// Functions that are left by exceptions, as programs write them: in threads, in
// parsers that catch some and throw others, in objects with virtual functions.
#include "../check.h"
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

struct Diverged : std::runtime_error {
  double last;
  int at;
  Diverged(double l, int n) : runtime_error("diverged"), last(l), at(n) {}
};

__attribute__((noinline)) static double newton(double *trace, double x,
                                               double a, int n) {
  trace[n % 4] = x * a;
  if (n > 2)
    throw Diverged(x * x, n);
  double next = x - (x * x - a) / (2 * x);
  if (fabs(next - x) < 1e-9)
    return next;
  return newton(trace, next, a, n + 1) * 1.01;
}
static double threads(const double *p, int n) {
  std::vector<double> out(n);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; i++) {
    double trace[4] = {};
    try {
      out[i] = newton(trace, p[i], 1 + i * 0.3 * p[i], 0);
    } catch (const Diverged &d) {
      out[i] = d.last * 0.01 * d.at + trace[1];
    }
    out[i] += trace[0] * trace[2];
  }
  double s = 0;
  for (double v : out)
    s += v * v;
  return s;
}

/// Catches some exceptions of its own, and throws others: which end in one
/// place for LLVM.
struct Parser {
  const std::vector<double> &tokens;
  size_t at = 0;
  double next() {
    if (at >= tokens.size())
      throw std::out_of_range("end");
    return tokens[at++];
  }
  double term(int depth) {
    double v = next();
    if (v > 0.8)
      try {
        v += term(depth + 1) * 0.5;
      } catch (const std::out_of_range &) {
        if (depth == 0)
          throw std::logic_error("nested");
        v *= v;
        throw Diverged(v, depth);
      }
    else if (v > 0.5)
      v *= term(depth);
    else
      v *= 2;
    return v;
  }
};
static double parser(const double *p, int n) {
  std::vector<double> tokens(p, p + n);
  double r = 0;
  for (int k = 0; k < n; k++) {
    std::rotate(tokens.begin(), tokens.begin() + 1, tokens.end());
    Parser source{tokens};
    try {
      r += source.term(0);
    } catch (const Diverged &d) {
      r += d.last * (d.at + 1);
    } catch (const std::logic_error &e) {
      r += 0.3 * tokens[0] * e.what()[0] / 100;
    }
  }
  return r;
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area(int depth) const = 0;
};
struct Square : Shape {
  double a;
  explicit Square(double x) : a(x) {}
  double area(int) const override {
    if (a < 0.5)
      throw Diverged(a, 1);
    return a * a;
  }
};
struct Group : Shape {
  std::vector<std::unique_ptr<Shape>> parts;
  mutable double seen = 0;
  double area(int depth) const override {
    double s = 0;
    for (auto &x : parts) {
      double t = x->area(depth + 1);
      seen += t;
      s += t;
    }
    return s * (1 + 0.1 * depth);
  }
};
static double shapes(const double *p, int n) {
  auto root = std::make_unique<Group>();
  for (int i = 0; i < n; i++) {
    auto g = std::make_unique<Group>();
    g->parts.push_back(std::make_unique<Square>(p[i]));
    g->parts.push_back(std::make_unique<Square>(p[(i + 1) % n]));
    root->parts.push_back(std::move(g));
  }
  double r = 0;
  for (auto &s : root->parts)
    try {
      r += s->area(1);
    } catch (const Diverged &d) {
      r += d.last * 3 + static_cast<Group &>(*s).seen;
    }
  try {
    r += root->area(0);
  } catch (const std::runtime_error &) {
    r += root->seen * root->seen;
  }
  return r;
}

int main() {
  const double x[] = {1.1, 0.9, 0.6, 1.3, 0.4};
  check_modes<threads>(x, 1e-7);
  check_modes<parser>(x, 1e-7);
  check_modes<shapes>(x, 1e-7);
  return finish();
}
