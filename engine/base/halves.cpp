// Input: an integer that may be put together of two halves. Output: whether
// they are of two words, or of one. Without it such a word could be taken for
// an address, which it never is.
#include "base/halves.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

constexpr uint64_t LowBits = 0xffffffff;

/// The word of which V keeps one half where it is; V itself if it is an integer
/// of at most half a word that was put there; else null.
const Value *wordOfHalf(const Value *V, bool Upper) {
  const Value *Word, *Half;
  if (match(V, m_And(m_Value(Word), m_SpecificInt(Upper ? ~LowBits : LowBits))))
    return match(Word, m_PtrToInt(m_Value(Half))) ? Half : Word;
  if (!(Upper ? match(V, m_Shl(m_ZExt(m_Value(Half)), m_SpecificInt(32)))
              : match(V, m_ZExt(m_Value(Half)))) ||
      Half->getType()->getScalarSizeInBits() > 32)
    return nullptr;
  if (!match(Half, m_Trunc(m_Value(Word))))
    return V;
  if (Upper)
    match(Word, m_LShr(m_Value(Word), m_SpecificInt(32)));
  match(Word, m_PtrToInt(m_Value(Word)));
  return Word;
}

} // namespace

bool isHalf(const Value *Word) {
  return Word->getType()->isIntegerTy(64) &&
         (wordOfHalf(Word, false) || wordOfHalf(Word, true));
}

bool isOfTwoWords(const Value *Word) {
  const Value *A, *B;
  if (!Word->getType()->isIntegerTy(64) ||
      !match(Word, m_Or(m_Value(A), m_Value(B))))
    return false;
  for (auto [Low, High] : {std::pair(A, B), std::pair(B, A)}) {
    const Value *L = wordOfHalf(Low, false), *H = wordOfHalf(High, true);
    if (L && H && L != H)
      return true;
  }
  return false;
}

} // namespace retro
