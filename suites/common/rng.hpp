// SplitMix64 and the draws of the NeurIPS'20 suite specification, section 2.
#pragma once

#include <cstdint>
#include <vector>

namespace retro::suite {

class Rng {
public:
  explicit Rng(std::uint64_t seed = 1) : state(seed) {}

  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Uniform in [a, b).
  double uniform(double a, double b) { return a + (b - a) * uniform(); }
  /// Nearly standard normal (Irwin-Hall sum of twelve), independent of libm.
  double normal() {
    double sum = 0;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum - 6;
  }
  /// Integer in [0, m).
  int integer(int m) { return static_cast<int>(uniform() * m); }

  std::vector<double> uniforms(std::size_t n, double a = 0, double b = 1) {
    std::vector<double> v(n);
    for (double &x : v)
      x = uniform(a, b);
    return v;
  }
  std::vector<double> normals(std::size_t n) {
    std::vector<double> v(n);
    for (double &x : v)
      x = normal();
    return v;
  }

private:
  std::uint64_t state;
};

} // namespace retro::suite
