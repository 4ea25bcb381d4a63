// Emits calls that end the program with a sentence, on hosts and devices. A
// derivative that finds out only at run time that it cannot go on must not
// return a wrong number.
#include "ir/end_program.h"

#include "front/known/known_functions.h"
#include "front/names/foreign.h"
#include "front/names/runtime.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {

/// Prints a sentence with a number, by what CUDA's printf() calls.
static void printNumber(IRBuilder<> &B, StringRef Before, Value *Number,
                        StringRef After) {
  Module &M = *B.GetInsertBlock()->getModule();
  Type *P = B.getPtrTy();
  Function *F = B.GetInsertBlock()->getParent();
  IRBuilder<> EB(&F->getEntryBlock(), F->getEntryBlock().begin());
  AllocaInst *Args = EB.CreateAlloca(B.getInt64Ty(), nullptr, "printed");
  B.CreateStore(Number, Args);
  Value *Format = B.CreateGlobalString(
      ("retrograde: " + Before + "%llu" + After + "\n").str(), "",
      M.getDataLayout().getDefaultGlobalsAddressSpace());
  callForeign(B, Foreign::vprintf, {B.CreateAddrSpaceCast(Format, P), Args});
}

Value *emitString(IRBuilder<> &B, StringRef Text) {
  const unsigned Space = B.GetInsertBlock()
                             ->getModule()
                             ->getDataLayout()
                             .getDefaultGlobalsAddressSpace();
  return B.CreateAddrSpaceCast(B.CreateGlobalString(Text, "", Space),
                               B.getPtrTy());
}

/// Says that the call does not return and is unlikely.
static void ends(CallInst &Call) {
  Call.setDoesNotReturn();
  Call.setDoesNotThrow();
  Call.addFnAttr(Attribute::Cold);
}

void endProgram(IRBuilder<> &B, StringRef Before, Value *Number, Value *After) {
  FunctionCallee Fail =
      runtimeCallee(*B.GetInsertBlock()->getModule(), Rt::fail);
  ends(*B.CreateCall(Fail, {emitString(B, Before), Number, After}));
}

void endProgram(IRBuilder<> &B, StringRef Before, Value *Number,
                StringRef After) {
  Module &M = *B.GetInsertBlock()->getModule();
  if (!isGpu(M))
    return endProgram(B, Before, Number ? Number : B.getInt64(0),
                      Number ? emitString(B, After)
                             : ConstantPointerNull::get(B.getPtrTy()));
  CallInst *Call = nullptr;
  if (M.getTargetTriple().isNVPTX()) {
    if (Number)
      printNumber(B, Before, Number, After);
    // The function that a failed assert() of CUDA calls: text, file, line,
    // function, and the size of a character.
    Call = callForeign(
        B, Foreign::__assertfail,
        {emitString(B, Before), emitString(B, "a derivative"), B.getInt32(0),
         emitString(B, B.GetInsertBlock()->getParent()->getName()),
         B.getInt64(1)});
  } else {
    Call = B.CreateCall(Intrinsic::getOrInsertDeclaration(&M, Intrinsic::trap));
  }
  ends(*Call);
}

} // namespace retro
