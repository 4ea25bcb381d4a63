// loop-checkpoints: a loop of small local state whose tape may become large is
// there twice, taped and checkpointed; without it, or where it cannot be run
// again from its state, once.
// RUN: %retro-clang -O2 -fno-math-errno -S -emit-llvm %s -o %t.on -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: FileCheck --check-prefix=CODE %s < %t.on
// RUN: %retro-clang -O2 -fno-math-errno -S %s -o /dev/null -mllvm -retro-loop-checkpoints=0 -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O2 -fno-math-errno -S %s -o /dev/null -mllvm -retro-checkpoint-above=9000000000000 -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefix=NEVER %s
// RUN: %retro-clang -O2 -fno-math-errno -S %s -o /dev/null -mllvm -retro-preopt=0 -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=EARLY %s
// RUN: %retro-clang -O0 -S %s -o /dev/null -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=EARLY %s
// EARLY: retro-counter loop-checkpoints 0
// OFF-NOT: checkpointed above
double sin(double);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_width, enzyme_dup, enzyme_out;

// ON: loop %{{.*}}: checkpointed above 1073741824 bytes, 24 bytes an iteration
// ON: plan for state.by_steps.step (root)
// ON: plan for state.by_steps (root)
// The call that runs the steps has a tape, and no result that would have a name.
// ON: cache tape of call @state.by_steps.checkpointed : ptr in slot
// CODE-LABEL: define internal {} @gradient_state.by_steps(
// CODE: icmp {{.*}}ugt i64 %{{.*}}, 44739242
// CODE: call ptr @__retro_checkpoint_forward(
// OFF: plan for state (root)
// NEVER: checkpointed above 9000000000000 bytes
static double state(const double *p, long n) {
  double x = p[0], y = p[1];
  for (long t = 0; t < n; ++t) {
    double old = x;
    x = x + p[2] * sin(y);
    y = y - p[3] * old;
  }
  return x * y;
}

// The loop within runs m times: 8 bytes in each, and the state.
// ON: loop %{{.*}}: checkpointed above 1073741824 bytes, 264 bytes an iteration
// ON: plan for nest.by_steps (root)
static double nest(const double *p, long n, long m) {
  double x = p[0], y = p[1], z = p[2];
  for (long t = 0; t < n; ++t) {
    for (long k = 0; k < m; ++k) {
      x = x * (1 - p[4] * y * z);
      y = y * x;
    }
    z = z * p[3];
  }
  return x * z;
}

// So many trips do not happen: at most 2^31 of 24 bytes are less than those.
// ON: loop %{{.*}}: checkpointed above 1073741824 bytes, 24 bytes an iteration
// NEVER-NOT: plan for few.by_steps
// NEVER: plan for few (root)
static double few(const double *p, int n) {
  double x = p[0], y = p[1];
  for (int t = 0; t < n; ++t) {
    double old = x;
    x = x + p[2] * sin(y);
    y = y - p[3] * old;
  }
  return x * y;
}

// What follows is left alone. It writes somebody's memory:
// ON-NOT: checkpointed above
// ON: plan for writes (root)
static double writes(const double *p, double *path, long n) {
  double x = p[0], y = p[1];
  for (long t = 0; t < n; ++t) {
    x = x + p[2] * sin(y);
    y = y - p[3] * x;
    path[t] = y;
  }
  return x * y;
}

// It reads what is written after it:
// ON: plan for rewrites (root)
static double rewrites(double *p, long n, long m) {
  double x = p[0], y = p[1];
  for (long t = 0; t < n; ++t) {
    x = x + p[2 + t % m] * sin(y);
    y = y - p[3] * x;
  }
  p[3] = x;
  return x * y;
}

// It has two ways out:
// ON: plan for leaves (root)
static double leaves(const double *p, long n) {
  double x = p[0], y = p[1];
  for (long t = 0; t < n; ++t) {
    x = x + p[2] * sin(y);
    if (x > p[4])
      break;
    y = y - p[3] * x;
  }
  return x * y;
}

// Nobody knows how long it runs:
// ON: plan for until (root)
static double until(const double *p) {
  double x = p[0], y = p[1];
  do {
    x = x + p[2] * sin(y);
    y = y - p[3] * x;
  } while (x * y < p[4]);
  return x * y;
}

// The tape is less than what it reads:
// ON: plan for walks (root)
static double walks(const double *p, long n) {
  double x = 1, y = 2;
  for (long t = 0; t < n; ++t) {
    x = x + p[2 * t] * sin(y);
    y = y - p[2 * t + 1] * x;
  }
  return x * y;
}

// There is no tape:
// ON: plan for adds (root)
static double adds(const double *p, long n) {
  double x = 0;
  for (long t = 0; t < n; ++t)
    x += p[t % 3];
  return x;
}

// A pointer goes from step to step:
// ON: plan for points (root)
static double points(const double *p, const double *q, long n) {
  double x = *p, y = *q;
  for (long t = 0; t < n; ++t) {
    const double *other = p;
    x = x + *p * sin(y);
    y = y - *q * x;
    p = q;
    q = other;
  }
  return x * y;
}

// This gradient is differentiated:
// ON: plan for inner (root)
static double inner(double a, long n) {
  double x = a, y = a, z = a;
  for (long t = 0; t < n; ++t) {
    x = x * y * z;
    y = y * (1 - x * z);
    z = z * 0.5 + x;
  }
  return x * y;
}
static double slope(double a, long n) {
  return __enzyme_autodiff((void *)inner, a, n);
}

// And in vector mode there is none of it:
// ON: plan for state (root)
// ON: retro-counter loop-checkpoints 3
// OFF: retro-counter loop-checkpoints 0
double all(double *p, double *d, double *e, long n, long m) {
  __enzyme_autodiff((void *)state, p, d, n);
  __enzyme_autodiff((void *)nest, p, d, n, m);
  __enzyme_autodiff((void *)few, p, d, (int)n);
  __enzyme_autodiff((void *)writes, p, d, p + 100, d + 100, n);
  __enzyme_autodiff((void *)rewrites, p, d, n, m);
  __enzyme_autodiff((void *)leaves, p, d, n);
  __enzyme_autodiff((void *)until, p, d);
  __enzyme_autodiff((void *)walks, p, d, n);
  __enzyme_autodiff((void *)adds, p, d, n);
  __enzyme_autodiff((void *)points, p, d, e, p, n);
  double s = __enzyme_fwddiff((void *)slope, 0.5, 1.0, n);
  __enzyme_autodiff((void *)state, enzyme_width, 2, enzyme_dup, p, d, e, n);
  return s;
}
