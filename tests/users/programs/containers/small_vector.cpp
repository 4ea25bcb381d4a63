// flags: -std=c++20
// small-buffer vector: inline storage for 4, heap beyond; copies, moves, swap,
// vectors of small vectors
#include "../user.h"
#include <algorithm>
#include <vector>
template <class T, int N> class SmallVec {
  T *p = buf;
  int len = 0, cap = N;
  T buf[N];

public:
  SmallVec() {}
  SmallVec(const SmallVec &o) {
    for (int i = 0; i < o.len; ++i)
      push(o.p[i]);
  }
  SmallVec(SmallVec &&o) noexcept { take(o); }
  SmallVec &operator=(SmallVec o) {
    if (p != buf)
      delete[] p;
    p = buf;
    cap = N;
    take(o);
    return *this;
  }
  ~SmallVec() {
    if (p != buf)
      delete[] p;
  }
  void take(SmallVec &o) {
    len = o.len;
    if (o.p == o.buf)
      std::copy(o.buf, o.buf + o.len, buf);
    else {
      p = o.p;
      cap = o.cap;
      o.p = o.buf;
      o.cap = N;
    }
    o.len = 0;
  }
  void push(const T &v) {
    if (len == cap) {
      T *q = new T[cap * 2];
      std::copy(p, p + len, q);
      if (p != buf)
        delete[] p;
      p = q;
      cap *= 2;
    }
    p[len++] = v;
  }
  void pop() { --len; }
  int size() const { return len; }
  T &operator[](int i) { return p[i]; }
  const T &operator[](int i) const { return p[i]; }
  T *begin() { return p; }
  T *end() { return p + len; }
};
using S = SmallVec<double, 4>;
static S outer(const S &a, const S &b) {
  S r;
  for (int i = 0; i < a.size(); ++i)
    for (int j = 0; j < b.size() && j < 2; ++j)
      r.push(a[i] * b[j] + 0.1 * i);
  return r;
}
static double f(const double *x, int n) {
  std::vector<S> v(3);
  double s = 0;
  for (int i = 0; i < n + 2; ++i) {
    v[i % 3].push(x[i % n]);
    if (i % 4 == 3)
      std::swap(v[0], v[1]);
    if (i % 5 == 2)
      v.push_back(v[i % 3]);
    S o = outer(v[0], v[1]);
    for (double e : o)
      s += sin(e) * 0.3;
    if (o.size() > 6)
      v[2] = std::move(o);
    while (v[2].size() > 5) {
      s += v[2][v[2].size() - 1];
      v[2].pop();
    }
  }
  SmallVec<S, 2> nest;
  for (auto &e : v)
    nest.push(e);
  for (auto &e : nest)
    for (double d : e)
      s += d * d;
  return s;
}
DERIVED(f)
