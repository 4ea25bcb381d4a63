// Structures with numbers of several kinds: by value, by pointer, nested,
// assigned whole, returned, and in arrays.
#include "../check.h"

typedef struct {
  double x, y, z;
} vec;

typedef struct {
  int kind;
  vec position;
  float charge;
  const char *name;
  double mass;
} body;

static NOINLINE vec minus(vec a, vec b) {
  vec d = {a.x - b.x, a.y - b.y, a.z - b.z};
  return d;
}

static NOINLINE void scale(body *b, double by) {
  body copy = *b;
  copy.position.x *= by;
  copy.position.y *= by;
  copy.mass *= by * by;
  *b = copy;
}

/// A potential of all pairs, after every body of kind 1 was scaled.
static double potential(body *bodies, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    if (bodies[i].kind == 1)
      scale(&bodies[i], 1.5);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      vec d = minus(bodies[i].position, bodies[j].position);
      double r = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
      sum += bodies[i].mass * bodies[j].mass / r +
             (double)bodies[i].charge * (double)bodies[j].charge * r;
    }
  return sum;
}

enum { BODIES = 4, NUMBERS = 5 };

static void fill(body *bodies, const double *x) {
  for (int i = 0; i < BODIES; ++i) {
    const double *p = x + NUMBERS * i;
    body b = {i % 2, {p[0], p[1], p[2]}, (float)p[3], "body", p[4]};
    bodies[i] = b;
  }
}

/// The same function of the numbers alone. A float rounds them, which the steps
/// of the differences would show: charges are left out there.
static double from_numbers(const double *x, int n) {
  body bodies[BODIES];
  (void)n;
  fill(bodies, x);
  return potential(bodies, BODIES);
}

int main(void) {
  double x[BODIES * NUMBERS], v[BODIES * NUMBERS] = {0};
  for (int i = 0; i < BODIES * NUMBERS; ++i)
    x[i] = (i % NUMBERS == 3 ? 0.25 * (1 + i / NUMBERS) : 1.5 + sin(3. * i));

  body bodies[BODIES], moved[BODIES], shadow[BODIES], tangent[BODIES];
  memset(shadow, 0, sizeof shadow);
  memset(tangent, 0, sizeof tangent);
  fill(bodies, x);
  __enzyme_autodiff((void *)potential, bodies, shadow, BODIES);
  fill(moved, x);
  potential(moved, BODIES);
  double expected = 0;
  for (int i = 0; i < BODIES; ++i) {
    const double g[NUMBERS] = {shadow[i].position.x, shadow[i].position.y,
                               shadow[i].position.z, shadow[i].charge,
                               shadow[i].mass};
    for (int k = 0; k < NUMBERS; ++k) {
      if (k == 3)
        continue;
      v[NUMBERS * i + k] = 1;
      NEAR(g[k], slope(from_numbers, x, v, BODIES * NUMBERS), 1e-7);
      v[NUMBERS * i + k] = 0;
    }
    // The energy is linear in each charge: its factor is the sum of q_j r_ij.
    double factor = 0;
    for (int j = 0; j < BODIES; ++j) {
      vec d = minus(moved[i].position, moved[j].position);
      factor += (double)moved[j].charge *
                sqrt(d.x * d.x + d.y * d.y + d.z * d.z) * (i != j);
    }
    NEAR(g[3], factor, 1e-5);
    NEAR(shadow[i].kind, 0, 0);

    vec t = {0.5, -1, 0.25 * i};
    tangent[i].position = t;
    tangent[i].mass = 1 - i;
    expected += t.x * g[0] + t.y * g[1] + t.z * g[2] + (1 - i) * g[4];
  }
  fill(bodies, x);
  NEAR(__enzyme_fwddiff((void *)potential, bodies, tangent, BODIES), expected,
       1e-12);
  return finish();
}
