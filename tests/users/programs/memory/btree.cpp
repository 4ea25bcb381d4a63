// flags: -std=c++20
// A B-tree with double values: nodes with inner and leaf kinds that share
// storage; split, lookup, range fold; written as databases do.
#include "../user.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>
template <class K, class V, int N = 4> class BTree {
  struct Node {
    uint16_t count = 0;
    bool leaf;
    K keys[N];
    union {
      Node *child[N + 1];
      struct {
        V value[N];
        Node *next;
      } l;
    };
    explicit Node(bool isLeaf) : leaf(isLeaf) {
      std::memset(&l, 0, sizeof l);
      std::memset(child, 0, sizeof child);
    }
  };
  Node *root_ = nullptr;
  size_t size_ = 0;
  static void destroy(Node *n) {
    if (!n)
      return;
    if (!n->leaf)
      for (int i = 0; i <= n->count; i++)
        destroy(n->child[i]);
    delete n;
  }
  static std::pair<K, Node *> split(Node *n) {
    Node *r = new Node(n->leaf);
    int h = n->count / 2;
    if (n->leaf) {
      r->count = n->count - h;
      std::copy(n->keys + h, n->keys + n->count, r->keys);
      std::copy(n->l.value + h, n->l.value + n->count, r->l.value);
      r->l.next = n->l.next;
      n->l.next = r;
      n->count = h;
      return {r->keys[0], r};
    }
    r->count = n->count - h - 1;
    std::copy(n->keys + h + 1, n->keys + n->count, r->keys);
    std::copy(n->child + h + 1, n->child + n->count + 1, r->child);
    K up = n->keys[h];
    n->count = h;
    return {up, r};
  }
  static void insert(Node *n, const K &k, const V &v,
                     size_t &size) { // n is not full
    int i = (int)(std::upper_bound(n->keys, n->keys + n->count, k) - n->keys);
    if (n->leaf) {
      if (i && n->keys[i - 1] == k) {
        n->l.value[i - 1] += v;
        return;
      }
      for (int j = n->count; j > i; j--) {
        n->keys[j] = n->keys[j - 1];
        n->l.value[j] = n->l.value[j - 1];
      }
      n->keys[i] = k;
      n->l.value[i] = v;
      n->count++;
      size++;
      return;
    }
    if (n->child[i]->count == N) {
      auto [up, r] = split(n->child[i]);
      for (int j = n->count; j > i; j--) {
        n->keys[j] = n->keys[j - 1];
        n->child[j + 1] = n->child[j];
      }
      n->keys[i] = up;
      n->child[i + 1] = r;
      n->count++;
      if (!(k < up))
        i++;
    }
    insert(n->child[i], k, v, size);
  }

public:
  ~BTree() { destroy(root_); }
  void add(const K &k, const V &v) {
    if (!root_)
      root_ = new Node(true);
    if (root_->count == N) {
      Node *r = new Node(false);
      r->child[0] = root_;
      auto [up, right] = split(root_);
      r->keys[0] = up;
      r->child[1] = right;
      r->count = 1;
      root_ = r;
    }
    insert(root_, k, v, size_);
  }
  const V *find(const K &k) const {
    const Node *n = root_;
    while (n && !n->leaf)
      n = n->child[std::upper_bound(n->keys, n->keys + n->count, k) - n->keys];
    if (!n)
      return nullptr;
    auto it = std::lower_bound(n->keys, n->keys + n->count, k);
    return it != n->keys + n->count && *it == k ? &n->l.value[it - n->keys]
                                                : nullptr;
  }
  template <class F> void range(const K &lo, const K &hi, F f) const {
    const Node *n = root_;
    while (n && !n->leaf)
      n = n->child[std::upper_bound(n->keys, n->keys + n->count, lo) - n->keys];
    for (; n; n = n->l.next)
      for (int i = 0; i < n->count; i++) {
        if (n->keys[i] >= hi)
          return;
        if (n->keys[i] >= lo)
          f(n->keys[i], n->l.value[i]);
      }
  }
  size_t size() const { return size_; }
};
static double f(const double *x, int n) {
  BTree<int, double> t;
  for (int i = 0; i < 40; i++)
    t.add(i * 17 % 61, std::sin(x[i % n] * (i + 1)));
  for (int i = 0; i < 40; i += 3)
    t.add(i * 17 % 61, x[i % n] * x[(i + 1) % n]);
  double s = 0;
  t.range(10, 45, [&](int k, double v) { s += v * v * (1 + 0.1 * k); });
  for (int k = 0; k < 61; k += 7)
    if (const double *v = t.find(k))
      s += *v * k;
  return s + 0.1 * t.size() * x[0];
}
DERIVED(f)
