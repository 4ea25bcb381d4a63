// How the leaves of a type are numbered. All tables of values that have several
// parts are indexed by that number, and would speak of different parts
// otherwise.
#include "facts/memory/leaves.h"

#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace retro {

void leavesOf(Type *T, SmallVectorImpl<Type *> &Out) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (Type *E : S->elements())
      leavesOf(E, Out);
  } else if (auto *A = dyn_cast<ArrayType>(T)) {
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      leavesOf(A->getElementType(), Out);
  } else {
    Out.push_back(T);
  }
}

unsigned leafCount(Type *T) {
  SmallVector<Type *> Leaves;
  leavesOf(T, Leaves);
  return static_cast<unsigned>(Leaves.size());
}

unsigned leafIndex(Type *T, ArrayRef<unsigned> Path) {
  unsigned N = 0;
  for (unsigned I : Path) {
    if (auto *S = dyn_cast<StructType>(T)) {
      for (unsigned K = 0; K < I; ++K)
        N += leafCount(S->getElementType(K));
      T = S->getElementType(I);
    } else {
      T = T->getArrayElementType();
      N += I * leafCount(T);
    }
  }
  return N;
}

} // namespace retro
