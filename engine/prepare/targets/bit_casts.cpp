// Recognizes functions that a device's library has for bitcasts. Analyses treat
// such a call like the instruction; as an ordinary call it would lose the
// derivative.
#include "prepare/targets/bit_casts.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

bool isBitCastCall(const CallBase &C) {
  const Function *F = C.getCalledFunction();
  if (!F || C.arg_size() != 1 ||
      !CastInst::castIsValid(Instruction::BitCast,
                             C.getArgOperand(0)->getType(), C.getType()))
    return false;
#define BIT_CAST(Name)                                                         \
  if (F->getName() == Name)                                                    \
    return true;
#include "front/known/known_functions.def"
  return false;
}

} // namespace retro
