// What an augmented function may return: nothing, only a tape, only the result,
// or both in either order and in a struct of the program's own.
#include "../check.h"

typedef struct {
  double value;
  int tape;
} value_first;
typedef struct {
  void *tape;
  double value;
} tape_first;
typedef struct {
  double value, more[2];
  void *tape;
} three;
typedef struct {
  double a, b;
} two;

static int calls, forward_calls;

// Nothing: the function itself gives the result where it is read.
static NOINLINE double silent(double x) { return ++calls, x * x; }
static void silent_forward(double x) { (void)x, ++forward_calls; }
static double silent_reverse(double x, double g) { return 20 * x * g; }
void *__enzyme_register_gradient_silent[3] = {
    (void *)silent, (void *)silent_forward, (void *)silent_reverse};

// Only a tape.
static NOINLINE float taped(float x) { return x * x * x; }
static int *taped_forward(float x) {
  int *tape = (int *)malloc(sizeof *tape);
  *tape = (int)x;
  return tape;
}
static float taped_reverse(float x, float g, int *tape) {
  float r = 30 * x * (float)*tape * g;
  free(tape);
  return r;
}
void *__enzyme_register_gradient_taped[3] = {
    (void *)taped, (void *)taped_forward, (void *)taped_reverse};

// Only a tape, and the function reads memory.
static NOINLINE double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
static long norm_forward(const double *x, double *dx, int n, int same) {
  (void)x, (void)dx, (void)same;
  return n + 1;
}
static void norm_reverse(const double *x, double *dx, int n, int same, double g,
                         long tape) {
  (void)same;
  for (int i = 0; i < n; ++i)
    dx[i] += 10 * g * x[i] * (double)tape;
}
void *__enzyme_register_gradient_norm[3] = {(void *)norm, (void *)norm_forward,
                                            (void *)norm_reverse};

// Only the result.
static NOINLINE double plain(double x) { return sin(x); }
static double plain_forward(double x) { return ++forward_calls, sin(x); }
static double plain_reverse(double x, double g) { return 10 * cos(x) * g; }
void *__enzyme_register_gradient_plain[3] = {
    (void *)plain, (void *)plain_forward, (void *)plain_reverse};

// The result, then the tape, in registers.
static NOINLINE double cube(double x) { return x * x * x; }
static value_first cube_forward(double x) {
  value_first r = {x * x * x, (int)x + 1};
  return r;
}
static double cube_reverse(double x, double g, int tape) {
  return 3 * x * x * g * tape;
}
void *__enzyme_register_gradient_cube[3] = {(void *)cube, (void *)cube_forward,
                                            (void *)cube_reverse};

// The tape, then the result.
static NOINLINE double fourth(double x) { return x * x * x * x; }
static tape_first fourth_forward(double x) {
  tape_first r = {malloc(sizeof x), x * x * x * x};
  *(double *)r.tape = x + 1;
  return r;
}
static double fourth_reverse(double x, double g, void *tape) {
  double r = 4 * x * x * g * *(double *)tape;
  free(tape);
  return r;
}
void *__enzyme_register_gradient_fourth[3] = {
    (void *)fourth, (void *)fourth_forward, (void *)fourth_reverse};

// The result in memory, then the tape.
typedef struct {
  double of[3];
} triple;
static NOINLINE triple powers(double x) {
  triple t = {{x, x * x, x * x * x}};
  return t;
}
static three powers_forward(double x) {
  three r = {x, {x * x, x * x * x}, malloc(1)};
  return r;
}
static double powers_reverse(double x, triple g, void *tape) {
  free(tape);
  return 10 * (g.of[0] + 2 * x * g.of[1] + 3 * x * x * g.of[2]);
}
void *__enzyme_register_gradient_powers[3] = {
    (void *)powers, (void *)powers_forward, (void *)powers_reverse};

// A result of the tape's type: the tape comes first.
static NOINLINE double same(double x) { return x * x; }
static two same_forward(double x) {
  two r = {x + 1, x * x};
  return r;
}
static double same_reverse(double x, double g, double tape) {
  return x * tape * g;
}
void *__enzyme_register_gradient_same[3] = {(void *)same, (void *)same_forward,
                                            (void *)same_reverse};

// A derivative of a function that is only declared here.
double declared(double) __asm__("cbrt");
static double declared_reverse(double x, double g) { return 7 * x * g; }
void *__enzyme_register_gradient_declared[3] = {(void *)declared, NULL,
                                                (void *)declared_reverse};
static two declared_tangent(double x, double t) {
  two r = {declared(x), 7 * x * t};
  return r;
}
void *__enzyme_register_derivative_declared[2] = {(void *)declared,
                                                  (void *)declared_tangent};

static double read_silent(double x) { return silent(x) * silent(x + 1); }
static double unread_silent(double x) {
  silent(x);
  return x * x;
}
static double looped_silent(double x) {
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += silent(x + i) * (i + 1);
  return s;
}
static double read_taped(double x) {
  float r = taped((float)x);
  return r * (double)r;
}
static double read_norm(const double *x, int n) {
  double r = norm(x, n);
  return r * r;
}
/// The square of what a function gives.
#define READ(Function)                                                         \
  static double read_##Function(double x) {                                    \
    double r = Function(x);                                                    \
    return r * r;                                                              \
  }
READ(plain)
READ(cube)
READ(fourth)
READ(same)
static double read_powers(double x) {
  triple t = powers(x);
  return t.of[0] * t.of[1] + t.of[2];
}
static double read_declared(double x) { return declared(x) * x; }

int main(void) {
  NEAR(__enzyme_autodiff((void *)read_silent, enzyme_out, 2.0),
       20 * 2 * 9 + 20 * 3 * 4, 0);
  NEAR(__enzyme_autodiff((void *)looped_silent, enzyme_out, 2.0),
       20 * (2 + 3 * 2 + 4 * 3), 0);
  calls = forward_calls = 0;
  NEAR(__enzyme_autodiff((void *)unread_silent, enzyme_out, 2.0), 4, 0);
  NEAR(calls + forward_calls, 1, 0);
  NEAR(__enzyme_autodiff((void *)silent, enzyme_out, 2.0), 40, 0);
  NEAR(__enzyme_autodiff((void *)read_taped, enzyme_out, 2.0),
       2 * 8 * 30 * 2 * 2, 0);
  double x[2] = {3, 4}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)read_norm, enzyme_dup, x, dx, enzyme_const, 2);
  NEAR(dx[0], 2 * 25 * 10 * 3 * 3, 0);
  NEAR(dx[1], 2 * 25 * 10 * 4 * 3, 0);
  NEAR(__enzyme_autodiff((void *)read_plain, enzyme_out, 2.0),
       20 * sin(2) * cos(2), 1e-14);
  NEAR(__enzyme_autodiff((void *)read_cube, enzyme_out, 2.0), 2 * 8 * 12 * 3,
       0);
  NEAR(__enzyme_autodiff((void *)read_fourth, enzyme_out, 2.0), 2 * 16 * 16 * 3,
       0);
  NEAR(__enzyme_autodiff((void *)read_powers, enzyme_out, 2.0),
       10 * (4 + 2 * 4 + 12), 0);
  NEAR(__enzyme_autodiff((void *)read_same, enzyme_out, 2.0), 2 * 4 * 2 * 3, 0);
  NEAR(__enzyme_autodiff((void *)read_declared, enzyme_out, 8.0), 7 * 8 * 8 + 2,
       1e-14);
  NEAR(__enzyme_fwddiff((void *)read_declared, enzyme_dup, 8.0, 3.0),
       3 * (7 * 8 * 8 + 2), 1e-14);
  return finish();
}
