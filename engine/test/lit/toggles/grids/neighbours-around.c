// neighbours, where indices go on at the grid's other end: whatever form they
// are written in, the adjoint reads what the four neighbours give, and the rows'
// first and last iterations are taken out of the loops of both passes. A
// periodic and a clamped index are not the two ways of one direction.
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters -DBY=0 2>&1 | FileCheck --check-prefixes=FOUR %s
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters -DBY=1 2>&1 | FileCheck --check-prefixes=FOUR %s
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters -DBY=2 2>&1 | FileCheck --check-prefixes=FOUR %s
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters -DBY=3 2>&1 | FileCheck --check-prefixes=NONE %s
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -DBY=1 | FileCheck --check-prefix=CODE %s
// FOUR: retro-counter neighbours 4
// FOUR: retro-counter stencil 2
// NONE: retro-counter neighbours 0

// CODE-LABEL: define {{.*}} @gradient_diffuse(
// CODE-NOT: rem i
// CODE: {{^}$}}
double __enzyme_autodiff(void *, ...);
double sin(double), exp(double);

#if BY == 0
#define NEXT(i) ((i) + 1 == n ? 0 : (i) + 1)
#define PRIOR(i) ((i) == 0 ? n - 1 : (i)-1)
#elif BY == 1
#define NEXT(i) (((i) + 1) % n)
#define PRIOR(i) (((i) + n - 1) % n)
#elif BY == 2
#define NEXT(i) ((i) < n - 1 ? (i) + 1 : 0)
#define PRIOR(i) ((i) > 0 ? (i)-1 : n - 1)
#else
#define NEXT(i) ((i) < n - 1 ? (i) + 1 : n - 1)
#define PRIOR(i) ((i) > 0 ? (i)-1 : n - 1)
#endif
int size;

static void diffuse(const double *restrict u, double *restrict out) {
  const int n = size;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out[i * n + j] =
          0.2 * (u[PRIOR(i) * n + j] + u[NEXT(i) * n + j] +
                 u[i * n + PRIOR(j)] + u[i * n + NEXT(j)]) +
          sin(u[i * n + j]) * exp(u[i * n + j]);
}

void gradient(double *u, double *du, double *out, double *dout) {
  __enzyme_autodiff((void *)diffuse, u, du, out, dout);
}
