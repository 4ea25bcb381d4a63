// flags: -std=c++20
// a stack machine with struct Value { tag; union { double, float, long, double
// *, int } }
#include "../user.h"
#include <vector>
struct Value {
  enum Tag { Nil, D, F, I, P } tag = Nil;
  union {
    double d;
    float f;
    long i;
    const double *p;
  };
  static Value of(double v) {
    Value r;
    r.tag = D;
    r.d = v;
    return r;
  }
  static Value flt(float v) {
    Value r;
    r.tag = F;
    r.f = v;
    return r;
  }
  static Value num(long v) {
    Value r;
    r.tag = I;
    r.i = v;
    return r;
  }
  static Value ptr(const double *v) {
    Value r;
    r.tag = P;
    r.p = v;
    return r;
  }
  double get() const {
    switch (tag) {
    case D:
      return d;
    case F:
      return f;
    case I:
      return (double)i;
    case P:
      return *p;
    default:
      return 0;
    }
  }
};
enum Op {
  PushX,
  PushI,
  PushP,
  Add,
  Mul,
  Sin,
  Dup,
  Swap,
  Load,
  Store,
  Jump,
  ToF
};
struct Ins {
  Op op;
  int arg;
};
static double run(const std::vector<Ins> &code, const double *x, int n) {
  Value stack[16], mem[4];
  int sp = 0, count = 0;
  double acc = 0;
  for (size_t pc = 0; pc < code.size(); ++pc) {
    const Ins &in = code[pc];
    switch (in.op) {
    case PushX:
      stack[sp++] = Value::of(x[in.arg % n]);
      break;
    case PushI:
      stack[sp++] = Value::num(in.arg);
      break;
    case PushP:
      stack[sp++] = Value::ptr(x + in.arg % n);
      break;
    case Add: {
      Value a = stack[--sp], b = stack[--sp];
      stack[sp++] = Value::of(a.get() + b.get());
      break;
    }
    case Mul: {
      Value a = stack[--sp], b = stack[--sp];
      stack[sp++] = a.tag == Value::I && b.tag == Value::I
                        ? Value::num(a.i * b.i)
                        : Value::of(a.get() * b.get());
      break;
    }
    case Sin:
      stack[sp - 1] = Value::of(sin(stack[sp - 1].get()));
      break;
    case Dup:
      stack[sp] = stack[sp - 1];
      ++sp;
      break;
    case Swap:
      std::swap(stack[sp - 1], stack[sp - 2]);
      break;
    case Load:
      stack[sp++] = mem[in.arg];
      break;
    case Store:
      mem[in.arg] = stack[--sp];
      acc += mem[in.arg].get();
      break;
    case ToF:
      stack[sp - 1] = Value::flt((float)(long)(stack[sp - 1].get() * 4));
      break;
    case Jump:
      if (++count < 2 * n + 2)
        pc = in.arg - 1;
      break;
    }
  }
  while (sp > 0)
    acc += stack[--sp].get();
  return acc;
}
static double f(const double *x, int n) {
  std::vector<Ins> code = {
      {PushX, 0}, {Store, 0}, {PushI, 3}, {Store, 1}, {Load, 0},  {PushX, 1},
      {Mul, 0},   {PushP, 2}, {Swap, 0},  {Sin, 0},   {Add, 0},   {Store, 0},
      {Load, 1},  {PushI, 2}, {Mul, 0},   {ToF, 0},   {Load, 0},  {Mul, 0},
      {Sin, 0},   {Store, 2}, {PushP, 4}, {Store, 1}, {PushI, 1}, {Store, 1},
      {Jump, 4},  {Load, 2},  {Dup, 0},   {Mul, 0}};
  return run(code, x, n);
}
DERIVED(f)
