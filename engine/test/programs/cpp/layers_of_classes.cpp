// Objects of a class hierarchy behind pointers in a vector: one class has an
// integer where another has a pointer.
#include "../check.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace {

/// Layers of several classes behind pointers in a vector.
struct Layer {
  virtual ~Layer() = default;
  virtual std::vector<double> forward(const std::vector<double> &) = 0;
};
struct Scale final : Layer {
  int in, out;
  std::vector<double> weights;
  Scale(const double *x, int n) : in(n), out(n), weights(x, x + n) {}
  std::vector<double> forward(const std::vector<double> &v) override {
    std::vector<double> y(v);
    for (size_t i = 0; i < v.size(); ++i)
      y[i] *= weights[i] * v[i];
    return y;
  }
};
struct Dropout final : Layer {
  double keep;
  uint64_t state;
  Dropout(double k, uint64_t s) : keep(k), state(s) {}
  std::vector<double> forward(const std::vector<double> &v) override {
    std::vector<double> y(v);
    for (double &e : y) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      e = double(state >> 11) / 9007199254740992.0 < 0.7 ? e / keep : 0;
    }
    return y;
  }
};
double network(const double *x, int n) {
  std::vector<std::unique_ptr<Layer>> layers;
  layers.push_back(std::make_unique<Scale>(x, n));
  layers.push_back(std::make_unique<Dropout>(0.7 + x[0] / 50, 99));
  layers.push_back(std::make_unique<Scale>(x, n));
  std::vector<double> v(x, x + n);
  for (auto &l : layers)
    v = l->forward(v);
  double s = 0;
  for (double e : v)
    s += sin(e);
  return s;
}

} // namespace

int main() {
  check_modes<network>();
  return finish();
}
