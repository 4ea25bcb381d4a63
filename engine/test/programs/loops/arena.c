// A part of one arena for each layer, with arrays of rows in it, all found by
// products of arguments: what a layer leaves stays as it is, and is read again.
// The same where parts or arrays are a little too close, so that the next layer
// or array writes over the end of one that has been read.
#include "../check.h"

enum { INPUTS = 160, ARENA = 1024 };

static int size[3]; // layers, rows, width

/// LESS: by how much layers are too close; GAP: arrays of one layer. CLEARED:
/// by how much more than its row is cleared.
#define LAYERS(name, LESS, GAP, CLEARED)                                       \
  static double name(const double *restrict x, double *restrict memory,        \
                     int layers, int rows, int width) {                        \
    const double *restrict start = x + (long)layers * width * width;           \
    for (int i = 0; i < rows * width; ++i)                                     \
      memory[8 + i] = start[i];                                                \
    for (int l = 0; l < layers; ++l) {                                         \
      const double *weight = x + (long)l * width * width;                      \
      const long part = (long)rows * width;                                    \
      double *in = memory + 8 + l * (4 * part + 2 * rows - LESS);              \
      double *scale = in + part - GAP, *product = scale + rows;                \
      double *sum = product + part, *left = sum + rows, *out = left + part;    \
      for (int r = 0; r < rows; ++r) {                                         \
        double s = 1;                                                          \
        for (int i = 0; i < width; ++i)                                        \
          s += in[r * width + i] * in[r * width + i];                          \
        scale[r] = 1 / s;                                                      \
      }                                                                        \
      for (int r = 0; r < rows; ++r)                                           \
        for (int o = 0; o < width; ++o) {                                      \
          double v = 0;                                                        \
          for (int i = 0; i < width; ++i)                                      \
            v += in[r * width + i] * weight[o * width + i];                    \
          product[r * width + o] = v * scale[r];                               \
        }                                                                      \
      for (int r = 0; r < rows; ++r) {                                         \
        for (int i = 0; i < width + CLEARED; ++i)                              \
          left[r * width + i] = 0;                                             \
        for (int s = 0; s <= r; ++s)                                           \
          for (int i = 0; i < width; ++i)                                      \
            left[r * width + i] +=                                             \
                product[s * width + i] * product[r * width + i];               \
        sum[r] = left[r * width] * 0.1;                                        \
      }                                                                        \
      for (int i = 0; i < rows * width; ++i)                                   \
        out[i] = sin(left[i]) * 0.5 + product[i] + in[i] * in[i] * 0.1;        \
    }                                                                          \
    double total = 0;                                                          \
    for (int i = 0; i < ARENA; ++i)                                            \
      total += memory[i] * memory[i] * (1 + 0.01 * i);                         \
    return total;                                                              \
  }                                                                            \
  static double at_##name(const double *x, int n) {                            \
    (void)n;                                                                   \
    double memory[ARENA] = {0};                                                \
    return name(x, memory, size[0], size[1], size[2]);                         \
  }                                                                            \
  static void test_##name(const double *x) {                                   \
    double memory[ARENA] = {0}, shadow[ARENA] = {0}, g[INPUTS] = {0};          \
    __enzyme_autodiff((void *)name, enzyme_dup, x, g, enzyme_dup, memory,      \
                      shadow, enzyme_const, size[0], enzyme_const, size[1],    \
                      enzyme_const, size[2]);                                  \
    GRADIENT(at_##name, x, g, INPUTS);                                         \
  }

LAYERS(apart, 0, 0, 0)
LAYERS(layers_meet, 1, 0, 0)
LAYERS(layers_overlap, 3, 0, 0)
LAYERS(arrays_meet, 0, 1, 0)
LAYERS(arrays_overlap, 0, 2, 0)
LAYERS(cleared_more, 0, 0, 1)
LAYERS(cleared_twice, 0, 0, 2)
LAYERS(all_of_it, 2, 1, 1)

int main(void) {
  static const int sizes[][3] = {{3, 4, 5}, {2, 5, 1}, {2, 1, 6}, {3, 1, 1},
                                 {1, 3, 3}, {0, 2, 3}, {2, 0, 3}, {2, 3, 0}};
  double x[INPUTS];
  for (int i = 0; i < INPUTS; ++i)
    x[i] = 0.3 + 0.2 * sin(1.7 * i) - 0.05 * (i % 7);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    memcpy(size, sizes[k], sizeof size);
    test_apart(x);
    test_layers_meet(x);
    test_layers_overlap(x);
    test_arrays_meet(x);
    test_arrays_overlap(x);
    test_cleared_more(x);
    test_cleared_twice(x);
    test_all_of_it(x);
  }
  return finish();
}
