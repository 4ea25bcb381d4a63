// Runtime activity: only the running program knows which memory is constant.
#include "check.h"

extern int enzyme_const, enzyme_dup, enzyme_runtime_activity;
template <typename R, typename... A> R __enzyme_autodiff(A...);

/// A layer's weights are its own, or those of another, or frozen.
struct Layer {
  const double *weights;
  int n;
};

static double network(const Layer *const *layers, int count, double x) {
  for (int l = 0; l < count; ++l) {
    double s = 0;
    for (int i = 0; i < layers[l]->n; ++i)
      s += layers[l]->weights[i] * std::tanh(x + i);
    x = s;
  }
  return x;
}

int main() {
  const double first[2] = {0.4, -0.7}, frozen[2] = {1.1, 0.3},
               last[2] = {0.2, 0.9};
  const Layer a{first, 2}, b{frozen, 2}, c{last, 2};
  const Layer *layers[3] = {&a, &b, &c};

  // The shadow of the frozen layer is that layer itself.
  double dfirst[2] = {}, dlast[2] = {};
  const Layer da{dfirst, 2}, dc{dlast, 2};
  const Layer *shadows[3] = {&da, &b, &dc};
  __enzyme_autodiff<double>((void *)network, enzyme_runtime_activity,
                            enzyme_dup, layers, shadows, enzyme_const, 3,
                            enzyme_const, 0.5);

  double x[3] = {0.5, 0, 0}, dx = 1;
  const double *w[3] = {first, frozen, last};
  for (int l = 0; l < 2; ++l)
    for (int i = 0; i < 2; ++i)
      x[l + 1] += w[l][i] * std::tanh(x[l] + i);
  for (int l = 2; l >= 0; --l) {
    double before = 0;
    for (int i = 0; i < 2; ++i) {
      const double h = std::tanh(x[l] + i);
      if (l != 1)
        expect("gradient", l ? dlast[i] : dfirst[i], dx * h);
      before += dx * w[l][i] * (1 - h * h);
    }
    dx = before;
  }
  expect("frozen", frozen[0], 1.1, 0); // nothing was added to it
  expect("frozen", frozen[1], 0.3, 0);
  return finish();
}
