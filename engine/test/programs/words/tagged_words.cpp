// FLAGS: -std=c++17
// NOT-SANITIZED: checks of overflow look at the words by themselves, which is
// refused Values that are a tag and a union of a number, an integer and a
// pointer, as interpreters have them: integers are computed with, functions
// take and return such values in registers, and stacks of them grow. What a
// word is, is known when the program runs.
#include "../check.h"

#include <cstdint>
#include <vector>

namespace {

struct Object;
struct Value {
  enum Kind : int { Number, Integer, Reference } kind;
  union {
    double d;
    int64_t i;
    Object *o;
  };
};
struct Object {
  Value first, second;
};

Value number(double d) {
  Value v;
  v.kind = Value::Number;
  v.d = d;
  return v;
}
Value integer(int64_t i) {
  Value v;
  v.kind = Value::Integer;
  v.i = i;
  return v;
}
Value pair(Value a, Value b) {
  Value v;
  v.kind = Value::Reference;
  v.o = new Object{a, b};
  return v;
}
double real(Value v) {
  return v.kind == Value::Number    ? v.d
         : v.kind == Value::Integer ? static_cast<double>(v.i)
                                    : 0;
}

Value add(Value a, Value b) {
  return a.kind == Value::Integer && b.kind == Value::Integer
             ? integer(a.i + b.i)
             : number(real(a) + real(b));
}
Value multiply(Value a, Value b) {
  return a.kind == Value::Integer && b.kind == Value::Integer
             ? integer(a.i * b.i)
             : number(real(a) * real(b));
}

struct Stack {
  Value *all = nullptr;
  int n = 0, room = 0;
  void push(Value v) {
    if (n == room)
      all = static_cast<Value *>(
          realloc(all, sizeof(Value) * size_t(room = room ? 2 * room : 4)));
    all[n++] = v;
  }
  Value pop() { return all[--n]; }
};

/// Letters are inputs, digits integers; p makes a pair, f takes its first.
double run(const double *x, const char *program) {
  Stack s;
  for (const char *p = program; *p; ++p)
    if (*p >= 'a' && *p <= 'c')
      s.push(number(x[*p - 'a']));
    else if (*p >= '0' && *p <= '9')
      s.push(integer(*p - '0'));
    else if (*p == 'f') {
      Value v = s.pop();
      s.push(v.o->first);
      delete v.o;
    } else if (*p == 's') {
      s.push(number(sin(real(s.pop()))));
    } else {
      Value b = s.pop(), a = s.pop();
      s.push(*p == '+' ? add(a, b) : *p == '*' ? multiply(a, b) : pair(a, b));
    }
  const double r = real(s.pop());
  free(s.all);
  return r;
}

/// Integers of an expression are places of the environment.
NOINLINE Value evaluated(Value e, const std::vector<Value> &at) {
  if (e.kind == Value::Number)
    return e;
  if (e.kind == Value::Integer)
    return at[static_cast<size_t>(e.i + 1)];
  const Value a = evaluated(e.o->second.o->first, at),
              b = evaluated(e.o->second.o->second, at);
  const int64_t what = e.o->first.i * 2;
  return number(what == 0   ? real(a) + real(b)
                : what == 2 ? real(a) * real(b)
                            : exp(-real(a)) * real(b));
}

double expression(const double *x, int n) {
  std::vector<Value> at{integer(7)};
  std::vector<Object *> made;
  auto cons = [&](Value a, Value b) {
    Value v = pair(a, b);
    made.push_back(v.o);
    return v;
  };
  for (int i = 0; i < n; ++i)
    at.push_back(i % 2 ? number(x[i]) : number(x[i] * 2));
  at.push_back(integer(3));
  Value e = cons(integer(0), cons(integer(0), integer(n)));
  for (int i = 1; i < n; ++i)
    e = cons(integer(i % 3), cons(e, integer(i)));
  const double r = real(evaluated(e, at));
  for (Object *o : made)
    delete o;
  return r;
}

const char *const Programs[] = {"ab*2+s", "ac+12+*", "a23*b+1c*pf+34*+s",
                                "ab+cb*+2*3+1+"};

} // namespace

int main(void) {
  const double x[] = {0.7, 1.3, -0.4, 0.9};
  for (const char *p : Programs) {
    double d[3] = {0, 0, 0};
    __enzyme_autodiff((void *)run, enzyme_dup, x, d, enzyme_const, p);
    for (int i = 0; i < 3; ++i) {
      double y[3] = {x[0], x[1], x[2]}, v[3] = {0, 0, 0};
      const double h = 1e-5;
      v[i] = 1;
      y[i] = x[i] + h;
      double slope = run(y, p);
      y[i] = x[i] - h;
      slope = (slope - run(y, p)) / (2 * h);
      NEAR(d[i], slope, 1e-7);
      NEAR(__enzyme_fwddiff((void *)run, enzyme_dup, x, v, enzyme_const, p),
           slope, 1e-7);
    }
  }
  double d[4] = {0, 0, 0, 0};
  __enzyme_autodiff((void *)expression, enzyme_dup, x, d, enzyme_const, 4);
  for (int i = 0; i < 4; ++i) {
    double y[4] = {x[0], x[1], x[2], x[3]}, v[4] = {0, 0, 0, 0};
    const double h = 1e-5;
    v[i] = 1;
    y[i] = x[i] + h;
    double slope = expression(y, 4);
    y[i] = x[i] - h;
    slope = (slope - expression(y, 4)) / (2 * h);
    NEAR(d[i], slope, 1e-7);
    NEAR(
        __enzyme_fwddiff((void *)expression, enzyme_dup, x, v, enzyme_const, 4),
        slope, 1e-7);
  }
  return finish();
}
