// Coroutines in what is differentiated: generators of numbers, with arguments
// and variables that live across suspensions, two at once, and one ended early;
// tasks that await each other.
#include "../check.h"

#include <coroutine>
#include <exception>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

struct Generator {
  struct promise_type {
    double current = 0;
    Generator get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(double v) noexcept {
      current = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  double next() {
    handle.resume();
    return handle.promise().current;
  }
};

static Generator powers(double x) {
  double p = x;
  while (true) {
    co_yield p;
    p *= x;
  }
}

static Generator products(const double *x, int n) {
  double kept[2] = {1, x[0]};
  for (int i = 0; i < n; ++i) {
    kept[i % 2] *= x[i];
    co_yield kept[0] * sin(kept[1]);
  }
}

static double three_powers(double x) {
  Generator g = powers(x);
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += g.next();
  g.handle.destroy();
  return s; // x + x^2 + x^3
}

static double taken(const double *x, int n) {
  Generator g = products(x, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += g.next() * (i + 1);
  g.handle.destroy();
  return s;
}

static double both(const double *x, int n) {
  Generator g = products(x, n), h = products(x + 1, n - 1);
  double s = 0;
  for (int i = 0; i < n - 2; ++i)
    s += g.next() * h.next();
  g.handle.destroy();
  h.handle.destroy();
  return s;
}

/// A task that others await: it gives its value to who waits, by a transfer
/// from the end of one coroutine to another, or to one that does nothing.
struct Task {
  struct promise_type {
    double value = 0;
    std::coroutine_handle<> waiter;
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<>
      await_suspend(std::coroutine_handle<promise_type> h) noexcept {
        if (h.promise().waiter)
          return h.promise().waiter;
        return std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_value(double v) { value = v; }
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> w) {
    handle.promise().waiter = w;
    return handle;
  }
  double await_resume() {
    const double v = handle.promise().value;
    handle.destroy();
    return v;
  }
};

static Task squared(double x) { co_return x *x; }
static Task summed(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * co_await squared(x[i] + s);
  co_return s;
}

static double awaited(const double *x, int n) {
  Task t = summed(x, n);
  t.handle.resume();
  const double s = t.handle.promise().value;
  t.handle.destroy();
  return s * x[0];
}

constexpr int N = 5;
static const double X[N] = {0.9, 1.3, -0.4, 1.1, 0.7};

template <double (*F)(const double *, int)> static void check() {
  double g[N] = {};
  const double v[N] = {1, -0.5, 0.3, 2, -1};
  __enzyme_autodiff<void>((void *)F, enzyme_dup, X, g, enzyme_const, N);
  GRADIENT(F, X, g, N);
  NEAR(__enzyme_fwddiff<double>((void *)F, enzyme_dup, X, v, enzyme_const, N),
       dot(g, v, N), 1e-12);
}

int main() {
  NEAR(__enzyme_autodiff<double>((void *)three_powers, 2.0), 17, 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)three_powers, 2.0, 1.0), 17, 1e-14);
  check<taken>();
  check<both>();
  check<awaited>();
  return finish();
}
