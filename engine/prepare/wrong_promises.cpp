// Input: a function as the front end wrote it. Output: the same, without
// promises that are broken when the function is run: flang says of the indices
// of a cshift that none of their additions and subtractions wraps, whichever of
// two numbers is the larger one. Where LLVM takes such a loop apart and
// believes it, what is shifted is undefined, and has no derivative.
#include "prepare/wrong_promises.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {

bool isOfFlang(const Module &M) {
  const NamedMDNode *Idents = M.getNamedMetadata("llvm.ident");
  return Idents && any_of(Idents->operands(), [](const MDNode *N) {
           auto *Text = N->getNumOperands()
                            ? dyn_cast<MDString>(N->getOperand(0))
                            : nullptr;
           return Text && Text->getString().contains("flang");
         });
}

void dropWrongPromises(Function &F) {
  if (!isOfFlang(*F.getParent()))
    return;
  for (Instruction &I : instructions(F))
    if ((I.getOpcode() == Instruction::Add ||
         I.getOpcode() == Instruction::Sub) &&
        I.hasNoSignedWrap())
      I.setHasNoUnsignedWrap(false);
}

} // namespace retro
