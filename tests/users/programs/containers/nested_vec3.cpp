// flags: -std=c++20
// vector<vector<vector<double>>>: volume of features, pushed, swapped, erased,
// moved, copied per layer
#include "../user.h"
#include <algorithm>
#include <numeric>
#include <vector>
using V1 = std::vector<double>;
using V2 = std::vector<V1>;
using V3 = std::vector<V2>;
static V3 build(const double *x, int n) {
  V3 v;
  for (int c = 0; c < 3; ++c) {
    V2 plane;
    for (int r = 0; r < 2 + c; ++r) {
      V1 row;
      for (int k = 0; k < 3 + r; ++k)
        row.push_back(x[(c * 5 + r * 3 + k) % n] * (1 + 0.1 * k));
      plane.push_back(std::move(row));
    }
    v.emplace_back(plane);
  }
  return v;
}
static V3 layer(const V3 &in, double w) {
  V3 out(in.size());
  for (size_t c = 0; c < in.size(); ++c) {
    out[c].resize(in[c].size());
    for (size_t r = 0; r < in[c].size(); ++r) {
      out[c][r].assign(in[c][r].size(), 0.0);
      for (size_t k = 0; k < in[c][r].size(); ++k) {
        double s = w * in[c][r][k];
        for (size_t c2 = 0; c2 < in.size(); ++c2)
          if (r < in[c2].size() && k < in[c2][r].size())
            s += 0.3 * in[c2][r][k];
        out[c][r][k] = tanh(s);
      }
    }
  }
  return out;
}
static double f(const double *x, int n) {
  V3 v = build(x, n);
  for (int it = 0; it < 3; ++it) {
    V3 w = layer(v, x[it % n]);
    std::swap(w[0], w[2]);
    w[1].insert(w[1].begin(), V1(4, x[0] * it));
    if (w[2].size() > 1)
      w[2].erase(w[2].begin());
    std::rotate(w.begin(), w.begin() + 1, w.end());
    v = it % 2 ? w : std::move(w);
    for (auto &p : v)
      std::reverse(p.begin(), p.end());
  }
  double s = 0;
  int i = 0;
  for (const auto &p : v)
    for (auto row : p) {
      s += (1 + i++) * std::accumulate(row.begin(), row.end(), 0.0);
      row.clear();
    }
  return s;
}
DERIVED(f)
