// FLAGS: -pthread -std=c++20
// Threads that the program starts itself: in the reverse pass they start where
// they were joined, and what a mutex ordered is undone in the opposite order.
#include "../check.h"

#include <mutex>
#include <pthread.h>
#include <thread>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

constexpr int N = 24, Threads = 3;

static int order[N], steps;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct Part {
  const double *x;
  double *s;
  int from, to;
};

/// s = s x_i + i, in whatever order the threads come.
static void *chain(void *p) {
  Part *a = static_cast<Part *>(p);
  for (int i = a->from; i < a->to; ++i) {
    pthread_mutex_lock(&lock);
    order[steps++] = i;
    *a->s = *a->s * a->x[i] + i;
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}
static double sequence(const double *x, int n) {
  double s = 1;
  pthread_t id[Threads];
  Part p[Threads];
  steps = 0;
  pthread_mutex_lock(&lock);
  s *= x[0];
  pthread_mutex_unlock(&lock);
  for (int t = 0; t < Threads; ++t) {
    p[t] = {x, &s, n * t / Threads, n * (t + 1) / Threads};
    pthread_create(&id[t], nullptr, chain, &p[t]);
  }
  for (int t = 0; t < Threads; ++t)
    pthread_join(id[t], nullptr);
  pthread_mutex_lock(&lock);
  s *= x[1];
  pthread_mutex_unlock(&lock);
  return s;
}
static void expected(const double *x, double *g) {
  double before[N], s = x[0], adjoint = 1;
  for (int k = 0; k < steps; ++k) {
    before[k] = s;
    s = s * x[order[k]] + order[k];
  }
  memset(g, 0, sizeof(double) * N);
  g[1] = s;
  adjoint = x[1];
  for (int k = steps - 1; k >= 0; --k) {
    g[order[k]] += adjoint * before[k];
    adjoint *= x[order[k]];
  }
  g[0] += adjoint;
}

/// Threads that start threads; all of them, and who started them, read x.
static double tree(const double *x, int n) {
  if (n < 6) {
    double s = 0;
    for (int i = 0; i < n; ++i)
      s += sin(x[i]) * x[0];
    return s;
  }
  double left = 0;
  std::thread other([&left, x, n] { left = tree(x, n / 2); });
  double right = tree(x + n / 2, n - n / 2) * x[0];
  other.join();
  return left * right;
}

struct Half {
  const double *x;
  double *s;
  std::mutex *m;
  int from, n;
};
static void *half(void *p) {
  Half *h = static_cast<Half *>(p);
  for (int i = h->from; i < h->n; i += 2) {
    std::lock_guard<std::mutex> guard(*h->m);
    *h->s += h->x[i] * h->x[(i + 1) % h->n];
  }
  return nullptr;
}
static double with_mutex(const double *x, int n) {
  double s = 0;
  std::mutex m;
  Half even{x, &s, &m, 0, n}, odd{x, &s, &m, 1, n};
  pthread_t one, two;
  pthread_create(&one, nullptr, half, &even);
  pthread_create(&two, nullptr, half, &odd);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  return s * s;
}

/// The thread is told to stop, and joined, where its object ends.
static double joined(const double *x, int n) {
  double left = 0, right = 0;
  {
    std::jthread other([&left, x, n] {
      for (int i = 0; i < n / 2; ++i)
        left += x[i] * x[i];
    });
    for (int i = n / 2; i < n; ++i)
      right += x[i] * x[i] * x[i];
  }
  return left * right;
}

int main() {
  double x[N], v[N], g[N];
  for (int i = 0; i < N; ++i)
    x[i] = 1 + 0.1 * sin(3.0 * i), v[i] = cos(i);
  for (int again = 0; again < 20; ++again) {
    double dx[N] = {0};
    __enzyme_autodiff<double>((void *)sequence, enzyme_dup, x, dx, enzyme_const,
                              (int)N);
    expected(x, g);
    NEAR(steps, N, 0);
    for (int i = 0; i < N; ++i)
      NEAR(dx[i], g[i], 1e-12);
  }
  for (int again = 0; again < 5; ++again)
    for (auto f : {tree, with_mutex}) {
      double dx[N] = {0}, sum = 0, t;
      if (f == tree) {
        __enzyme_autodiff<double>((void *)tree, enzyme_dup, x, dx, enzyme_const,
                                  (int)N);
        t = __enzyme_fwddiff<double>((void *)tree, enzyme_dup, x, v,
                                     enzyme_const, (int)N);
      } else {
        __enzyme_autodiff<double>((void *)with_mutex, enzyme_dup, x, dx,
                                  enzyme_const, (int)N);
        t = __enzyme_fwddiff<double>((void *)with_mutex, enzyme_dup, x, v,
                                     enzyme_const, (int)N);
      }
      for (int i = 0; i < N; ++i)
        sum += dx[i] * v[i];
      NEAR(sum, slope(f, x, v, N), 1e-8);
      NEAR(t, sum, 1e-12);
    }
  double dx[N] = {0}, sum = 0;
  __enzyme_autodiff<double>((void *)joined, enzyme_dup, x, dx, enzyme_const,
                            (int)N);
  for (int i = 0; i < N; ++i)
    sum += dx[i] * v[i];
  NEAR(sum, slope(joined, x, v, N), 1e-8);
  return finish();
}
