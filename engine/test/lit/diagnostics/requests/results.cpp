// The caller's struct must be what there is to return, number by number.
// RUN: not %retro-clang++ -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
template <class R, class... T> R __enzyme_autodiff(void *, T...);
struct Pair { double a, b; };
struct Three { double a, b, c; };
struct Mixed { float a; double b; };
struct Floats3 { float a, b, c; };
struct Floats4 { float a[4]; };

double product(double x, double y) { return x * y; }
double mixed(float x, double y) { return x * y; }
double floats(float x, float y, float z) { return x * y * z; }

void right(double x, float f, Pair *p, Mixed *m, Floats3 *t) {
  *p = __enzyme_autodiff<Pair>((void *)product, x, x);
  *m = __enzyme_autodiff<Mixed>((void *)mixed, f, x);
  *t = __enzyme_autodiff<Floats3>((void *)floats, f, f, f);
}
// CHECK-NOT: error:
double too_few(double x) {
  return __enzyme_autodiff<double>((void *)product, x, x);
}
// CHECK: results.cpp:[[@LINE-2]]:10: error: the result type of this request does not fit the derivatives of 'product(double, double)': there are 2 numbers to return [retro-bad-return]; to fix it: declare the entry point with a matching result
void too_many(double x, Three *to) {
  *to = __enzyme_autodiff<Three>((void *)product, x, x);
}
// CHECK: results.cpp:[[@LINE-2]]:9: error: {{.*}} there are 2 numbers to return [retro-bad-return]
void other_types(double x, float f, Pair *to) {
  *to = __enzyme_autodiff<Pair>((void *)mixed, f, x);
}
// CHECK: results.cpp:[[@LINE-2]]:9: error: {{.*}} there are 2 numbers to return [retro-bad-return]
void in_registers(float f, Floats4 *to) {
  *to = __enzyme_autodiff<Floats4>((void *)floats, f, f, f);
}
// CHECK: results.cpp:[[@LINE-2]]:9: error: {{.*}} there are 3 numbers to return [retro-bad-return]
// CHECK: 4 errors generated
