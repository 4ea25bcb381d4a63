//===- constants.h - Constants of rules, right in every precision ---------===//
//
// Each constant is the sum of two doubles, about 107 bits. In double and
// narrower types the sum rounds to the first of them.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_RULES_CONSTANTS_H
#define RETROGRADE_RULES_CONSTANTS_H

#include "ops.h"

namespace retro::rules {

/// ln 2
template <Ops B> Value<B> ln2(B &b, Value<B> like) {
  return precise(b, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, like);
}

/// ln 10
template <Ops B> Value<B> ln10(B &b, Value<B> like) {
  return precise(b, 0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53, like);
}

/// log2 e = 1 / ln 2
template <Ops B> Value<B> log2e(B &b, Value<B> like) {
  return precise(b, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, like);
}

/// log10 e = 1 / ln 10
template <Ops B> Value<B> log10e(B &b, Value<B> like) {
  return precise(b, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, like);
}

/// pi
template <Ops B> Value<B> pi(B &b, Value<B> like) {
  return precise(b, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, like);
}

/// 2 / sqrt(pi)
template <Ops B> Value<B> twoOverSqrtPi(B &b, Value<B> like) {
  return precise(b, 0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56, like);
}

} // namespace retro::rules

#endif // RETROGRADE_RULES_CONSTANTS_H
