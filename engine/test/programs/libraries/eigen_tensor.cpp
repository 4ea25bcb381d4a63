// OPTIONS: -isystem/usr/include/eigen3
// HEADER: eigen3/unsupported/Eigen/CXX11/Tensor
// LEVELS: O2
// NOT-SANITIZED: a copy of a slice is refused in instrumented code
// Eigen's tensors, which copy blocks of memory by sizes and strides that lie
// beside pointers in its evaluators: broadcasts, slices, reversals,
// contractions and reductions.
#include "../check.h"
#include <unsupported/Eigen/CXX11/Tensor>

namespace {

using T1 = Eigen::Tensor<double, 1>;
using T2 = Eigen::Tensor<double, 2>;
using Pair = Eigen::IndexPair<int>;

double weighed(const T2 &x) {
  double s = 0;
  for (int i = 0; i < x.size(); ++i)
    s += (0.3 + 0.1 * (i * 7 % 5)) * x.data()[i];
  return s;
}

double broadcast(const double *x, int) {
  Eigen::TensorMap<const T2> a(x, 2, 3), column(x, 2, 1);
  const T2 b = column.broadcast(Eigen::array<long, 2>{1, 3});
  const T2 c = a * b;
  return weighed(c);
}

double sliced(const double *x, int) {
  Eigen::TensorMap<const T2> a(x, 2, 3);
  const T2 s =
      a.slice(Eigen::array<long, 2>{1, 0}, Eigen::array<long, 2>{1, 2});
  T2 b = a.square();
  b.slice(Eigen::array<long, 2>{0, 1}, Eigen::array<long, 2>{1, 2}) = s * 2.0;
  return weighed(b) + weighed(s);
}

double reversed(const double *x, int) {
  Eigen::TensorMap<const T2> a(x, 2, 3);
  const T2 b = a.reverse(Eigen::array<bool, 2>{true, false}) * a;
  return weighed(b);
}

double contracted(const double *x, int) {
  Eigen::TensorMap<const T2> a(x, 2, 3);
  const T2 b = a.shuffle(Eigen::array<int, 2>{1, 0});
  const T2 c = a.contract(b, Eigen::array<Pair, 1>{Pair(1, 0)});
  const Eigen::Tensor<double, 0> s = c.square().sum();
  return s(0);
}

} // namespace

int main() {
  check_modes<broadcast>();
  check_modes<sliced>();
  check_modes<reversed>();
  check_modes<contracted>();
  return finish();
}
