//===- mersenne.cpp - DG: random numbers of the original ------------------===//
#include "mersenne.h"

#include <bit>

namespace suites::dg {

Mersenne::Mersenne(std::uint32_t seed) {
  constexpr int size = 4 * (words + 1), lag = 11, middle = 378;
  std::vector<std::uint32_t> p(size, 0x8b8b8b8bu);
  const auto f1 = [](std::uint32_t x) { return (x ^ (x >> 27)) * 1664525u; };
  const auto f2 = [](std::uint32_t x) { return (x ^ (x >> 27)) * 1566083941u; };
  const auto word = [&](int i) -> std::uint32_t & { return p[i % size]; };

  // The key has the one entry `seed`: its length goes in at 0, it at 1.
  for (int i = 0; i < size; ++i) {
    std::uint32_t r = f1(word(i) ^ word(i + middle) ^ word(i + size - 1));
    word(i + middle) += r;
    r += i == 0 ? 1 : i == 1 ? seed + 1 : static_cast<std::uint32_t>(i);
    word(i + middle + lag) += r;
    word(i) = r;
  }
  for (int i = 0; i < size; ++i) {
    std::uint32_t r = f2(word(i) + word(i + middle) + word(i + size - 1));
    word(i + middle) ^= r;
    r -= static_cast<std::uint32_t>(i);
    word(i + middle + lag) ^= r;
    word(i) = r;
  }

  const auto joined = [&](int i) {
    return p[i] | static_cast<std::uint64_t>(p[i + 1]) << 32;
  };
  const auto mantissa = [](std::uint64_t w) {
    return (w & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u;
  };
  for (int i = 0; i < words; ++i)
    state[i] = {mantissa(joined(4 * i)), mantissa(joined(4 * i + 2))};
  lung = {joined(4 * words), joined(4 * words + 2)};
  certify_period();
}

void Mersenne::certify_period() {
  std::uint64_t t = ((lung.lo ^ 0x90014964b32f4329u) & 0x3d84e1ac0dc82880u) ^
                    ((lung.hi ^ 0x3b8d12ac548a7c7au) & 1);
  for (int shift = 32; shift > 0; shift /= 2)
    t ^= t >> shift;
  if ((t & 1) == 0)
    lung.hi ^= 1;
}

Mersenne::Word Mersenne::next_word() {
  Word &a = state[at];
  const Word b = state[(at + 117) % words], l = lung;
  lung.lo = (a.lo << 19) ^ (l.hi >> 32) ^ (l.hi << 32) ^ b.lo;
  lung.hi = (a.hi << 19) ^ (l.lo >> 32) ^ (l.lo << 32) ^ b.hi;
  a.lo ^= (lung.lo >> 12) ^ (lung.lo & 0x000ffafffffffb3fu);
  a.hi ^= (lung.hi >> 12) ^ (lung.hi & 0x000ffdfffc90fffdu);
  at = (at + 1) % words;
  return a;
}

std::uint64_t Mersenne::cached() {
  if (used == cache.size()) {
    cache.clear();
    used = 0;
    for (int i = 0; i < 501; ++i) {
      const Word w = next_word();
      cache.insert(cache.end(), {w.lo, w.hi});
    }
  }
  return cache[used++];
}

double Mersenne::uniform() { return std::bit_cast<double>(cached()) - 1; }

std::vector<float> Mersenne::floats(std::size_t n) {
  const auto to_float = [](std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0x007fffff) |
                                0x3f800000) -
           1;
  };
  // All but the last word of four floats come straight from the generator.
  const std::size_t fours = n / 4;
  const bool direct = 2 * fours >= 382 + 2;
  std::vector<float> result;
  result.reserve(n);
  for (std::size_t i = 0; i < fours; ++i) {
    Word u;
    if (direct && i + 1 < fours)
      u = next_word();
    else
      u.lo = cached(), u.hi = cached();
    const Word mixed = {u.lo ^ u.lo << 26, u.hi ^ (u.hi << 26 | u.lo >> 38)};
    for (const std::uint64_t half : {mixed.lo, mixed.hi}) {
      result.push_back(to_float(half));
      result.push_back(to_float(half >> 32));
    }
  }
  while (result.size() < n)
    result.push_back(to_float(cached()));
  return result;
}

} // namespace suites::dg
