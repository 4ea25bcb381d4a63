// What counts the references of a std::shared_ptr has tables of virtual
// functions, too. A virtual call of the program's asks for none of those that
// stand there, and one of the counts' for none of the program's.
// RUN: %retro-clang++ -O1 -S -emit-llvm %s -o - | FileCheck %s
#include <memory>
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
struct Shape {
  virtual ~Shape() = default;
  virtual void grow() = 0;
  virtual double size() const = 0;
};
struct Line : Shape {
  double length;
  explicit Line(double l) : length(l) {}
  void grow() override { length *= length; }
  double size() const override { return length; }
};
struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  void grow() override { side *= 2; }
  double size() const override { return side * side; }
};
static double f(const double *x) {
  std::shared_ptr<Shape> s;
  if (x[0] > 0)
    s = std::make_shared<Line>(x[1]);
  else
    s = std::make_shared<Square>(x[1]);
  s->grow();
  return s->size();
}
// CHECK: icmp eq ptr [[CALLED:%.*]], @_ZN4Line4growEv
// CHECK-NOT: icmp eq ptr [[CALLED]], @_ZNSt23_Sp_counted
// CHECK: icmp eq ptr {{.*}}, @_ZNK4Line4sizeEv
void gradient(const double *x, double *g) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, g);
}
