// OPTIONS: -pthread
// What runs once: pthread_once, call_once of C, std::call_once, and static
// variables of functions. Whether it runs is settled in the forward pass, and
// what threads read of it is added up before it is reversed.
#include "../check.h"

#include <memory>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <threads.h>
#include <vector>

static double factor;
static const double *input;
static void setFactor() { factor = sin(input[0]) * input[1]; }

/// The flag is new in each call, as the function is called again.
static double by_pthread(const double *x, int n) {
  pthread_once_t once = PTHREAD_ONCE_INIT;
  double s = 0;
  input = x;
  for (int i = 2; i < n; ++i) {
    pthread_once(&once, setFactor);
    s += factor * x[i] * x[i];
  }
  return s;
}

static double by_c(const double *x, int n) {
  once_flag once = ONCE_FLAG_INIT;
  double s = 0;
  input = x;
  for (int i = 2; i < n; ++i) {
    call_once(&once, setFactor);
    factor *= x[i];
    s += factor;
  }
  return s;
}

/// It changes what is read before and behind it.
static double in_a_loop(const double *x, int n) {
  std::once_flag once;
  std::vector<double> u(x, x + n);
  double s = 0;
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < n; ++i)
      s += u[i] * u[(i + 1) % n];
    std::call_once(once, [&u, &s](double by) { u[0] *= by, s = s * s; }, x[2]);
  }
  return s + u[0];
}

struct Table {
  std::once_flag Once, Other;
  std::unique_ptr<double[]> At;
  int Made = 0;
  double get(const double *x, int n, int i) {
    std::call_once(Once, &Table::make, this, x, n);
    return At[i];
  }
  void make(const double *x, int n) {
    ++Made;
    At.reset(new double[n]);
    for (int i = 0; i < n; ++i)
      std::call_once(Other, [&] { At[0] = x[0] * x[1]; }),
          At[i] = i ? At[i - 1] * cos(x[i]) : At[0];
  }
};

static double lazy_table(const double *x, int n) {
  Table t;
  double s = 0;
  for (int k = 0; k < 2 * n; ++k)
    s += t.get(x, n, k % n) * (k + 1) * 0.1 * x[k % 3];
  return s * t.Made;
}

/// All threads read what the first of them makes.
static double shared_by_threads(const double *x, int n) {
  std::once_flag once;
  std::vector<double> made(n), part(3);
  auto work = [&](int t) {
    for (int k = 0; k < 5; ++k) {
      std::call_once(once, [&] {
        for (int i = 0; i < n; ++i)
          made[i] = exp(0.3 * x[i]) * x[(i + 1) % n];
      });
      part[t] += made[(t + k) % n] * x[t];
    }
  };
  std::vector<std::thread> team;
  for (int t = 0; t < 3; ++t)
    team.emplace_back(work, t);
  for (auto &t : team)
    t.join();
  return part[0] * part[1] + part[2];
}

/// Code that is not differentiated has run it. (ThreadSanitizer has flags of
/// its own.)
static pthread_once_t everywhere = PTHREAD_ONCE_INIT;
static int others;
static void other() { ++others; }
static double ran_before(const double *x, int n) {
  double s = x[0];
  pthread_once(&everywhere, [] { factor = 1e6; });
  for (int i = 0; i < n; ++i)
    s *= x[i] + 2;
  return s;
}

/// A static variable keeps what its first call gave it.
static double in_a_static(const double *x, int n) {
  static const double weight = [] { return sqrt(2.0); }();
  static const std::vector<double> weights{1, 0.5, weight};
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += weights[i % 3] * x[i] * x[i];
  return s;
}

/// What the first call has left is a constant for the next ones.
static double kept_by_static(double v) {
  static double first = v * v;
  return first * v;
}
static double kept_by_once(double v) {
  static double first;
  static std::once_flag once;
  std::call_once(once, [&] { first = v * v; });
  return first * v;
}
template <double (*Kept)(double)> static double kept(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += Kept(x[i]);
  return s;
}
template <double (*Kept)(double)> static void check_kept() {
  const double x[4] = {0.7, -0.4, 1.2, 0.9};
  for (int call = 0; call < 2; ++call) {
    double g[4] = {};
    __enzyme_autodiff((void *)kept<Kept>, enzyme_dup, x, g, enzyme_const, 4);
    for (int i = 0; i < 4; ++i)
      NEAR(g[i], x[0] * x[0] + (i || call ? 0 : 2 * x[0] * 2.4), 1e-12);
  }
}

int main() {
  check_kept<kept_by_static>();
  check_kept<kept_by_once>();
  pthread_once(&everywhere, other);
  check_modes<by_pthread>();
  check_modes<by_c>();
  check_modes<in_a_loop>();
  check_modes<lazy_table>();
  check_modes<shared_by_threads>();
#if !__has_feature(thread_sanitizer)
  check_modes<ran_before>();
#endif
  check_modes<in_a_static>();
  NEAR(others, 1, 0);
  return finish();
}
