// Input: a phi, select or freeze of structs, which LLVM forms where a function
// that returns a tag and a word is inlined. Output: one of each member.
// A word that is a number for one origin, and a pointer for another, is told
// apart where it is chosen as a word; inside of a struct nothing follows it.
#include "prepare/lanes/struct_choices.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// May a member of T be a number or a pointer that is moved as an integer?
bool hasWord(const DataLayout &DL, Type *T) {
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), [&](Type *E) { return hasWord(DL, E); });
  return T->isIntegerTy() &&
         DL.getTypeSizeInBits(T) >= DL.getPointerSizeInBits();
}

bool isChosenStruct(const DataLayout &DL, const Instruction &I) {
  return isa<PHINode, SelectInst, FreezeInst>(I) && I.getType()->isStructTy() &&
         hasWord(DL, I.getType());
}

/// Member M of V, read before At.
Value *member(Value *V, unsigned M, Instruction *At) {
  while (auto *I = dyn_cast<InsertValueInst>(V)) {
    if (I->getIndices()[0] != M)
      V = I->getAggregateOperand();
    else if (I->getNumIndices() == 1)
      return I->getInsertedValueOperand();
    else
      break;
  }
  return IRBuilder<>(At).CreateExtractValue(V, {M});
}

PHINode *memberOf(PHINode &P, unsigned M) {
  IRBuilder<> B(&P);
  PHINode *Out = B.CreatePHI(cast<StructType>(P.getType())->getElementType(M),
                             P.getNumIncomingValues(), P.getName());
  // A block that enters twice, as by a switch, has to give one value.
  SmallDenseMap<BasicBlock *, Value *> From;
  for (auto [V, BB] : zip(P.incoming_values(), P.blocks())) {
    auto [Found, New] = From.try_emplace(BB, nullptr);
    if (New)
      Found->second = member(V, M, BB->getTerminator());
    Out->addIncoming(Found->second, BB);
  }
  return Out;
}

Value *memberOf(SelectInst &S, unsigned M) {
  Value *True = member(S.getTrueValue(), M, &S);
  Value *False = member(S.getFalseValue(), M, &S);
  return IRBuilder<>(&S).CreateSelect(S.getCondition(), True, False,
                                      S.getName());
}

/// I's member M by itself.
Value *memberOf(Instruction &I, unsigned M) {
  if (auto *P = dyn_cast<PHINode>(&I))
    return memberOf(*P, M);
  if (auto *S = dyn_cast<SelectInst>(&I))
    return memberOf(*S, M);
  return IRBuilder<>(&I).CreateFreeze(member(I.getOperand(0), M, &I),
                                      I.getName());
}

/// Puts a choice of each member into I's place.
void split(Instruction &I) {
  SmallVector<Value *, 4> Chosen;
  for (unsigned M = 0; M < I.getType()->getStructNumElements(); ++M)
    Chosen.push_back(memberOf(I, M));
  for (User *U : make_early_inc_range(I.users()))
    if (auto *E = dyn_cast<ExtractValueInst>(U); E && E->getNumIndices() == 1) {
      E->replaceAllUsesWith(Chosen[E->getIndices()[0]]);
      E->eraseFromParent();
    }
  if (!I.use_empty()) {
    IRBuilder<> B(isa<PHINode>(I) ? &*I.getParent()->getFirstInsertionPt()
                                  : &I);
    Value *Whole = PoisonValue::get(I.getType());
    for (auto [M, Member] : enumerate(Chosen))
      Whole = B.CreateInsertValue(Whole, Member, {unsigned(M)});
    I.replaceAllUsesWith(Whole);
  }
  I.eraseFromParent();
}

} // namespace

bool chooseMembers(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  bool Changed = false;
  // A struct in a struct is a choice of its own, which the next round finds.
  for (;;) {
    SmallVector<Instruction *> Structs;
    for (Instruction &I : instructions(F))
      if (isChosenStruct(DL, I))
        Structs.push_back(&I);
    if (Structs.empty())
      return Changed;
    for_each(Structs, [](Instruction *I) { split(*I); });
    Changed = true;
  }
}

} // namespace retro
