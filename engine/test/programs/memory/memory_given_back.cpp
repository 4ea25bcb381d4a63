// OPTIONS: -Wno-vla-cxx-extension
// A derivative gives back all memory that it takes, of each kind of tape, in
// each mode, and for each way to allocate: called again and again, the program
// has as much as before.
#include "../check.h"

#include <alloca.h>
#include <list>
#include <malloc.h>
#include <memory>
#include <vector>

MARKERS(enzyme_width);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_augmentfwd(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);
template <typename R, typename... A> R __enzyme_fwdsplit(A...);

#if __has_feature(address_sanitizer) // LeakSanitizer looks at the end
constexpr int Times = 20;
#elif defined(__OPTIMIZE__)
constexpr int Times = 100000;
#else
constexpr int Times = 5000;
#endif

using Function = double(const double *x, int n);
constexpr int N = 6;

struct Lanes {
  double v[2];
};
struct Augmented {
  void *tape;
  double value;
};

static size_t taken() {
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

template <class Call>
static void steady(int line, int mode, int times, Call call) {
  for (int i = 0; i < 10; ++i)
    call(); // a tape's memory is kept for the next call
  const size_t before = taken();
  for (int i = 0; i < times; ++i)
    call();
  const auto more = static_cast<long>(taken() - before);
  // 16 bytes a call, the least that malloc gives, would be more.
  ++checks;
  if (more > 15L * times) {
    ++failures;
    printf("line %d, mode %d: %ld bytes more\n", line, mode, more);
  }
}

template <Function F> NOINLINE static void reverse(const double *x, double *g) {
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, g, enzyme_const, N);
}
template <Function F>
NOINLINE static double forward(const double *x, const double *v) {
  return __enzyme_fwddiff<double>((void *)F, enzyme_dup, x, v, enzyme_const, N);
}
template <Function F> NOINLINE static void split(const double *x, double *g) {
  auto a = __enzyme_augmentfwd<Augmented>((void *)F, enzyme_dup, x, g,
                                          enzyme_const, N);
  __enzyme_reverse<void>((void *)F, enzyme_dup, x, g, enzyme_const, N, 1.0,
                         a.tape);
}

template <Function F> static double replayed(const double *x, int n) {
  return F(x, n);
}
template <Function F>
NOINLINE static double split_forward(const double *x, const double *v) {
  auto a = __enzyme_augmentfwd<Augmented>((void *)replayed<F>, enzyme_dup, x, v,
                                          enzyme_const, N);
  return __enzyme_fwdsplit<double>((void *)replayed<F>, enzyme_dup, x, v,
                                   enzyme_const, N, a.tape);
}

static const double X[N] = {0.9, 0.3, -0.4, 1.1, 0.2, 0.7};
static const double V[N] = {1, -0.5, 0.2, 0.1, 0.4, -2};

/// How often in a row the derivative is reversed that F's is part of: not all
/// that copies memory tells what it holds in the reverse of a reverse pass.
enum class Again { No, OfForward, OfReverse };

template <Function F, Again Reversed = Again::OfReverse>
static void modes(int line, int times = Times) {
  static double g[N], h[N], w[N], b[N];
  double sum = 0;
  steady(line, 0, times, [] { reverse<F>(X, g); });
  steady(line, 1, times, [&] { sum += forward<F>(X, V); });
  times /= 5;
  steady(line, 2, times, [&] {
    auto d = __enzyme_fwddiff<Lanes>((void *)F, enzyme_width, 2, enzyme_dup, X,
                                     V, X, enzyme_const, N);
    sum += d.v[0] + d.v[1];
  });
  steady(line, 3, times, [] {
    __enzyme_autodiff<void>((void *)F, enzyme_width, 2, enzyme_dup, X, g, h,
                            enzyme_const, N);
  });
  steady(line, 4, times, [] { split<F>(X, g); });
  steady(line, 5, times, [&] { sum += split_forward<F>(X, V); });
  times /= 2;
  steady(line, 6, times, [] { // forward over reverse: the tape has objects
    __enzyme_fwddiff<void>((void *)reverse<F>, enzyme_dup, X, V, enzyme_dup, g,
                           h);
  });
  if constexpr (Reversed != Again::No)
    steady(line, 7, times, [] { // reverse over forward
      __enzyme_autodiff<void>((void *)forward<F>, enzyme_dup, X, g, enzyme_dup,
                              V, h);
    });
  if constexpr (Reversed == Again::OfReverse)
    steady(line, 8, times, [] { // reverse over reverse
      __enzyme_autodiff<void>((void *)reverse<F>, enzyme_dup, X, w, enzyme_dup,
                              g, b);
    });
  NEAR(sum == sum, 1, 0);
}
#define MODES(F) modes<F>(__LINE__)

//===----------------------------------------------------------------------===//
// Kinds of tapes
//===----------------------------------------------------------------------===//

static double slots(const double *x, int n) {
  double a = sin(x[0] * x[1]), b = exp(x[2] * a);
  return a * b * cos(a * b) * n;
}

/// On the stack, or a chunk of the tape.
template <int Length> static double indexed(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < Length; ++i)
    s = sin(s) * x[i % n] + s * x[0];
  return s;
}

/// Of a loop that ends when it wants to.
template <int Length> static double records(const double *x, int n) {
  double s = 1;
  for (int i = 0; s > -1e300 && i < Length; ++i) {
    double t = sin(s) * x[i % n];
    for (int k = 0; t < 0.1 * k && k < 3; ++k)
      t = exp(t) * x[k];
    s = t * s + x[0];
  }
  return s;
}

NOINLINE static double visit(const double *x, int n, double t) {
  return n < 2 ? x[0] * t
               : visit(x, n - 1, sin(t) * x[n - 1]) * t + visit(x, n - 2, t);
}
static double frames(const double *x, int n) { return visit(x, n, x[1]); }

//===----------------------------------------------------------------------===//
// Ways to allocate
//===----------------------------------------------------------------------===//

static double fill(double *w, const double *x, int n) {
  double s = 0.5;
  for (int i = 0; i < n; ++i)
    w[i] = sin(x[i] * s) * x[(i + 1) % n];
  for (int i = 0; i < n; ++i)
    s += w[i] * w[n - 1 - i] * s;
  return s;
}

static double with_malloc(const double *x, int n) {
  auto *w = static_cast<double *>(malloc(sizeof(double) * (size_t)n));
  double s = fill(w, x, n);
  free(w);
  return s;
}
static double with_calloc(const double *x, int n) {
  auto *w = static_cast<double *>(calloc((size_t)n, sizeof(double)));
  double s = fill(w, x, n);
  free(w);
  return s;
}
static double with_realloc(const double *x, int n) {
  double *w = nullptr, s = 0;
  for (int k = 1; k <= n; ++k) {
    w = static_cast<double *>(realloc(w, sizeof(double) * (size_t)k));
    w[k - 1] = x[k - 1] * x[0];
  }
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i];
  free(w);
  return s;
}
static double with_new(const double *x, int n) {
  auto *w = new double[(size_t)n];
  auto *t = new double(x[0]);
  double s = fill(w, x, n) * *t;
  delete t;
  delete[] w;
  return s;
}
static double with_unique(const double *x, int n) {
  auto w = std::make_unique<double[]>((size_t)n);
  return fill(w.get(), x, n);
}
static double with_vector(const double *x, int n) {
  std::vector<double> w((size_t)n), u;
  double s = fill(w.data(), x, n);
  for (double v : w)
    u.push_back(v * s);
  for (double v : u)
    s += v * v;
  return s;
}
static double with_list(const double *x, int n) {
  std::list<double> l;
  for (int i = 0; i < n; ++i)
    l.push_back(x[i] * x[0]);
  double s = 0;
  for (double v : l)
    s = s * 0.5 + v * v;
  return s;
}
static double with_array(const double *x, int n) {
  double w[n];
  return fill(w, x, n);
}
static double with_arrays(const double *x, int n) {
  double s = 0;
  for (int k = 1; k < n; ++k) {
    double w[k];
    s += fill(w, x, k) * x[k];
    if (s > 1000)
      break;
  }
  return s;
}
static double with_alloca(const double *x, int n) {
  double s = 0;
  for (int k = 1; k < n; ++k) {
    auto *w = static_cast<double *>(alloca(sizeof(double) * (size_t)k));
    s += fill(w, x, k) * x[k];
  }
  return s;
}
NOINLINE static double half(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  double w[n / 2];
  for (int i = 0; i < n / 2; i++)
    w[i] = x[2 * i] * x[2 * i + 1] + sin(x[i]);
  return half(w, n / 2) * half(x, n / 2);
}
static double in_recursion(const double *x, int n) { return half(x, n & 4); }

int main() {
  MODES(slots);
  MODES(indexed<8>);
  MODES(records<4>);
  MODES(frames);
  modes<indexed<2000>>(__LINE__, Times / 100);
  modes<records<2000>>(__LINE__, Times / 100);
  modes<indexed<40000>>(__LINE__, Times / 1000);
  MODES(with_malloc);
  MODES(with_calloc);
  modes<with_realloc, Again::OfForward>(__LINE__);
  MODES(with_new);
  MODES(with_unique);
  modes<with_vector, Again::OfForward>(__LINE__);
  MODES(with_list);
  MODES(with_array);
  MODES(with_arrays);
  MODES(with_alloca);
  modes<in_recursion, Again::OfForward>(__LINE__);
  return finish();
}
