// More forms of exceptions inside of what is differentiated: what handlers look
// at, what the standard library throws, and functions that do nothing else.
#include "../check.h"
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

static int alive, messages;
struct Token {
  Token() { ++alive; }
  Token(const Token &) { ++alive; }
  ~Token() { --alive; }
};

static NOINLINE double root(double x) {
  Token t;
  if (x < 0)
    throw std::domain_error("negative");
  return sqrt(x);
}

/// It never returns, and has written something before it says so.
[[noreturn]] static NOINLINE void spoil(double *x, int i) {
  x[i] *= x[0];
  throw i;
}
static double without_return(const double *x, int n) {
  std::vector<double> v(x, x + n);
  double s = 0;
  for (int i = 1; i < n; ++i)
    try {
      if (v[i] < 0)
        spoil(v.data(), i);
      s += v[i] * v[i];
    } catch (int k) {
      s += v[k] * k;
    }
  return s;
}

/// Unrolled, the throws are alike, and each goes to a handler of its own.
static double every_time(const double *x, int) {
  double s = x[0];
  for (int i = 0; i < 4; ++i)
    try {
      if (s <= 2)
        throw i;
      s *= x[1];
    } catch (...) {
      s = s * s / 2.2 + x[2];
    }
  return s;
}

/// The handler calls a function of the exception's.
static double message(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      s += root(x[i]) * x[0];
    } catch (const std::exception &e) {
      messages += static_cast<int>(strlen(e.what()));
      s += x[i];
    }
  return s;
}

static double kept(const double *x, int n) {
  std::exception_ptr first;
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      s += root(x[i]);
    } catch (...) {
      s *= x[i];
      if (!first)
        first = std::current_exception();
    }
  if (first)
    try {
      std::rethrow_exception(first);
    } catch (const std::domain_error &) {
      s += x[0] * x[1];
    }
  return s;
}

static double standard(const double *x, int n) {
  std::map<int, double> m;
  for (int i = 0; i < n; i += 2)
    m[i] = x[i] * x[i];
  std::optional<double> o;
  std::variant<int, double> v = 3;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    try {
      s += m.at(i);
    } catch (const std::out_of_range &) {
      s += x[i];
    }
    try {
      s += o.value() * x[i];
    } catch (const std::bad_optional_access &) {
      o = x[i];
    }
    try {
      s += std::get<double>(v);
    } catch (const std::bad_variant_access &) {
      v = x[i] * 2;
    }
  }
  return s;
}

static double called(const double *x, int n) {
  std::function<double(double)> f = [&](double y) {
    if (y > 1)
      throw std::string("too large");
    return y * x[0];
  };
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      s += f(x[i]);
    } catch (std::string &what) {
      what += "!";
      s += static_cast<double>(what.size()) * x[i] * x[i];
    }
  return s;
}

/// Handlers that throw, and cleaning up that does.
struct Throws {
  ~Throws() noexcept(false) {
    if (alive == 1)
      throw 3;
  }
};
static double again(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    try {
      try {
        if (x[i] < 0)
          throw 1;
        Token t;
        Throws last;
        s += x[i] * x[i];
      } catch (int k) {
        s += k * x[i];
        throw static_cast<float>(k);
      }
    } catch (float k) {
      s *= k;
    }
  }
  return s;
}

/// What never happens does not, though nothing says so to the compiler.
static double calm(const double *x, int n) noexcept {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += root(x[i] * x[i] + 1);
  return s;
}

/// Nothing leaves it, as it says, though something is thrown in it.
static double handled(const double *x, int n) noexcept {
  double s = 0;
  for (int i = 0; i < n; ++i)
    try {
      s += root(x[i]) * x[0];
    } catch (const std::logic_error &) {
      s += x[i] * x[i];
    }
  return s;
}

/// Arrays of the frame, and a number of ways out of a loop in a loop.
static double matrix(const double *x, int n) {
  double a[8] = {}, s = 0;
  for (int i = 0; i < n; ++i) {
    try {
      for (int j = 0; j < n; ++j) {
        a[j] += x[j] * x[i];
        if (a[j] < -0.1234)
          throw j;
        if (j == 4 && i == 4)
          return s + a[2];
        s += a[j] * a[j];
      }
    } catch (int j) {
      a[j] = x[j];
      if (j % 2)
        continue;
    }
    s += a[i] * x[1];
  }
  return s;
}

using Fn = double (*)(const double *, int);
template <Fn F> static void each(const double *x, int n) {
  std::vector<double> d(n), v(n), h(n);
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, d.data(), enzyme_const, n);
  GRADIENT(F, x, d.data(), n);
  NEAR(alive, 0, 0);
  for (int i = 0; i < n; ++i)
    v[i] = 0.3 + i;
  NEAR(__enzyme_fwddiff<double>((void *)F, enzyme_dup, x, v.data(),
                                enzyme_const, n),
       dot(d.data(), v.data(), n), 1e-11);
  NEAR(alive, 0, 0);
}

template <Fn F> static void gradient_of(const double *x, double *d, int n) {
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, d, enzyme_const, n);
}
/// The tangent of the gradient against differences of it.
template <Fn F> static void second(const double *x, int n) {
  std::vector<double> v(n, 1), d(n), h(n), a(x, x + n), b(x, x + n), da(n),
      db(n);
  __enzyme_fwddiff<void>((void *)gradient_of<F>, enzyme_dup, x, v.data(),
                         enzyme_dup, d.data(), h.data(), enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    a[i] += 1e-4;
    b[i] -= 1e-4;
  }
  gradient_of<F>(a.data(), da.data(), n);
  gradient_of<F>(b.data(), db.data(), n);
  for (int i = 0; i < n; ++i)
    NEAR(h[i], (da[i] - db[i]) / 2e-4, 1e-5);
  NEAR(alive, 0, 0);
}

template <Fn F> static double squares(const double *x, int n) {
  double d[6] = {}, s = 0;
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, d, enzyme_const, n);
  for (int i = 0; i < n; ++i)
    s += d[i] * d[i];
  return s;
}

int main() {
  const double mixed[6] = {0.5, -0.3, 1.7, -0.7, -1.4, 0.9};
  const double good[6] = {0.5, 0.3, 1.7, 0.7, 1.4, 0.9};
  each<without_return>(mixed, 6);
  each<every_time>(good, 6);
  each<every_time>(mixed, 6);
  each<message>(mixed, 6);
  NEAR(messages > 0, 1, 0);
  each<kept>(mixed, 6);
  each<kept>(good, 6);
  each<standard>(mixed, 6);
  each<called>(mixed, 6);
  each<again>(mixed, 6);
  each<again>(good, 6);
  each<calm>(mixed, 6);
  each<handled>(mixed, 6);
  each<matrix>(mixed, 6);
  each<matrix>(good, 6);
  second<without_return>(mixed, 6);
  second<kept>(mixed, 6);
  second<matrix>(mixed, 6);
  each<squares<handled>>(mixed, 6);
  each<squares<again>>(mixed, 6);
  return finish();
}
