#include "../check.h"
// A header word before the numbers, which are moved as words of 8 bytes.
typedef struct {
  int64_t n;
  double v[8];
} Packet;
NOINLINE static void move(Packet *to, const Packet *from) {
  for (int64_t i = 0; i < from->n; ++i)
    memcpy(&to->v[from->n - 1 - i], &from->v[i], 8);
  to->n = from->n;
}
static double f(const double *x, int n) {
  Packet a, b;
  a.n = n;
  for (int i = 0; i < n; ++i)
    a.v[i] = x[i] * x[i];
  move(&b, &a);
  double s = 0;
  for (int64_t i = 0; i < b.n; ++i)
    s += b.v[i] * (i + 1);
  return s;
}
// whole packets, and words through a phi
static double g(const double *x, int n) {
  int64_t *buf = (int64_t *)malloc(8 * (n + 1)),
          *out = (int64_t *)malloc(8 * (n + 1));
  buf[0] = n;
  for (int i = 0; i < n; ++i) {
    double t = sin(x[i]);
    memcpy(buf + 1 + i, &t, 8);
  }
  for (int i = 0; i <= n; ++i)
    memcpy(out + i, buf + i, 8);
  double s = 0;
  for (int64_t i = 0; i < out[0]; ++i) {
    double t;
    memcpy(&t, out + 1 + i, 8);
    s += t * t * (i + 1);
  }
  free(buf);
  free(out);
  return s;
}
int main(void) {
  double x[5] = {0.8, -1.1, 0.9, 1.3, -0.6}, d[5] = {0}, e[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 5);
  GRADIENT(f, x, d, 5);
  __enzyme_autodiff((void *)g, enzyme_dup, x, e, enzyme_const, 5);
  GRADIENT(g, x, e, 5);
  return finish();
}
