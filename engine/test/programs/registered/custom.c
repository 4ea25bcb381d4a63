// Derivatives that the program registers. They differ from the real ones by a
// factor, so that it shows which one was used.
#include "../check.h"

typedef struct {
  void *tape;
  double value;
} taped;
typedef struct {
  double a, b;
} two;
typedef struct {
  double a, b, c;
} three;
typedef struct {
  float a, b;
} two_floats;
two __enzyme_autodiff_two(void *, ...);
three __enzyme_autodiff_three(void *, ...);

// --- A number in, a number out, with a tape, in loops and branches.

static int live_tapes;
static NOINLINE double cube(double x) { return x * x * x; }
static taped cube_forward(double x) {
  taped r = {malloc(sizeof x), x * x * x};
  *(double *)r.tape = x;
  ++live_tapes;
  return r;
}
static double cube_reverse(double x, double seed, void *tape) {
  double kept = *(double *)tape;
  (void)x;
  free(tape);
  --live_tapes;
  return 30 * kept * kept * seed;
}
void *__enzyme_register_gradient_cube[3] = {(void *)cube, (void *)cube_forward,
                                            (void *)cube_reverse};

static double known_loop(double x) {
  double sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += cube(x + i);
  return sum;
}
static double unknown_loop(double x) {
  double sum = 0;
  while (x < 100) {
    if (x > 2)
      sum += cube(x);
    x = 1.5 * x + 1;
  }
  return sum;
}
static NOINLINE double called(double x, int n) {
  return n == 0 ? cube(x) : called(x, n - 1) * cube(x);
}

static void scalars(void) {
  double want = 0, x = 0.7;
  for (int i = 0; i < 5; ++i)
    want += 30 * (x + i) * (x + i);
  NEAR(__enzyme_autodiff((void *)known_loop, x), want, 1e-14);
  double slope = 1;
  want = 0;
  for (double y = x; y < 100; y = 1.5 * y + 1, slope *= 1.5)
    if (y > 2)
      want += 30 * y * y * slope;
  NEAR(__enzyme_autodiff((void *)unknown_loop, x), want, 1e-14);
  // x^9 by the product rule, with 30 x^2 for each factor.
  NEAR(__enzyme_autodiff((void *)called, x, 2), 90 * pow(x, 8), 1e-14);
  // No forward derivative is registered: the body counts.
  NEAR(__enzyme_fwddiff((void *)called, x, 1.0, 2), 9 * pow(x, 8), 1e-14);
  // The function itself is differentiated by what is registered for it.
  NEAR(__enzyme_autodiff((void *)cube, x), 30 * x * x, 1e-14);
  NEAR(live_tapes == 0, 1, 0);
}

// --- What the optimizer would see through: a function that returns its
// argument, a constant, and one that ignores an argument.

static inline __attribute__((always_inline)) double clipped(double x) {
  return x;
}
static double clipped_forward(double x) { return x; }
static double clipped_reverse(double x, double seed) {
  (void)x;
  return seed > 1 ? 1 : seed;
}
void *__enzyme_register_gradient_clipped[] = {
    (void *)clipped, (void *)clipped_forward, (void *)clipped_reverse};

static double step(double x) {
  (void)x;
  return 1;
}
static double step_forward(double x) { return step(x); }
static double step_reverse(double x, double seed) { return seed / (1 + x * x); }
void *__enzyme_register_gradient_step[] = {(void *)step, (void *)step_forward,
                                           (void *)step_reverse};

static double stop(double x) { return x; }
void *__enzyme_inactivefn_stop[] = {(void *)stop};

static double seen_through(double x) {
  return 5 * clipped(x) + step(x) + stop(x) * x;
}
static double stopped(double x) { return stop(x) * x + stop(x * x); }

static void opaque(void) {
  double x = 0.6;
  NEAR(__enzyme_autodiff((void *)seen_through, x), 1 + 1 / (1 + x * x) + x,
       1e-14);
  NEAR(__enzyme_autodiff((void *)stopped, x), x, 1e-14);
  NEAR(__enzyme_fwddiff((void *)stopped, x, 2.0), 2 * x, 1e-14);
}

// --- Structs of numbers: in registers, in memory, in a vector.

static NOINLINE two pair_of(double x, double y) {
  two r = {x * y, x + y};
  return r;
}
typedef struct {
  double tape;
  two value;
} pair_taped;
static pair_taped pair_forward(double x, double y) {
  pair_taped r = {x, {x * y, x + y}};
  return r;
}
static two pair_reverse(double x, double y, two seed, double tape) {
  two r = {10 * (y * seed.a + seed.b), 10 * (tape * seed.a + seed.b)};
  (void)x;
  return r;
}
void *__enzyme_register_gradient_pair[] = {
    (void *)pair_of, (void *)pair_forward, (void *)pair_reverse};
typedef struct {
  two value, tangent;
} pair_dual;
static pair_dual pair_tangent(double x, double dx, double y, double dy) {
  pair_dual r = {{x * y, x + y}, {20 * (x * dy + y * dx), 20 * (dx + dy)}};
  return r;
}
void *__enzyme_register_derivative_pair[] = {(void *)pair_of,
                                             (void *)pair_tangent};
static double of_pair(double x, double y) {
  two r = pair_of(x, y);
  return r.a * r.b;
}

static NOINLINE three triple_of(double x, double y, double z) {
  three r = {x * y, y * z, z * x};
  return r;
}
typedef struct {
  double x, y, z;
  int count;
} triple_tape;
typedef struct {
  triple_tape tape;
  three value;
} triple_taped;
static triple_taped triple_forward(double x, double y, double z) {
  triple_taped r = {{x, y, z, 3}, {x * y, y * z, z * x}};
  return r;
}
static three triple_reverse(double x, double y, double z, three seed,
                            triple_tape t) {
  three r = {10 * (t.y * seed.a + t.z * seed.c),
             10 * (t.x * seed.a + t.z * seed.b),
             10 * (t.y * seed.b + t.x * seed.c) * (t.count - 2)};
  (void)x, (void)y, (void)z;
  return r;
}
void *__enzyme_register_gradient_triple[] = {
    (void *)triple_of, (void *)triple_forward, (void *)triple_reverse};
typedef struct {
  three value, tangent;
} triple_dual;
static triple_dual triple_tangent(double x, double dx, double y, double dy,
                                  double z, double dz) {
  triple_dual r = {
      {x * y, y * z, z * x},
      {20 * (x * dy + y * dx), 20 * (y * dz + z * dy), 20 * (z * dx + x * dz)}};
  return r;
}
void *__enzyme_register_derivative_triple[] = {(void *)triple_of,
                                               (void *)triple_tangent};
static double of_triple(double x, double y, double z) {
  double sum = 0;
  for (int i = 1; i < 4; ++i) {
    three r = triple_of(x, y * i, z);
    sum += r.a * r.b + r.c;
  }
  return sum;
}

static NOINLINE two_floats floats_of(float x, float y) {
  two_floats r = {x * y, x - y};
  return r;
}
typedef struct {
  float tape;
  two_floats value;
} floats_taped;
static floats_taped floats_forward(float x, float y) {
  floats_taped r = {y, {x * y, x - y}};
  return r;
}
static two_floats floats_reverse(float x, float y, two_floats seed,
                                 float tape) {
  two_floats r = {10 * (tape * seed.a + seed.b), 10 * (x * seed.a - seed.b)};
  (void)y;
  return r;
}
void *__enzyme_register_gradient_floats[] = {
    (void *)floats_of, (void *)floats_forward, (void *)floats_reverse};
static double of_floats(double x, double y) {
  two_floats r = floats_of((float)x, (float)y);
  return r.a * r.b;
}

static void structs(void) {
  double x = 0.6, y = -1.25, z = 2.5;
  two g = __enzyme_autodiff_two((void *)of_pair, x, y);
  NEAR(g.a, 10 * (y * (x + y) + x * y), 1e-14);
  NEAR(g.b, 10 * (x * (x + y) + x * y), 1e-14);
  NEAR(__enzyme_fwddiff((void *)of_pair, x, 0.5, y, 2.0),
       20 * ((x * 2 + y * 0.5) * (x + y) + x * y * 2.5), 1e-14);
  three h = __enzyme_autodiff_three((void *)of_triple, x, y, z);
  // sum of x yi * yi z + z x
  double s = 1 + 4 + 9;
  NEAR(h.a, 10 * (s * y * y * z + 3 * z), 1e-13);
  NEAR(h.b, 10 * s * 2 * x * y * z, 1e-13);
  NEAR(h.c, 10 * (s * x * y * y + 3 * x), 1e-13);
  NEAR(__enzyme_fwddiff((void *)of_triple, x, 1.0, y, 0.0, z, 0.0), 2 * h.a,
       1e-13);
  two f = __enzyme_autodiff_two((void *)of_floats, 0.5, 0.25);
  NEAR(f.a, 10 * (0.25 * 0.25 + 0.125), 1e-6);
  NEAR(f.b, 10 * (0.5 * 0.25 - 0.125), 1e-6);
}

// --- Memory: a vector with its length, buffers that only the registered
// functions look into, memory that is freed between the passes.

typedef struct {
  double *data;
  int n;
} vec;
static NOINLINE void axpy(double a, const vec *x, vec *y, const int *order) {
  for (int i = 0; i < x->n; ++i)
    y->data[order[i]] += a * x->data[order[i]];
}
typedef struct {
  double *x;
} axpy_tape;
static axpy_tape axpy_forward(double a, const vec *x, vec *dx, vec *y, vec *dy,
                              const int *order, const int *order_again) {
  axpy_tape t = {malloc(sizeof(double) * (size_t)x->n)};
  (void)dx, (void)dy, (void)order_again;
  memcpy(t.x, x->data, sizeof(double) * (size_t)x->n);
  axpy(a, x, y, order);
  return t;
}
static double axpy_reverse(double a, const vec *x, vec *dx, vec *y, vec *dy,
                           const int *order, const int *order_again,
                           axpy_tape t) {
  double da = 0;
  (void)y, (void)order_again;
  for (int i = 0; i < x->n; ++i) {
    int j = order[i];
    da += t.x[j] * dy->data[j];
    dx->data[j] += 10 * a * dy->data[j];
  }
  free(t.x);
  return da;
}
void *__enzyme_register_gradient_axpy[] = {(void *)axpy, (void *)axpy_forward,
                                           (void *)axpy_reverse};

static double combine(const double *in, int n) {
  double *work = malloc(sizeof(double) * (size_t)n);
  int *order = malloc(sizeof(int) * (size_t)n);
  for (int i = 0; i < n; ++i) {
    work[i] = in[i] * in[i];
    order[i] = n - 1 - i;
  }
  double *sum = calloc((size_t)n, sizeof(double));
  vec x = {work, n}, y = {sum, n};
  for (int k = 0; k < 3; ++k) {
    axpy(k + 1, &x, &y, order);
    work[0] *= 2; // overwritten between the calls
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sum[i] * (i + 1);
  free(order);
  free(work);
  free(sum);
  return s;
}

// Nothing but these two knows what is in the box.
static NOINLINE void put(void *box, double x) { *(double *)box = x; }
static void *put_forward(void *box, void *dbox, double x) {
  (void)dbox;
  put(box, x);
  return NULL;
}
static double put_reverse(void *box, void *dbox, double x, void *tape) {
  double d = *(double *)dbox;
  (void)box, (void)x, (void)tape;
  *(double *)dbox = 0;
  return 2 * d;
}
void *__enzyme_register_gradient_put[] = {(void *)put, (void *)put_forward,
                                          (void *)put_reverse};
static NOINLINE double get(void *box) { return *(double *)box; }
static double get_forward(void *box, void *dbox) {
  (void)dbox;
  return get(box);
}
static void get_reverse(void *box, void *dbox, double seed) {
  (void)box;
  *(double *)dbox += 3 * seed;
}
void *__enzyme_register_gradient_get[] = {(void *)get, (void *)get_forward,
                                          (void *)get_reverse};
static double boxed(double x) {
  void *box = malloc(8);
  put(box, x * x);
  double r = get(box);
  put(box, 5);
  r += get(box);
  free(box);
  return r;
}

// Constant memory of the function's own: the derivative may add to its shadow.
static NOINLINE double weigh(const double *w, double x) { return w[0] * x; }
static double weigh_forward(const double *w, double *dw, double x) {
  (void)dw;
  return weigh(w, x);
}
static double weigh_reverse(const double *w, double *dw, double x,
                            double seed) {
  dw[0] += 1000 * x * seed;
  return 2 * w[0] * seed;
}
void *__enzyme_register_gradient_weigh[] = {
    (void *)weigh, (void *)weigh_forward, (void *)weigh_reverse};
static double weighed(double x) {
  double w[2] = {3, 4}, sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += weigh(w, x * i) + w[1];
  return sum * w[0];
}

static void memory(void) {
  double in[4] = {0.5, -1, 2, 0.25}, d[4] = {0};
  __enzyme_autodiff((void *)combine, enzyme_dup, in, d, enzyme_const, 4);
  for (int i = 0; i < 4; ++i) {
    double weight = i == 0 ? 1 + 2 * 2 + 3 * 4 : 6;
    NEAR(d[i], 10 * weight * (i + 1) * 2 * in[i], 1e-14);
  }
  NEAR(__enzyme_autodiff((void *)boxed, 0.3), 2 * 3 * 0.6, 1e-14);
  NEAR(__enzyme_autodiff((void *)weighed, 0.3), 2 * 3 * 3 * 3, 1e-14);
}

// --- A pointer as the result, with its shadow.

static NOINLINE double *element(double *x, int i) { return x + i; }
typedef struct {
  double *value, *shadow;
} place;
static place element_forward(double *x, double *dx, int i, int i_again) {
  place r = {x + i, dx + i};
  (void)i_again;
  return r;
}
static int elements_left;
static void element_reverse(double *x, double *dx, int i, int i_again) {
  (void)x, (void)dx, (void)i, (void)i_again;
  --elements_left;
}
void *__enzyme_register_gradient_element[] = {
    (void *)element, (void *)element_forward, (void *)element_reverse};
static place element_tangent(double *x, double *dx, int i, int i_again) {
  place r = {x + i, dx + i};
  (void)i_again;
  return r;
}
void *__enzyme_register_derivative_element[] = {(void *)element,
                                                (void *)element_tangent};
static double through_pointer(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double *p = element(x, i);
    sum += *p * *p;
    x[i] = 3 * sum; // what p points to
    sum += *p;
  }
  return sum;
}
static double through_plainly(const double *in, int n) {
  double sum = 0;
  (void)n;
  for (int i = 0; i < 3; ++i) {
    sum += in[i] * in[i];
    sum += 3 * sum;
  }
  return sum;
}

static void pointers(void) {
  double x[3] = {0.5, -0.75, 1.5}, y[3], d[3] = {0}, t[3] = {1, 2, -1};
  elements_left = 3;
  memcpy(y, x, sizeof y);
  __enzyme_autodiff((void *)through_pointer, enzyme_dup, y, d, enzyme_const, 3);
  GRADIENT(through_plainly, x, d, 3);
  NEAR(elements_left == 0, 1, 0);
  memcpy(y, x, sizeof y);
  double want = slope(through_plainly, x, t, 3);
  NEAR(__enzyme_fwddiff((void *)through_pointer, enzyme_dup, y, t, enzyme_const,
                        3),
       want, 1e-8);
}

// --- Through a pointer to the function, and the derivative of a derivative.

static double apply(double (*f)(double), double x) { return f(x) * x; }
static double plain(double x) { return x * x; }
static double selected(double x, int which) {
  double (*volatile f)(double) = which ? cube : plain;
  return apply(f, x);
}
static double cube_slope(double x) {
  return __enzyme_autodiff((void *)cube, x);
}

static void indirect(void) {
  double x = 1.25;
  NEAR(__enzyme_autodiff((void *)selected, x, 1), 31 * pow(x, 3), 1e-14);
  NEAR(__enzyme_autodiff((void *)selected, x, 0), 3 * x * x, 1e-14);
  // d(30 x^2)/dx: the registered functions are functions like others.
  NEAR(__enzyme_fwddiff((void *)cube_slope, x, 1.0), 60 * x, 1e-14);
  NEAR(__enzyme_autodiff((void *)cube_slope, x), 60 * x, 1e-14);
}

int main(void) {
  scalars();
  opaque();
  structs();
  memory();
  pointers();
  indirect();
  return finish();
}
