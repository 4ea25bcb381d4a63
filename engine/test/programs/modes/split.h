// What the programs of split mode share: its entry points, what the first pass
// returns, and the function that is differentiated in two passes.
#include "../check.h"

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_augmentfwd(A...);

struct Two {
  double v[2];
};
struct Augmented {
  void *tape;
  double value;
};
struct Item {
  double value;
  Item *next;
};

static double gain = 1.5; // changed by the caller between the passes

/// Memory of its own, records of unknown number, a list of the caller's; Sum
/// adds up each record. What remains in `local` is the caller's to use.
template <double (*Sum)(const double *, int)>
static double walk(const double *x, int n, Item *list, double t,
                   double *local) {
  double s = 0;
  for (Item *p = list; p; p = p->next) {
    double *w = new double[n];
    for (int i = 0; i < n; ++i)
      w[i] = x[i] * p->value + local[i % 3];
    s += Sum(w, n) * sin(p->value);
    local[1] += s * 0.1;
    p->value = s * t;
    delete[] w;
  }
  return s;
}

/// What the second pass must not read.
static void spoil(double (&x)[4], Item &a, Item &b) {
  for (double &v : x)
    v = 1e9;
  a.value = b.value = -1e9;
}
