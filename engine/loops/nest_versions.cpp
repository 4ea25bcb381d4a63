// Input: a nest of loops, and a condition. Output: the nest twice, and a branch
// to one of the two. What holds in one version alone is said by marks there.
// Without it what only the running program can tell would be of no use to a
// derivative.
#include "loops/nest_versions.h"

#include "base/unit.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {

Value *compareArrays(ArrayRef<std::pair<unsigned, unsigned>> Pairs,
                     function_ref<ArrayBounds(unsigned)> BoundsOf,
                     ScalarEvolution &SE, Instruction *At, const char *Name) {
  SCEVExpander Expand(SE, Name);
  DenseMap<unsigned, std::pair<Value *, Value *>> Ranges;
  for (auto [A, O] : Pairs)
    for (unsigned N : {A, O}) {
      auto [From, To] = BoundsOf(N);
      if (!From || !Expand.isSafeToExpandAt(From, At) ||
          !Expand.isSafeToExpandAt(To, At))
        return nullptr;
      if (!Ranges.contains(N))
        Ranges[N] = {Expand.expandCodeFor(From, nullptr, At->getIterator()),
                     Expand.expandCodeFor(To, nullptr, At->getIterator())};
    }
  IRBuilder<> IR(At);
  Value *All = IR.getTrue();
  for (auto [A, O] : Pairs)
    All = IR.CreateAnd(
        All, IR.CreateOr(IR.CreateICmpULE(Ranges[A].second, Ranges[O].first),
                         IR.CreateICmpULE(Ranges[O].second, Ranges[A].first)));
  return All;
}

void versionNest(Loop &Nest, Value *Apart, LoopInfo &LI, DominatorTree &DT,
                 ValueToValueMapTy &VM) {
  BasicBlock *Before = Nest.getLoopPreheader();
  BasicBlock *Entry = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  BasicBlock *Exit = Nest.getExitBlock(), *Latch = Nest.getLoopLatch();
  BasicBlock *After = SplitBlock(Exit, Exit->getFirstNonPHIIt(), &DT, &LI);
  SmallVector<BasicBlock *> Copies;
  cloneLoopWithPreheader(Exit, Before, &Nest, VM, ".apart", &LI, &DT, Copies);
  remapInstructionsInBlocks(Copies, VM);
  // Values leave the copy through a block of its own.
  BasicBlock *Out = BasicBlock::Create(Exit->getContext(), "apart.exit",
                                       Exit->getParent(), After);
  for (PHINode &P : Exit->phis()) {
    Value *V = P.getIncomingValueForBlock(Latch);
    Value *Copy = VM.lookup(V);
    PHINode *Q = PHINode::Create(P.getType(), 1, "", Out);
    Q->addIncoming(Copy ? Copy : V, cast<BasicBlock>(VM[Latch]));
    PHINode *Merged = PHINode::Create(P.getType(), 2, "", After->begin());
    P.replaceAllUsesWith(Merged);
    Merged->addIncoming(&P, Exit);
    Merged->addIncoming(Q, Out);
  }
  BranchInst::Create(After, Out);
  cast<BasicBlock>(VM[Latch])->getTerminator()->replaceSuccessorWith(Exit, Out);
  Instruction *Old = Before->getTerminator();
  BranchInst::Create(cast<BasicBlock>(VM[Entry]), Entry, Apart, Before);
  Old->eraseFromParent();
}

void markApart(Instruction &Access, Metadata *Scope,
               ArrayRef<Metadata *> Others, StringRef Kind) {
  LLVMContext &C = Access.getContext();
  auto Append = [&](unsigned Scopes, ArrayRef<Metadata *> More) {
    Access.setMetadata(Scopes, MDNode::concatenate(Access.getMetadata(Scopes),
                                                   MDNode::get(C, More)));
  };
  Append(LLVMContext::MD_alias_scope, Scope);
  Append(LLVMContext::MD_noalias, Others);
  SmallVector<Metadata *> All{Scope};
  append_range(All, Others);
  Access.setMetadata(Kind, MDNode::get(C, All));
}

bool areApartIn(const Loop &L, const Instruction &A, const Instruction &B) {
  const MDNode *X = A.getMetadata(ApartInNest), *Y = B.getMetadata(ApartInNest);
  if (!X || !Y || !is_contained(drop_begin(X->operands()), Y->getOperand(0)))
    return false;
  for (const Loop *O = &L; O; O = O->getParentLoop())
    if (findOptionMDForLoop(O, ApartNest))
      return true;
  return false;
}

} // namespace retro
