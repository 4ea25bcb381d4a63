// gather: the rows of a Jacobian are one request in vector mode; where the
// second one could see what the first one did, they stay two.
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - -mllvm -retro-print-counters -mllvm -retro-gather=0 2>&1 | FileCheck --check-prefix=OFF %s
// ON: retro-counter gather 1
// OFF: retro-counter gather 0
double sin(double);
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed;

static void polar(const double *restrict x, double *restrict out) {
  out[0] = x[0] * sin(x[1]);
  out[1] = x[0] * x[1] * x[1];
}

// ON: define {{.*}} @rows(
// ON: call {{.*}} @gradient_polar{{.*}}ptr {{[^,]*}}, ptr {{[^,]*}}, ptr {{[^,]*}}, ptr {{[^,]*}}, ptr {{[^,]*}}, ptr {{[^,]*}})
// ON-NOT: call {{.*}} @gradient_polar
// ON: ret void
// OFF: define {{.*}} @rows(
// OFF: call {{.*}} @gradient_polar
// OFF: call {{.*}} @gradient_polar
// OFF: ret void
void rows(const double *x, double *rows) {
  for (int r = 0; r < 2; ++r) {
    double out[2], seed[2] = {r == 0, r == 1};
    __enzyme_autodiff((void *)polar, enzyme_dup, x, rows + 2 * r, enzyme_dupnoneed, out, seed);
  }
}

// The same shadow twice.
// ON: define {{.*}} @added(
// ON: call {{.*}} @gradient_polar
// ON: call {{.*}} @gradient_polar
// ON: ret void
void added(const double *x, double *row) {
  double out[2], first[2] = {1, 0}, second[2] = {0, 1};
  __enzyme_autodiff((void *)polar, enzyme_dup, x, row, enzyme_dupnoneed, out, first);
  __enzyme_autodiff((void *)polar, enzyme_dup, x, row, enzyme_dupnoneed, out, second);
}

// A call between them, which may look.
// ON: define {{.*}} @watched(
// ON: call {{.*}} @gradient_polar
// ON: call {{.*}} @gradient_polar
// ON: ret void
void look(void);
void watched(const double *x, double *rows) {
  double out[2], first[2] = {1, 0}, second[2] = {0, 1};
  __enzyme_autodiff((void *)polar, enzyme_dup, x, rows, enzyme_dupnoneed, out, first);
  look();
  __enzyme_autodiff((void *)polar, enzyme_dup, x, rows + 2, enzyme_dupnoneed, out, second);
}

// The function reaches memory at places that are not known.
static void chosen(const double *restrict x, const int *restrict which, double *restrict out) {
  out[0] = x[which[0]] * x[0];
}
// ON: define {{.*}} @anywhere(
// ON: call {{.*}} @gradient_chosen
// ON: call {{.*}} @gradient_chosen
// ON: ret void
extern int enzyme_const;
void anywhere(const double *x, const int *which, double *rows) {
  double out, first = 1, second = 2;
  __enzyme_autodiff((void *)chosen, enzyme_dup, x, rows, enzyme_const, which, enzyme_dupnoneed, &out, &first);
  __enzyme_autodiff((void *)chosen, enzyme_dup, x, rows + 20, enzyme_const, which, enzyme_dupnoneed, &out, &second);
}
