// flags: -std=c++20
// float and double bit tricks: unions of float[2] / double / uint64_t, fast
// inverse sqrt with Newton, Kahan, frexp/ldexp, packed pairs moved as words
#include "../user.h"
#include <bit>
#include <vector>
union Pair {
  float f[2];
  uint64_t u;
  int32_t i[2];
};
union Num {
  double d;
  uint64_t u;
  struct {
    uint32_t lo, hi;
  } w;
};
static double rsqrt(double v) {
  Num n;
  n.d = v;
  n.u = 0x5fe6eb50c7b537a9ull - (n.u >> 1);
  double y = n.d;
  for (int k = 0; k < 5; ++k)
    y = y * (1.5 - 0.5 * v * y * y);
  return y;
}
static double flip(double v) {
  Num n{v};
  n.u ^= 1ull << 63;
  return n.d;
}
static double mag(double v) {
  Num n{v};
  n.w.hi &= 0x7fffffff;
  return n.d;
}
struct Node {
  Pair p;
  Num d;
  int tag;
};
static double f(const double *x, int n) {
  std::vector<Node> v;
  for (int i = 0; i < n; ++i) {
    Node a;
    a.tag = i % 3;
    if (a.tag == 0) {
      a.p.f[0] = 0.5f * i;
      a.p.f[1] = 2;
    } else
      a.p.u = 7 + i;
    a.d.d = x[i];
    v.push_back(a);
  }
  double s = 0;
  for (int r = 0; r < 3; ++r) {
    for (size_t i = 0; i + 1 < v.size(); ++i) {
      uint64_t t = v[i].d.u;
      v[i].d.u = v[i + 1].d.u;
      v[i + 1].d.u = t;
      std::swap(v[i].p, v[i + 1].p);
      std::swap(v[i].tag, v[i + 1].tag);
    }
    for (auto &a : v) {
      s += a.d.d * a.d.d * (1 + r) +
           (a.tag == 0 ? a.p.f[0] * a.d.d * 0.1 : 0.01 * (a.p.u % 5));
      a.d.d = flip(a.d.d) * 0.9 + mag(s) * 0.01;
    }
  }
  for (int i = 0; i < n; ++i)
    s += rsqrt(1 + x[i] * x[i]);
  int e;
  double m = frexp(s, &e);
  s = ldexp(m * x[0], e);
  double sum = 0, c = 0;
  for (int i = 0; i < n; ++i) {
    volatile double y = x[i] * s * 0.1 - c, t = sum + y;
    c = (t - sum) - y;
    sum = t;
  }
  return copysign(sum, -1.0) + s;
}
DERIVED(f)
