// flags: -std=c++20
// arena allocator: bump pointer over blocks of char, objects of several types,
// reset and reuse, an STL allocator on top
#include "../user.h"
#include <cstddef>
#include <map>
#include <new>
#include <vector>
class Arena {
  struct Block {
    char *mem;
    size_t size;
  };
  std::vector<Block> blocks;
  size_t cur = 0, off = 0;

public:
  void *get(size_t bytes, size_t align) {
    off = (off + align - 1) / align * align;
    while (cur < blocks.size() && off + bytes > blocks[cur].size) {
      ++cur;
      off = 0;
    }
    if (cur == blocks.size()) {
      size_t s = bytes > 256 ? bytes : 256;
      blocks.push_back({(char *)malloc(s), s});
      off = 0;
    }
    void *p = blocks[cur].mem + off;
    off += bytes;
    return p;
  }
  template <class T, class... A> T *make(A &&...a) {
    return new (get(sizeof(T), alignof(T))) T{std::forward<A>(a)...};
  }
  template <class T> T *array(int n) {
    return (T *)get(sizeof(T) * n, alignof(T));
  }
  void reset() { cur = off = 0; }
  ~Arena() {
    for (auto &b : blocks)
      free(b.mem);
  }
};
template <class T> struct Alloc {
  using value_type = T;
  Arena *a;
  Alloc(Arena *p) : a(p) {}
  template <class U> Alloc(const Alloc<U> &o) : a(o.a) {}
  T *allocate(size_t n) { return (T *)a->get(n * sizeof(T), alignof(T)); }
  void deallocate(T *, size_t) {}
  template <class U> bool operator==(const Alloc<U> &o) const {
    return a == o.a;
  }
};
struct Tree {
  double v;
  Tree *l, *r;
};
static Tree *insert(Arena &a, Tree *t, double v) {
  if (!t)
    return a.make<Tree>(v, nullptr, nullptr);
  if (v < t->v)
    t->l = insert(a, t->l, v);
  else
    t->r = insert(a, t->r, v);
  return t;
}
static double walk(const Tree *t, int d) {
  return t ? t->v * t->v / d + walk(t->l, d + 1) + walk(t->r, d + 2) : 0;
}
static double f(const double *x, int n) {
  Arena a;
  double s = 0;
  for (int round = 0; round < 3; ++round) {
    a.reset();
    Tree *t = nullptr;
    for (int i = 0; i < n; ++i)
      t = insert(a, t, x[i] * (1 + 0.1 * round) + 0.02 * i);
    double *tmp = a.array<double>(n);
    for (int i = 0; i < n; ++i)
      tmp[i] = x[i] * s * 0.1 + sin(x[n - 1 - i]);
    int *idx = a.array<int>(n);
    for (int i = 0; i < n; ++i)
      idx[i] = (i * 3 + round) % n;
    for (int i = 0; i < n; ++i)
      s += tmp[idx[i]] * 0.5;
    s += walk(t, 1);
    std::vector<double, Alloc<double>> v{Alloc<double>(&a)};
    for (int i = 0; i < n; ++i)
      v.push_back(x[i] * x[i]);
    std::map<int, double, std::less<int>, Alloc<std::pair<const int, double>>>
        m{Alloc<std::pair<const int, double>>(&a)};
    for (int i = 0; i < n; ++i)
      m[idx[i] % 4] += v[i];
    for (auto &[k, e] : m)
      s += e * (k + 1) * 0.1;
  }
  return s;
}
DERIVED(f)
