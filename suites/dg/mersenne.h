//===- mersenne.h - DG: random numbers of the original ----------*- C++ -*-===//
//
// dSFMT-19937, a Mersenne Twister that makes doubles in [1, 2) two at a time,
// and how Julia 1.6 fills arrays of floats from it.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_DG_MERSENNE_H
#define SUITES_DG_MERSENNE_H

#include <array>
#include <cstdint>
#include <vector>

namespace suites::dg {

class Mersenne {
public:
  explicit Mersenne(std::uint32_t seed);

  /// The next uniform double in [0, 1).
  double uniform();

  /// n uniform floats in [0, 1). n is at least 400, or at most 380.
  std::vector<float> floats(std::size_t n);

private:
  struct Word {
    std::uint64_t lo, hi;
  };
  static constexpr int words = 191;

  void certify_period();
  Word next_word();
  std::uint64_t cached(); ///< bits of the next double of the scalar stream

  std::array<Word, words> state;
  Word lung;
  int at = 0;
  std::vector<std::uint64_t> cache;
  std::size_t used = 0;
};

} // namespace suites::dg

#endif // SUITES_DG_MERSENNE_H
