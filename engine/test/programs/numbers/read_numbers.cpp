// Numbers that streams and from_chars read into places of active ones are
// constants from there on, where one was read; text that is written of numbers
// is none of them.
#include "../check.h"

#include <charconv>
#include <sstream>
#include <string>

/// Where nothing is left to read the old number stays; where there is no
/// number, a stream stores zero and from_chars nothing.
template <class T> static double all(const double *x, int n) {
  T a[6];
  for (int i = 0; i < 6; ++i)
    a[i] = static_cast<T>(x[i] * x[0]);
  std::istringstream in("2.5 -1.5e0 nix"), empty;
  in >> a[0] >> a[1] >> a[2];
  empty >> a[3];
  const std::string text = "0.75,x";
  const char *end = text.data() + text.size();
  auto got = std::from_chars(text.data(), end, a[4]);
  std::from_chars(got.ptr, end, a[5]);
  double s = in.fail() + 2.0 * empty.fail();
  for (int i = 0; i < 6; ++i)
    s += static_cast<double>(a[i] * a[i]) * x[i] * n;
  return s;
}

/// A place that is active again and again.
static double again(const double *x, int n) {
  std::istringstream in("1.5 2.5 0.5");
  double s = 0, y = x[0];
  for (int i = 0; i < n; ++i) {
    s += y * x[i];
    y *= x[1];
    in >> y;
    s += y * y * x[3];
    if (!in)
      y = x[2];
  }
  return s + y;
}

/// Behind text of a record.
static double written(const double *x, int n) {
  struct {
    char text[40];
    double value;
  } r;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    r.value = x[i] * x[i];
    auto first = std::to_chars(r.text, r.text + 30, r.value);
    auto second = std::to_chars(first.ptr, r.text + 40, i);
    s += r.value * (second.ptr > first.ptr ? 2 : 3) * x[0];
  }
  return s;
}

int main() {
  check_modes<all<double>>();
  check_modes<all<long double>>();
  check_modes<again>();
  check_modes<written>();
  // Differences say little of floats: a[3] is what was there.
  const double x[6] = {0.5, 1, 1, 0.25, 1, 1};
  double g[6] = {};
  __enzyme_autodiff((void *)all<float>, enzyme_dup, x, g, enzyme_const, 1);
  NEAR(g[3], 3 * x[0] * x[0] * x[3] * x[3], 1e-6);
  NEAR(g[1], 1.5 * 1.5, 1e-6);
  return finish();
}
