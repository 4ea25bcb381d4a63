// What is written has a derivative, and the memory that it is written to is
// constant, though other memory of its kind is not: the derivative would be
// lost, and the program ends. Which write it is, WAY says.
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct box {
  double value;
  const double *at;
  _Atomic double sum;
};

__attribute__((noinline)) static void put(struct box *to, const double *x,
                                          const struct box *from) {
  double cosine;
  switch (WAY) {
  case 0:
    to->value = x[0] * x[0];
    break;
  case 1:
    to->at = x + 1;
    break;
  case 2:
    memcpy(to, from, sizeof *to);
    break;
  case 3:
    to->sum += x[0];
    break;
  default:
    sincos(x[0], &to->value, &cosine);
  }
}

static double f(const double *x, struct box *fixed, int which) {
  struct box *own = calloc(1, sizeof *own), all = {x[2], x, 0};
  struct box *boxes[2] = {own, fixed};
  put(boxes[which], x, &all);
  double sum = x[0];
  for (int i = 0; i < 2; ++i)
    sum += boxes[i]->value + (boxes[i]->at ? *boxes[i]->at : 0) + boxes[i]->sum;
  free(own);
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  const double x[3] = {1.5, 2, 3};
  const double want[5][3] = {
      {4, 0, 0}, {1, 1, 0}, {2, 0, 1}, {2, 0, 0}, {1 + cos(1.5), 0, 0}};
  double d[3] = {0, 0, 0}, fixed_at = 4, v[3] = {1, 2, 3}, dot = 0;
  struct box fixed = {5, &fixed_at, 6};
  // Into the one of its own.
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, &fixed,
                    enzyme_const, 0);
  for (int i = 0; i < 3; ++i) {
    if (fabs(d[i] - want[WAY][i]) > 1e-14)
      return 0;
    dot += d[i] * v[i];
  }
  if (fabs(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, &fixed,
                            enzyme_const, 0) -
           dot) > 1e-14)
    return 0;
#ifdef FORWARD
  __enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, &fixed,
                   enzyme_const, argc);
#else
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, &fixed,
                    enzyme_const, argc);
#endif
  return 0;
}
