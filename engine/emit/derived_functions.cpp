// What the derivatives of called functions return beside the results of the
// functions, and what is said of an instruction that has none. Callers and
// bodies are emitted by different sweeps, which would not agree on a signature
// otherwise. Members of UnitEmitter (emit/common/unit_emitter.h).
#include "emit/common/unit_emitter.h"

using namespace llvm;

namespace retro {

bool UnitEmitter::returnsActive(const UnitFunction &F) const {
  if (F.Seeded)
    if (ReturnInst *Ret = returnOf(*F.F);
        Ret && Ret->getReturnValue() && Act.active(Ret->getReturnValue()))
      return true;
  for (BasicBlock &B : *F.F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      if (Ret->getReturnValue())
        for (auto *U : F.F->users())
          if (auto *C = dyn_cast<CallBase>(U);
              C && Act.unit().callee(*C) == &F && Act.active(C))
            return true;
  return false;
}

bool UnitEmitter::returnsShadow(const UnitFunction &F) const {
  for (BasicBlock &B : *F.F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      return Ret->getReturnValue() && Act.shadowed(Ret->getReturnValue());
  return false;
}

void UnitEmitter::unplanned(const Instruction &I) const {
  std::string Text;
  raw_string_ostream(Text) << "not refused:" << I;
  R.error(Diag::Internal, &I, {I.getFunction()->getName().str(), Text});
}

} // namespace retro
