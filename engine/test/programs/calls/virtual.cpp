// Objects behind a pointer to their base: made from the inputs, asked through
// the virtual table, deleted.
#include "../check.h"
#include <memory>

namespace {
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square final : Shape {
  double side;
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
};
struct Disk final : Shape {
  double radius;
  explicit Disk(double radius) : radius(radius) {}
  double area() const override { return 3 * radius * radius; }
};
} // namespace

static double areas(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    std::unique_ptr<Shape> shape;
    if (i % 2)
      shape = std::make_unique<Square>(x[i]);
    else
      shape = std::make_unique<Disk>(x[i]);
    sum += shape->area() * (i + 1);
  }
  return sum;
}

int main() {
  const double x[] = {0.4, 0.9, 1.2, -0.7, 1.1, 0.3, -0.2, 0.8};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4, 0.1, -0.3};
  double g[8] = {}, expected = 0;
  __enzyme_autodiff((void *)areas, x, g, 8);
  for (int i = 0; i < 8; ++i) {
    double exact = (i % 2 ? 2 : 6) * x[i] * (i + 1);
    NEAR(g[i], exact, 1e-14);
    expected += exact * v[i];
  }
  NEAR(__enzyme_fwddiff((void *)areas, x, v, 8), expected, 1e-13);
  return finish();
}
