#include "transforms/plan_check.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace retro {
namespace {

const unsigned char Bitcode[] = {
#include "plan_check.inc"
};

constexpr const char *RuntimePrefix = "__retro_check_";

/// The bits of a value as one integer.
Value *bitsOf(IRBuilder<> &B, Value *V) {
  Type *T = V->getType();
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  if (T->isPtrOrPtrVectorTy())
    V = B.CreatePtrToInt(V, DL.getIntPtrType(T));
  auto Bits = static_cast<unsigned>(DL.getTypeSizeInBits(V->getType()));
  return B.CreateBitCast(V, B.getIntNTy(Bits));
}

} // namespace

void checkReload(IRBuilder<> &B, const Instruction &Load, Value *Again,
                 Value *Given, const Reporter &R) {
  Value *Old = bitsOf(B, Given), *New = bitsOf(B, Again);
  Type *I64 = B.getInt64Ty();
  FunctionCallee Check = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      "__retro_check_reload", B.getVoidTy(), B.getPtrTy(), B.getInt32Ty(), I64,
      I64);
  B.CreateCall(Check,
               {B.CreateGlobalString(R.placeText(Load)),
                B.CreateZExt(B.CreateICmpNE(Old, New), B.getInt32Ty()),
                B.CreateZExtOrTrunc(Old, I64), B.CreateZExtOrTrunc(New, I64)});
}

void linkPlanCheck(Module &M) {
  bool Wanted = any_of(M, [](Function &F) {
    return F.isDeclaration() && F.getName().starts_with(RuntimePrefix);
  });
  if (!Wanted)
    return;
  MemoryBufferRef Buffer(
      StringRef(reinterpret_cast<const char *>(Bitcode), sizeof Bitcode),
      "plan_check");
  auto Runtime = getLazyBitcodeModule(Buffer, M.getContext());
  if (!Runtime)
    report_fatal_error(Runtime.takeError());
  (*Runtime)->setTargetTriple(M.getTargetTriple());
  (*Runtime)->setDataLayout(M.getDataLayout());
  Linker::linkModules(M, std::move(*Runtime), Linker::LinkOnlyNeeded);
  // The state is the program's, whichever module brings it.
  AttributeMask Processor;
  for (StringRef A : {"target-cpu", "target-features", "tune-cpu"})
    Processor.addAttribute(A);
  auto Share = [](GlobalValue &G) {
    if (!G.isDeclaration() && !G.hasLocalLinkage() &&
        G.getName().starts_with(RuntimePrefix))
      G.setLinkage(GlobalValue::LinkOnceODRLinkage);
  };
  for (Function &F : M) {
    Share(F);
    if (F.getName().starts_with(RuntimePrefix))
      F.removeFnAttrs(Processor);
  }
  for (GlobalVariable &G : M.globals())
    Share(G);
}

} // namespace retro
