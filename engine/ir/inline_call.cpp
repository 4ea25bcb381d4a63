// Inlines a call by LLVM's function, which moves instructions alone. What the
// callee's attributes say of all its code, the caller has to say from then on;
// without that, the code generator fails on instructions that the caller's
// processor is said not to have.
#include "ir/inline_call.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace retro {
namespace {

/// The width of the vectors for which F uses operations of the processor. The
/// code generator cuts wider vectors apart, but cannot do so with such an
/// operation.
constexpr StringRef VectorWidth = "min-legal-vector-width";

uint64_t vectorWidth(const Function &F) {
  return F.getFnAttributeAsParsedInteger(VectorWidth);
}

} // namespace

bool inlineCall(CallBase &C, InlineFunctionInfo &Info) {
  Function &Caller = *C.getFunction();
  const Function *Callee = C.getCalledFunction();
  if (!InlineFunction(C, Info).isSuccess())
    return false;
  if (Callee && Caller.hasFnAttribute(VectorWidth) &&
      Callee->hasFnAttribute(VectorWidth) &&
      vectorWidth(*Callee) > vectorWidth(Caller))
    Caller.addFnAttr(Callee->getFnAttribute(VectorWidth));
  return true;
}

bool inlineCall(CallBase &C) {
  InlineFunctionInfo Info;
  return inlineCall(C, Info);
}

} // namespace retro
