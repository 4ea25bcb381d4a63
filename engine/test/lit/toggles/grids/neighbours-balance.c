// neighbours, less a multiple of the place itself: the multiple comes into the
// sum of the neighbours' seeds, which is multiplied with the factor once, and
// once with u for the factor's gradient. Another place's multiple stays.
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -DPLACE=u -ffp-contract=off | FileCheck --check-prefix=ONE %s
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -DPLACE=u -ffp-contract=on | FileCheck --check-prefix=ONE %s
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -DPLACE=v -ffp-contract=off | FileCheck --check-prefix=TWO %s

// ONE-LABEL: define {{.*}} @gradient_balance(
// ONE: %[[OWN:[0-9]+]] = fmul reassoc nsz double %{{[0-9]+}}, -4.000000e+00
// ONE-NOT: fmul
// ONE: fadd reassoc nsz double %{{[0-9]+}}, %[[OWN]]
// ONE-NOT: fmul
// ONE: fmul reassoc nsz double %[[SEEDS:[0-9]+]], %
// ONE-NOT: fmul
// ONE: fmul double %{{[0-9]+}}, %[[SEEDS]]
// ONE-NOT: fmul
// ONE: store double
// ONE-NOT: fmul
// ONE: br i1

// TWO-LABEL: define {{.*}} @gradient_balance(
// TWO: call void @llvm.memset
// TWO-NOT: -4.000000e+00
// TWO: {{^}$}}
double __enzyme_autodiff(void *, ...);

#define ABOVE(a, b) ((a) > (b) ? (a) : (b))
#define BELOW(a, b) ((a) < (b) ? (a) : (b))
int size;

static void balance(const double *restrict u, const double *restrict v,
                    double *restrict out, const double *restrict alpha) {
  const int n = size;
  const double by = *alpha;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out[i * n + j] =
          by * (u[ABOVE(i - 1, 0) * n + j] + u[BELOW(i + 1, n - 1) * n + j] +
                u[i * n + ABOVE(j - 1, 0)] + u[i * n + BELOW(j + 1, n - 1)] -
                4 * PLACE[i * n + j]);
}

void gradient(double *u, double *du, double *v, double *dv, double *out,
              double *dout, double *alpha, double *dalpha) {
  __enzyme_autodiff((void *)balance, u, du, v, dv, out, dout, alpha, dalpha);
}
