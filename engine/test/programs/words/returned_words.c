#include "../check.h"
// Structures that are returned in integer registers, as their fields are not
// always numbers: the derivative has a number in such a register's place.
// The functions call themselves, or they would be gone before.

typedef union {
  double number;
  long word;
} Cell;
typedef struct {
  double first;
  Cell second;
} Half; // {double, i64}
typedef struct {
  Cell first, second;
} Whole; // {i64, i64}

NOINLINE static Half half(double x, int depth) {
  if (depth > 0) {
    Half h = half(x * 0.9, depth - 1);
    h.first += h.second.number * x;
    return h;
  }
  return (Half){cos(x * x), {.number = sin(x)}};
}
NOINLINE static Whole whole(double x, int depth) {
  if (depth > 0) {
    Whole h = whole(x * 0.9, depth - 1);
    h.first.number += h.second.number * x;
    return h;
  }
  return (Whole){{.number = cos(x * x)}, {.number = sin(x)}};
}
static double f_half(const double *x, int n) {
  Half h = half(x[0], n);
  return h.first * x[1] + h.second.number * 3;
}
static double f_whole(const double *x, int n) {
  Whole h = whole(x[0], n);
  return h.first.number * x[1] + h.second.number * 3;
}

// One of the two is a number, and the other says which.
NOINLINE static Whole tagged(double x, int depth) {
  if (depth > 0) {
    Whole t = tagged(x * 0.9, depth - 1), r;
    if (t.first.word & 1)
      r.second.number = t.second.number * t.second.number;
    else
      r.second.number = t.second.number * x;
    r.first.word = t.first.word + 1;
    return r;
  }
  return (Whole){{.word = 4}, {.number = sin(x)}};
}
static double f_tagged(const double *x, int n) {
  Whole t = tagged(x[0], n);
  return t.second.number * (double)t.first.word * x[1];
}

// Set in part, and chosen between.
NOINLINE static Half part(double x, int depth) {
  Half h;
  h.first = x * x;
  if (depth > 1) {
    Half a = part(x * 0.5, depth - 2), b = half(x, depth);
    return depth & 1 ? a : b;
  }
  if (depth == 1)
    h.second.number = exp(x);
  else
    h.second.word = 0;
  return h;
}
static double f_part(const double *x, int n) {
  Half h = part(x[0], n);
  return h.first * x[1] + sin(h.second.number);
}

// A chain of them.
static double f_chain(const double *x, int n) {
  Half h = {x[0], {.number = x[1]}};
  double sum = 0;
  for (int i = 0; i < n + 2; ++i) {
    Half next = half(h.first * 0.3, i & 1);
    sum += h.second.number * next.first;
    h = h.first > 0.5 ? next : (Half){h.first + 0.25, next.second};
  }
  return sum + h.first;
}

// With derivatives of the program's own: what they give and take are bits.
NOINLINE static Half given(double x) {
  return (Half){x * x, {.number = sin(x)}};
}
typedef struct {
  Half value, tangent;
} HalfDual;
static HalfDual given_forward(double x, double dx) {
  return (HalfDual){given(x), {2 * x * dx, {.number = cos(x) * dx}}};
}
static double given_reverse(double x, Half seed) {
  return 2 * x * seed.first + cos(x) * seed.second.number;
}
NOINLINE static Whole words(double x) {
  return (Whole){{.number = x * x}, {.number = sin(x)}};
}
typedef struct {
  Whole value, tangent;
} WholeDual;
static WholeDual words_forward(double x, double dx) {
  return (WholeDual){words(x),
                     {{.number = 2 * x * dx}, {.number = cos(x) * dx}}};
}
void *__enzyme_register_derivative_given[] = {(void *)given,
                                              (void *)given_forward};
void *__enzyme_register_gradient_given[] = {(void *)given, (void *)given,
                                            (void *)given_reverse};
void *__enzyme_register_derivative_words[] = {(void *)words,
                                              (void *)words_forward};
static double f_given(const double *x, int n) {
  Half h = given(x[0] * n);
  return h.first * x[1] + 3 * h.second.number;
}
static double f_words(const double *x, int n) {
  Whole h = words(x[0] * n);
  return h.first.number * x[1] + 3 * h.second.number;
}

Half __enzyme_fwddiff_half(void *, ...);

#define TEST(F)                                                                \
  for (int n = 2; n <= 4; ++n) {                                               \
    double g[4] = {0};                                                         \
    __enzyme_autodiff_void((void *)F, enzyme_dup, x, g, enzyme_const, n);      \
    GRADIENT(F, x, g, n);                                                      \
    NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, n),       \
         dot(g, v, n), 1e-12);                                                 \
  }
// Forward over reverse.
#ifdef FIRST_ONLY
#define SECOND(F)
#else
#define SECOND(F)                                                              \
  for (int n = 2; n <= 4; ++n) {                                               \
    double g[4] = {0}, h[4] = {0}, ahead[4], back[4];                          \
    __enzyme_fwddiff_void((void *)gradient_##F, enzyme_dup, x, v, enzyme_dup,  \
                          g, h, enzyme_const, n);                              \
    for (int i = 0; i < 4; ++i) {                                              \
      ahead[i] = x[i] + 1e-5 * v[i];                                           \
      back[i] = x[i] - 1e-5 * v[i];                                            \
    }                                                                          \
    double g1[4] = {0}, g0[4] = {0};                                           \
    gradient_##F(ahead, g1, n);                                                \
    gradient_##F(back, g0, n);                                                 \
    for (int i = 0; i < n; ++i)                                                \
      NEAR(h[i], (g1[i] - g0[i]) / 2e-5, 1e-6);                                \
  }
#endif
#define GRADIENT_OF(F)                                                         \
  static UNUSED void gradient_##F(const double *x, double *g, int n) {         \
    __enzyme_autodiff_void((void *)F, enzyme_dup, x, g, enzyme_const, n);      \
  }
GRADIENT_OF(f_half)
GRADIENT_OF(f_whole)
GRADIENT_OF(f_part)
GRADIENT_OF(f_chain)

int main(void) {
  const double x[4] = {0.7, 1.3, -0.2, 0.4}, v[4] = {1, -0.3, 0.2, 0.1};
  TEST(f_half)
  TEST(f_whole)
  TEST(f_tagged)
  TEST(f_part)
  TEST(f_chain)
  TEST(f_given)
  NEAR(__enzyme_fwddiff((void *)f_words, enzyme_dup, x, v, enzyme_const, 2),
       slope(f_words, x, v, 2), 1e-7);
  SECOND(f_half)
  SECOND(f_whole)
  SECOND(f_part)
  SECOND(f_chain)
  // d half(x, 0): -2 x sin(x^2) and cos(x).
  Half d = __enzyme_fwddiff_half((void *)half, enzyme_dup, x[0], 1.0,
                                 enzyme_const, 0);
  NEAR(d.first, -2 * x[0] * sin(x[0] * x[0]), 1e-14);
  NEAR(d.second.number, cos(x[0]), 1e-14);
  return finish();
}
