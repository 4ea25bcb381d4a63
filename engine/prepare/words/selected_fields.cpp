// Input: a pointer loaded from one of a few fields. The optimizer turns next =
// c ? node->left : node->right into one load at an offset that was chosen,
// which looks like an access of an array. Output: a branch for each field.
// Without it the fields would be one class of memory, and what they point to as
// well.
#include "prepare/words/selected_fields.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

/// More fields than this are taken for an array.
constexpr size_t MostFields = 4;

/// A place at one of some distances from a pointer; Index tells which.
struct Choice {
  Value *Base = nullptr;
  Value *Index = nullptr;
  SmallMapVector<int64_t, int64_t, 4> OffsetOf; ///< by the value of Index
};

class FieldSplitter {
public:
  FieldSplitter(Function &F) : F(F), DL(F.getDataLayout()) {}
  bool run();

private:
  bool constants(Value *V, SmallSetVector<int64_t, 4> &Out,
                 SmallPtrSetImpl<Value *> &Seen);
  bool addresses(Value *P, Value *&Base, SmallSetVector<int64_t, 4> &Offsets,
                 SmallPtrSetImpl<Value *> &Seen);
  Value *offsetTree(Value *P, DenseMap<Value *, Value *> &OffsetValues);
  bool find(Value *P, Choice &C);
  void split(Instruction &I, const Choice &C);

  Function &F;
  const DataLayout &DL;
};

/// Collects the values of an integer that selects and phis choose from
/// constants.
bool FieldSplitter::constants(Value *V, SmallSetVector<int64_t, 4> &Out,
                              SmallPtrSetImpl<Value *> &Seen) {
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    Out.insert(C->getSExtValue());
    return Out.size() <= MostFields;
  }
  if (!Seen.insert(V).second)
    return true;
  if (auto *S = dyn_cast<SelectInst>(V))
    return S->getCondition()->getType()->isIntegerTy(1) &&
           constants(S->getTrueValue(), Out, Seen) &&
           constants(S->getFalseValue(), Out, Seen);
  if (auto *P = dyn_cast<PHINode>(V))
    return all_of(P->incoming_values(),
                  [&](Value *X) { return constants(X, Out, Seen); });
  return false;
}

/// Collects the distances from one pointer among which selects and phis choose.
bool FieldSplitter::addresses(Value *P, Value *&Base,
                              SmallSetVector<int64_t, 4> &Offsets,
                              SmallPtrSetImpl<Value *> &Seen) {
  if (isa<SelectInst, PHINode>(P)) {
    if (!Seen.insert(P).second)
      return true;
    auto *I = cast<Instruction>(P);
    for (unsigned N = isa<SelectInst>(I) ? 1 : 0; N < I->getNumOperands(); ++N)
      if (!addresses(I->getOperand(N), Base, Offsets, Seen))
        return false;
    return true;
  }
  APInt Offset(DL.getIndexTypeSizeInBits(P->getType()), 0);
  Value *B = P->stripAndAccumulateConstantOffsets(DL, Offset, true);
  if (isa<Constant>(B) || (Base && B != Base))
    return false;
  Base = B;
  Offsets.insert(Offset.getSExtValue());
  return Offsets.size() <= MostFields;
}

/// Builds the same tree of selects and phis over the distances.
Value *FieldSplitter::offsetTree(Value *P,
                                 DenseMap<Value *, Value *> &OffsetValues) {
  if (Value *V = OffsetValues.lookup(P))
    return V;
  if (auto *S = dyn_cast<SelectInst>(P)) {
    Value *A = offsetTree(S->getTrueValue(), OffsetValues);
    Value *B = offsetTree(S->getFalseValue(), OffsetValues);
    IRBuilder<> IB(S);
    return OffsetValues[P] = IB.CreateSelect(S->getCondition(), A, B);
  }
  if (auto *Phi = dyn_cast<PHINode>(P)) {
    PHINode *N = PHINode::Create(Type::getInt64Ty(F.getContext()),
                                 Phi->getNumIncomingValues(), "field",
                                 Phi->getIterator());
    OffsetValues[P] = N;
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
      N->addIncoming(offsetTree(Phi->getIncomingValue(I), OffsetValues),
                     Phi->getIncomingBlock(I));
    return N;
  }
  APInt Offset(DL.getIndexTypeSizeInBits(P->getType()), 0);
  P->stripAndAccumulateConstantOffsets(DL, Offset, true);
  return ConstantInt::getSigned(Type::getInt64Ty(F.getContext()),
                                Offset.getSExtValue());
}

bool FieldSplitter::find(Value *P, Choice &C) {
  SmallSetVector<int64_t, 4> Values;
  SmallPtrSet<Value *, 8> Seen;
  if (isa<SelectInst, PHINode>(P)) {
    if (!addresses(P, C.Base, Values, Seen) || Values.size() < 2 ||
        Seen.contains(C.Base))
      return false;
    DenseMap<Value *, Value *> OffsetValues;
    C.Index = offsetTree(P, OffsetValues);
    for (int64_t V : Values)
      C.OffsetOf[V] = V;
    return true;
  }
  auto *G = dyn_cast<GEPOperator>(P);
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Constant(64, 0);
  if (!G || !G->collectOffset(DL, 64, Variable, Constant) ||
      Variable.size() != 1)
    return false;
  auto &[Index, Scale] = *Variable.begin();
  if (!constants(Index, Values, Seen) || Values.size() < 2)
    return false;
  C.Base = G->getPointerOperand();
  C.Index = Index;
  for (int64_t V : Values)
    C.OffsetOf[V] = Constant.getSExtValue() + V * Scale.getSExtValue();
  return true;
}

/// Makes one access of each field, chosen by comparing the index.
void FieldSplitter::split(Instruction &I, const Choice &C) {
  PHINode *Phi = nullptr;
  auto Copy = [&](Instruction *At, int64_t Offset) {
    IRBuilder<> B(At);
    Instruction *N = I.clone();
    N->setOperand(isa<LoadInst>(I) ? 0 : 1,
                  B.CreatePtrAdd(C.Base, B.getInt64(Offset)));
    B.Insert(N);
    if (Phi)
      Phi->addIncoming(N, N->getParent());
  };
  BasicBlock *From = I.getParent();
  BasicBlock *Rest = From->splitBasicBlock(I.getIterator());
  From->getTerminator()->eraseFromParent();
  if (isa<LoadInst>(I))
    Phi = PHINode::Create(I.getType(), 2, I.getName(), Rest->begin());
  for (size_t N = 0; N < C.OffsetOf.size(); ++N) {
    auto [Value, Offset] = C.OffsetOf.begin()[N];
    BasicBlock *Access = From;
    if (N + 1 < C.OffsetOf.size()) {
      Access = BasicBlock::Create(F.getContext(), "field", &F, Rest);
      BasicBlock *Next = BasicBlock::Create(F.getContext(), "other", &F, Rest);
      IRBuilder<> B(From);
      B.CreateCondBr(B.CreateICmpEQ(C.Index, ConstantInt::getSigned(
                                                 C.Index->getType(), Value)),
                     Access, Next);
      From = Next;
    }
    Copy(BranchInst::Create(Rest, Access), Offset);
  }
  if (Phi)
    I.replaceAllUsesWith(Phi);
  Value *Pointer = getLoadStorePointerOperand(&I);
  I.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Pointer);
}

bool FieldSplitter::run() {
  SmallVector<Instruction *> Accesses;
  for (Instruction &I : instructions(F))
    if (getLoadStorePointerOperand(&I) && getLoadStoreType(&I)->isPointerTy())
      Accesses.push_back(&I);
  bool Changed = false;
  for (Instruction *I : Accesses) {
    Choice C;
    if (find(getLoadStorePointerOperand(I), C)) {
      split(*I, C);
      Changed = true;
    }
  }
  return Changed;
}

} // namespace

bool splitSelectedFields(Function &F) { return FieldSplitter(F).run(); }

} // namespace retro
