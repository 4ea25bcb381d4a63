// SOURCES: elsewhere.c
// A function whose derivative is in no translation unit that was differentiated
// ends the program where it is called.
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

typedef double function(double);
function *elsewhere(void);
double here(double x) { return x * x; }
function *volatile known = here;

static void apply(const double *x, double *y, function *f) { *y = f(*x); }

int main(void) {
  double x = 3, dx = 0, y, dy = 1;
  __enzyme_autodiff((void *)apply, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy,
                    enzyme_const, known);
  if (dx != 6)
    return 0;
  __enzyme_autodiff((void *)apply, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy,
                    enzyme_const, elsewhere());
  return 0;
}
