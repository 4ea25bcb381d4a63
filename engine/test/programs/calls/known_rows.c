// OPTIONS: -fno-builtin
// Library functions without a derivative that return a place in memory that
// they are given: numbers are found beside it.
#include "../check.h"

struct Entry {
  char name[8];
  double value;
};

static double found(double x) {
  double a[2] = {x * x, x};
  double *p = (double *)memchr(a, *(unsigned char *)a, 8);
  return p ? *p * a[1] : 0;
}

static double beside(double x) {
  struct Entry e = {"ab=c", x * x};
  char *at = strchr(e.name, '=');
  return at ? ((struct Entry *)(at - 2))->value : 0;
}

static double absent(double x) {
  struct Entry e = {"abc", x * x};
  return strrchr(e.name, '=') ? x : e.value;
}

static double returned(double x) {
  char name[8];
  struct Entry e = {"abc", x * x * x};
  return strcpy(name, "z")[0] == 'z' ? e.value : x;
}

#define CHECK(f)                                                               \
  do {                                                                         \
    double x = 1.5, h = 1e-5, d = (f(x + h) - f(x - h)) / (2 * h);             \
    NEAR(__enzyme_autodiff((void *)f, x), d, 1e-7);                            \
    NEAR(__enzyme_fwddiff((void *)f, x, 1.0), d, 1e-7);                        \
  } while (0)

int main(void) {
  CHECK(beside);
  CHECK(absent);
  CHECK(returned);
  NEAR(__enzyme_autodiff((void *)found, 1.5), 3 * 1.5 * 1.5, 1e-12);
  NEAR(__enzyme_fwddiff((void *)found, 1.5, 1.0), 3 * 1.5 * 1.5, 1e-12);
  return finish();
}
