// Shared pointers, vectors and callbacks lead to constant memory of the
// caller's and to active memory at once. Which is which, and what is freed with
// its shadow, only the running derivative knows.
#include "../check.h"

#include <functional>
#include <memory>
#include <vector>

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Circle : Shape {
  double r;
  explicit Circle(double r) : r(r) {}
  double area() const override { return r * r; }
};
struct Box : Shape {
  double a, b;
  Box(double a, double b) : a(a), b(b) {}
  double area() const override { return a * b; }
};

using Shapes = std::vector<std::shared_ptr<Shape>>;

/// The caller's shapes, whose counts change, and shapes of the inputs.
double areas(const double *x, int n, const Shapes *fixed) {
  Shapes all;
  for (int i = 0; i < n; ++i) {
    all.push_back((*fixed)[size_t(i) % fixed->size()]);
    if (i % 2)
      all.push_back(std::make_shared<Circle>(x[i]));
    else
      all.push_back(std::make_shared<Box>(x[i], x[(i + 1) % n] * x[i]));
  }
  all.erase(all.begin() + 2);
  double s = 0;
  for (const auto &p : all)
    s += p->area() * (1 + s);
  return s;
}
Shapes shapes() {
  return {std::make_shared<Circle>(0.7), std::make_shared<Box>(0.4, -0.9)};
}
double plain_areas(const double *x, int n) {
  const Shapes fixed = shapes();
  return areas(x, n, &fixed);
}

/// Rows of a constant matrix and of one that is computed.
double rows(const double *x, int n, const std::vector<std::vector<double>> *m) {
  std::vector<std::vector<double>> own(2);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < n; ++i)
      own[size_t(k)].push_back(x[i] * (k + 1));
  std::vector<const std::vector<double> *> all;
  for (size_t k = 0; k < 2; ++k) {
    all.push_back(&(*m)[k]);
    all.push_back(&own[k]);
  }
  std::vector<double> sum = (*m)[1];
  for (size_t k = 0; k < all.size(); ++k)
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] = sum[i] * (*all[k])[i] + (*all[(k + 1) % 4])[i];
  own[0] = (*m)[0]; // numbers of constant memory over active ones
  double s = own[0][0] * own[1][0];
  for (double y : sum)
    s += y * y;
  return s;
}
const std::vector<std::vector<double>> Matrix = {{0.3, 0.8, -0.5, 1.2},
                                                 {1.1, -0.2, 0.6, 0.4}};
double plain_rows(const double *x, int n) { return rows(x, n, &Matrix); }

} // namespace

int main() {
  const double x[4] = {0.6, -0.4, 1.1, 0.9}, v[4] = {1, 0.5, -2, 3};
  {
    const Shapes fixed = shapes();
    BOTH_MODES_GIVEN(areas, plain_areas, x, v, 4, &fixed);
    NEAR(double(fixed[0].use_count()), 1, 0);
    NEAR(fixed[1]->area(), -0.36, 1e-15);
  }
  {
    BOTH_MODES_GIVEN(rows, plain_rows, x, v, 4, &Matrix);
    NEAR(Matrix[0][1], 0.8, 0);
  }
  return finish();
}
