// Code by which a thread adds to a line of its own first, and hands lines over
// to the shadow. The layout is that of runtime/combine_layout.h; a line that is
// not handed over would be lost.
#include "emit/words/combine.h"
#include "front/names/runtime.h"
#include "ir/emit_loop.h"
#include "runtime/combine_layout.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

StringRef calleeName(const Value *I) {
  auto *C = dyn_cast<CallInst>(I);
  Function *F = C ? C->getCalledFunction() : nullptr;
  return F ? F->getName() : "";
}

} // namespace

bool isCombinerCall(const Value *I) {
  return calleeName(I).starts_with(nameOf(Named::combine));
}

bool isCombiner(const Value *I) {
  return calleeName(I) == nameOf(Rt::combiner);
}

Value *emitCombiner(Instruction &Entry) {
  Module &M = *Entry.getModule();
  FunctionCallee Ask = runtimeCallee(M, Rt::combiner);
  for (User *U : Ask.getCallee()->users())
    if (auto *C = dyn_cast<CallInst>(U);
        C && C->getParent() == Entry.getParent())
      return C;
  return IRBuilder<>(&Entry).CreateCall(Ask, {}, "combiner");
}

namespace {

/// A line's place in the combiner, its tag there, and the tag for an address.
struct LineOf {
  LineOf(IRBuilder<> &B, Value *Combiner, Value *P)
      : Address(B.CreatePtrToInt(P, B.getInt64Ty())),
        Number(
            B.CreateLShr(B.CreateMul(B.CreateLShr(Address, LINE_BITS),
                                     ConstantInt::get(B.getInt64Ty(),
                                                      uint64_t{LINE_SPREAD})),
                         64 - LINES_BITS)),
        Tag(B.CreateAnd(Address, ~uint64_t{LINE_BYTES - 1})),
        Held(B.CreateLoad(B.getInt64Ty(),
                          B.CreateGEP(B.getInt64Ty(), Combiner, Number))) {}
  Value *Address, *Number, *Tag, *Held;
};

MDNode *seldom(LLVMContext &C, bool First) {
  return First ? MDBuilder(C).createBranchWeights(1, 20)
               : MDBuilder(C).createBranchWeights(20, 1);
}

} // namespace

void addCombined(IRBuilder<> &B, Value *Combiner, Value *P, Value *V) {
  LLVMContext &C = B.getContext();
  const bool Float = V->getType()->isFloatTy();
  LineOf Line(B, Combiner, P);
  Value *Tag = Float ? B.CreateOr(Line.Tag, LINE_OF_FLOATS) : Line.Tag;
  BasicBlock *Done = splitHere(B, "combined");
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Hit = BasicBlock::Create(C, "combine", F, Done);
  BasicBlock *Miss = BasicBlock::Create(C, "combine.miss", F, Done);
  B.CreateCondBr(B.CreateICmpEQ(Line.Held, Tag), Hit, Miss, seldom(C, false));
  B.SetInsertPoint(Hit);
  Value *At = B.CreatePtrAdd(
      Combiner,
      B.CreateAdd(B.CreateAdd(B.CreateShl(Line.Number, LINE_BITS),
                              B.CreateAnd(Line.Address, LINE_BYTES - 1)),
                  B.getInt64(LINES * sizeof(uint64_t))));
  B.CreateStore(B.CreateFAdd(B.CreateLoad(V->getType(), At), V), At);
  B.CreateBr(Done);
  B.SetInsertPoint(Miss);
  callRuntime(B, Float ? Rt::combine_float : Rt::combine_double,
              {Combiner, P, V});
  B.CreateBr(Done);
  B.SetInsertPoint(Done, Done->begin());
}

void emitHandOver(IRBuilder<> &B) { callRuntime(B, Rt::combine_end); }

void emitSettle(IRBuilder<> &B, Value *Combiner, Value *P) {
  LLVMContext &C = B.getContext();
  LineOf Line(B, Combiner, P);
  BasicBlock *Done = splitHere(B, "combined");
  BasicBlock *Held = BasicBlock::Create(C, "combine.settle",
                                        B.GetInsertBlock()->getParent(), Done);
  B.CreateCondBr(
      B.CreateICmpEQ(B.CreateAnd(Line.Held, ~uint64_t{LINE_OF_FLOATS}),
                     Line.Tag),
      Held, Done, seldom(C, true));
  B.SetInsertPoint(Held);
  callRuntime(B, Rt::combine_settle, {Combiner, P});
  B.CreateBr(Done);
  B.SetInsertPoint(Done, Done->begin());
}

} // namespace retro
