// flags: -std=c++20
#include "../user.h"
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <vector>
// bump allocator with blocks, objects linked by raw pointers
class Arena {
  struct Block {
    std::unique_ptr<std::byte[]> mem;
    size_t used, size;
  };
  std::vector<Block> blocks_;

public:
  void *alloc(size_t n, size_t align) {
    if (!blocks_.empty()) {
      Block &b = blocks_.back();
      size_t at = (b.used + align - 1) / align * align;
      if (at + n <= b.size) {
        b.used = at + n;
        return b.mem.get() + at;
      }
    }
    size_t size = n > 512 ? n : 512;
    blocks_.push_back({std::make_unique<std::byte[]>(size), n, size});
    return blocks_.back().mem.get();
  }
  template <class T, class... A> T *make(A &&...a) {
    return new (alloc(sizeof(T), alignof(T))) T{std::forward<A>(a)...};
  }
  template <class T> std::span<T> array(size_t n) {
    T *p = static_cast<T *>(alloc(n * sizeof(T), alignof(T)));
    for (size_t i = 0; i < n; ++i)
      new (p + i) T();
    return {p, n};
  }
  size_t blocks() const { return blocks_.size(); }
};
enum class Kind : char { Leaf, Add, Mul, Neg };
struct Node {
  Kind kind;
  bool marked;
  int depth;
  double value, weight;
  Node *left, *right;
  std::string_view name;
};
static Node *build(Arena &a, const double *x, int lo, int hi, int depth) {
  if (hi - lo == 1)
    return a.make<Node>(Kind::Leaf, lo % 2 == 0, depth, x[lo], 1.0 + 0.1 * lo,
                        nullptr, nullptr, std::string_view("leaf"));
  int mid = (lo + hi) / 2;
  Node *l = build(a, x, lo, mid, depth + 1),
       *r = build(a, x, mid, hi, depth + 1);
  Node *m = a.make<Node>(depth % 2 ? Kind::Mul : Kind::Add, false, depth, 0.0,
                         l->weight * r->weight / (1 + l->weight + r->weight), l,
                         r, std::string_view("inner node"));
  if (depth == 2)
    m = a.make<Node>(Kind::Neg, true, depth, 0.0, 0.5 * m->weight, m, nullptr,
                     std::string_view("negation"));
  return m;
}
static double eval(Node *t) {
  switch (t->kind) {
  case Kind::Leaf:
    return t->value * (t->marked ? 1.1 : 1.0);
  case Kind::Add:
    t->value = eval(t->left) + eval(t->right);
    break;
  case Kind::Mul:
    t->value =
        eval(t->left) * eval(t->right) / (1 + t->left->value * t->left->value);
    break;
  case Kind::Neg:
    t->value = -eval(t->left);
    break;
  }
  return t->value;
}
static double walk(const Node *t, std::span<double> hist) {
  if (!t)
    return 0;
  hist[t->depth % hist.size()] += t->value * t->weight;
  return 0.01 * t->name.size() * t->value + walk(t->left, hist) +
         walk(t->right, hist);
}
static double f(const double *x, int n) {
  Arena arena;
  Node *root = build(arena, x, 0, n, 0);
  double v = eval(root);
  auto hist = arena.array<double>(4);
  double w = walk(root, hist);
  for (double h : hist)
    w += sin(h);
  return v + w + 1e-3 * arena.blocks();
}
DERIVED(f)
