// Numbers that pass through library functions on other ways than in operands.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
#define REQUEST(f) double r_##f(double x) { return __enzyme_autodiff((void *)f, x); }

// A function of the program's that another file defines, by its type.
double two(double, double) __asm__("div");
double named(double x) { return two(x, 2); }
// CHECK-DAG: library-losses.c:[[@LINE-1]]:{{.*}}: error: no derivative is known for the function 'div'
REQUEST(named)
void three(double *, double *, double *) __asm__("times");
double product(double x) {
  double y;
  three(&x, &x, &y);
  return y;
}
// CHECK-DAG: library-losses.c:[[@LINE-3]]:{{.*}}: error: no derivative is known for the function 'times'
REQUEST(product)
double bessel(double, double) __asm__("y1");
double operands(double x) { return bessel(x, x); }
// CHECK-DAG: library-losses.c:[[@LINE-1]]:{{.*}}: error: no derivative is known for the function 'y1'
REQUEST(operands)
double omp_get_energy(double);
double prefix(double x) { return omp_get_energy(x); }
// CHECK-DAG: library-losses.c:[[@LINE-1]]:{{.*}}: error: no derivative is known for the function 'omp_get_energy'
REQUEST(prefix)

// What it calls, or does itself, sees variables.
static double own;
double shared;
static void squares(void) { own *= own; }
void (*signal(int, void (*)(int)))(int);
static void squaresAt(int number) { squares(); }
double calledBack(double x) {
  own = x;
  signal(10, squaresAt);
  return own;
}
// CHECK-DAG: library-losses.c:[[@LINE-3]]:{{.*}}: error: no derivative is known for the function 'signal'
REQUEST(calledBack)
void step(void);
double stepped(double x) {
  shared = x;
  step();
  return shared;
}
// CHECK-DAG: library-losses.c:[[@LINE-3]]:{{.*}}: error: no derivative is known for the function 'step'
REQUEST(stepped)

// A function of text moves a number's bytes.
char *strncpy(char *, const char *, unsigned long);
double moved(double x) {
  double a = x * x, b = 0;
  strncpy((char *)&b, (const char *)&a, 8);
  return b;
}
// CHECK-DAG: library-losses.c:[[@LINE-3]]:{{.*}}: error: no derivative is known for the function 'strncpy'
REQUEST(moved)

// Text where a number is.
char *strcpy(char *, const char *);
extern char text[];
double covered(double x) {
  double a = x * x;
  strcpy((char *)&a, text);
  return a;
}
// CHECK-DAG: library-losses.c:[[@LINE-3]]:{{.*}}: error: no derivative is known for the function 'strcpy'
REQUEST(covered)
// Not so: it stays in its field.
double beside(double x) {
  struct { char name[8]; double value; } r;
  r.value = x * x;
  strncpy(r.name, text, sizeof r.name);
  strcpy(r.name, text);
  return r.value;
}
REQUEST(beside)

// The end of a thread is its result.
void pthread_exit(void *) __attribute__((noreturn));
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);
static void *ends(void *p) {
  *(double *)p *= *(double *)p;
  pthread_exit(p);
}
double joined(double x) {
  unsigned long t;
  pthread_create(&t, 0, ends, &x);
  pthread_join(t, 0);
  return x;
}
// CHECK-DAG: error: cannot differentiate what other threads compute ('{{pthread_exit|ends}}')
REQUEST(joined)
// CHECK: 9 errors generated
