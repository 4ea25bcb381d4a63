// Exceptions that are thrown and caught inside of what is differentiated: the
// derivative is that of the way taken, and what the frames that are left own is
// released.
#include "../typed.h"
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

MARKERS(enzyme_width, enzyme_primal_return);

static int alive;
static std::mutex lock;
struct Token {
  Token() { ++alive; }
  Token(const Token &) { ++alive; }
  ~Token() { --alive; }
};
struct Low : std::runtime_error {
  int by;
  explicit Low(int n) : std::runtime_error("low"), by(n) {}
};

static NOINLINE double root(double x) {
  Token t;
  std::lock_guard<std::mutex> held(lock);
  if (x < 0)
    throw std::domain_error("negative");
  return sqrt(x);
}

/// What a frame has computed before it is left counts.
static double in_loop(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    try {
      Token t;
      s += x[i] * x[i];
      s += root(x[i]);
    } catch (const std::domain_error &) {
      s += 3 * x[i];
    }
  }
  return s;
}

/// An object on the heap, of the frame that is left, and memory from outside
/// that it writes before.
static NOINLINE double fill(std::vector<double> &out, double x, int n) {
  std::vector<double> own;
  for (int i = 0; i < n; ++i) {
    own.push_back(x * (i + 1));
    out[i] *= own[i];
    if (own[i] > 2.2)
      throw Low(i);
  }
  return own[n - 1];
}
static double written(const double *x, int n) {
  std::vector<double> out(x, x + n);
  double s = 0;
  try {
    s = fill(out, x[0], n);
  } catch (const Low &e) {
    s = e.by * x[1];
  }
  for (double v : out)
    s += v * v;
  return s;
}

static double nested(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    try {
      try {
        s *= root(x[i]) + 1;
      } catch (const std::domain_error &) {
        s += x[i] * x[i];
        if (x[i] < -1)
          throw;
        if (x[i] < -0.5)
          throw Low(i);
      }
    } catch (Low e) {
      s *= 1 + 0.1 * e.by * x[i];
      continue;
    } catch (...) {
      s += sin(x[i]);
      if (x[i] < -2)
        break;
    }
  }
  return s;
}

static double early(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      s += root(x[i]) * x[i];
    } catch (std::exception &) {
      return s * x[i];
    }
  return s;
}

/// Thrown by the library, with nothing of ours in it.
static double library(const double *x, int n) {
  std::vector<double> v(x, x + n);
  std::string words[3] = {"1", "word", "2"};
  double s = 0;
  for (int i = 0; i < n + 2; ++i)
    try {
      Token t;
      s += std::stoi(words[i % 3]) * v.at(static_cast<size_t>(i));
    } catch (const std::out_of_range &) {
      s *= 2;
    } catch (const std::invalid_argument &) {
      s *= x[0];
    }
  return s;
}

/// More memory than there is.
struct Release {
  void operator()(double *p) const { ::operator delete(p); }
};
static double too_much(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      // Not by a new-expression, which the compiler may leave out.
      size_t size = x[i] < 0 ? ~size_t(0) / 4 : 3 * sizeof(double);
      std::unique_ptr<double, Release> p((double *)::operator new(size));
      *p = x[i] * x[i];
      s += *p * x[0];
    } catch (const std::bad_alloc &) {
      s += x[i];
    }
  return s;
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const = 0;
};
struct Square : Shape {
  double area(double x) const override { return x * x; }
};
struct Root : Shape {
  double area(double x) const override { return root(x); }
};
static double through_pointers(const double *x, int n) {
  std::unique_ptr<Shape> shapes[2] = {std::make_unique<Square>(),
                                      std::make_unique<Root>()};
  double (*f)(double) = n > 2 ? root : nullptr;
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      s += shapes[i % 2]->area(x[i]);
      s += f(x[i]);
    } catch (const std::logic_error &) {
      s -= 2 * x[i];
    }
  return s;
}

struct Owner {
  Token t;
  std::vector<double> v;
  double first;
  explicit Owner(const double *x) try : v(x, x + 2), first(root(x[0])) {
    v[1] *= first;
  } catch (const std::domain_error &) {
    throw Low(1);
  }
};
static double constructed(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 2 < n; ++i)
    try {
      Owner o(x + i);
      auto p = std::make_unique<Owner>(x + i + 1);
      s += o.v[1] + p->first * x[0];
    } catch (const Low &e) {
      s += e.by * x[i] * x[i];
    }
  return s;
}

/// A recursion stays a call: it may throw, and each frame may catch.
static double deep(const double *x, int i, int n) {
  Token t;
  if (i == n)
    return 1;
  if (x[i] < 0)
    throw Low(i);
  try {
    return x[i] * deep(x, i + 1, n) + x[i];
  } catch (const Low &e) {
    if (i % 2)
      throw;
    return x[i] * x[i] + e.by;
  }
}
static double recursive(const double *x, int n) { return deep(x, 0, n); }

/// By pointer, and one that nobody in the frame catches.
static double by_pointer(const double *x, int n) {
  static Low low(4);
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      try {
        if (x[i] < 0)
          throw &low;
        s += exp(x[i]);
      } catch (int) {
        s = 1e9;
      }
    } catch (const Low *e) {
      s *= e->by * x[i];
    }
  return s;
}

/// Handlers by value, of a number that does not depend on what is derived.
static double code(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      if (x[i] < 0)
        throw 2.5;
      s += x[i] * x[i] * x[i];
    } catch (double y) {
      s += y * x[i];
    }
  return s;
}

static double outer(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += root(x[i]) * x[0];
  return s;
}

struct Two {
  double a, b;
};
struct Taped {
  void *tape;
  double value;
};

using Fn = double (*)(const double *, int);

template <Fn F> static void each(const double *x, int n) {
  std::vector<double> d(n), two(n), v(n), w(n), t(n);
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, d.data(), enzyme_const, n);
  GRADIENT(F, x, d.data(), n);
  NEAR(alive, 0, 0);
  for (int i = 0; i < n; ++i) {
    v[i] = 0.3 + i;
    w[i] = 1 - 0.2 * i * i;
  }
  double along = dot(d.data(), v.data(), n),
         across = dot(d.data(), w.data(), n);
  NEAR(__enzyme_fwddiff<double>((void *)F, enzyme_dup, x, v.data(),
                                enzyme_const, n),
       along, 1e-11);
  Two both = __enzyme_fwddiff<Two>((void *)F, enzyme_width, 2, enzyme_dup, x,
                                   v.data(), w.data(), enzyme_const, n);
  NEAR(both.a, along, 1e-11);
  NEAR(both.b, across, 1e-11);
  Taped tape = __enzyme_augmentfwd<Taped>((void *)F, enzyme_dup, x, two.data(),
                                          enzyme_const, n);
  NEAR(tape.value, F(x, n), 1e-15);
  __enzyme_reverse<void>((void *)F, enzyme_dup, x, two.data(), enzyme_const, n,
                         1.0, tape.tape);
  for (int i = 0; i < n; ++i)
    NEAR(two[i], d[i], 1e-12);
  NEAR(alive, 0, 0);
}

template <Fn F>
static double slope_of(const double *x, const double *v, int n) {
  return __enzyme_fwddiff<double>((void *)F, enzyme_dup, x, v, enzyme_const, n);
}
template <Fn F> static void second(const double *x, int n) {
  std::vector<double> v(n, 1), h(n), dv(n);
  __enzyme_autodiff<void>((void *)slope_of<F>, enzyme_dup, x, h.data(),
                          enzyme_const, v.data(), enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    std::vector<double> a(x, x + n), b(x, x + n);
    a[i] += 1e-4;
    b[i] -= 1e-4;
    NEAR(h[i],
         (slope_of<F>(a.data(), v.data(), n) -
          slope_of<F>(b.data(), v.data(), n)) /
             2e-4,
         1e-5);
  }
  NEAR(alive, 0, 0);
}

/// What leaves the derivative arrives, and leaves nothing behind.
template <Fn F> static void left(const double *good, const double *bad, int n) {
  std::vector<double> d(n), v(n, 1);
  for (int k = 0; k < 3; ++k) {
    int caught = 0;
    try {
      __enzyme_autodiff<void>((void *)F, enzyme_dup, bad, d.data(),
                              enzyme_const, n);
    } catch (const std::domain_error &) {
      ++caught;
    }
    try {
      __enzyme_fwddiff<double>((void *)F, enzyme_dup, bad, v.data(),
                               enzyme_const, n);
    } catch (const std::exception &) {
      ++caught;
    }
    try {
      __enzyme_augmentfwd<void *>((void *)F, enzyme_dup, bad, d.data(),
                                  enzyme_const, n);
    } catch (...) {
      ++caught;
    }
    NEAR(caught, 3, 0);
    NEAR(alive, 0, 0);
  }
  std::vector<double> fresh(n);
  __enzyme_autodiff<void>((void *)F, enzyme_dup, good, fresh.data(),
                          enzyme_const, n);
  GRADIENT(F, good, fresh.data(), n);
}

int main() {
  const double mixed[6] = {0.5, -0.3, 1.7, -0.7, -1.4, 0.9};
  const double good[6] = {0.5, 0.3, 1.7, 0.7, 1.4, 0.9};
  const double ends[6] = {0.5, 0.3, -2.7, 0.7, 1.4, 0.9};
  each<in_loop>(mixed, 6);
  each<in_loop>(good, 6);
  each<written>(good, 6);
  each<written>(mixed, 3);
  each<constructed>(mixed, 6);
  each<constructed>(good, 6);
  each<nested>(mixed, 6);
  each<nested>(good, 6);
  each<nested>(ends, 6);
  each<early>(mixed, 6);
  each<early>(good, 6);
  each<library>(mixed, 4);
#if !__has_feature(address_sanitizer) // whose operator new does not throw
  each<too_much>(mixed, 6);
#endif
  each<through_pointers>(mixed, 6);
  each<recursive>(mixed, 6);
  each<recursive>(good, 6);
  each<recursive>(ends, 6);
  each<by_pointer>(mixed, 6);
  each<code>(mixed, 6);
  second<in_loop>(mixed, 6);
  second<nested>(mixed, 6);
  second<early>(mixed, 6);
  left<outer>(good, mixed, 6);
  return finish();
}
