// Loss of a character-level LSTM with diagonal weights: specification
// section 5.
#pragma once

#include "common/kernel.h"

#include <cmath>
#include <cstdlib>

namespace RETRO_MODEL {

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// log(2 + sum_j exp(v_j)): the published normalization.
inline double log_sum_exp(const double *RETRO_RESTRICT v, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::exp(v[i]);
  return std::log(sum + 2);
}

/// One layer on one character; hidden and cell (b each) are replaced. weights,
/// biases: 4b.
void lstm_layer(int b, const double *RETRO_RESTRICT weights,
                const double *RETRO_RESTRICT biases,
                double *RETRO_RESTRICT hidden, double *RETRO_RESTRICT cell,
                const double *RETRO_RESTRICT input) {
  double *gates = static_cast<double *>(std::malloc(sizeof(double) * 4 * b));
  double *forget = gates, *ingate = gates + b, *outgate = gates + 2 * b,
         *change = gates + 3 * b;
  for (int i = 0; i < b; ++i) {
    forget[i] = sigmoid(input[i] * weights[i] + biases[i]);
    ingate[i] = sigmoid(hidden[i] * weights[b + i] + biases[b + i]);
    outgate[i] = sigmoid(input[i] * weights[2 * b + i] + biases[2 * b + i]);
    change[i] = std::tanh(hidden[i] * weights[3 * b + i] + biases[3 * b + i]);
  }
  for (int i = 0; i < b; ++i)
    cell[i] = cell[i] * forget[i] + ingate[i] * change[i];
  for (int i = 0; i < b; ++i)
    hidden[i] = outgate[i] * std::tanh(cell[i]);
  std::free(gates);
}

/// Runs all l layers on the character x (b numbers); prediction gets b numbers.
void lstm_predict(int l, int b, const double *RETRO_RESTRICT main_parameters,
                  const double *RETRO_RESTRICT extra_parameters,
                  double *RETRO_RESTRICT state, const double *RETRO_RESTRICT x,
                  double *RETRO_RESTRICT prediction) {
  for (int i = 0; i < b; ++i)
    prediction[i] = x[i] * extra_parameters[i];
  const double *input = prediction;
  for (int k = 0; k < l; ++k) {
    lstm_layer(b, &main_parameters[8 * b * k],
               &main_parameters[8 * b * k + 4 * b], &state[2 * b * k],
               &state[2 * b * k + b], input);
    input = &state[2 * b * k];
  }
  for (int i = 0; i < b; ++i)
    prediction[i] =
        input[i] * extra_parameters[b + i] + extra_parameters[2 * b + i];
}

/// main_parameters: 8lb; extra_parameters: 3b; state: 2lb, overwritten;
/// sequence: c x b.
void lstm_objective(int l, int c, int b,
                    const double *RETRO_RESTRICT main_parameters,
                    const double *RETRO_RESTRICT extra_parameters,
                    double *RETRO_RESTRICT state,
                    const double *RETRO_RESTRICT sequence,
                    double *RETRO_RESTRICT loss) {
  double *prediction = static_cast<double *>(std::malloc(sizeof(double) * b));
  double *normalized = static_cast<double *>(std::malloc(sizeof(double) * b));
  double total = 0;
  for (int t = 0; t + 1 < c; ++t) {
    lstm_predict(l, b, main_parameters, extra_parameters, state,
                 &sequence[static_cast<long>(t) * b], prediction);
    const double norm = log_sum_exp(prediction, b);
    for (int i = 0; i < b; ++i)
      normalized[i] = prediction[i] - norm;
    const double *target = &sequence[static_cast<long>(t + 1) * b];
    for (int i = 0; i < b; ++i)
      total += target[i] * normalized[i];
  }
  *loss = -total / ((c - 1) * b);
  std::free(prediction);
  std::free(normalized);
}

} // namespace RETRO_MODEL
