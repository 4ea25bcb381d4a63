// A union of a number, an integer and a pointer, which has two floats in one of
// its members: LLVM copies it in halves of 4 bytes and puts these together
// where it is one of the others. Questions about the word (is the pointer null,
// is it aligned?) keep LLVM from loading it whole.
#include "../check.h"
#include <utility>
struct Value {
  enum Kind { Integer, Number, Pointer, Floats } kind;
  union {
    long integer;
    double number;
    double *pointer;
    struct {
      float a, b;
    } floats;
  };
};
static void set(Value &v, double x) {
  v.kind = Value::Number;
  v.number = x;
}
static double get(const Value &v) {
  switch (v.kind) {
  case Value::Integer:
    return v.integer;
  case Value::Number:
    return v.number;
  case Value::Pointer:
    return v.pointer && (uintptr_t)v.pointer % 8 == 0 ? *v.pointer : -1;
  case Value::Floats:
    return (double)v.floats.a * v.floats.b;
  }
  return 0;
}
static void fill(Value *v, double *at, double x) {
  set(v[0], x);
  v[1].kind = Value::Integer;
  v[1].integer = 3;
  v[2].kind = Value::Pointer;
  v[2].pointer = at;
  v[3].kind = Value::Floats;
  v[3].floats.a = 1.5f;
  v[3].floats.b = 2;
}
// One that is chosen when the program runs.
static double chosen(const double *x, int n) {
  double at = x[0] * x[1];
  Value v[4];
  fill(v, &at, x[0]);
  Value one = v[n & 1], other = v[2 * (n & 1)];
  at *= 1.1;
  return get(one) * x[1] + get(other) * get(v[2]);
}
// Members that change what they are, and their places.
static double exchanged(const double *x, int n) {
  double at = x[0] * x[1], sum = 0;
  Value v[4];
  fill(v, &at, x[0]);
  for (int k = 0; k < 4 * n; ++k) {
    Value one = v[k % 4];
    if (one.kind == Value::Number && k > 3) {
      v[k % 4].kind = Value::Integer;
      v[k % 4].integer = 4;
    }
    if (one.kind == Value::Integer)
      set(v[k % 4], get(one) * x[1]);
    if (one.kind == Value::Pointer)
      *one.pointer *= x[0];
    sum += get(one) * (k + 1) + x[1];
    std::swap(v[k % 4], v[(3 * k + 1) % 4]);
  }
  return sum;
}
int main() {
  check_modes<chosen>({0.7, 1.3}, 1e-8);
  check_modes<chosen>({0.7, 1.3, 0.2}, 1e-8);
  check_modes<exchanged>({0.7, 1.3}, 1e-8);
  check_modes<exchanged>({0.7, 1.3, 0.2}, 1e-8);
  return finish();
}
