// Functions that the engine cannot see change inactive memory that the reverse
// pass needs as it was.
#include "../check.h"

/// What a name in assembly stands for is hidden from the compiler.
#define UNSEEN(NAME, BODY) __asm__(".globl " #NAME "\n.set " #NAME ", " #BODY)

int state = 1;
int **kept;

void advance_(void) { state = (state * 5 + 3) % 8; }
UNSEEN(advance, advance_);
void advance(void);

void keep_(int **where) { kept = where; }
UNSEEN(keep, keep_);
void keep(int **where);

void step_(void) { **kept = (**kept + 1) % 3; }
UNSEEN(step, step_);
void step(void);

static double turn(const double *x, int depth);
static double by_state(const double *x, int depth) {
  double y = x[state] * x[state];
  return depth == 0 ? y : y * turn(x, depth - 1);
}
static double turn(const double *x, int depth) {
  advance();
  return by_state(x, depth) + x[0];
}

/// A global variable that nothing here writes.
static double global(const double *x, int n) {
  state = 1;
  return by_state(x, n);
}

static double move_on(const double *x, int *index, int n);
static double by_index(const double *x, int *index, int n) {
  double v = x[*index];
  return n == 0 ? v : v * v + move_on(x, index, n - 1);
}
static double move_on(const double *x, int *index, int n) {
  step();
  return by_index(x, index, n) * x[5];
}

/// A local variable whose address another function keeps.
static double local(const double *x, int n) {
  int index = 0, *p = &index;
  keep(&p);
  return by_index(x, &index, n);
}

typedef double Function(const double *, int);

static void compare(Function *f, double *x, const double *dx, int n) {
  for (int i = 0; i < 8; ++i) {
    double h = 1e-5, was = x[i];
    x[i] = was + h;
    double up = f(x, n);
    x[i] = was - h;
    double down = f(x, n);
    x[i] = was;
    NEAR(dx[i], (up - down) / (2 * h), 1e-7);
  }
}

int main(void) {
  double x[8] = {1.1, 0.7, 1.3, 0.9, 1.2, 0.8, 1.05, 0.6};
  {
    double dx[8] = {0};
    __enzyme_autodiff_void((void *)global, x, dx, 5);
    compare(global, x, dx, 5);
  }
  {
    double dx[8] = {0};
    __enzyme_autodiff_void((void *)local, x, dx, 5);
    compare(local, x, dx, 5);
  }
  return finish();
}
