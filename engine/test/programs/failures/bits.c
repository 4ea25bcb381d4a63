// A number of a union that is read as the integer beside it, in memory that has
// both: what is computed of its bits has a derivative that nobody knows, and
// the program ends.
#include <stdlib.h>
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

typedef union {
  double number;
  long integer;
} word;

static double sum(const double *x, int n) {
  word *words = malloc(sizeof(word) * (size_t)n);
  for (int i = 0; i < n; ++i)
    if (i % 2)
      words[i].number = x[i];
    else
      words[i].integer = 3 * i;
  double s = 0;
  for (int i = 0; i < n; ++i) // it takes the last one for an integer
    s += i % 2 && i + 1 < n ? words[i].number : (double)(words[i].integer + 1);
  free(words);
  return s;
}

int main(int argc, char **argv) {
  (void)argv;
  double x[4] = {1, 2, 3, 4}, d[4] = {0, 0, 0, 0};
  __enzyme_autodiff((void *)sum, enzyme_dup, x, d, enzyme_const, 3);
  if (d[0] != 0 || d[1] != 1 || d[2] != 0)
    return 0;
  __enzyme_autodiff((void *)sum, enzyme_dup, x, d, enzyme_const, 3 + argc);
  return 0;
}
