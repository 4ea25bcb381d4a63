// strip-ranges: where arrays may overlap, a loop finds the bounds of the places
// that are looked up, the program compares the ranges, and the strips run if no
// two meet that must not; if they do, or for few iterations, the loop as it was.
// Not where the loop may write what is looked up.
// RUN: clang -O2 -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt %t.ll -o %t.out -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.out
// RUN: %retro-opt %t.ll -retro-strip-ranges=0 -retro-print-counters -o /dev/null 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O2 -fno-strict-aliasing %s -S -o /dev/null -mllvm -retro-print-counters -mllvm -retro-alias-scopes=0 2>&1 | FileCheck --check-prefix=OFF %s
// The same numbers, to the last bit, wherever the arrays are.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.on && %t.on > %t.ranges
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-strip-ranges=0 && %t.off > %t.none
// RUN: diff %t.ranges %t.none
// RUN: FileCheck --check-prefix=RESULT %s < %t.ranges
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);

#define STEP p = p * a + s * (b - 0.3 * p), s = s * b - p * (a + 0.2 * s)
#define BODY(A, B)                                                             \
  double a = A, b = B, p = a * b, s = a - b;                                   \
  STEP, STEP, STEP, STEP;                                                      \
  y[i] = s * p;
#define UP for (long i = 0; i < n; ++i)
#define DOWN for (long i = n; i-- > 0;)

// ON-LABEL: define internal {{.*}}@gradient_up(
// ON: [[MANY:%.+]] = icmp uge i64 [[TAKEN:%.+]], 63
// ON: br i1 [[MANY]], label %look.up, label %[[AFTER:.+]]
// ON: look.up:
// ON: [[COUNT:%count.*]] = phi i64 [ 0, %{{.+}} ], [ [[NEXT:%.+]], %look.up ]
// ON: load i32
// ON: load i32
// ON: [[LESS:%.+]] = call i32 @llvm.smin.i32(
// ON: [[LEAST:%.+]] = call i32 @llvm.smin.i32(i32 [[LESS]], i32
// ON: [[GREATER:%.+]] = call i32 @llvm.smax.i32(
// ON: [[GREATEST:%.+]] = call i32 @llvm.smax.i32(i32 [[GREATER]], i32
// ON: [[NEXT]] = add nuw nsw i64 [[COUNT]], 1
// ON: [[MORE:%.+]] = icmp ult i64 [[COUNT]], [[TAKEN]]
// ON: br i1 [[MORE]], label %look.up, label %ranges
// ON: ranges:
// ON: sext i32 [[LEAST]] to i64
// ON: sext i32 [[GREATEST]] to i64
// Two shadows: of x, and of y, which is read and written in one place.
// ON-COUNT-2: icmp ule i64
// ON-NOT: icmp ule i64
// ON: br label %[[AFTER]]
// ON: [[AFTER]]:
// ON-NEXT: [[APART:%.+]] = phi i1 [ false, %{{.+}} ], [ {{%.+}}, %ranges ]
// ON-NEXT: [[NOT:%.+]] = xor i1 [[APART]], true
// ON-NEXT: br i1 [[NOT]], label %{{.+}}, label %as.it.is
// ON: strip.add:
// Words are within bounds in which nothing overflows.
// ON-LABEL: define internal {{.*}}@gradient_words(
// ON: ranges:
// ON-DAG: icmp sge i64 {{%.+}}, -1099511627776
// ON-DAG: icmp sle i64 {{%.+}}, 1099511627776
// NUMBER: retro-counter strip-ranges 7
// OFF: retro-counter strip-ranges 0
static void up(long n, const int *at, const double *x, double *y) {
  UP { BODY(x[at[2 * i]], x[at[2 * i + 1]]) }
}
static void down(long n, const int *at, const double *x, double *y) {
  DOWN { BODY(x[at[2 * i]], x[at[2 * i + 1]]) }
}
// Of two scales.
static void words(long n, const long *at, const double *x, double *y) {
  UP { BODY(x[2 * at[2 * i]], x[at[2 * i + 1]]) }
}
// Without a sign and with one; from elsewhere, and backwards.
static void large(long n, const unsigned short *at, const double *x,
                  double *y) {
  DOWN { BODY(x[at[2 * i]], x[at[2 * i + 1] + 1]) }
}
static void negative(long n, const short *at, const double *x, double *y) {
  UP { BODY(x[at[2 * i]], x[-at[2 * i + 1]]) }
}
// What is looked up is read by another index.
static void twice(long n, const int *at, const double *x, double *y) {
  UP { BODY(x[at[at[2 * i]]], x[at[2 * i + 1]]) }
}
// Of two indices nothing is known.
static void both(long n, const long *at, const double *x, double *y) {
  UP { BODY(x[at[2 * i] + at[2 * i + 1]], x[at[2 * i]]) }
}
// What is written in a row may overlap as well.
static void two(long n, const int *at, const double *x, double *y, double *z) {
  UP {
    BODY(x[at[2 * i]], x[at[2 * i + 1]])
    z[i] = p;
  }
}

#define REQUEST(Name, Type)                                                    \
  void do_##Name(long n, const void *at, double *x, double *dx, double *y,     \
                 double *dy) {                                                 \
    __enzyme_autodiff((void *)Name, n, enzyme_const, (const Type *)at, x, dx,  \
                      y, dy);                                                  \
  }
REQUEST(up, int)
REQUEST(down, int)
REQUEST(words, long)
REQUEST(large, unsigned short)
REQUEST(negative, short)
REQUEST(twice, int)
REQUEST(both, long)
void do_two(long n, const void *at, double *x, double *dx, double *y,
            double *dy) {
  static double z[1000];
  __enzyme_autodiff((void *)two, n, enzyme_const, (const int *)at, x, dx, y, dy,
                    z, n & 1 ? dy + 1 : dy - 1);
}

#ifdef MAIN
int printf(const char *, ...);
enum { nodes = 40, most = 203, first = 300 };
static int ints[2 * most];
static long longs[2 * most];
static unsigned short larges[2 * most];
static short negatives[2 * most];

static const struct {
  void (*gradient)(long, const void *, double *, double *, double *, double *);
  const void *at;
  long origin;
} cases[] = {{do_up, ints, 0},          {do_down, ints, 0},
             {do_words, longs, 0},      {do_large, larges, -40000},
             {do_negative, negatives, 20}, {do_twice, ints, 0},
             {do_both, longs, 0},          {do_two, ints, 0}};

// RESULT-COUNT-1000: 0x{{[01]}}.
int main(void) {
  unsigned seed = 3;
  for (int i = 0; i < 2 * most; ++i) {
    seed = seed * 1664525u + 1013904223u;
    int place = (int)((seed >> 16) % nodes);
    // At either end, neighbours meet in the first and in the last place.
    if (i < 8 || i >= 2 * most - 8)
      place = ((i >> 1) ^ i) & 1 ? nodes - 1 : 0;
    ints[i] = place;
    longs[i] = i & 1 ? place / 4 : place / 2;
    // Only even ones are the first place, only odd ones the last.
    larges[i] = (unsigned short)(40000 + (i & 1 ? (place + 38) % 39 : place / 2));
    negatives[i] = (short)(i & 1 ? 20 - place : place - 20);
  }
  for (unsigned c = 0; c < sizeof cases / sizeof *cases; ++c)
    for (int begin = first - most - 2; begin < first + nodes + 3; ++begin)
      for (int n = 60; n <= most; n += n == 60 ? 142 : 1) {
        static double x[nodes], y[most], shadow[2 * first];
        for (int i = 0; i < nodes; ++i)
          x[i] = 0.3 + 0.01 * i;
        for (int i = 0; i < 2 * first; ++i)
          shadow[i] = 1.0 / (1 + i % 77);
        cases[c].gradient(n, cases[c].at, x + cases[c].origin,
                          shadow + first + cases[c].origin, y, shadow + begin);
        double sum = 0;
        for (int i = 0; i < 2 * first; ++i)
          sum = sum * 1.01 + shadow[i];
        printf("%a\n", sum);
      }
}
#endif
