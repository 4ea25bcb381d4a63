// flags: -std=c++17
#include "../user.h"
#include <algorithm>
#include <memory>
#include <numeric>
#include <queue>
#include <string>
#include <vector>
struct Point {
  double c[2];
  double value;
  int id;
  std::string name;
};
class KdTree {
  struct Node {
    int point;
    int axis;
    std::unique_ptr<Node> left, right;
    double lo[2], hi[2], sum;
    int count;
  };
  const std::vector<Point> &pts_;
  std::unique_ptr<Node> root_;
  std::unique_ptr<Node> build(std::vector<int>::iterator b,
                              std::vector<int>::iterator e, int depth) {
    if (b == e)
      return nullptr;
    int axis = depth % 2;
    auto m = b + (e - b) / 2;
    std::nth_element(b, m, e, [&](int i, int j) {
      return pts_[i].c[axis] < pts_[j].c[axis];
    });
    auto n = std::make_unique<Node>();
    n->point = *m;
    n->axis = axis;
    n->sum = pts_[*m].value;
    n->count = 1;
    for (int k = 0; k < 2; ++k)
      n->lo[k] = n->hi[k] = pts_[*m].c[k];
    n->left = build(b, m, depth + 1);
    n->right = build(m + 1, e, depth + 1);
    for (Node *c : {n->left.get(), n->right.get()})
      if (c) {
        n->sum += c->sum;
        n->count += c->count;
        for (int k = 0; k < 2; ++k) {
          n->lo[k] = std::min(n->lo[k], c->lo[k]);
          n->hi[k] = std::max(n->hi[k], c->hi[k]);
        }
      }
    return n;
  }
  using Heap = std::priority_queue<std::pair<double, int>>;
  void knn(const Node *n, const double *q, size_t k, Heap &h) const {
    if (!n)
      return;
    const Point &p = pts_[n->point];
    double dx = p.c[0] - q[0], dy = p.c[1] - q[1], d = dx * dx + dy * dy;
    h.emplace(d, n->point);
    if (h.size() > k)
      h.pop();
    double s = q[n->axis] - p.c[n->axis];
    knn(s < 0 ? n->left.get() : n->right.get(), q, k, h);
    if (h.size() < k || s * s < h.top().first)
      knn(s < 0 ? n->right.get() : n->left.get(), q, k, h);
  }

public:
  explicit KdTree(const std::vector<Point> &p) : pts_(p) {
    std::vector<int> id(p.size());
    std::iota(id.begin(), id.end(), 0);
    root_ = build(id.begin(), id.end(), 0);
  }
  double smooth(double a, double b, size_t k) const {
    double q[2] = {a, b};
    Heap h;
    knn(root_.get(), q, k, h);
    double num = 0, den = 0;
    while (!h.empty()) {
      auto [d, i] = h.top();
      h.pop();
      double w = 1 / (0.1 + d);
      num += w * pts_[i].value;
      den += w;
    }
    return num / den;
  }
  double stats() const {
    return root_->sum / root_->count +
           (root_->hi[0] - root_->lo[0]) * (root_->hi[1] - root_->lo[1] + 1);
  }
};
static double f(const double *x, int n) {
  std::vector<Point> pts;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      pts.push_back(
          {{x[i] * cos(1.9 * i + k), x[i] * sin(2.3 * i + 1.7 * k) + 0.2 * k},
           x[(i + 1) % n] * (1 + k),
           2 * i + k,
           "point-" + std::to_string(i)});
  KdTree t(pts);
  double s = t.stats();
  for (int k = 0; k < 6; ++k)
    s += t.smooth(0.31 * k - 0.83, 0.6 * sin(2.2 * k + 0.1), 3) * (1 + 0.1 * k);
  for (auto &p : pts)
    s += 1e-3 * p.name.size() * p.value;
  return s;
}
DERIVED(f)
