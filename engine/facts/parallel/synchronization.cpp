// Input: a call. Output, by the function's row: how it orders threads. A
// barrier without its like in the reverse pass would let threads read adjoints
// that others still add to.
#include "facts/parallel/synchronization.h"

#include "front/known/known_functions.h"

using namespace llvm;

namespace retro {

Sync syncOf(const CallBase &C) {
  KnownCall K = knownCall(C);
  return K.Kind == KnownKind::Synchronize ? K.Row->word<Sync>() : Sync::None;
}

Value *syncOperand(const CallBase &C) {
  int N = knownCall(C).Row->A;
  return N < 0 ? nullptr : C.getArgOperand(static_cast<unsigned>(N));
}

} // namespace retro
