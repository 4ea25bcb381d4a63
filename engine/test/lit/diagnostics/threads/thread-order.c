// Threads that wait for each other by memory alone: who came first is nowhere
// recorded. In forward mode the tangents wait with the values.
// RUN: not %retro-clang -O2 -g -fopenmp -DREVERSE -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O2 -g -fopenmp -c %s -o /dev/null
#include "request.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_int next, relaxed, counted, done;
static pthread_spinlock_t spin;
static sem_t semaphore;

void own_lock(double *x, const double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // CHECK: thread-order.c:[[@LINE+1]]:12: error: threads may wait for each other here by memory alone, and the reverse pass could not keep their order [retro-thread-order]; to fix it: use a barrier, a lock or a critical region
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
      ;
    x[0] = x[0] * y[i];
    atomic_flag_clear_explicit(&taken, memory_order_release);
  }
}
void flag(double *x, double *y, int *ready) {
#pragma omp parallel sections
  {
#pragma omp section
    {
      x[1] = x[0] * x[0];
      // CHECK: thread-order.c:[[@LINE+1]]:{{.*}}[retro-thread-order]
#pragma omp flush
#pragma omp atomic write
      *ready = 1;
    }
#pragma omp section
    {
      int is = 0;
      while (!is) {
#pragma omp atomic read
        is = *ready;
      }
#pragma omp flush
      y[0] = x[1] * 3;
    }
  }
}
// The last one to come takes what the others have left.
void last(const double *x, double *parts, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    parts[i] = x[i] * x[i];
    // CHECK: thread-order.c:[[@LINE+1]]:9: error: {{.*}}[retro-thread-order]
    if (atomic_fetch_add(&done, 1) == n - 1)
      for (int k = 0; k < n; ++k)
        y[0] += parts[k];
  }
}
void acquired(const double *x, double *y, const int *ready) {
#pragma omp parallel for
  for (int i = 0; i < 2; ++i) {
    // CHECK: thread-order.c:[[@LINE+1]]:12: error: {{.*}}[retro-thread-order]
    while (__atomic_load_n(ready, __ATOMIC_ACQUIRE) < i)
      ;
    y[i] = x[i] * x[i];
  }
}
void fenced(const double *x, double *y, const int *ready) {
#pragma omp parallel for
  for (int i = 0; i < 2; ++i) {
    while (__atomic_load_n(ready, __ATOMIC_RELAXED) < i)
      ;
    // CHECK: thread-order.c:[[@LINE+1]]:5: error: {{.*}}[retro-thread-order]
    atomic_thread_fence(memory_order_acquire);
    y[i] = x[i] * x[i];
  }
}
void lock_of_library(double *x, const double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // CHECK: thread-order.c:[[@LINE+1]]:5: error: cannot differentiate what other threads compute ('pthread_spin_lock')
    pthread_spin_lock(&spin);
    x[0] = x[0] * y[i];
    pthread_spin_unlock(&spin);
  }
}
void waits(double *x, const double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // CHECK: thread-order.c:[[@LINE+1]]:5: error: cannot differentiate what other threads compute ('sem_wait')
    sem_wait(&semaphore);
    x[1] = x[1] * y[i];
    sem_post(&semaphore);
  }
}
void each_after_the_last(const double *x, double *y, int n) {
  // CHECK: thread-order.c:[[@LINE+2]]:3: error: cannot differentiate what other threads compute ('__kmpc_doacross_init')
#pragma omp parallel for ordered(1)
  for (int i = 1; i < n; ++i) {
#pragma omp ordered depend(sink : i - 1)
    y[i] = y[i - 1] * x[i];
#pragma omp ordered depend(source)
  }
}
// What orders nothing: tickets, and a counter that nobody looks at. What one
// thread does alone is in order.
// CHECK-NOT: error:
void counters(const double *x, double *y, int n) {
#pragma omp parallel
  {
    for (int i; (i = atomic_fetch_add_explicit(&relaxed, 1, memory_order_relaxed)) < n;) {
      y[i] = x[i] * x[i];
      atomic_fetch_add(&counted, 1);
    }
  }
  y[n] = x[atomic_fetch_add(&next, 1)];
}

#ifdef REVERSE
#define DERIVATIVE(F, ...) __enzyme_autodiff_void((void *)F, __VA_ARGS__)
#else
#define DERIVATIVE(F, ...) __enzyme_fwddiff_void((void *)F, __VA_ARGS__)
#endif
void all(double *x, double *dx, double *y, double *dy, int *ready, int n) {
  DERIVATIVE(own_lock, x, dx, y, dy, n);
  DERIVATIVE(flag, x, dx, y, dy, enzyme_const, ready);
  DERIVATIVE(last, x, dx, x + n, dx + n, y, dy, n);
  DERIVATIVE(acquired, x, dx, y, dy, enzyme_const, ready);
  DERIVATIVE(fenced, x, dx, y, dy, enzyme_const, ready);
#ifdef REVERSE
  DERIVATIVE(lock_of_library, x, dx, y, dy, n);
  DERIVATIVE(waits, x, dx, y, dy, n);
  DERIVATIVE(each_after_the_last, x, dx, y, dy, n);
#endif
  DERIVATIVE(counters, x, dx, y, dy, n);
}
