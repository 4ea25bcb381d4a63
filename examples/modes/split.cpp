// Split mode: the first pass here, the second one later.
#include "check.h"

#include <cstddef>

extern int enzyme_allocated, enzyme_const, enzyme_dup, enzyme_nofree,
    enzyme_out, enzyme_tape;
template <typename R, typename... A> R __enzyme_augmentfwd(A...);
template <typename R, typename... A> R __enzyme_augmentsize(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);
template <typename R, typename... A> R __enzyme_fwdsplit(A...);

/// A layer in place: h[i] becomes gain tanh(h[i]); the sum is returned.
static double layer(double *h, int n, double gain) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += h[i] = gain * std::tanh(h[i]);
  return s;
}
/// The same: one function has a second pass in one direction only.
static double layer_forward(double *h, int n, double gain) {
  return layer(h, n, gain);
}

struct Augmented {
  void *tape;
  double value;
};

static const double input[3] = {0.3, -0.8, 1.1};

/// The gradient of w . h + seed sum(h) after one layer, whose input gradient
/// must be in dh.
static void check(const double *dh, double dgain, double gain, double seed,
                  const double *w) {
  double want = 0;
  for (int i = 0; i < 3; ++i) {
    const double t = std::tanh(input[i]);
    expect("dh", dh[i], (w[i] + seed) * gain * (1 - t * t));
    want += (w[i] + seed) * t;
  }
  expect("dgain", dgain, want);
}

/// What the caller computes between the passes decides the seeds.
static void apart() {
  double h[3] = {input[0], input[1], input[2]}, dh[3] = {};
  auto first = __enzyme_augmentfwd<Augmented>((void *)layer, enzyme_dup, h, dh,
                                              enzyme_const, 3, enzyme_out, 1.5);
  const double seed = 2 * first.value, w[3] = {h[0], 1, h[2]};
  for (int i = 0; i < 3; ++i) {
    dh[i] = w[i];  // the adjoint of what the first pass left in h
    h[i] = -1e300; // what the second pass needs is on the tape
  }
  double dgain =
      __enzyme_reverse<double>((void *)layer, enzyme_dup, h, dh, enzyme_const,
                               3, enzyme_out, 1.5, seed, first.tape);
  check(dh, dgain, 1.5, seed, w);
}

/// The tape in memory of the caller's.
static void in_place() {
  constexpr size_t Size = 256;
  if (__enzyme_augmentsize<size_t>((void *)layer, enzyme_dup, enzyme_const,
                                   enzyme_out) > Size)
    return expect("augmentsize", 1, 0);
  alignas(16) char tape[Size];
  double h[3] = {input[0], input[1], input[2]}, dh[3] = {};
  auto value = __enzyme_augmentfwd<double>(
      (void *)layer, enzyme_allocated, Size, enzyme_tape, (void *)tape,
      enzyme_dup, h, dh, enzyme_const, 3, enzyme_out, 0.9);
  expect("value", value, h[0] + h[1] + h[2]);
  double dgain = __enzyme_reverse<double>(
      (void *)layer, enzyme_allocated, Size, enzyme_tape, (void *)tape,
      enzyme_dup, h, dh, enzyme_const, 3, enzyme_out, 0.9, 1.0);
  const double w[3] = {};
  check(dh, dgain, 0.9, 1, w);
}

/// Several second passes: all but the last keep the tape.
static void repeated() {
  double h[3] = {input[0], input[1], input[2]}, dh[3] = {};
  auto first =
      __enzyme_augmentfwd<Augmented>((void *)layer, enzyme_nofree, enzyme_dup,
                                     h, dh, enzyme_const, 3, enzyme_out, 1.5);
  double w[3] = {1, 0, 0}, dgain;
  dh[0] = 1;
  dgain = __enzyme_reverse<double>((void *)layer, enzyme_nofree, enzyme_dup, h,
                                   dh, enzyme_const, 3, enzyme_out, 1.5, 0.0,
                                   first.tape);
  check(dh, dgain, 1.5, 0, w);
  dh[0] = dh[1] = dh[2] = 0;
  dgain =
      __enzyme_reverse<double>((void *)layer, enzyme_dup, h, dh, enzyme_const,
                               3, enzyme_out, 1.5, 1.0, first.tape);
  w[0] = 0;
  check(dh, dgain, 1.5, 1, w);
}

/// A second pass forward: the direction is known only when the primal ran.
static void forward() {
  double h[3] = {input[0], input[1], input[2]}, th[3] = {};
  auto first =
      __enzyme_augmentfwd<Augmented>((void *)layer_forward, enzyme_dup, h, th,
                                     enzyme_const, 3, enzyme_dup, 1.5, 0.0);
  for (int i = 0; i < 3; ++i)
    th[i] = first.value * (i + 1);
  double slope = __enzyme_fwdsplit<double>((void *)layer_forward, enzyme_dup, h,
                                           th, enzyme_const, 3, enzyme_dup, 1.5,
                                           0.5, first.tape);
  double want = 0;
  for (int i = 0; i < 3; ++i) {
    const double t = std::tanh(input[i]);
    const double one = 0.5 * t + 1.5 * (1 - t * t) * first.value * (i + 1);
    expect("tangent of h", th[i], one);
    want += one;
  }
  expect("tangent of the sum", slope, want);
}

int main() {
  apart();
  in_place();
  repeated();
  forward();
  return finish();
}
