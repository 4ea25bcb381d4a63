#include "build_info.h"
#include "instance.hpp"

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(cholesky_left)
RETRO_DECLARE_KERNEL(cholesky_right)
RETRO_DECLARE_KERNEL(likelihood)
RETRO_DECLARE_KERNEL(lu)

namespace {

std::size_t square(const Sizes &s) { return std::size_t(s.n) * s.n; }
std::size_t square_and_vector(const Sizes &s) { return square(s) + s.n; }

/// Positive definite: the diagonal outweighs its row.
std::vector<double> definite(const Sizes &s, Rng &rng) {
  std::vector<double> x = rng.uniforms(square(s), -1, 1);
  for (int i = 0; i < s.n; ++i)
    x[std::size_t(i) * s.n + i] += s.n;
  return x;
}

std::vector<double> definite_and_vector(const Sizes &s, Rng &rng) {
  std::vector<double> x = definite(s, rng);
  for (double value : rng.uniforms(s.n, -1, 1))
    x.push_back(value);
  return x;
}

/// Rows in an order that makes pivoting exchange most of them.
std::vector<double> general_and_vector(const Sizes &s, Rng &rng) {
  std::vector<double> x = rng.uniforms(square_and_vector(s), -1, 1);
  for (int i = 0; i < s.n; ++i)
    x[std::size_t(i) * s.n + (i + s.n / 2) % s.n] += 0.2 * s.n;
  return x;
}

double half_the_order(const Sizes &s, double) { return 0.5 * s.n; }

} // namespace

int main(int argc, char **argv) {
  return kernels::main(
      argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS, {"n=12"}, {"n"},
      {{RETRO_KERNEL_ENTRY("cholesky-left", cholesky_left), definite, square,
        half_the_order},
       {RETRO_KERNEL_ENTRY("cholesky-right", cholesky_right), definite, square,
        half_the_order},
       {RETRO_KERNEL_ENTRY("likelihood", likelihood), definite_and_vector,
        square_and_vector},
       {RETRO_KERNEL_ENTRY("lu", lu), general_and_vector, square_and_vector}});
}
