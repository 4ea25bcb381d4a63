// strip-parts: a strip of more operations than fit the first-level cache as
// code runs in parts, each for all its iterations. Between them what one has
// computed for the other is in memory; places and counters are computed again.
// Not where it is too much that would lie between them.
// RUN: clang -O2 -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt %t.ll -o %t.out -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.out
// RUN: %retro-opt %t.ll -retro-strip-parts=0 | FileCheck --check-prefix=OFF %s
// All parts are in vectors.
// RUN: %retro-clang -O2 %s -S -o /dev/null -Rpass=loop-vectorize 2>&1 | FileCheck --check-prefix=VECTORS %s
// The same numbers: to the last bit, where no sums may be reordered.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.on -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: %t.on > %t.parts
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-strip-parts=0 && %t.off > %t.none
// RUN: diff %t.parts %t.none
// RUN: FileCheck --check-prefix=RESULT %s < %t.parts
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
typedef const double *restrict in;
typedef double *restrict out;

#define STEP p = p * a + s * (b - 0.3 * p), s = s * b - p * (a + 0.2 * s)
#define FOUR STEP, STEP, STEP, STEP
#define LINEAR p = 0.9 * p + 0.1 * s, s = 1.1 * s - 0.2 * p
#define LINEAR4 LINEAR, LINEAR, LINEAR, LINEAR
#define LINEAR16 LINEAR4, LINEAR4, LINEAR4, LINEAR4
#define LINEAR64 LINEAR16, LINEAR16, LINEAR16, LINEAR16
#define CHAIN(FACTOR)                                                          \
  {                                                                            \
    double a = FACTOR * x[at[2 * i]], b = x[at[2 * i + 1]], p = a * b,         \
           s = a - b;                                                          \
    FOUR, FOUR, FOUR;                                                          \
    sum += s * p;                                                              \
  }

// ON-LABEL: define internal {{.*}}@gradient_mixed(
// The list is not needed in the second part.
// ON-NOT: alloca [{{[0-9]+}} x i32]
// ON: %between{{.*}} = alloca [{{[0-9]+}} x double], align 64
// ON-NOT: alloca [{{[0-9]+}} x i32]
// ON: strip:
// ON: br label %for.body
// ON: for.body:
// ON: [[COUNT:%count.*]] = phi i64 [ 0, %strip ], [ [[NEXT:%.+]], %for.body ]
// ON: [[PLACE:%.+]] = getelementptr inbounds double, ptr %between{{[0-9]*}}, i64 [[COUNT]]
// ON-NEXT: store double {{%.+}}, ptr [[PLACE]], align 8, !llvm.access.group
// ON: [[NEXT]] = add nuw nsw i64 [[COUNT]], 1
// ON-NEXT: [[MORE:%.+]] = icmp ult i64 [[NEXT]], %length
// ON: br i1 [[MORE]], label %for.body, label %between, !llvm.loop [[LOOP:![0-9]+]]
// ON: between:
// ON: br label %part
// ON: part:
// ON: [[AGAIN:%count.*]] = phi i64 [ 0, %between ]
// ON: [[PLACE:%.+]] = getelementptr inbounds double, ptr %between{{[0-9]*}}, i64 [[AGAIN]]
// ON-NEXT: load double, ptr [[PLACE]], align 8, !llvm.access.group
// ON: br i1 {{%.+}}, label %part, label %strip.done, !llvm.loop
// ON: strip.add:
// ON-LABEL: define internal {{.*}}@gradient_linear(
// ON: br i1 {{%.+}}, label %rev.for.body, label %between, !llvm.loop
// ON: br i1 {{%.+}}, label %part, label %between{{[0-9]+}}, !llvm.loop
// ON: br i1 {{%.+}}, label %part{{[0-9]+}}, label %strip.done, !llvm.loop
// ON-LABEL: define internal {{.*}}@gradient_four(
// ON-NOT: between
// ON: strip.add:
// ON-LABEL: define internal {{.*}}@gradient_one(
// ON-NOT: between
// ON: strip.add:
// ON-LABEL: define internal {{.*}}@gradient_reduced(
// ON-NOT: between
// ON: strip.add:
// ON-LABEL: define internal {{.*}}@gradient_chased(
// ON-NOT: between
// ON: strip.add:
// ON-DAG: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[WIDTH:![0-9]+]], {{![0-9]+}}}
// ON-DAG: [[WIDTH]] = !{!"llvm.loop.vectorize.width", i32 2}
// NUMBER: retro-counter strip-parts 3
// OFF-NOT: between
static void mixed(long n, const int *at, in x, out y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0, p = x[at[2 * i]], s = x[at[2 * i + 1]];
    CHAIN(0.8) CHAIN(0.9) CHAIN(1.0) CHAIN(1.1) CHAIN(1.2)
    LINEAR64;
    y[i] = sum + p - s;
  }
}

// In three parts: of what the first computes the last one needs half of a seed.
static void linear(long n, const int *at, in x, out y) {
  for (long i = 0; i < n; ++i) {
    double a = x[at[2 * i]], p = a, s = x[at[2 * i + 1]];
    // VECTORS-COUNT-3: strip-parts.c:[[@LINE-1]]:{{.*}}vectorized loop (vectorization width: 2
    LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64;
    LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64;
    y[i] = p + s + 0.5 * a;
  }
}

// All of it fits.
static void four(long n, const int *at, in x, out y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    CHAIN(0.8) CHAIN(0.9) CHAIN(1.0) CHAIN(1.1)
    y[i] = sum;
  }
}

// A first half would compute too much for the second.
static void one(long n, const int *at, in x, out y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    CHAIN(0.8) CHAIN(0.9) CHAIN(1.0) CHAIN(1.1)
    CHAIN(1.2) CHAIN(1.3) CHAIN(1.4) CHAIN(1.5)
    CHAIN(1.6) CHAIN(1.7) CHAIN(1.8) CHAIN(1.9)
    y[i] = sum;
  }
}

// An iteration adds to what the one before has: a sum, and a place in a list.
static void reduced(long n, const int *at, in x, out y, double c) {
  for (long i = 0; i < n; ++i) {
    double sum = 0, p = c * x[at[2 * i]], s = x[at[2 * i + 1]];
    CHAIN(0.8) CHAIN(0.9) CHAIN(1.0) CHAIN(1.1) CHAIN(1.2)
    LINEAR64;
    y[i] = sum + p - s;
  }
}
static void chased(long n, const int *at, in x, out y, const int *next) {
  int k = 0;
  for (long i = 0; i < n; ++i) {
    double sum = 0, p = x[at[2 * i]], s = x[k];
    CHAIN(0.8) CHAIN(0.9) CHAIN(1.0) CHAIN(1.1) CHAIN(1.2)
    LINEAR64;
    y[i] = sum + p - s;
    k = next[k];
  }
}

#define REQUEST(Name, ...)                                                     \
  double do_##Name(long n, const int *at, double *x, double *dx, double *y,    \
                   double *dy, double c, const int *next) {                    \
    (void)c, (void)next;                                                       \
    return __enzyme_autodiff((void *)Name, n, enzyme_const, at, x, dx, y, dy   \
                             __VA_ARGS__);                                     \
  }
REQUEST(mixed)
REQUEST(linear)
REQUEST(four)
REQUEST(one)
REQUEST(reduced, , c)
REQUEST(chased, , enzyme_const, next)

#ifdef MAIN
int printf(const char *, ...);
static double (*const gradients[])(long, const int *, double *, double *,
                                   double *, double *, double, const int *) = {
    do_mixed, do_linear, do_reduced, do_chased};
// RESULT-COUNT-161: {{^-?[0-9x]+[.]}}
int main(void) {
  enum { nodes = 40, most = 1003 };
  double x[nodes], dx[nodes], y[most], dy[most];
  int at[2 * most], next[nodes];
  unsigned seed = 3;
  for (int i = 0; i < most; ++i) {
    seed = seed * 1664525u + 1013904223u;
    at[2 * i] = (int)((seed >> 16) % nodes);
    at[2 * i + 1] = (int)((seed >> 8) % nodes);
  }
  for (int which = 0; which < 4; ++which) {
    for (int i = 0; i < nodes; ++i) {
      x[i] = 0.3 + 0.01 * i;
      next[i] = (7 * i + 3) % nodes;
      dx[i] = 0;
    }
    for (int i = 0; i < most; ++i)
      dy[i] = 1.0 / (1 + i % 77);
    double dc = gradients[which](most, at, x, dx, y, dy, 0.7, next);
    if (which == 2)
      printf("%.11g\n", dc);
    for (int i = 0; i < nodes; ++i)
      printf(which == 1 ? "%a\n" : "%.11g\n", dx[i]);
  }
}
#endif
