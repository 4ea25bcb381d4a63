// How each adjoint is added to shadow memory, and that nothing is called
// exclusive that is not.
// RUN: %retro-clang -O2 -fopenmp -c %s -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck %s
#include "request.h"

// Three numbers an iteration, none of them another iteration's.
// CHECK-LABEL: plan for affine.omp_outlined
// CHECK-COUNT-3: exclusive: affine
// CHECK-NOT: add to shadow
void affine(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i)
    y[i] = x[3 * i] + x[3 * i + 1] * x[3 * i + 2];
}
// Memory that is only read may have two names, restrict or not.
// CHECK-LABEL: plan for only_read.omp_outlined
// CHECK: : exclusive: affine, if apart
// CHECK: : exclusive: affine, if apart
// CHECK-NOT: add to shadow
void only_read(const double *restrict x, const double *restrict z, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * z[i + 1];
}
// And what is written has one; the factors are everybody's.
// CHECK-LABEL: plan for written.omp_outlined
// CHECK-DAG: exclusive: affine
// CHECK-DAG: : combined
// CHECK-NOT: add to shadow
void written(double *restrict x, double *restrict y, const double *restrict p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * p[i & 1];
  x[0] = 0;
}
// The caller may pass the same memory twice.
// CHECK-LABEL: plan for twice.omp_outlined
// CHECK: : exclusive: affine, if apart
// CHECK: : exclusive: affine, if apart
// CHECK-NOT: add to shadow
void twice(const double *x, const double *z, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * z[i];
}
// What a neighbour reads too.
// CHECK-LABEL: plan for neighbours.omp_outlined
// CHECK: : combined
// CHECK: : combined
// CHECK-NOT: add to shadow
void neighbours(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 1; i < n; ++i)
    y[i] = x[i] * x[i - 1];
}
// Two loops with nothing between them: the shares may differ.
// CHECK-LABEL: plan for nowait.omp_outlined
// CHECK: : combined
// CHECK: : combined
// CHECK-NOT: add to shadow
void nowait(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[n + i] = x[i] * x[i];
  }
}
// And with a barrier between them, one share after the other.
// CHECK-LABEL: plan for phases.omp_outlined
// CHECK: affine
// CHECK: affine
// CHECK: affine
// CHECK-NOT: add to shadow
void phases(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[n + i] = x[i] * y[i];
  }
}
// Every thread runs all iterations.
// CHECK-LABEL: plan for unshared.omp_outlined
// CHECK: : combined
// CHECK-NOT: add to shadow
void unshared(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel
  for (int i = 0; i < n; ++i)
#pragma omp atomic
    y[0] += x[i] * x[i];
}
// Every thread of a team is a team.
// CHECK-LABEL: plan for nested.omp_outlined.omp_outlined
// CHECK: atomic
void nested(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
#pragma omp atomic
    y[i] += x[i] * x[i];
}
// In place: nobody else reads it before it is overwritten.
// CHECK-LABEL: plan for in_place.omp_outlined
// CHECK: exclusive: overwritten
// CHECK-NOT: add to shadow
void in_place(double *restrict x, const int *at, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    x[at[i]] = x[at[i]] * x[at[i]];
}
// Read by all, and written in the next phase: what a thread has for it, it hands
// over before it takes it, and at the barrier.
// CHECK-LABEL: plan for overwritten_later.omp_outlined
// CHECK: : combined
// CHECK: hand over all: call
// CHECK-NOT: hand over
// CHECK: reverse
void overwritten_later(double *restrict x, const int *restrict at, double *restrict y, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = x[at[i]];
#pragma omp for
    for (int i = 0; i < n; ++i)
      x[i] = 0;
  }
}
// What is written may be what is read, by another name.
// CHECK-LABEL: plan for other_name.omp_outlined
// CHECK: : combined
// CHECK: hand over the shadow of
void other_name(const double *x, double *y, const int *restrict at, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[at[i]];
}
// Memory of the iteration is gone at the end of the region.
// CHECK-LABEL: plan for own.omp_outlined
// CHECK-DAG: : combined
// CHECK-DAG: atomic
// CHECK-LABEL: plan for
void own(const double *restrict x, const int *restrict at, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double mine[2] = {x[at[i]], x[0]};
    const double *p = at[i] & 4 ? mine + (at[i] & 1) : x;
    y[i] = p[at[i] & 1];
  }
}
// The iterations' own place is added to plainly in the other phase: what other
// threads have for it came at the barrier.
// CHECK-LABEL: plan for two_ways.omp_outlined
// CHECK-DAG: exclusive: affine
// CHECK-DAG: : combined
// CHECK: reverse
void two_ways(const double *restrict x, const int *restrict at, double *restrict y, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[n + i] = x[at[i]];
  }
}
// Threads that meet at a lock look at what others have written.
// CHECK-LABEL: plan for locked.omp_outlined
// CHECK-NOT: combined
// CHECK: atomic
// CHECK-NOT: combined
// CHECK: reverse
void locked(double *x, const int *at, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
#pragma omp critical
  {
    y[i] = x[at[i]];
    x[at[i + 1]] = y[i] * y[i];
  }
}
// What a function writes that the threads call.
// CHECK-LABEL: plan for calls.omp_outlined
// CHECK: : combined
// CHECK: hand over all: call
// CHECK: reverse
static void put(double *x, double v, int n) {
  if (n > 0)
    put(x + 1, v, n - 1);
  *x = v * v * n;
}
void calls(double *x, const int *at, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    put(y + i, x[at[i]], at[0]);
}
// What is loaded may be memory that another thread gave away.
// CHECK-LABEL: plan for published.omp_outlined
// CHECK-NOT: combined
// CHECK: atomic
// CHECK-NOT: combined
// CHECK: reverse
void published(const double *x, double **places, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double mine[4] = {x[i], x[i + 1], 1, 2};
    __atomic_store_n(places + i, mine, __ATOMIC_RELAXED);
    const double *other;
    while (!(other = __atomic_load_n(places + (i ^ 1), __ATOMIC_RELAXED)))
      ;
    y[i] = other[i & 3];
    while (__atomic_load_n(places + i, __ATOMIC_RELAXED))
      ;
  }
}
#define GRADIENT(F, ...) __enzyme_autodiff_void((void *)F, __VA_ARGS__)
void all(double *x, double *dx, double *y, double *dy, int n, int *at, double **places, double **dplaces) {
  GRADIENT(affine, x, dx, y, dy, n);
  GRADIENT(only_read, x, dx, x, dx, y, dy, n);
  GRADIENT(written, x, dx, y, dy, x + n, dx + n, n);
  GRADIENT(twice, x, dx, x, dx, y, dy, n);
  GRADIENT(neighbours, x, dx, y, dy, n);
  GRADIENT(nowait, x, dx, y, dy, n);
  GRADIENT(phases, x, dx, y, dy, n);
  GRADIENT(unshared, x, dx, y, dy, n);
  GRADIENT(nested, x, dx, y, dy, n);
  GRADIENT(in_place, x, dx, enzyme_const, at, n);
  GRADIENT(overwritten_later, x, dx, enzyme_const, at, y, dy, n);
  GRADIENT(other_name, x, dx, y, dy, enzyme_const, at, n);
  GRADIENT(own, x, dx, enzyme_const, at, y, dy, n);
  GRADIENT(two_ways, x, dx, enzyme_const, at, y, dy, n);
  GRADIENT(locked, x, dx, enzyme_const, at, y, dy, n);
  GRADIENT(calls, x, dx, enzyme_const, at, y, dy, n);
  GRADIENT(published, x, dx, places, dplaces, y, dy, n);
}
