// Regions with one entry and one way out become functions: runs of a chain of
// blocks that follow each other on every path. Where one link of the chain is
// too large, a loop or a branch, the chain within it is cut. Without it a large
// function would take LLVM time that grows with the square of its size.
#include "prepare/parts.h"

#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "front/known/exceptions.h"
#include "front/known/known_functions.h"
#include "prepare/memory/stack_memory.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

namespace retro {
namespace {

using Region = SmallVector<BasicBlock *>;

/// Calls that mean something only in the function they stand in.
bool bindsFunction(Instruction &I) {
  if (auto *A = dyn_cast<AllocaInst>(&I))
    return !A->isStaticAlloca();
  if (isStackScope(I))
    return true;
  auto *C = dyn_cast<CallBase>(&I);
  if (!C)
    return false;
  // Functions with names of the engine's own are placeholders and never run.
  const Function *Callee = C->getCalledFunction();
  return (Callee && Callee->getName().starts_with(CanonicalPrefix)) ||
         isFork(*C) || isSpawn(*C) || syncOf(*C) != Sync::None ||
         knownCall(*C).Kind == KnownKind::Mpi || C->isConvergent() ||
         C->hasFnAttr(Attribute::ReturnsTwice) || C->isMustTailCall() ||
         C->getType()->isTokenTy() || isa<CallBrInst, InvokeInst>(C);
}

class Cutter {
public:
  Cutter(Function &F, unsigned Size) : F(F), Size(Size) {}
  SmallVector<Function *> run();

private:
  void splitBlocks();
  void openLoops();
  void cutChain(BasicBlock *From, BasicBlock *End, Loop *In);
  void cutWithin(BasicBlock *From, BasicBlock *Next, Loop *In);
  bool link(BasicBlock *From, BasicBlock *Next, Region &Blocks) const;
  BasicBlock *nextOf(BasicBlock *B, Loop *In) const;
  unsigned sizeOf(const Region &Blocks) const;
  void flush(Region &Group);
  void takeInAddresses(const Region &Blocks);
  void noteApart(Function &Part) const;
  Function *extract(const Region &Blocks);

  Function &F;
  unsigned Size;
  DominatorTree DT;
  PostDominatorTree PDT;
  LoopInfo LI;
  SmallVector<Region> Regions;
  SmallPtrSet<const Argument *, 8> Private; ///< noalias, and never kept
};

/// Cuts long blocks into chains of short ones. The entry keeps the variables,
/// and the last block does nothing but return.
void Cutter::splitBlocks() {
  BasicBlock &Entry = F.getEntryBlock();
  SmallVector<AllocaInst *> Locals;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
      Locals.push_back(A);
  for (AllocaInst *A : Locals)
    A->moveBefore(Entry.begin());
  SplitBlock(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  SmallVector<BasicBlock *> All;
  for (BasicBlock &B : F)
    All.push_back(&B);
  for (BasicBlock *B : All) {
    if (B->getTerminator()->getNumSuccessors() == 0)
      SplitBlock(B, B->getTerminator());
    // Both halves stay large enough to be worth a call.
    for (;;) {
      BasicBlock::iterator First = B->getFirstInsertionPt();
      const auto N = static_cast<unsigned>(std::distance(First, B->end()));
      if (N <= Size)
        break;
      B = SplitBlock(B, std::next(First, std::min(N / 2, Size - 1)));
    }
  }
}

/// Makes chains of a loop's body without its header and latch.
void Cutter::openLoops() {
  for (Loop *L : LI.getLoopsInPreorder()) {
    unsigned N = 0;
    for (BasicBlock *B : L->blocks())
      N += static_cast<unsigned>(B->size());
    BasicBlock *H = L->getHeader(), *Latch = L->getLoopLatch();
    if (N <= Size || !Latch)
      continue;
    SplitBlock(H, H->getFirstInsertionPt(), &DT, &LI);
    Latch = L->getLoopLatch();
    SplitBlock(Latch, Latch->getTerminator(), &DT, &LI);
  }
}

/// The block where all ways from B meet again; for the header of a loop, after
/// the loop has ended.
BasicBlock *Cutter::nextOf(BasicBlock *B, Loop *In) const {
  Loop *L = LI.getLoopFor(B);
  bool Begins = L && L != In && L->getHeader() == B;
  const auto *Node = PDT.getNode(B);
  do
    Node = Node ? Node->getIDom() : nullptr;
  while (Begins && Node && Node->getBlock() && L->contains(Node->getBlock()));
  return Node ? Node->getBlock() : nullptr;
}

/// Collects the blocks between From and Next. Are they entered at From alone,
/// and left to Next alone? What a handler reads of the exception is only there
/// in the function whose call threw it, and a part that runs without a
/// derivative stays as it is, with its marks: no part has any.
bool Cutter::link(BasicBlock *From, BasicBlock *Next, Region &Blocks) const {
  SmallSetVector<BasicBlock *, 16> Seen;
  Seen.insert(From);
  for (size_t I = 0; I < Seen.size(); ++I) {
    if (!DT.dominates(From, Seen[I]) || succ_empty(Seen[I]) ||
        any_of(*Seen[I],
               [](const Instruction &X) { return isExceptionMark(X); }))
      return false;
    for (BasicBlock *S : successors(Seen[I]))
      if (S != Next)
        Seen.insert(S);
  }
  for (BasicBlock *B : drop_begin(Seen))
    if (any_of(predecessors(B),
               [&](BasicBlock *P) { return !Seen.contains(P); }))
      return false;
  Blocks.append(Seen.begin(), Seen.end());
  return true;
}

unsigned Cutter::sizeOf(const Region &Blocks) const {
  size_t N = 0;
  for (BasicBlock *B : Blocks)
    N += B->size();
  return static_cast<unsigned>(N);
}

void Cutter::flush(Region &Group) {
  // A part must be large enough to be worth its call.
  if (sizeOf(Group) >= Size / 4)
    Regions.push_back(Group);
  Group.clear();
}

/// Cuts within the loop or the branch at From, which is too large for one part.
void Cutter::cutWithin(BasicBlock *From, BasicBlock *Next, Loop *In) {
  Loop *L = LI.getLoopFor(From);
  Loop *Body = L && L->getHeader() == From ? L : In;
  for (BasicBlock *S : successors(From))
    if (S != Next && S->getSinglePredecessor() == From &&
        (!Body || Body->contains(S)))
      cutChain(S, Next, Body);
}

void Cutter::cutChain(BasicBlock *From, BasicBlock *End, Loop *In) {
  Region Group;
  for (BasicBlock *B = From; B && B != End && (!In || In->contains(B));) {
    if (!DT.dominates(From, B) ||
        (In && (B == In->getLoopLatch() || B == In->getHeader())))
      break;
    BasicBlock *Next = nextOf(B, In);
    Region Blocks;
    bool Whole = Next && link(B, Next, Blocks);
    if (!Whole || sizeOf(Group) + sizeOf(Blocks) > Size)
      flush(Group);
    if (Whole && sizeOf(Blocks) <= Size)
      Group.append(Blocks);
    else
      cutWithin(B, Next, In);
    B = Next;
  }
  flush(Group);
}

/// Computes addresses within objects in the part itself, from the object's
/// address, so that analyses see that they belong to one object.
void Cutter::takeInAddresses(const Region &Blocks) {
  SmallPtrSet<BasicBlock *, 16> In(Blocks.begin(), Blocks.end());
  DenseMap<Value *, Instruction *> Copies;
  BasicBlock::iterator At = Blocks.front()->getFirstInsertionPt();
  std::function<Value *(Value *)> take = [&](Value *V) -> Value * {
    auto *G = dyn_cast<GetElementPtrInst>(V);
    if (!G || In.contains(G->getParent()) || !G->hasAllConstantIndices())
      return V;
    if (Instruction *Earlier = Copies.lookup(G))
      return Earlier;
    Value *Base = take(G->getPointerOperand());
    Instruction *Copy = G->clone();
    Copy->setOperand(0, Base);
    Copy->insertBefore(*Blocks.front(), At);
    return Copies[G] = Copy;
  };
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (!isa<PHINode>(I))
        for (Use &U : I.operands())
          if (U->getType()->isPointerTy())
            U.set(take(U));
}

/// Notes which parameters of a part are memory of their own, as they are in F.
void Cutter::noteApart(Function &Part) const {
  auto *Call = dyn_cast_or_null<CallBase>(Part.getUniqueUndroppableUser());
  if (!Call)
    return;
  SmallVector<const Value *> Objects;
  for (Value *V : Call->args())
    Objects.push_back(V->getType()->isPointerTy() ? getUnderlyingObject(V, 0)
                                                  : nullptr);
  for (unsigned N = 0; N < Objects.size(); ++N)
    if (auto *A = dyn_cast_or_null<Argument>(Objects[N]))
      if (Private.contains(A) && count(Objects, A) == 1 &&
          all_of(Objects, [](const Value *O) {
            return !O || isa<Argument>(O) || isa<AllocaInst>(O);
          }))
        Part.addParamAttr(N, Attribute::NoAlias);
}

Function *Cutter::extract(const Region &Blocks) {
  takeInAddresses(Blocks);
  CodeExtractor X(Blocks, nullptr, false, nullptr, nullptr, nullptr, false,
                  false, nullptr, "part");
  CodeExtractorAnalysisCache Cache(F);
  if (!X.isEligible())
    return nullptr;
  Function *Part = X.extractCodeRegion(Cache);
  if (Part)
    noteApart(*Part);
  return Part;
}

SmallVector<Function *> Cutter::run() {
  for (Argument &A : F.args())
    if (A.hasNoAliasAttr() &&
        !PointerMayBeCaptured(&A, /*ReturnCaptures=*/true, /*MaxUses=*/1 << 20))
      Private.insert(&A);
  splitBlocks();
  DT.recalculate(F);
  LI.analyze(DT);
  openLoops();
  DT.recalculate(F);
  PDT.recalculate(F);
  cutChain(F.getEntryBlock().getSingleSuccessor(), nullptr, nullptr);
  SmallVector<Function *> Parts;
  for (const Region &Blocks : Regions)
    if (Function *Part = extract(Blocks))
      Parts.push_back(Part);
  return Parts;
}

} // namespace

SmallVector<Function *> cutIntoParts(Function &F, unsigned Above,
                                     unsigned Size) {
  if (F.getInstructionCount() <= Above ||
      any_of(instructions(F), bindsFunction))
    return {};
  return Cutter(F, Size).run();
}

} // namespace retro
