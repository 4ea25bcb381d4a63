// strips: iterations that add to places which are looked up put their additions
// aside, for some iterations at a time, which are then independent. They are
// added behind, in order. Not where that costs more than it saves, where an
// iteration reads what another may have added or calls a function, or where LLVM
// makes no vectors.
// RUN: clang -O2 -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt %t.ll -o %t.out -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.out
// RUN: %retro-opt %t.ll -retro-strips=0 | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O2 -S %s -o - | FileCheck --check-prefix=ASM %s
// RUN: %retro-clang -O1 %s -S -o /dev/null -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NONE %s
// The same numbers, to the last bit.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.on && %t.on > %t.strips
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-strips=0 && %t.off > %t.none
// RUN: diff %t.strips %t.none
// RUN: FileCheck --check-prefix=RESULT %s < %t.strips
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);
typedef const double *restrict in;
typedef double *restrict out;

#define STEP p = p * a + s * (b - 0.3 * p), s = s * b - p * (a + 0.2 * s)
#define BODY(A, B)                                                             \
  double a = A, b = B, p = a * b, s = a - b;                                   \
  STEP, STEP, STEP, STEP

// ON-LABEL: define internal {{.*}}@gradient_heavy(
// ON: [[ROW:%aside.*]] = alloca [64 x double], align 64
// ON: strip:
// ON: [[LEFT:%.+]] = sub i64 {{%.+}}, %done
// ON: [[MORE:%.+]] = {{.*}}call i64 @llvm.umin.i64(i64 [[LEFT]], i64 63)
// What an iteration computes: it adds to nothing.
// ON: for.body:
// ON: [[COUNT:%count.*]] = phi i64
// ON-NOT: !alias.scope
// ON: [[SEED:%.+]] = load double, ptr [[DY:%.+]], align 8, {{.*}}!alias.scope
// ON-NEXT: store double 0.000000e+00, ptr [[DY]], {{.*}}!alias.scope
// ON-NOT: !alias.scope
// ON: [[PLACE:%.+]] = getelementptr inbounds double, ptr [[ROW]], i64 [[COUNT]]
// ON-NEXT: store double {{%.+}}, ptr [[PLACE]], align 8, !llvm.access.group [[GROUP:![0-9]+]]
// ON-NOT: !alias.scope
// ON: br i1 {{.*}}, label %for.body, label %strip.done, !llvm.loop [[LOOP:![0-9]+]]
// ON: strip.add:
// ON: [[PLACE:%.+]] = getelementptr inbounds double, ptr [[ROW]], i64 %count
// ON-NEXT: [[PART:%.+]] = load double, ptr [[PLACE]]
// ON-NEXT: [[SUM:%.+]] = fadd {{.*}}[[PART]]
// ON-NEXT: store double [[SUM]], {{.*}}!alias.scope
// ON: br i1 {{.*}}, label %strip.add, label %strip.next
// ON: icmp eq i64 [[LEFT]], [[MORE]]
// ON-LABEL: define internal {{.*}}@gradient_light(
// ON-NOT: strip.add
// ON-LABEL: define internal {{.*}}@gradient_chained(
// ON-NOT: strip.add
// ON-LABEL: define internal {{.*}}@gradient_called(
// ON-NOT: strip.add
// ON-LABEL: define internal {{.*}}@gradient_between(
// ON-NOT: strip.add
// ON-DAG: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[PARALLEL:![0-9]+]]}
// ON-DAG: [[PARALLEL]] = !{!"llvm.loop.parallel_accesses", [[GROUP]]}
// NUMBER: retro-counter strips 2
// NONE: retro-counter strips 0
// OFF-NOT: strip.add
// ASM: gradient_heavy:
// ASM: mulpd
// ASM: subpd
// ASM: ret
static void heavy(long n, const int *at, in x, out y) {
  for (long i = 0; i < n; ++i) {
    BODY(x[at[2 * i]], x[at[2 * i + 1]]);
    y[i] = s * p;
  }
}

static void light(long n, const int *at, in x, out y) {
  for (long i = 0; i < n; ++i)
    y[i] = x[at[2 * i]] * x[at[2 * i + 1]];
}

static void chained(long n, const int *at, in x, double *y) {
  for (long i = 0; i < n; ++i) {
    BODY(x[at[2 * i]], y[at[2 * i + 1]]);
    y[i] = s * p;
  }
}

double weight(long) __attribute__((const));
static void called(long n, const int *at, in x, out y) {
  for (long i = 0; i < n; ++i) {
    BODY(x[at[2 * i]], x[at[2 * i + 1]]);
    y[i] = s * p * weight(i);
  }
}

// What is stored is no sum with what another store left there.
static void between(long n, const int *at, in w, out z, in x, out y) {
  for (long i = 0; i < n; ++i) {
    BODY(w[i], w[n + i]);
    STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP;
    double before = z[at[2 * i]];
    z[at[2 * i + 1]] += s;
    z[at[2 * i]] = before + s * p;
  }
  *y = *x * *x;
}

void gradients(long n, const int *at, double *x, double *dx, double *y,
               double *dy) {
  __enzyme_autodiff((void *)heavy, n, enzyme_const, at, x, dx, y, dy);
#ifdef MAIN
  return;
#endif
  __enzyme_autodiff((void *)light, n, enzyme_const, at, x, dx, y, dy);
  __enzyme_autodiff((void *)chained, n, enzyme_const, at, x, dx, y, dy);
  __enzyme_autodiff((void *)called, n, enzyme_const, at, x, dx, y, dy);
  __enzyme_autodiff((void *)between, n, enzyme_const, at, enzyme_const, x,
                    enzyme_const, dx, x, dx, y, dy);
}

#ifdef MAIN
int printf(const char *, ...);
// RESULT-COUNT-40: 0x{{[01]}}.
int main(void) {
  enum { nodes = 40, most = 1000 };
  double x[nodes], dx[nodes], y[most], dy[most];
  int at[2 * most];
  unsigned seed = 3;
  for (int i = 0; i < nodes; ++i) {
    x[i] = 0.3 + 0.01 * i;
    dx[i] = 0;
  }
  // Some places are added to twice in an iteration.
  for (int i = 0; i < most; ++i) {
    seed = seed * 1664525u + 1013904223u;
    at[2 * i] = (int)((seed >> 16) % nodes);
    at[2 * i + 1] = (int)((seed >> 8) % nodes);
    dy[i] = 1.0 / (1 + i % 77);
  }
  gradients(most, at, x, dx, y, dy);
  for (int i = 0; i < nodes; ++i)
    printf("%a\n", dx[i]);
}
#endif
