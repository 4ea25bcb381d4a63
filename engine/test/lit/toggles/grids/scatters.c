// scatters: iterations that store to places which are looked up may store to
// one place, but the order does not count where what they store depends on the
// place alone. Not where it depends on the iteration, where the loop reads what
// it stores, or where no arithmetic is spared.
// RUN: clang -O2 -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt %t.ll -o %t.out -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.out
// RUN: %retro-opt %t.ll -retro-scatters=0 | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O2 %s -S -o /dev/null -Rpass=loop-vectorize 2>&1 | FileCheck --check-prefix=VECTORS %s
// RUN: %retro-clang -O1 %s -S -o /dev/null -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NONE %s
// The same numbers, to the last bit, also in places that are stored to twice.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.on && %t.on > %t.vectors
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-scatters=0 && %t.off > %t.none
// RUN: diff %t.vectors %t.none
// RUN: FileCheck --check-prefix=RESULT %s < %t.vectors
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);
typedef const double *restrict in;
typedef double *restrict out;

#define STEP p = p * a + s * (b - 0.3 * p), s = s * b - p * (a + 0.2 * s)
#define ARGUMENTS int n, const int *restrict at, in x, in w, out y
#define BODY(A, B)                                                             \
  double a = A, b = B, p = a * b, s = a - b;                                   \
  STEP, STEP, STEP, STEP;

// ON-LABEL: define internal {{.*}}@gradient_filled(
// ON: for.body:
// ON: store double {{.*}}!llvm.access.group [[GROUP:![0-9]+]]
// ON: br i1 {{.*}}label %for.body, !llvm.loop [[LOOP:![0-9]+]]
// Its reverse: a seed is read once, by the last iteration that stored there.
// ON: rev.for.body
// ON-NOT: access.group
// ON-LABEL: define internal {{.*}}@gradient_chosen(
// ON: !llvm.access.group
// ON-LABEL: define internal {{.*}}@gradient_words(
// ON: !llvm.access.group
// ON-LABEL: define internal {{.*}}@gradient_counted(
// ON-NOT: !llvm.access.group
// ON-DAG: [[PARALLEL:![0-9]+]] = !{!"llvm.loop.parallel_accesses", [[GROUP]]}
// ON-DAG: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[PARALLEL]]}
// NUMBER: retro-counter scatters 3
// NONE: retro-counter scatters 0
// OFF-NOT: parallel_accesses
static void filled(ARGUMENTS) {
  // VECTORS: scatters.c:[[@LINE+1]]:{{.*}}vectorized loop (vectorization width: 2
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k + 1])
    y[k] = s * p;
  }
}

// By what decides, too.
static void chosen(ARGUMENTS) {
  // VECTORS: scatters.c:[[@LINE+1]]:{{.*}}vectorized loop (vectorization width: 2
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k])
    STEP, STEP;
    double more = s;
    if (w[k] > 0.5)
      more = s / (1 + p * p) - p / (2 + s * s);
    y[k] = more * p;
  }
}

// The index is a word.
static void words(ARGUMENTS) {
  const long *list = (const long *)at;
  // VECTORS: scatters.c:[[@LINE+1]]:{{.*}}vectorized loop (vectorization width: 2
  for (int i = 0; i < n; ++i) {
    const long k = list[i];
    BODY(x[k], w[k])
    y[k] = s * p;
  }
}

// By the iteration's number, by what is in its row, or by whether that decides.
static void counted(ARGUMENTS) {
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k])
    y[k] = s * p * i;
  }
}
static void rows(ARGUMENTS) {
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[i])
    y[k] = s * p;
  }
}
static void decided(ARGUMENTS) {
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k])
    STEP, STEP;
    double more = s;
    if (w[i] > 0.5)
      more = s / (1 + p * p) - p / (2 + s * s);
    y[k] = more * p;
  }
}
// By what another iteration left.
static void last(ARGUMENTS) {
  double before = 0;
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k])
    y[k] = s * p + before;
    before = s;
  }
}
static void read(int n, const int *restrict at, in x, in w, double *y) {
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], y[k])
    y[k] = s * p;
  }
}
// Places of two indices overlap.
static void halves(ARGUMENTS) {
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k])
    *(double *)((char *)y + 4 * (long)k) = s * p;
  }
}
// The place depends on two.
static void sums(ARGUMENTS) {
  for (int i = 0; i < n; ++i) {
    const long k = at[i], l = at[n + i];
    BODY(x[k], w[k])
    y[k + l] = s * p;
  }
}
static void others(ARGUMENTS) {
  for (int i = 0; i < n; ++i) {
    const long k = at[i], l = at[n + i];
    BODY(x[l], w[l])
    y[k + l] = s * p;
  }
}
// Places in a row overlap.
typedef double Half __attribute__((aligned(4)));
static void steps(ARGUMENTS, char *restrict z) {
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k])
    y[k] = s * p;
    *(Half *)(z + 4 * i) = s;
  }
}
// It would be a branch for each.
static void sometimes(ARGUMENTS) {
  for (int i = 0; i < n; ++i) {
    const int k = at[i];
    BODY(x[k], w[k])
    if (w[k] > 0.5)
      y[k] = s * p;
  }
}
static void copied(ARGUMENTS) {
  for (int i = 0; i < n; ++i)
    y[at[i]] = x[at[i]];
}

#define REQUEST(Name)                                                          \
  void do_##Name(int n, const int *at, const double *x, double *dx,            \
                 const double *w, double *y, double *dy) {                     \
    __enzyme_autodiff((void *)Name, n, enzyme_const, at, x, dx, enzyme_const,  \
                      w, y, dy);                                               \
  }
REQUEST(filled)
REQUEST(chosen)
REQUEST(words)
REQUEST(counted)
REQUEST(rows)
REQUEST(decided)
REQUEST(last)
REQUEST(read)
REQUEST(halves)
REQUEST(sums)
REQUEST(others)
REQUEST(sometimes)
REQUEST(copied)
void do_steps(int n, const int *at, const double *x, double *dx,
              const double *w, double *y, double *dy, char *z) {
  __enzyme_autodiff((void *)steps, n, enzyme_const, at, x, dx, enzyme_const, w,
                    y, dy, enzyme_const, z);
}

#ifdef MAIN
int printf(const char *, ...);
static void (*const gradients[])(int, const int *, const double *, double *,
                                 const double *, double *, double *) = {
    do_filled, do_chosen, do_words, do_counted, do_rows, do_decided, do_last};
// RESULT-COUNT-560: 0x{{[01]}}.
int main(void) {
  enum { nodes = 40, most = 203 };
  double x[nodes], dx[nodes], w[most], y[nodes], dy[nodes];
  int at[most];
  long list[most];
  unsigned seed = 3;
  for (int i = 0; i < most; ++i) {
    seed = seed * 1664525u + 1013904223u;
    list[i] = at[i] = (int)((seed >> 16) % nodes);
    w[i] = (seed >> 8) % 100 / 100.0;
  }
  for (int which = 0; which < 7; ++which) {
    for (int i = 0; i < nodes; ++i) {
      x[i] = 0.3 + 0.01 * i;
      y[i] = 0;
      dx[i] = 0;
      dy[i] = 1.0 / (1 + i % 77);
    }
    gradients[which](most, which == 2 ? (const int *)list : at, x, dx, w, y,
                     dy);
    for (int i = 0; i < nodes; ++i)
      printf("%a\n%a\n", y[i], dx[i]);
  }
}
#endif
