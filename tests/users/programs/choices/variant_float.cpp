// flags: -std=c++20
// float: variant<T, vector<T>, array<T,2>, int>, slots reassigned and swapped,
// and optional<T>
#include "../user.h"
#include <array>
#include <optional>
#include <variant>
#include <vector>
template <class... F> struct overload : F... {
  using F::operator()...;
};
template <class T> double f(const T *x, int n) {
  using Slot = std::variant<T, std::vector<T>, std::array<T, 2>, int>;
  std::vector<Slot> v;
  auto val = [](const Slot &s) {
    return std::visit(
        overload{[](T a) { return a * a; },
                 [](const std::vector<T> &a) {
                   T r = 0;
                   for (T e : a)
                     r += e;
                   return r;
                 },
                 [](const std::array<T, 2> &a) { return a[0] * a[1]; },
                 [](int k) { return T(k); }},
        s);
  };
  T out = 0;
  std::optional<T> last;
  for (int i = 0; i < 2 * n + 4; ++i) {
    Slot s = x[i % n];
    if (i % 4 == 1)
      s = std::vector<T>{x[i % n], x[0], T(1)};
    if (i % 4 == 2)
      s = std::array<T, 2>{x[i % n], x[(i + 1) % n]};
    if (i % 4 == 3)
      s = i;
    if (v.size() < 5)
      v.push_back(s);
    else
      v[i % 5].swap(s);
    if (v.size() > 2) {
      Slot t = v[0];
      v[0] = v[1];
      v[1] = std::move(t);
    }
    T sum = 0;
    for (auto &e : v)
      sum += val(e) * T(0.1);
    if (last)
      sum += *last * T(0.5);
    if (i % 3)
      last = sum;
    else
      last.reset();
    if (T *d = std::get_if<T>(&v[0]))
      *d += sum * T(0.05);
    if (v.size() > 1)
      if (auto *a = std::get_if<1>(&v[1]))
        a->push_back(sum * T(0.1));
    out += sum / T(n);
  }
  return out;
}
DERIVED_FLOAT(f)
