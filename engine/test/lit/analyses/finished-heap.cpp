// A factorization by rows, in an array of the heap whose size LLVM does not
// know to be positive: it says of the loops that they run max(1, n) times, and
// does not come to them where n is 0. What the sums of products read stays, if
// rows are as long as a program's are, and is not kept for each product.
// RUN: %retro-clang -x c++ -O2 -g0 %s -S -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: %retro-clang -x c++ -O2 -DMAIN %s -lstdc++ -lm -o %t && %t
#include <cmath>
#include <vector>
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

// PLAN: plan for {{.*}}determinant{{.*}} (root)
// PLAN: cache value {{.*}} in indexed of loop [[K:%[0-9]+]]{{$}}
// PLAN-NEXT: cache base [[K]] : ptr in indexed of loop [[J:%[0-9]+]]
// PLAN-NEXT: cache base [[J]] : ptr in indexed of loop
// PLAN: for arguments that are apart:
// PLAN-NEXT: plan for {{.*}}determinant{{.*}} (root)
// PLAN-NOT: in indexed of loop [[K]]
// PLAN: reverse
static double determinant(const double *x, int n) {
  std::vector<double> a(n * n), y(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = x[i * n + j];
      for (int k = 0; k < j; k++)
        s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(s) : s / a[j * n + j];
    }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    y[i] = a[i * n + i];
    sum += std::log(y[i]);
  }
  return sum;
}

double gradient(const double *x, double *d, int n) {
  return __enzyme_autodiff((void *)determinant, enzyme_dup, x, d, enzyme_const,
                           n);
}

#ifdef MAIN
// The logarithm of the root is homogeneous: the sum of x d is n / 2.
int main() {
  for (int n : {0, 1, 2, 3, 9}) {
    std::vector<double> x(n * n + 1), d(n * n + 1);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        x[i * n + j] = (i == j ? n + 1 : 0) + 0.1 * ((i * 3 + j) % 5);
    gradient(x.data(), d.data(), n);
    double sum = 0;
    for (int i = 0; i < n * n; ++i)
      sum += x[i] * d[i];
    if (!(std::fabs(sum - 0.5 * n) < 1e-12 * (n + 1)))
      return 1;
    const double h = 1e-5;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        double &at = x[i * n + j], old = at;
        at = old + h;
        const double up = determinant(x.data(), n);
        at = old - h;
        const double down = determinant(x.data(), n);
        at = old;
        if (!(std::fabs((up - down) / (2 * h) - d[i * n + j]) < 1e-7))
          return 2;
      }
  }
}
#endif
