// FLAGS: -pthread -std=c++20
// Threads that the differentiated code starts, beside threads of other code
// that wait for each other: those are none of its own. What counts the owners
// of a jthread's state decides who frees it, and no number.
#include "../check.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

constexpr int N = 6;

/// No function that is differentiated starts this thread.
static int waits() {
  std::mutex m;
  std::condition_variable changed;
  int state = 0;
  std::thread other([&] {
    std::unique_lock<std::mutex> held(m);
    changed.wait(held, [&] { return state == 1; });
    state = 2;
  });
  {
    std::lock_guard<std::mutex> held(m);
    state = 1;
  }
  changed.notify_one();
  other.join();
  return state;
}

static void square(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}

static double own(const double *x, int n) {
  double a[N], b = 0;
  std::thread one([&] { square(x, a, n / 2); });
  one.join();
  std::thread two(square, x + n / 2, a + n / 2, n - n / 2);
  two.join();
  std::thread three([&b, x] {
    std::thread inner([&b, x] { b = x[0] * x[1]; });
    inner.join();
    b *= x[2];
  });
  three.join();
  for (int i = 0; i < n; ++i)
    b += a[i] * (i + 1);
  return b;
}

/// The functions that start them are called by their addresses.
static double started(const std::function<void(double *)> &f,
                      double (*g)(const double *, int), const double *x,
                      int n) {
  double r = 1;
  f(&r);
  return r * g(x, n);
}
static double by_address(const double *x, int n) {
  auto cube = [x](double *r) {
    std::thread t([=] { *r *= x[3] * x[3] * x[3]; });
    t.join();
  };
  return started(cube, own, x, n);
}

static double several(const double *x, int n) {
  double part[N] = {};
  {
    std::vector<std::jthread> all;
    for (int i = 0; i < n; ++i)
      all.emplace_back([&part, x, i] { part[i] = x[i] * x[(i + 1) % N]; });
  }
  {
    std::vector<std::jthread> all;
    all.push_back(std::jthread([&part, x] { part[0] *= x[2]; }));
    std::jthread moved(std::move(all.back()));
    all.clear();
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += part[i] * (i + 1);
  return s;
}

int main() {
  NEAR(waits(), 2, 0);
  const double x[N] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};
  for (auto f : {0, 1, 2, 0, 1, 2}) {
    double g[N] = {};
    if (f == 0)
      __enzyme_autodiff<double>((void *)own, enzyme_dup, x, g, enzyme_const, N);
    else if (f == 1)
      __enzyme_autodiff<double>((void *)by_address, enzyme_dup, x, g,
                                enzyme_const, N);
    else
      __enzyme_autodiff<double>((void *)several, enzyme_dup, x, g, enzyme_const,
                                N);
    auto *Of = f == 0 ? own : f == 1 ? by_address : several;
    for (int i = 0; i < N; ++i) {
      double v[N] = {};
      v[i] = 1;
      const double want = slope(Of, x, v, N);
      NEAR(g[i], want, 1e-7);
      if (f == 0)
        NEAR(__enzyme_fwddiff<double>((void *)own, enzyme_dup, x, v,
                                      enzyme_const, N),
             want, 1e-7);
      if (f == 2)
        NEAR(__enzyme_fwddiff<double>((void *)several, enzyme_dup, x, v,
                                      enzyme_const, N),
             want, 1e-7);
    }
  }
  NEAR(waits(), 2, 0);
  return finish();
}
