// Input: code in which a word, which may be a number or a pointer, is loaded
// once, as a number, and its bits become an address. Output: the same, with the
// bits frozen. LLVM 22's FastISel for x86 (-O0) looks for an address through
// casts, also through one of a number to an integer. It would take as the
// address what is in the general register that is numbered like the number's
// register.
#include "polish/number_addresses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

bool isNumberAddress(const Instruction &I) {
  auto *C = dyn_cast<BitCastInst>(&I);
  return C && C->getType()->isIntegerTy() &&
         !C->getOperand(0)->getType()->isIntegerTy() &&
         any_of(C->users(), IsaPred<IntToPtrInst, BinaryOperator>);
}

void keepNumberAddresses(Function &F) {
  SmallVector<BitCastInst *> Bits;
  for (Instruction &I : instructions(F))
    if (isNumberAddress(I))
      Bits.push_back(cast<BitCastInst>(&I));
  for (BitCastInst *C : Bits) {
    IRBuilder<> B(C->getNextNode());
    Value *Frozen = B.CreateFreeze(C);
    C->replaceUsesWithIf(Frozen, [&](const Use &U) {
      return U.getUser() != Frozen &&
             isa<IntToPtrInst, BinaryOperator>(U.getUser());
    });
  }
}

} // namespace retro
