// flags: -std=c++20
// memcpy / memmove / swaps of structs and of raw uint64_t words, char-wise
// reversal, insertion sort by memmove
#include "../user.h"
struct P {
  double pos[2];
  int id;
  float m;
  double e;
};
static void swap_bytes(void *a, void *b, size_t n) {
  char *p = (char *)a, *q = (char *)b;
  for (size_t i = 0; i < n; ++i) {
    char t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
}
static void swap_words(void *a, void *b, size_t n) {
  uint64_t *p = (uint64_t *)a, *q = (uint64_t *)b;
  for (size_t i = 0; i < n / 8; ++i) {
    uint64_t t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
}
static void swap_tmp(void *a, void *b, size_t n) {
  char t[64];
  memcpy(t, a, n);
  memmove(a, b, n);
  memcpy(b, t, n);
}
static void isort(P *p, int n) {
  for (int i = 1; i < n; ++i) {
    P key;
    memcpy(&key, p + i, sizeof key);
    int lo = 0, hi = i;
    while (lo < hi) {
      int m = (lo + hi) / 2;
      if (p[m].pos[0] <= key.pos[0])
        lo = m + 1;
      else
        hi = m;
    }
    memmove(p + lo + 1, p + lo, (i - lo) * sizeof(P));
    p[lo] = key;
  }
}
static double f(const double *x, int n) {
  P *p = (P *)malloc(sizeof(P) * (n + 1)), *q = (P *)calloc(n + 1, sizeof(P));
  for (int i = 0; i < n; ++i)
    p[i] = {{x[i], x[(i + 1) % n] * 2}, i, 0.5f, x[i] * x[0]};
  memset(p + n, 0, sizeof(P));
  double s = 0;
  for (int r = 0; r < 4; ++r) {
    isort(p, n);
    int a = r % n, b = (r * 3 + 1) % n;
    if (a != b) {
      if (r == 1)
        swap_words(p + a, p + b, sizeof(P));
      else if (r == 2)
        swap_tmp(p + a, p + b, sizeof(P));
      else
        std::swap(p[a], p[b]);
    }
    memcpy(q, p, n * sizeof(P));
    for (int i = 0; i < n; ++i) {
      q[i].pos[0] = p[(i + 1) % n].pos[1] * 0.5 + q[i].e * 0.1;
      s += sin(q[i].pos[0]) * (i + 1) * q[i].m;
    }
    memmove(p, q, sizeof(P) * n);
    if (n > 2) {
      swap_bytes(p, p + 2, sizeof(P));
      s += p[0].e * 2 - p[2].pos[1];
    }
  }
  double row[8];
  for (int i = 0; i < 8; ++i)
    row[i] = x[i % n] * i;
  memmove(row + 1, row, 7 * sizeof(double));
  row[0] = s;
  std::swap_ranges(row, row + 4, row + 4);
  for (int i = 0; i < 8; ++i)
    s += row[i] * row[7 - i] * 0.1;
  free(p);
  free(q);
  return s;
}
DERIVED(f)
