// Adjoint of the LSTM loss: the forward sweep keeps gates and states, so the
// reverse sweep evaluates no transcendental function.
#include "model.h"

#include <cstring>
#include <vector>

namespace RETRO_MODEL {

/// What one layer keeps of one step: nine rows of b numbers.
struct Record {
  double *input, *hidden, *cell; ///< before the step
  double *forget, *ingate, *outgate, *change, *tanh_cell, *new_hidden;

  Record(double *base, int b)
      : input(base), hidden(base + b), cell(base + 2 * b), forget(base + 3 * b),
        ingate(base + 4 * b), outgate(base + 5 * b), change(base + 6 * b),
        tanh_cell(base + 7 * b), new_hidden(base + 8 * b) {}
  static constexpr int rows = 9;
};

static void forward_layer(int b, const double *RETRO_RESTRICT w, double *hidden,
                          double *cell, const double *input, Record r) {
  const double *beta = w + 4 * b;
  for (int i = 0; i < b; ++i) {
    r.input[i] = input[i];
    r.hidden[i] = hidden[i];
    r.cell[i] = cell[i];
    r.forget[i] = sigmoid(input[i] * w[i] + beta[i]);
    r.ingate[i] = sigmoid(hidden[i] * w[b + i] + beta[b + i]);
    r.outgate[i] = sigmoid(input[i] * w[2 * b + i] + beta[2 * b + i]);
    r.change[i] = std::tanh(hidden[i] * w[3 * b + i] + beta[3 * b + i]);
    cell[i] = cell[i] * r.forget[i] + r.ingate[i] * r.change[i];
    r.tanh_cell[i] = std::tanh(cell[i]);
    r.new_hidden[i] = hidden[i] = r.outgate[i] * r.tanh_cell[i];
  }
}

/// hiddenb, cellb: adjoints of the new state in, of the old state out; inputb
/// is set. wb: 8b, weights then biases.
static void reverse_layer(int b, const double *RETRO_RESTRICT w,
                          double *RETRO_RESTRICT wb,
                          double *RETRO_RESTRICT hiddenb,
                          double *RETRO_RESTRICT cellb,
                          double *RETRO_RESTRICT inputb, const Record r) {
  double *betab = wb + 4 * b;
  for (int i = 0; i < b; ++i) {
    const double f = r.forget[i], g = r.ingate[i], o = r.outgate[i],
                 a = r.change[i], th = r.tanh_cell[i];
    const double zb = cellb[i] + hiddenb[i] * o * (1 - th * th);
    const double fb = zb * r.cell[i] * f * (1 - f);
    const double gb = zb * a * g * (1 - g);
    const double ob = hiddenb[i] * th * o * (1 - o);
    const double ab = zb * g * (1 - a * a);
    wb[i] += fb * r.input[i];
    wb[b + i] += gb * r.hidden[i];
    wb[2 * b + i] += ob * r.input[i];
    wb[3 * b + i] += ab * r.hidden[i];
    betab[i] += fb;
    betab[b + i] += gb;
    betab[2 * b + i] += ob;
    betab[3 * b + i] += ab;
    inputb[i] = fb * w[i] + ob * w[2 * b + i];
    hiddenb[i] = gb * w[b + i] + ab * w[3 * b + i];
    cellb[i] = zb * f;
  }
}

extern "C" void RETRO_SYMBOL(lstm_gradient)(int l, int c, int b,
                                            const double *main_parameters,
                                            double *mainb, const double *extra,
                                            double *extrab, double *state,
                                            double *stateb,
                                            const double *sequence) {
  const long stride = static_cast<long>(Record::rows) * b;
  std::vector<double> tape(stride * l * (c - 1));
  std::vector<double> softmax(static_cast<std::size_t>(c - 1) * b), input(b);
  const auto record = [&](int t, int k) {
    return Record(&tape[(static_cast<long>(t) * l + k) * stride], b);
  };

  for (int t = 0; t + 1 < c; ++t) {
    for (int i = 0; i < b; ++i)
      input[i] = sequence[t * b + i] * extra[i];
    const double *in = input.data();
    for (int k = 0; k < l; ++k) {
      forward_layer(b, &main_parameters[8 * b * k], &state[2 * b * k],
                    &state[2 * b * k + b], in, record(t, k));
      in = &state[2 * b * k];
    }
    double *share = &softmax[static_cast<std::size_t>(t) * b];
    double sum = 2;
    for (int i = 0; i < b; ++i)
      sum += share[i] = std::exp(in[i] * extra[b + i] + extra[2 * b + i]);
    for (int i = 0; i < b; ++i)
      share[i] /= sum;
  }

  const double scale = -1.0 / ((c - 1) * b);
  for (int t = c - 1; t-- > 0;) {
    const double *share = &softmax[static_cast<std::size_t>(t) * b];
    const double *target = &sequence[(t + 1) * b];
    const double *hidden = record(t, l - 1).new_hidden;
    double *hiddenb = &stateb[2 * b * (l - 1)];
    double targets = 0;
    for (int i = 0; i < b; ++i)
      targets += target[i];
    for (int i = 0; i < b; ++i) {
      const double pb = scale * (target[i] - targets * share[i]);
      extrab[b + i] += pb * hidden[i];
      extrab[2 * b + i] += pb;
      hiddenb[i] += pb * extra[b + i];
    }
    for (int k = l; k-- > 0;) {
      reverse_layer(b, &main_parameters[8 * b * k], &mainb[8 * b * k],
                    &stateb[2 * b * k], &stateb[2 * b * k + b], input.data(),
                    record(t, k));
      if (k > 0)
        for (int i = 0; i < b; ++i)
          stateb[2 * b * (k - 1) + i] += input[i];
    }
    for (int i = 0; i < b; ++i)
      extrab[i] += input[i] * sequence[t * b + i];
  }
}

} // namespace RETRO_MODEL
