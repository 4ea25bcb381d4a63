// Input: arithmetic of numbers as calls, which is what it is where the program
// may change how it rounds or look which exceptions it has raised
// (-ffp-model=strict, #pragma STDC FENV_ACCESS ON). Output: the operations. The
// copy that is derived rounds as its caller does. A function that changes that
// itself stays as it is, and is refused.
#include "prepare/targets/strict_floats.h"

#include "front/names/foreign.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// What the call computes, as LLVM's table says: an operation, or the ordinary
/// function of the same name.
struct Meaning {
  unsigned Operation = 0; ///< 0: none
  Intrinsic::ID Function = Intrinsic::not_intrinsic;
};

Meaning meaningOf(Intrinsic::ID Id) {
  switch (Id) {
#define INSTRUCTION(Name, Arguments, Rounds, Constrained)                      \
  case Intrinsic::Constrained:                                                 \
    return {Instruction::Name, Intrinsic::not_intrinsic};
#define FUNCTION(Name, Arguments, Rounds, Constrained)                         \
  case Intrinsic::Constrained:                                                 \
    return {0, Intrinsic::Name};
#include "llvm/IR/ConstrainedOps.def"
  default:
    return {};
  }
}

Value *ordinary(ConstrainedFPIntrinsic &I) {
  IRBuilder<> B(&I);
  SmallVector<Value *, 3> Of(I.arg_begin(),
                             I.arg_begin() + I.getNonMetadataArgCount());
  B.setFastMathFlags(isa<FPMathOperator>(I) ? I.getFastMathFlags()
                                            : FastMathFlags());
  if (auto *Compare = dyn_cast<ConstrainedFPCmpIntrinsic>(&I))
    return B.CreateFCmp(Compare->getPredicate(), Of[0], Of[1]);
  const Meaning M = meaningOf(I.getIntrinsicID());
  if (M.Function != Intrinsic::not_intrinsic)
    return B.CreateIntrinsic(I.getType(), M.Function, Of);
  if (!M.Operation)
    return nullptr;
  return Instruction::isCast(M.Operation)
             ? B.CreateCast(Instruction::CastOps(M.Operation), Of[0],
                            I.getType())
             : B.CreateBinOp(Instruction::BinaryOps(M.Operation), Of[0], Of[1]);
}

/// Does the function, or one that it calls, change how numbers are rounded?
/// Then its order with such calls matters, and it stays as it is.
bool changesRounding(const Function &F) {
  SmallSetVector<const Function *, 8> All;
  All.insert(&F);
  for (size_t N = 0; N < All.size(); ++N)
    for (const Instruction &I : instructions(*All[N])) {
      auto *C = dyn_cast<CallBase>(&I);
      if (C && callsA(*C, NameKind::SetsRounding))
        return true;
      if (const Function *G = C ? C->getCalledFunction() : nullptr)
        All.insert(G);
    }
  return false;
}

bool isStrict(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  return C &&
         (isa<ConstrainedFPIntrinsic>(C) || C->hasFnAttr(Attribute::StrictFP));
}

} // namespace

void relaxStrictFloats(Function &F) {
  if (none_of(instructions(F), isStrict) || changesRounding(F))
    return;
  F.removeFnAttr(Attribute::StrictFP);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *C = dyn_cast<CallBase>(&I))
      C->removeFnAttr(Attribute::StrictFP);
    auto *C = dyn_cast<ConstrainedFPIntrinsic>(&I);
    Value *V = C ? ordinary(*C) : nullptr;
    if (!V)
      continue;
    C->replaceAllUsesWith(V);
    C->eraseFromParent();
  }
}

} // namespace retro
