// A small network in one arena of parameters and one of activations, with
// pointers into both, as training loops in C are written: attention over the
// rows, residual sums, normalization, a dense layer, cross entropy.
#pragma once

#include "entry.h"

#include <cmath>

namespace RETRO_MODEL {

/// Of one layer, rows contiguous. query, key, value and weight are width x
/// width.
struct Parameters {
  const double *gain, *query, *key, *value, *weight, *bias;
};
struct Activations {
  double *mean, *scale, *normal, *query, *key, *value, *share, *mixed, *middle,
      *before, *after, *out;
};

inline Parameters parameters_of(int layer, int width, const double *x) {
  const long square = long(width) * width;
  const double *p = x + layer * (4 * square + 2 * width);
  return {p,
          p + width,
          p + width + square,
          p + width + 2 * square,
          p + width + 3 * square,
          p + width + 4 * square};
}
inline long activation_count(int rows, int width) {
  return 9l * rows * width + 2l * rows + long(rows) * rows;
}
inline Activations activations_of(int layer, int rows, int width,
                                  double *memory) {
  const long part = long(rows) * width;
  double *a = memory + layer * activation_count(rows, width);
  Activations r;
  r.mean = a, a += rows, r.scale = a, a += rows, r.share = a,
  a += long(rows) * rows;
  r.normal = a, a += part, r.query = a, a += part, r.key = a, a += part;
  r.value = a, a += part, r.mixed = a, a += part, r.middle = a, a += part;
  r.before = a, a += part, r.after = a, a += part, r.out = a;
  return r;
}

/// out[r] = weight in[r] (+ bias)
inline void product(int rows, int width, double *RETRO_RESTRICT out,
                    const double *RETRO_RESTRICT in,
                    const double *RETRO_RESTRICT weight, const double *bias) {
  for (int r = 0; r < rows; ++r)
    for (int o = 0; o < width; ++o) {
      double sum = bias ? bias[o] : 0;
      for (int i = 0; i < width; ++i)
        sum += in[r * width + i] * weight[o * width + i];
      out[r * width + o] = sum;
    }
}

inline void normalize(int rows, int width, const Activations &a,
                      const double *in, const double *gain) {
  for (int r = 0; r < rows; ++r) {
    const double *row = in + r * width;
    double mean = 0, variance = 0;
    for (int i = 0; i < width; ++i)
      mean += row[i];
    mean /= width;
    for (int i = 0; i < width; ++i)
      variance += (row[i] - mean) * (row[i] - mean);
    const double scale = 1 / std::sqrt(variance / width + 1e-5);
    for (int i = 0; i < width; ++i)
      a.normal[r * width + i] = scale * (row[i] - mean) * gain[i];
    a.mean[r] = mean;
    a.scale[r] = scale;
  }
}

/// Each row looks at itself and those before it.
inline void attend(int rows, int width, const Activations &a) {
  const double scale = 1 / std::sqrt(double(width));
  for (int r = 0; r < rows; ++r) {
    double *share = a.share + r * rows;
    double top = -1e300, sum = 0;
    for (int s = 0; s <= r; ++s) {
      double dot = 0;
      for (int i = 0; i < width; ++i)
        dot += a.query[r * width + i] * a.key[s * width + i];
      share[s] = dot * scale;
      if (share[s] > top)
        top = share[s];
    }
    for (int s = 0; s <= r; ++s) {
      share[s] = std::exp(share[s] - top);
      sum += share[s];
    }
    for (int s = 0; s <= r; ++s)
      share[s] /= sum;
    for (int i = 0; i < width; ++i)
      a.mixed[r * width + i] = 0;
    for (int s = 0; s <= r; ++s)
      for (int i = 0; i < width; ++i)
        a.mixed[r * width + i] += share[s] * a.value[s * width + i];
  }
}

inline double cross_entropy(int rows, int width, const double *in) {
  double loss = 0;
  for (int r = 0; r < rows; ++r) {
    const double *row = in + r * width;
    double top = row[0], sum = 0;
    for (int i = 1; i < width; ++i)
      if (row[i] > top)
        top = row[i];
    for (int i = 0; i < width; ++i)
      sum += std::exp(row[i] - top);
    loss -= row[r * 7 % width] - top - std::log(sum);
  }
  return loss / rows;
}

/// x: the parameters of all layers, then the inputs.
inline double network(int rows, int width, int layers,
                      const double *RETRO_RESTRICT x,
                      double *RETRO_RESTRICT work) {
  const double *in = x + long(layers) * (4l * width * width + 2 * width);
  for (int l = 0; l < layers; ++l) {
    const Parameters p = parameters_of(l, width, x);
    const Activations a = activations_of(l, rows, width, work);
    normalize(rows, width, a, in, p.gain);
    product(rows, width, a.query, a.normal, p.query, nullptr);
    product(rows, width, a.key, a.normal, p.key, nullptr);
    product(rows, width, a.value, a.normal, p.value, nullptr);
    attend(rows, width, a);
    for (int i = 0; i < rows * width; ++i)
      a.middle[i] = in[i] + a.mixed[i];
    product(rows, width, a.before, a.middle, p.weight, p.bias);
    for (int i = 0; i < rows * width; ++i)
      a.after[i] = std::tanh(a.before[i]);
    for (int i = 0; i < rows * width; ++i)
      a.out[i] = a.middle[i] + a.after[i];
    in = a.out;
  }
  return cross_entropy(rows, width, in);
}

} // namespace RETRO_MODEL
