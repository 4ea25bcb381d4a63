// Calls replaced by what they run. LLVM's function moves instructions alone:
// what the callee says of all its code, the caller has to say from then on.
#include "ir/inline_call.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace retro {
namespace {

/// How wide vectors must be that the processor's own operations take: the code
/// generator cuts wider ones apart, and cannot do so with such an operation.
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
