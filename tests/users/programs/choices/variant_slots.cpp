// flags: -std=c++20
// vector<variant<double, vector<double>, string>>: each slot holds a double
// first, a vector later, and back
#include "../user.h"
#include <string>
#include <variant>
#include <vector>
using Slot = std::variant<double, std::vector<double>, std::string, int>;
static double value(const Slot &s) {
  return std::visit(
      [](const auto &v) -> double {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, double>)
          return v * v;
        else if constexpr (std::is_same_v<T, std::vector<double>>) {
          double t = 0;
          for (size_t i = 0; i < v.size(); ++i)
            t += v[i] * (i + 1);
          return t;
        } else if constexpr (std::is_same_v<T, std::string>)
          return 0.1 * v.size();
        else
          return v;
      },
      s);
}
static double f(const double *x, int n) {
  std::vector<Slot> s(4);
  double out = 0;
  for (int i = 0; i < 3 * n + 2; ++i) {
    Slot &a = s[i % 4];
    switch ((i * 5 + i / 4) % 6) {
    case 0:
      a = x[i % n];
      break;
    case 1:
      a = std::vector<double>(1 + i % 3, x[i % n]);
      break;
    case 2:
      a = std::string(i % 2 ? "tiny"
                            : "a long enough string to live on the heap");
      break;
    case 3:
      a = i;
      break;
    case 4:
      a.emplace<std::vector<double>>({x[0], x[i % n], 2.0});
      break;
    default:
      a.emplace<0>(x[i % n] * value(s[(i + 1) % 4]) * 0.1);
    }
    if (i % 5 == 4)
      std::swap(s[0], s[3]);
    if (i % 7 == 6)
      s[1] = s[2];
    if (i % 3 == 1) {
      Slot t = std::move(s[2]);
      s[2] = std::move(s[3]);
      s[3] = std::move(t);
    }
    for (auto &e : s)
      out = 0.99 * out + value(e) * 0.3;
    if (auto *v = std::get_if<std::vector<double>>(&a))
      v->push_back(sin(out) * 0.1);
    if (auto *d = std::get_if<double>(&a))
      *d *= 0.9;
  }
  s.resize(9, s[0]);
  for (auto &e : s)
    out += value(e);
  return out;
}
DERIVED(f)
