// FLAGS: -fopenmp
// Parallel regions in every mode: teams of threads, shares of the work, nested
// regions, values passed by value, tasks, thread-local variables.
#include "../typed.h"

#include <omp.h>
#include <vector>

MARKERS(enzyme_width);

constexpr int N = 40;
struct Adjoint {
  double c;
};
struct Taped {
  void *tape;
  double value;
};
struct Two {
  double v[2];
};

/// A time loop of two regions over arrays that are overwritten; every thread
/// reads its neighbours' part, and a product passed by value.
static double waves(double *u, double *w, double c, int n) {
  double total = 0;
  for (int t = 0; t < 3; ++t) {
    const double k = c * c * 0.5;
#pragma omp parallel for firstprivate(k)
    for (int i = 0; i < n; ++i)
      w[i] = u[i] + k * sin(u[(i + 1) % n]) * u[(i + n - 1) % n];
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : total)
    for (int i = 0; i < n; ++i) {
      u[i] = u[i] * 0.5 + w[i] * w[i] * 0.25;
      total += u[i] * w[(i * 7) % n];
    }
  }
  return total;
}

static double waves_at(const double *x, int n) {
  std::vector<double> u(x, x + n - 1), w(static_cast<size_t>(n - 1));
  return waves(u.data(), w.data(), x[n - 1], n - 1);
}

/// A region in a region, with memory that one thread allocates and another
/// one frees, and a barrier between writing and reading.
static double nested(double *x, double *y, int n) {
  double *shared = nullptr;
  double sum = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    {
      shared = (double *)malloc(sizeof(double) * (size_t)n);
    }
    int me = omp_get_thread_num(), team = omp_get_num_threads();
    for (int i = me; i < n; i += team)
      shared[i] = x[i] * x[i];
#pragma omp barrier
    double part = 0;
#pragma omp parallel for num_threads(2) reduction(+ : part)
    for (int i = 0; i < n; ++i)
      part += shared[(i + me) % n] * x[i];
#pragma omp critical
    sum += part / team;
#pragma omp barrier
    if (me == team - 1) {
      y[0] = shared[n - 1];
      free(shared);
    }
  }
  return sum;
}

static double nested_at(const double *x, int n) {
  std::vector<double> copy(x, x + n);
  double y = 0, s = nested(copy.data(), &y, n);
  return s + 2 * y;
}

static double local;
#pragma omp threadprivate(local)

/// libomp gives a task the memory of one that is done, which ThreadSanitizer
/// now and then takes for a race of the two: of the primal's here, which runs
/// for its slope. What is derived of it has other names.
extern "C" const char *__tsan_default_suppressions() {
  return "race:^power(double";
}

/// Tasks that make tasks, a loop of tasks, and what each thread keeps.
static double power(const double *x, int n) {
  if (n == 1)
    return x[0];
  double a, b;
#pragma omp task shared(a)
  a = power(x, n / 2);
#pragma omp task shared(b)
  b = power(x + n / 2, n - n / 2);
#pragma omp taskwait
  return a * b;
}
static double tasks(const double *x, int n) {
  double y[N], p = 0, s = 0;
#pragma omp parallel
  {
#pragma omp single
    {
      p = power(x, n);
#pragma omp taskloop grainsize(4)
      for (int i = 0; i < n; ++i)
        y[i] = cos(x[i]);
    }
    local = 0;
#pragma omp for
    for (int i = 0; i < n; ++i)
      local += y[i] * x[i];
#pragma omp critical
    s += local * local;
  }
  return p + (omp_get_max_threads() == 1 ? s : 0);
}

static double by_single(const double *x, int n) {
  double s = 0;
#pragma omp parallel reduction(+ : s)
  {
    double k;
#pragma omp single copyprivate(k)
    k = x[0] * x[1];
#pragma omp for
    for (int i = 0; i < n; ++i)
      s += k * x[i] * k;
  }
  return s;
}

template <class F>
static void agree(F at, const double *x, int n, const double *g,
                  const double *v, double tangent) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += g[i] * v[i];
  NEAR(sum, slope(at, x, v, n), 1e-8);
  NEAR(tangent, sum, 1e-11);
}

int main() {
  double x[N + 1], v[N + 1];
  for (int i = 0; i <= N; ++i)
    x[i] = 0.9 + 0.2 * sin(i), v[i] = cos(1.3 * i);
  for (int threads = 1; threads <= 4; threads += threads < 2 ? 1 : 2) {
    omp_set_num_threads(threads);
    for (int again = 0; again < 5; ++again) {
      {
        std::vector<double> u(x, x + N), w(N), du(N), dw(N);
        Adjoint a = __enzyme_autodiff<Adjoint>(
            (void *)waves, enzyme_dup, u.data(), du.data(), enzyme_dup,
            w.data(), dw.data(), enzyme_out, x[N], enzyme_const, N);
        du.push_back(a.c);
        std::vector<double> fu(x, x + N), fw(N), tu(v, v + N), tw(N);
        double t = __enzyme_fwddiff<double>(
            (void *)waves, enzyme_dup, fu.data(), tu.data(), enzyme_dup,
            fw.data(), tw.data(), enzyme_dup, x[N], v[N], enzyme_const, N);
        agree(waves_at, x, N + 1, du.data(), v, t);

        // In two calls; between them the caller's memory changes.
        std::vector<double> su(x, x + N), sw(N), ds(N), dsw(N);
        Taped kept = __enzyme_augmentfwd<Taped>(
            (void *)waves, enzyme_dup, su.data(), ds.data(), enzyme_dup,
            sw.data(), dsw.data(), enzyme_const, x[N], enzyme_const, N);
        for (int i = 0; i < N; ++i)
          su[i] = sw[i] = 1e9;
        __enzyme_reverse<void>((void *)waves, enzyme_dup, su.data(), ds.data(),
                               enzyme_dup, sw.data(), dsw.data(), enzyme_const,
                               x[N], enzyme_const, N, 1.0, kept.tape);
        for (int i = 0; i < N; ++i)
          NEAR(ds[i], du[i], 1e-11);
      }
      {
        double cx[N], y = 0, dy = 2, dx[N] = {0};
        memcpy(cx, x, sizeof cx);
        __enzyme_autodiff<double>((void *)nested, enzyme_dup, cx, dx,
                                  enzyme_dup, &y, &dy, enzyme_const, 12);
        double fx[N], fy = 0, ty = 0;
        memcpy(fx, x, sizeof fx);
        double t =
            __enzyme_fwddiff<double>((void *)nested, enzyme_dup, fx, v,
                                     enzyme_dup, &fy, &ty, enzyme_const, 12);
        agree(nested_at, x, 12, dx, v, t + 2 * ty);
      }
      {
        double dx[N] = {0};
        __enzyme_autodiff<double>((void *)tasks, enzyme_dup, x, dx,
                                  enzyme_const, 9);
        double t = __enzyme_fwddiff<double>((void *)tasks, enzyme_dup, x, v,
                                            enzyme_const, 9);
        agree(tasks, x, 9, dx, v, t);
      }
      {
        // Two directions at once.
        double d0[N] = {0}, d1[N] = {0};
        __enzyme_autodiff<double>((void *)by_single, enzyme_width, 2,
                                  enzyme_dup, x, d0, d1, enzyme_const, N);
        Two t = __enzyme_fwddiff<Two>((void *)by_single, enzyme_width, 2,
                                      enzyme_dup, x, v, x, enzyme_const, N);
        agree(by_single, x, N, d0, v, t.v[0]);
        agree(by_single, x, N, d1, x, t.v[1]);
      }
    }
  }
  return finish();
}
