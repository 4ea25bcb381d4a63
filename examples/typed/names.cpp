// The typed interface under the names of existing code.
#include <cstdio>
#include <enzyme/enzyme>

double f(double x, double *y, int n) { return n * x * x * y[0]; }

int main() {
  double y = 2, dy = 0;
  auto r = enzyme::autodiff<enzyme::ReverseWithPrimal>(
      f, enzyme::Active<double>{3}, enzyme::Duplicated<double *>{&y, &dy},
      enzyme::Const<int>{5});
  std::printf("%g %g %g\n", enzyme::get<1>(r),
              enzyme::get<0>(enzyme::get<0>(r)), dy);
}
