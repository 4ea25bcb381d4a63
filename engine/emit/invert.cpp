// What a loop carries, in the reverse pass: found from the last iteration to
// the first by undoing the steps between two (plan/inversion.h), or, in a loop
// that is reversed in order, computed again step by step. Without it each step
// would have to be on the tape. Members of ReverseSweep
// (emit/common/reverse_sweep.h).
#include "emit/common/reverse_sweep.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// 1 / A modulo 2^bits, of an odd A: Newton's iteration doubles the number of
/// bits that are right.
APInt inverseOf(const APInt &A) {
  APInt X = A; // right in three bits
  for (unsigned Right = 3; Right < A.getBitWidth(); Right *= 2)
    X *= 2 - A * X;
  return X;
}

/// The operand Through of S.I, from its result V. Of: other operands.
Value *undo(IRBuilder<> &B, const Inversion::Step &S, Value *V,
            function_ref<Value *(const Value *)> Of) {
  const Instruction &I = *S.I;
  auto Other = [&] { return Of(I.getOperand(1 - S.Through)); };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return B.CreateSub(V, Other());
  case Instruction::Sub:
    return S.Through == 0 ? B.CreateAdd(V, Other()) : B.CreateSub(Other(), V);
  case Instruction::Xor:
    return B.CreateXor(V, Other());
  case Instruction::Mul: {
    auto *C = cast<ConstantInt>(I.getOperand(1 - S.Through));
    return B.CreateMul(V, B.getInt(inverseOf(C->getValue())));
  }
  case Instruction::FNeg:
    return B.CreateFNeg(V);
  case Instruction::GetElementPtr: {
    auto *G = cast<GetElementPtrInst>(I.clone());
    for (unsigned N = 1; N < G->getNumOperands(); ++N)
      G->setOperand(N, Of(I.getOperand(N)));
    Value *Bytes = emitGEPOffset(&B, B.GetInsertBlock()->getDataLayout(), G,
                                 /*NoAssumptions=*/true);
    G->deleteValue();
    return B.CreatePtrAdd(V, B.CreateNeg(Bytes));
  }
  default:
    break;
  }
  auto &C = cast<IntrinsicInst>(I);
  switch (C.getIntrinsicID()) {
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return B.CreateIntrinsic(C.getIntrinsicID() == Intrinsic::fshl
                                 ? Intrinsic::fshr
                                 : Intrinsic::fshl,
                             {V->getType()}, {V, V, Of(C.getArgOperand(2))});
  case Intrinsic::bswap:
  case Intrinsic::bitreverse: // each is its own inverse
    return B.CreateUnaryIntrinsic(C.getIntrinsicID(), V);
  default:
    llvm_unreachable("the analysis takes no other step for one to undo");
  }
}

} // namespace

/// The loop is entered from its end.
void ReverseSweep::findLast(const BasicBlock &H) {
  for (auto &[I, Back] : P.Inverted)
    if (cast<PHINode>(I.V)->getParent() == &H) {
      B.CreateStore(lookup(I.last()), carriedSlot(I));
      Memo.erase(I);
    }
}

/// The values in this iteration of those phis of the header from which the
/// values in the iteration before follow.
SmallVector<Value *> ReverseSweep::carriedFrom(const BasicBlock &H) {
  SmallVector<Value *> Out;
  for (auto &[I, Back] : P.Inverted)
    if (cast<PHINode>(I.V)->getParent() == &H)
      Out.push_back(lookup({I.K, Back.From, I.Lane}));
  return Out;
}

/// Goes one iteration back. From has the values of the phis in the iteration
/// that is left.
void ReverseSweep::stepBack(const BasicBlock &H, ArrayRef<Value *> From) {
  if (From.empty())
    return;
  Memo.clear(); // other values of this block are those of another iteration
  SmallVector<std::pair<Item, Value *>> Found;
  for (auto &[I, Back] : P.Inverted) {
    if (cast<PHINode>(I.V)->getParent() != &H)
      continue;
    Value *V = From[Found.size()];
    for (const Inversion::Step &S : Back.Steps)
      V = undo(B, S, V, [&](const Value *O) { return primal(O); });
    Found.push_back({I, V});
  }
  for (auto [I, V] : Found)
    B.CreateStore(V, carriedSlot(I));
  Memo.clear();
}

/// The recurrences of a loop in order, where it is entered from From. What they
/// take from outside is found once: LLVM does not move it out of a loop where
/// it is read behind a condition.
void ReverseSweep::rerun(const BasicBlock &H, const BasicBlock *From) {
  const bool Entered = From == UF.LI.getLoopFor(&H)->getLoopPreheader();
  for (Item I : P.Fixed.lookup(&H))
    if (Entered)
      B.CreateStore(lookup(I), carriedSlot(I));
    else
      note(I, B.CreateLoad(I.V->getType(), carriedSlot(I)));
  SmallVector<std::pair<const PHINode *, Value *>> Next;
  for (const PHINode &Phi : H.phis())
    if (P.Rerun.contains(&Phi))
      Next.push_back({&Phi, primal(Phi.getIncomingValueForBlock(From))});
  for (auto [Phi, V] : Next) {
    Item I{Item::Primal, Phi};
    B.CreateStore(V, carriedSlot(I));
    Memo.erase(I);
  }
}

} // namespace retro
