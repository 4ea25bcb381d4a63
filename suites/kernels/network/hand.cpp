// Backward through the activations that the primal has left in its arena.
#include "model.h"

#include <vector>

namespace RETRO_MODEL {

static void product_adjoint(int rows, int width,
                            const double *RETRO_RESTRICT outb,
                            const double *RETRO_RESTRICT in,
                            double *RETRO_RESTRICT inb,
                            const double *RETRO_RESTRICT weight,
                            double *RETRO_RESTRICT weightb, double *biasb) {
  for (int r = 0; r < rows; ++r)
    for (int o = 0; o < width; ++o) {
      const double b = outb[r * width + o];
      for (int i = 0; i < width; ++i)
        inb[r * width + i] += b * weight[o * width + i];
    }
  for (int o = 0; o < width; ++o)
    for (int r = 0; r < rows; ++r) {
      const double b = outb[r * width + o];
      if (biasb)
        biasb[o] += b;
      for (int i = 0; i < width; ++i)
        weightb[o * width + i] += b * in[r * width + i];
    }
}

static void attend_adjoint(int rows, int width, const Activations &a,
                           const Activations &b) {
  const double scale = 1 / std::sqrt(double(width));
  std::vector<double> space(rows);
  double *RETRO_RESTRICT shareb = space.data();
  for (int r = 0; r < rows; ++r) {
    const double *share = a.share + r * rows;
    double mean = 0;
    for (int s = 0; s <= r; ++s) {
      double dot = 0;
      for (int i = 0; i < width; ++i) {
        dot += b.mixed[r * width + i] * a.value[s * width + i];
        b.value[s * width + i] += share[s] * b.mixed[r * width + i];
      }
      shareb[s] = dot;
      mean += dot * share[s];
    }
    for (int s = 0; s <= r; ++s) {
      const double dotb = scale * share[s] * (shareb[s] - mean);
      for (int i = 0; i < width; ++i) {
        b.query[r * width + i] += dotb * a.key[s * width + i];
        b.key[s * width + i] += dotb * a.query[r * width + i];
      }
    }
  }
}

static void normalize_adjoint(int rows, int width, const Activations &a,
                              const Activations &b, const double *in,
                              double *inb, const double *gain, double *gainb) {
  for (int r = 0; r < rows; ++r) {
    const double mean = a.mean[r], scale = a.scale[r];
    const double *up = b.normal + r * width;
    double first = 0, second = 0;
    for (int i = 0; i < width; ++i) {
      const double h = (in[r * width + i] - mean) * scale;
      first += up[i] * gain[i];
      second += up[i] * gain[i] * h;
    }
    first /= width;
    second /= width;
    for (int i = 0; i < width; ++i) {
      const double h = (in[r * width + i] - mean) * scale;
      gainb[i] += h * up[i];
      inb[r * width + i] += scale * (up[i] * gain[i] - first - h * second);
    }
  }
}

RETRO_KERNEL_HAND(network) {
  const int rows = n, width = m, layers = k;
  const long square = long(width) * width, part = long(rows) * width;
  network(rows, width, layers, x, work);
  const long inputs = layers * (4 * square + 2 * width);
  std::vector<double> outb(part);
  const double *out = activations_of(layers - 1, rows, width, work).out;
  for (int r = 0; r < rows; ++r) {
    double top = out[r * width], sum = 0;
    for (int i = 1; i < width; ++i)
      top = std::fmax(top, out[r * width + i]);
    for (int i = 0; i < width; ++i)
      sum += outb[r * width + i] = std::exp(out[r * width + i] - top);
    for (int i = 0; i < width; ++i)
      outb[r * width + i] /= sum * rows;
    outb[r * width + r * 7 % width] -= 1.0 / rows;
  }
  for (int l = layers - 1; l >= 0; --l) {
    const Parameters p = parameters_of(l, width, x);
    double *pb = xb + (p.gain - x);
    const Activations a = activations_of(l, rows, width, work);
    const Activations b = activations_of(l, rows, width, workb);
    const double *in =
        l ? activations_of(l - 1, rows, width, work).out : x + inputs;
    for (long i = 0; i < part; ++i) {
      b.before[i] = outb[i] * (1 - a.after[i] * a.after[i]);
      b.middle[i] = outb[i];
    }
    for (long i = 0; i < part; ++i)
      b.normal[i] = b.query[i] = b.key[i] = b.value[i] = 0;
    product_adjoint(rows, width, b.before, a.middle, b.middle, p.weight,
                    pb + width + 3 * square, pb + width + 4 * square);
    for (long i = 0; i < part; ++i)
      outb[i] = b.mixed[i] = b.middle[i];
    attend_adjoint(rows, width, a, b);
    product_adjoint(rows, width, b.query, a.normal, b.normal, p.query,
                    pb + width, nullptr);
    product_adjoint(rows, width, b.key, a.normal, b.normal, p.key,
                    pb + width + square, nullptr);
    product_adjoint(rows, width, b.value, a.normal, b.normal, p.value,
                    pb + width + 2 * square, nullptr);
    normalize_adjoint(rows, width, a, b, in, outb.data(), p.gain, pb);
  }
  for (long i = 0; i < part; ++i)
    xb[inputs + i] += outb[i];
}

} // namespace RETRO_MODEL
