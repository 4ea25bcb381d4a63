// Values that are a number or a place of numbers, and that functions return in
// two registers: a tag, and a word. Where such a function is inlined, LLVM
// chooses between whole structs; with checks of null pointers, as sanitizers
// add them, they stay whole.
#include "../check.h"

namespace {

struct Value {
  char kind;
  union {
    double number;
    const double *place;
  };
};
NOINLINE Value number(double x) {
  Value v;
  v.kind = 0, v.number = x;
  return v;
}
Value place(const double *p) {
  Value v;
  v.kind = 1, v.place = p;
  return v;
}
const double *checked(const double *p) {
  if (!p)
    abort();
  return p;
}
double get(const Value &v) {
  return v.kind == 0 ? v.number : checked(v.place)[0] * v.place[1];
}
/// Chosen by a branch, by what a call returns, and kept in an array.
double chosen(const double *x, int n) {
  Value v[8];
  for (int i = 0; i < n; ++i) {
    const double *p = checked(x + i % 2);
    v[i] = i % 3 == 1   ? place(p)
           : i % 3 == 2 ? number(x[i] * x[0])
                        : number(x[i]);
  }
  double s = 0.1;
  for (int i = 0; i < n; ++i)
    s *= 1 + get(v[i]) / 7;
  return s;
}
/// Chosen again in each turn of a loop.
double carried(const double *x, int n) {
  Value v = place(x);
  double s = 0.2;
  for (int i = 0; i < n; ++i) {
    s += get(v) * x[i] / 5;
    if (i % 2)
      v = number(s * x[i]);
    else if (i % 3 == 0)
      v = place(checked(x + i % 4));
  }
  return s * get(v);
}
/// In a struct of a struct, with a count beside it.
struct Counted {
  Value value;
  int count;
};
Counted next(Counted c, const double *x) {
  ++c.count;
  if (c.count % 2)
    c.value = number(get(c.value) * x[c.count % 4] / 3);
  return c;
}
double nested(const double *x, int n) {
  Counted c{place(x + 2), 0};
  double s = 0;
  for (int i = 0; i < n; ++i) {
    c = next(c, x);
    s += get(c.value) * (i + 1) / 9;
  }
  return s;
}

} // namespace

int main() {
  check_modes<chosen>();
  check_modes<carried>();
  check_modes<nested>();
  return finish();
}
