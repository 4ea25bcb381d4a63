// A checkpointed loop whose steps could not be run again is refused, at the line.
// RUN: not %retro-clang -O2 -g -I%include -c %s -o /dev/null 2>&1 | FileCheck %s
#include <retrograde/checkpoint.h>
void __enzyme_autodiff(void *, ...);
double sin(double);
void *memcpy(void *, const void *, unsigned long);

// Memory that a step writes and that is no part of the state.
void unnamed(double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    retro_checkpoint(3);
    retro_checkpoint_state(x, 8);
    x[0] = sin(x[0]) * y[1];
    // CHECK-DAG: checkpoint.c:[[@LINE-3]]:{{.*}} note: the derivative of one step is requested in 'unnamed' here
    // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: a step writes memory that is not named as its state
    y[0] *= x[0];
  }
}

// The same through a table of pointers.
void table(double **x, int n) {
  for (int i = 0; i < n; ++i) {
    retro_checkpoint(3);
    retro_checkpoint_state(x[0], 8);
    // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: a step writes memory through an array of pointers
    x[i % 3][0] = sin(x[i % 3][0]);
  }
}

double global;
void unnamed_global(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    retro_checkpoint(3);
    retro_checkpoint_state(x, 8);
    // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: a step writes memory ('global') that is not named
    global = sin(global * x[0]);
    x[0] *= 1.5;
  }
}

// In a loop within, whose own mark does not name it.
void within(double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    retro_checkpoint(3);
    retro_checkpoint_state(x, 8);
    for (int j = 0; j < n; ++j) {
      retro_checkpoint(3);
      retro_checkpoint_state(x, 8);
      retro_checkpoint_state(y, 8);
      x[0] = sin(x[0]) * y[0];
      // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: a step writes memory that is not named
      y[0] *= 1.1;
    }
  }
}

// What the steps read is changed after them.
void changed(double *x, double *k, int n) {
  for (int i = 0; i < n; ++i) {
    retro_checkpoint(3);
    retro_checkpoint_state(x, 8);
    x[0] = sin(x[0]) * k[0];
  }
  // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: memory that its steps may read is written after it
  k[0] = 2;
}

int done(double);
void exits(double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: it is left at more than one place
    retro_checkpoint(3);
    retro_checkpoint_state(x, 8);
    if (x[0] > 7) {
      y[1] = x[0];
      return;
    }
    x[0] = sin(x[0]);
  }
  y[0] = x[0];
}

void late(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: something is done in a step before its marks
    x[0] = sin(x[0]);
    retro_checkpoint(3);
    retro_checkpoint_state(x, 8);
  }
}

void sometimes(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    if (i & 1)
      // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: the mark is not reached in every step
      retro_checkpoint(3);
    x[0] = sin(x[0]);
  }
}

void no_loop(double *x) {
  // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: retro_checkpoint stands in no loop; put it first in the loop's body [retro-checkpoint]; to fix it: write the marks as docs/checkpointing.md says
  retro_checkpoint(3);
  x[0] = sin(x[0]);
}

__attribute__((noinline)) static void inner(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot checkpoint this loop: the mark stands in a function that the differentiated one calls
    retro_checkpoint(3);
    x[0] = sin(x[0]);
  }
}
void called(double *x, int n) { inner(x, n); }

void copied(const double *x, double *y, int n) {
  char u[512];
  memcpy(u, x, 512);
  for (int i = 0; i < n; ++i) {
    retro_checkpoint(3);
    // CHECK-DAG: checkpoint.c:[[@LINE+1]]:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
    memcpy(&u[8 * i], &u[8 * i + 8], 8);
  }
  memcpy(y, u, 512);
}

void all(double **x, double **dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)unnamed, *x, *dx, y, dy, n);
  __enzyme_autodiff((void *)table, x, dx, n);
  __enzyme_autodiff((void *)unnamed_global, *x, *dx, n);
  __enzyme_autodiff((void *)within, *x, *dx, y, dy, n);
  __enzyme_autodiff((void *)changed, *x, *dx, y, dy, n);
  __enzyme_autodiff((void *)exits, *x, *dx, y, dy, n);
  __enzyme_autodiff((void *)late, *x, *dx, n);
  __enzyme_autodiff((void *)sometimes, *x, *dx, n);
  __enzyme_autodiff((void *)no_loop, *x, *dx);
  __enzyme_autodiff((void *)called, *x, *dx, n);
  __enzyme_autodiff((void *)copied, *x, *dx, y, dy, n);
}
