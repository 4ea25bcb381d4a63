// FLAGS: -std=c++17
// Constant numbers that closures keep in words where other objects have
// pointers: LLVM stores them as integers. Their tangents are zero, and no bits
// of theirs.
#include "../check.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Path {
  std::vector<double> s;
  double last() const { return s.back(); }
};
using Payoff = std::function<double(const Path &)>;

struct Mean {
  double m = 0, s2 = 0;
  long n = 0;
  void add(double x) {
    const double d = x - m;
    m += d / static_cast<double>(++n);
    s2 += d * (x - m);
  }
};

/// The state of the generator is indexed, and everything beside it with it.
class Engine {
  const double *x;
  uint64_t state[16] = {};
  size_t at = 0;
  std::map<std::string, std::pair<Payoff, Mean>> claims;

  double next() {
    uint64_t &s = state[at];
    at = (at + 1) % 16;
    s = s * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(s >> 40) / (1 << 24);
  }

public:
  explicit Engine(const double *x) : x(x) {
    for (size_t i = 0; i < 16; ++i)
      state[i] = i + 1;
  }
  void add(std::string name, Payoff p) {
    claims.insert_or_assign(std::move(name), std::pair{std::move(p), Mean{}});
  }
  void run(int n) {
    Path path;
    for (int i = 0; i < n; ++i) {
      path.s.assign(1, *x);
      for (int k = 0; k < 4; ++k)
        path.s.push_back(path.last() * (1 + 0.1 * next()));
      for (auto &[name, claim] : claims)
        claim.second.add(claim.first(path));
    }
  }
  double value() const {
    double v = 0;
    for (const auto &[name, c] : claims)
      v += c.second.m + 0.1 * c.second.s2;
    return v;
  }
};

double portfolio(const double *x) {
  Engine e(x);
  const double strike = 1.02;
  e.add("call", [strike](const Path &p) { return p.last() - strike; });
  e.add("swap", [scale = 4.0](const Path &p) { return scale * p.last(); });
  e.add("none", [scale = 4.0](const Path &) { return scale; });
  e.run(5);
  return 10 * e.value();
}

} // namespace

int main(void) {
  double x = 1.3, d = 0, v = 1;
  __enzyme_autodiff((void *)portfolio, enzyme_dup, &x, &d);
  const double h = 1e-6;
  double y = x + h;
  double slope = portfolio(&y);
  y = x - h;
  slope = (slope - portfolio(&y)) / (2 * h);
  NEAR(d, slope, 1e-7);
  NEAR(__enzyme_fwddiff((void *)portfolio, enzyme_dup, &x, &v), slope, 1e-7);
  return finish();
}
