// A static pointer leads to memory of which the derivative sees nothing but
// this: it may as well be an input, which pointers in an argument's memory lead
// to, and to take it for constant could be wrong.
#include "again.h"

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct state {
  double factor, last;
  int calls;
};
static struct state *State;

struct input {
  double *values;
};

static double f(const struct input *in, int n) {
  const double *x = in->values;
  ++State->calls; // nothing active
  if (!n)
    return x[0] * x[0];
  State[n - 1].last = x[0] * 2;
  return State[n / 2].last * x[1]; // nothing forwards the number
}

int main(int argc, char **argv) {
  (void)argv;
  struct state s = {3, 0, 0};
  double x[2] = {1, 2}, d[2] = {0, 0};
  struct input in = {x}, din = {d};
  State = &s;
  __enzyme_autodiff((void *)f, enzyme_dup, &in, &din, enzyme_const, argc - 1);
  if (d[0] != 2 || s.calls != 1)
    return 0;
  AGAIN((void *)f, enzyme_dup, &in, &din, enzyme_const, argc);
  return 0;
}
