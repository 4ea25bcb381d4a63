// FLAGS: -std=c++20
// Numbers that a program keeps in arrays of integers, which are fields of a
// struct: what the program declares to be integers may be the bits of numbers.
#include "../check.h"

#include <bit>
#include <cstdint>

namespace {

struct Frame {
  int n;
  long slots[12];
  double own;
};
struct Narrow {
  int n;
  uint32_t slots[12];
  float own;
};

void put(Frame &f, int i, double v) { memcpy(&f.slots[i], &v, sizeof v); }
double get(const Frame &f, int i) {
  double v;
  memcpy(&v, &f.slots[i], sizeof v);
  return v;
}
void cast_to(Frame &f, int i, double v) { f.slots[i] = std::bit_cast<long>(v); }
double cast_from(const Frame &f, int i) {
  return std::bit_cast<double>(f.slots[i]);
}

template <void Put(Frame &, int, double), double Get(const Frame &, int)>
double words(const double *x, int n) {
  Frame a{}, b{};
  a.own = x[0];
  for (int i = 0; i < n; ++i) {
    a.slots[i] = i;
    Put(a, i + n, x[i] * x[i]);
  }
  for (int i = 0; i < 2 * n; ++i)
    b.slots[i] = a.slots[2 * n - 1 - i];
  b.own = a.own * double(a.slots[2]);
  double s = b.own * b.own;
  for (int i = 0; i < n; ++i)
    s += Get(b, i) * (i + 1);
  return s;
}

double halves(const double *x, int n) {
  Narrow a{}, b{};
  for (int i = 0; i < n; ++i) {
    const float v = static_cast<float>(i) * 0.5f;
    memcpy(&a.slots[i], &v, sizeof v);
    a.slots[i + n] = static_cast<uint32_t>(i);
  }
  for (int i = 0; i < 2 * n; ++i)
    b.slots[i] = a.slots[i];
  double s = 0;
  for (int i = 0; i < n; ++i) {
    float v;
    memcpy(&v, &b.slots[i], sizeof v);
    s += double(v) * x[i] * x[i] * double(b.slots[i + n]);
  }
  return s;
}

} // namespace

int main() {
  check_modes<words<put, get>>();
  check_modes<words<cast_to, cast_from>>();
  check_modes<halves>();
  return finish();
}
