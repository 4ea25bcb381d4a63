// Input: the largest or smallest of integers that may be the bits of numbers.
// For positive numbers both orders are the same, so programs use one for the
// other. Output: a comparison and a select, which has a derivative; the
// intrinsic has none.
#include "prepare/words/integer_choices.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// No program has longer vectors.
constexpr unsigned MostLanes = 64;

/// Is V an integer by its making, whatever a phi or select chooses?
bool isComputed(const Value *V) {
  SmallSetVector<const Value *, 8> From;
  From.insert(V);
  bool Any = false;
  for (size_t N = 0; N < From.size(); ++N) {
    auto *I = dyn_cast<Instruction>(From[N]);
    if (isa<Constant>(From[N]))
      continue;
    if (isa_and_nonnull<PHINode>(I))
      From.insert(I->op_begin(), I->op_end());
    else if (isa_and_nonnull<SelectInst>(I))
      From.insert(I->op_begin() + 1, I->op_end());
    else if (isa_and_nonnull<FreezeInst>(I))
      From.insert(I->getOperand(0));
    else if (isa_and_nonnull<ZExtInst, SExtInst, FPToSIInst, FPToUIInst,
                             PtrToIntInst>(I) ||
             (isa_and_nonnull<BinaryOperator>(I) && !I->isBitwiseLogicOp()))
      Any = true;
    else
      return false;
  }
  return Any;
}

Value *choose(IRBuilder<> &B, CmpInst::Predicate P, Value *X, Value *Y) {
  return B.CreateSelect(B.CreateICmp(P, X, Y), X, Y);
}

CmpInst::Predicate orderOf(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::smax:
  case Intrinsic::vector_reduce_smax:
    return CmpInst::ICMP_SGT;
  case Intrinsic::smin:
  case Intrinsic::vector_reduce_smin:
    return CmpInst::ICMP_SLT;
  case Intrinsic::umax:
  case Intrinsic::vector_reduce_umax:
    return CmpInst::ICMP_UGT;
  case Intrinsic::umin:
  case Intrinsic::vector_reduce_umin:
    return CmpInst::ICMP_ULT;
  default:
    return CmpInst::BAD_ICMP_PREDICATE;
  }
}

Value *lowered(IntrinsicInst &I, CmpInst::Predicate P) {
  IRBuilder<> B(&I);
  Value *X = I.getArgOperand(0);
  if (I.arg_size() == 2)
    return choose(B, P, X, I.getArgOperand(1));
  Value *R = B.CreateExtractElement(X, uint64_t(0));
  for (unsigned N = 1,
                E = cast<FixedVectorType>(X->getType())->getNumElements();
       N < E; ++N)
    R = choose(B, P, R, B.CreateExtractElement(X, N));
  return R;
}

} // namespace

void lowerIntegerChoices(Function &F) {
  SmallVector<IntrinsicInst *> Work;
  for (Instruction &I : instructions(F)) {
    auto *C = dyn_cast<IntrinsicInst>(&I);
    if (!C || orderOf(C->getIntrinsicID()) == CmpInst::BAD_ICMP_PREDICATE ||
        C->getType()->getScalarSizeInBits() < 16 ||
        any_of(C->args(), [](const Use &U) { return isComputed(U); }))
      continue;
    auto *T = dyn_cast<VectorType>(C->getArgOperand(0)->getType());
    if (!T || (isa<FixedVectorType>(T) &&
               cast<FixedVectorType>(T)->getNumElements() <= MostLanes))
      Work.push_back(C);
  }
  for (IntrinsicInst *C : Work) {
    C->replaceAllUsesWith(lowered(*C, orderOf(C->getIntrinsicID())));
    C->eraseFromParent();
  }
}

} // namespace retro
