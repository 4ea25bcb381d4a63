// FLAGS: -pthread -std=c++20
// Threads that share an object by std::shared_ptr: what counts its references
// orders nothing that numbers depend on.
#include "../check.h"
#include <memory>
#include <thread>
extern "C" double __enzyme_autodiff(void *, ...);
struct data {
  double v[4];
};
static double f(const double *x, int n) {
  auto p = std::make_shared<data>();
  for (int i = 0; i < 4; ++i)
    p->v[i] = x[i] * x[i];
  double left = 0, right = 0;
  std::thread t([p, &left] {
    for (int i = 0; i < 2; ++i)
      left += p->v[i] * p->v[i + 1];
  });
  for (int i = 2; i < 4; ++i)
    right += p->v[i];
  t.join();
  return left * right;
}
int main() {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; ++i) {
    double h = 1e-5, a = x[i];
    x[i] = a + h;
    double u = f(x, 4);
    x[i] = a - h;
    double d = f(x, 4);
    x[i] = a;
    NEAR(dx[i], (u - d) / 2 / h, 1e-6);
  }
  return finish();
}
