// What the first pass of split mode returns, in structs of the program's own:
// the tape before or behind the result.
#include "../check.h"

MARKERS(enzyme_allocated, enzyme_tape);
template <typename R, typename... A> R __enzyme_augmentfwd(A...);
template <typename R, typename... A> R __enzyme_augmentsize(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);

template <typename Value> struct TapeFirst {
  void *tape;
  Value value;
};
template <typename Value> struct ValueFirst {
  Value value;
  void *tape;
};

struct Pointers {
  double *value, *shadow;
};
struct TapeAndPointers {
  void *tape;
  double *value, *shadow;
};

static double cube(double x) { return x * x * x; }
static float cubef(float x) { return x * x * x; }
static int steps(double x, double *out) {
  *out = x * x * x;
  return static_cast<int>(x);
}
static double *scaled(double *x, double k) {
  for (int i = 0; i < 4; ++i)
    x[i] = sin(x[i]) * k;
  return x + 1;
}

template <template <typename> class Back> static void check() {
  auto d = __enzyme_augmentfwd<Back<double>>((void *)cube, 3.0);
  NEAR(d.value, 27, 0);
  NEAR(__enzyme_reverse<double>((void *)cube, 3.0, 2.0, d.tape), 54, 0);
  auto f = __enzyme_augmentfwd<Back<float>>((void *)cubef, 3.0f);
  NEAR(f.value, 27, 0);
  NEAR(__enzyme_reverse<float>((void *)cubef, 3.0f, 2.0f, f.tape), 54, 0);
  double y = 0, dy = 5;
  auto i =
      __enzyme_augmentfwd<Back<int>>((void *)steps, 3.0, enzyme_dup, &y, &dy);
  NEAR(i.value, 3, 0);
  NEAR(y, 27, 0);
  NEAR(
      __enzyme_reverse<double>((void *)steps, 3.0, enzyme_dup, &y, &dy, i.tape),
      135, 0);
}

struct Pair {
  double x, y;
};
struct Mixed {
  double x;
  int n;
};
static Pair two(double x) { return {x * x, x * x * x}; }
static Mixed mixed(double x) { return {x * x, static_cast<int>(x)}; }

/// A result that is a struct in registers has a seed of the same type.
template <template <typename> class Back> static void structs() {
  auto t = __enzyme_augmentfwd<Back<Pair>>((void *)two, 3.0);
  NEAR(t.value.x, 9, 0);
  NEAR(t.value.y, 27, 0);
  NEAR(__enzyme_reverse<double>((void *)two, 3.0, Pair{1, 10}, t.tape), 6 + 270,
       0);
  auto m = __enzyme_augmentfwd<Back<Mixed>>((void *)mixed, 3.0);
  NEAR(m.value.x + m.value.n, 12, 0);
  NEAR(__enzyme_reverse<double>((void *)mixed, 3.0, Mixed{2, 0}, m.tape), 12,
       0);
}

/// A result that is a pointer comes with its shadow.
static void pointers() {
  double x[4] = {0.1, 0.2, 0.3, 0.4}, dx[4] = {0, 0, 0, 0};
  auto p = __enzyme_augmentfwd<TapeAndPointers>((void *)scaled, enzyme_dup, x,
                                                dx, 2.0);
  NEAR(p.value == x + 1 && p.shadow == dx + 1, 1, 0);
  p.shadow[0] = 1;
  double dk =
      __enzyme_reverse<double>((void *)scaled, enzyme_dup, x, dx, 2.0, p.tape);
  NEAR(dk, sin(0.2), 1e-15);
  NEAR(dx[1], 2 * cos(0.2), 1e-15);
}

/// The size of the tape is asked for, and the caller allocates it.
static void allocated() {
  double x[4] = {0.1, 0.2, 0.3, 0.4}, dx[4] = {0, 0, 0, 0};
  size_t needed =
      __enzyme_augmentsize<size_t>((void *)scaled, enzyme_dup, enzyme_out);
  NEAR(needed >= 64, 1, 0);
  void *tape = malloc(needed);
  auto p =
      __enzyme_augmentfwd<Pointers>((void *)scaled, enzyme_allocated, needed,
                                    enzyme_tape, tape, enzyme_dup, x, dx, 2.0);
  p.shadow[1] = 1;
  double dk =
      __enzyme_reverse<double>((void *)scaled, enzyme_allocated, needed,
                               enzyme_tape, tape, enzyme_dup, x, dx, 2.0);
  NEAR(dk, sin(0.3), 1e-15);
  NEAR(dx[2], 2 * cos(0.3), 1e-15);
  free(tape);
}

int main() {
  check<TapeFirst>();
  check<ValueFirst>();
  structs<TapeFirst>();
  structs<ValueFirst>();
  pointers();
  allocated();
  return finish();
}
