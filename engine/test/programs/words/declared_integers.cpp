// Memory of the heap whose declared type is an integer, and that holds the bits
// of numbers or addresses: what moves them as integers moves numbers.
#include "../check.h"
#include <algorithm>
#include <bit>
#include <vector>

static uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }
static float number(uint32_t u) { return std::bit_cast<float>(u); }

/// Two floats in a word; words are exchanged.
static double packed(const double *x, int n) {
  auto *v = static_cast<uint64_t *>(malloc(n * sizeof(uint64_t)));
  for (int i = 0; i < n; i++)
    v[i] = uint64_t(bits(float(x[i]) * 2)) << 32 | bits(float(x[(i + 1) % n]));
  std::swap(v[0], v[2]);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += number(uint32_t(v[i] >> 32)) * number(uint32_t(v[i])) * (i + 1);
  free(v);
  return s;
}

/// Signs changed in place, and elements moved by a library.
static double signs(const double *x, int n) {
  std::vector<int> v(n);
  for (int i = 0; i < n; i++) {
    float q = float(x[i]) * float(x[0]);
    memcpy(&v[i], &q, 4);
  }
  std::reverse(v.begin(), v.end());
  v[0] ^= 0x80000000;
  v[1] &= 0x7fffffff;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += number(v[i]) * (i + 1);
  return s;
}

/// A sign changed when the bits are put there, and when they are taken.
static double flipped(const double *x, int n) {
  auto *k = static_cast<uint64_t *>(malloc(n * sizeof(uint64_t)));
  for (int i = 0; i < n; i++) {
    memcpy(&k[i], &x[i], 8);
    k[i] ^= 1ull << 63;
  }
  double s = 0;
  for (int i = 0; i < n; i++) {
    uint64_t u = k[i] ^ 1ull << 63;
    double d;
    memcpy(&d, &u, 8);
    s += d * d * (i + 1);
  }
  free(k);
  return s;
}

/// Addresses that are kept as integers; two are exchanged.
static double addresses(const double *x, int n) {
  auto *t = static_cast<uintptr_t *>(malloc(n * sizeof(uintptr_t)));
  auto *y = static_cast<double *>(malloc(n * sizeof(double)));
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    t[i] = (uintptr_t)&y[i];
  }
  uintptr_t q = t[0];
  t[0] = t[2];
  t[2] = q;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += *(double *)t[i] * (i + 1);
  free(y);
  free(t);
  return s;
}

struct Node {
  Node *Next;
  double Value;
};
struct Word {
  Word *Next;
  long Bits;
};
/// Objects of two kinds in one table, so that their places are mixed. Without
/// types of accesses it is refused.
UNUSED static double mixed(const double *x, int) {
  auto *n = static_cast<Node *>(malloc(sizeof(Node)));
  auto *w = static_cast<Word *>(malloc(sizeof(Word)));
  auto *u = static_cast<Word *>(malloc(sizeof(Word)));
  n->Next = n;
  w->Next = u->Next = (Word *)n;
  n->Value = x[2];
  void *table[] = {n, w, u};
  volatile int at = 1;
  auto *a = (Word *)table[at], *b = (Word *)table[at + 1];
  auto *c = (Node *)table[at - 1];
  double r = x[0] * x[1];
  memcpy(&a->Bits, &r, 8);
  c->Value *= 2;
  b->Bits = a->Bits;
  c->Value *= 2;
  memcpy(&r, &b->Bits, 8);
  r *= c->Value;
  free(n);
  free(w);
  free(u);
  return r;
}

template <typename F> static void check(F f, const double (&want)[3]) {
  double x[3] = {0.5, 1, -2}, t[3] = {1, -2, 0.5}, d[3] = {}, along = 0;
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, d, enzyme_const, 3);
  for (int i = 0; i < 3; i++) {
    NEAR(d[i], want[i], 1e-6);
    along += want[i] * t[i];
  }
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, 3), along,
       1e-6);
}

int main() {
  // 2 x2 x0 + 4 x1 x2 + 6 x0 x1
  check(packed, {2 * -2 + 6 * 1, 4 * -2 + 6 * 0.5, 2 * 0.5 + 4 * 1});
  // -x2 x0 + 2 |x1 x0| + 3 x0^2
  check(signs, {2 + 2 * 1 + 6 * 0.5, 2 * 0.5, -0.5});
  check(flipped, {2 * 0.5, 4 * 1, 6 * -2});
  check(addresses, {2 * 0.5 * 3, 2 * 2, 2 * -2});
#ifdef __OPTIMIZE__
  check(mixed, {4 * 1 * -2, 4 * 0.5 * -2, 4 * 0.5 * 1});
#endif
  return finish();
}
