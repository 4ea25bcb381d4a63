// Input: a loop that adds to places which it looks up, so that no iteration can
// run beside the next. Output: loops over strips of iterations. In a strip all
// values are computed first, which LLVM can do in vectors, and then added in
// the old order. Results stay the same to the last bit. Without it all of such
// a loop would run one number at a time.
#include "polish/scatters/strips.h"

#include "base/scev.h"
#include "loops/accumulation.h"
#include "loops/overlap_marks.h"
#include "loops/strip_loop.h"
#include "loops/vector_loop.h"
#include "polish/scatters/loop_parts.h"
#include "ranges/access_ranges.h"

#include "base/assert.h"
#include "base/toggles.h"
#include "front/known/known_functions.h"
#include "loops/each_loop.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

constexpr size_t MostAdditions = 256, MostPairs = 40000, MostSteps = 4;
/// The program compares no more pairs of arrays than this.
constexpr size_t MostCompared = 256;
/// What a strip puts aside should stay in the first-level cache: two thirds of
/// 32 KB.
constexpr uint64_t BufferBytes = 21840, MostIterations = 64;

class Stripper {
public:
  /// Overlapping gets the versions of loops for arrays that overlap.
  Stripper(Loop &L, ScalarEvolution &SE, AAResults &AA,
           const TargetTransformInfo &TTI,
           SmallPtrSetImpl<BasicBlock *> &Overlapping)
      : L(L), SE(SE), AA(AA), TTI(TTI), Overlapping(Overlapping),
        B(L.getHeader()), Entry(L.getLoopPreheader()), Exit(L.getExitBlock()),
        Any(AA),
        Ranges(L, SE, [this](const LoadInst &I) { return isWritten(I); }) {
    Any.enableCrossIterationMode();
  }

  unsigned run();

private:
  bool findAccesses();
  bool findAddition(StoreInst &S);
  void defer(Accumulation A);
  bool decide();
  bool settle();
  void findMeeting();
  bool isIndependent(const StoreInst &S);
  bool addSlice(Value *V);
  bool pays();
  unsigned lanes() const;
  void makeStrips(Value *Taken, unsigned Iterations);
  void carryBetweenStrips(PHINode &Done);
  void countIterations();
  void putAside(unsigned Iterations);
  void addBehind();
  bool meets(const Instruction &I, const Instruction &J) const {
    return !Any.isNoAlias(MemoryLocation::get(&I), MemoryLocation::get(&J));
  }
  /// Do I and J access one place even if arrays that can be compared do not
  /// overlap?
  bool meetsStill(const Instruction &I, const Instruction &J) {
    return meets(I, J) && !(Comparing && Ranges.comparable(I, J));
  }
  const SCEV *addressOf(const Instruction &I) const {
    return scevOf(SE, getLoadStorePointerOperand(&I));
  }
  bool isSamePlace(const Instruction &I, const Instruction &J) const {
    return getLoadStoreType(&I) == getLoadStoreType(&J) &&
           addressOf(I) == addressOf(J);
  }
  bool isWritten(const LoadInst &I) const {
    return any_of(*B, [&](const Instruction &S) {
      return isa<StoreInst>(S) && meets(S, I);
    });
  }
  /// Calls a function for the operands of the steps that an iteration computes.
  template <typename Fn>
  void forEachPart(const Accumulation &A, Fn Visit) const {
    for (Instruction *S : A.Steps)
      for (Use &U : S->operands())
        if (auto *I = dyn_cast<Instruction>(U);
            I && L.contains(I) && I != A.Load && !is_contained(A.Steps, I))
          Visit(U);
  }

  Loop &L;
  ScalarEvolution &SE;
  AAResults &AA;
  const TargetTransformInfo &TTI;
  SmallPtrSetImpl<BasicBlock *> &Overlapping;
  BasicBlock *B, *Entry, *Exit;
  mutable BatchAAResults Any;
  AccessRanges Ranges;
  bool Comparing = false;
  std::vector<Accumulation> Additions, Deferred;
  SmallVector<Instruction *> Others;    ///< other loads and stores
  SmallPtrSet<Instruction *, 32> Moved; ///< all of Deferred
  SetVector<Instruction *> Slice;       ///< what their addresses depend on
  unsigned Lanes = 1;                   ///< numbers in a vector register
  // The strips.
  BasicBlock *Head = nullptr, *Middle = nullptr, *Behind = nullptr,
             *Tail = nullptr;
  Value *Length = nullptr;  ///< iterations of the strip at hand
  PHINode *Count = nullptr; ///< iterations of it that have run
  SmallVector<AllocaInst *> Buffers;
};

bool Stripper::findAddition(StoreInst &S) {
  Type *T = S.getValueOperand()->getType();
  if (!T->isFloatTy() && !T->isDoubleTy())
    return false;
  std::optional<Accumulation> A = accumulationOf(S, MostSteps, SE, AA);
  if (A)
    Additions.push_back(std::move(*A));
  return A.has_value();
}

/// Collects the loop's accesses. False if there is one that cannot run in
/// vectors.
bool Stripper::findAccesses() {
  SmallVector<Instruction *> All;
  for (Instruction &I : *B) {
    if (!isForVectors(I))
      return false;
    auto *S = dyn_cast<StoreInst>(&I);
    if ((S && !findAddition(*S)) || isa<LoadInst>(I))
      All.push_back(&I);
  }
  if (Additions.empty() || Additions.size() > MostAdditions)
    return false;
  SmallPtrSet<Instruction *, 32> Loads;
  for (const Accumulation &A : Additions)
    Loads.insert(A.Load);
  for (Instruction *I : All)
    if (!Loads.contains(I))
      Others.push_back(I);
  return Additions.size() * (Additions.size() + Others.size()) <= MostPairs;
}

void Stripper::defer(Accumulation A) {
  Moved.insert_range(ArrayRef<Instruction *>{A.Load, A.Store});
  Moved.insert_range(A.Steps);
  Deferred.push_back(std::move(A));
}

/// Does nothing else access what the store writes, but in the same iteration?
bool Stripper::isIndependent(const StoreInst &S) {
  if (!isApartInEach(S, L, SE))
    return false;
  auto Fits = [&](const Instruction *I) {
    return I == &S || !meetsStill(S, *I) || isSamePlace(S, *I);
  };
  return all_of(Others, Fits) &&
         all_of(Additions,
                [&](const Accumulation &A) {
                  return Fits(A.Load) && Fits(A.Store);
                }) &&
         none_of(Deferred, [&](const Accumulation &A) {
           return meetsStill(S, *A.Store);
         });
}

/// Decides what is added later, if need be under the condition that arrays do
/// not overlap.
bool Stripper::decide() {
  const std::vector<Accumulation> All = Additions;
  const size_t Rest = Others.size();
  if (settle())
    return true;
  if (!isOn(Toggle::strip_ranges) || Overlapping.contains(B))
    return false;
  Additions = All;
  Others.truncate(Rest);
  Deferred.clear();
  Moved.clear();
  Slice.clear();
  Comparing = true;
  if (!settle())
    return false;
  findMeeting();
  return Ranges.pairs() <= MostCompared;
}

/// Finds the pairs that are apart only if arrays do not overlap.
void Stripper::findMeeting() {
  auto Compare = [&](const Instruction &I, const Instruction &J) {
    if (&I != &J && meets(I, J) && !isSamePlace(I, J))
      Ranges.compareBoth(I, J);
  };
  for (Instruction *I : Others) {
    for (const Accumulation &A : Deferred)
      Compare(*I, *A.Store);
    if (isa<StoreInst>(I))
      for (Instruction *J : Others)
        Compare(*I, *J);
  }
}

/// Decides what is added later: each addition that cannot run beside the next
/// iteration.
bool Stripper::settle() {
  for (bool Again = true; Again;) {
    Again = false;
    std::vector<Accumulation> InLoop;
    for (Accumulation &A : Additions)
      if (isIndependent(*A.Store)) {
        InLoop.push_back(std::move(A));
      } else {
        Again = true;
        defer(std::move(A));
      }
    Additions = std::move(InLoop);
  }
  for (const Accumulation &A : Additions)
    Others.append({A.Load, A.Store});
  for (Instruction *I : Others) {
    if (auto *S = dyn_cast<StoreInst>(I); S && !isIndependent(*S))
      return false;
    if (any_of(Deferred,
               [&](const Accumulation &A) { return meetsStill(*I, *A.Store); }))
      return false;
  }
  // An array that is added to in a row is compared as a range by LLVM.
  auto Scatters = [&](const Accumulation &A) {
    return !isa<SCEVAddRecExpr>(SE.getSCEV(A.Store->getPointerOperand()));
  };
  return any_of(Deferred, Scatters) &&
         all_of(Deferred, [&](const Accumulation &A) {
           return addSlice(A.Store->getPointerOperand());
         });
}

/// Collects what has to be computed again for V. False if an addition is part
/// of that, or something that the loop writes is read.
bool Stripper::addSlice(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || Slice.contains(I))
    return true;
  if (Moved.contains(I) || isa<CallBase>(I) || I->mayWriteToMemory())
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I); Load && isWritten(*Load))
    return false;
  Slice.insert(I);
  if (auto *P = dyn_cast<PHINode>(I))
    return addSlice(P->getIncomingValueForBlock(B));
  return all_of(I->operands(), [&](Value *O) { return addSlice(O); });
}

/// How many of the widest numbers that are added fit in a vector register?
unsigned Stripper::lanes() const {
  unsigned Bits = 32;
  for (const Accumulation &A : Deferred)
    Bits = std::max(Bits, A.Load->getType()->getScalarSizeInBits());
  return lanesOf(Bits, TTI);
}

/// Do vectors save a fifth, after what it costs to put the additions aside?
/// Only arithmetic on floating-point numbers counts as saved. Short strips and
/// more code cost something that the target's costs do not tell, but less than
/// that.
bool Stripper::pays() {
  Lanes = lanes();
  if (Lanes < 2)
    return false;
  constexpr auto Kind = TargetTransformInfo::TCK_RecipThroughput;
  InstructionCost Scalar = 0, Vector = 0, Extra = 0;
  for (const Instruction &I : *B) {
    if (Slice.contains(&I))
      Extra += TTI.getInstructionCost(&I, Kind);
    if (Moved.contains(&I) || !I.getType()->isFloatingPointTy() ||
        isa<PHINode>(I))
      continue;
    Scalar += TTI.getInstructionCost(&I, Kind);
    Vector += vectorCost(I, Lanes, isInRow(I, L, SE), TTI);
  }
  for (const Accumulation &A : Deferred)
    forEachPart(A, [&](Use &) { Extra += 2; });
  return Scalar.isValid() && Vector.isValid() && Extra.isValid() &&
         Scalar * Lanes * 4 > (Vector + Extra * Lanes) * 5;
}

/// Builds Head -> (iterations) -> Middle -> Behind (additions) -> Tail -> Head.
void Stripper::makeStrips(Value *Taken, unsigned Iterations) {
  Function &F = *B->getParent();
  LLVMContext &C = F.getContext();
  Type *I64 = Type::getInt64Ty(C);
  Head = BasicBlock::Create(C, "strip", &F, B);
  Middle = BasicBlock::Create(C, "strip.done", &F, Exit);
  Behind = BasicBlock::Create(C, "strip.add", &F, Exit);
  Tail = BasicBlock::Create(C, "strip.next", &F, Exit);
  IRBuilder<> IR(Head);
  IR.SetCurrentDebugLocation(B->getTerminator()->getDebugLoc());
  PHINode *Done = IR.CreatePHI(I64, 2, "done");
  Value *Remaining = IR.CreateSub(Taken, Done);
  Value *More = IR.CreateBinaryIntrinsic(Intrinsic::umin, Remaining,
                                         IR.getInt64(Iterations - 1));
  Length = IR.CreateAdd(More, IR.getInt64(1), "length", true, true);
  Done->addIncoming(IR.getInt64(0), Entry);
  carryBetweenStrips(*Done);
  IR.CreateBr(B);
  Entry->getTerminator()->replaceSuccessorWith(B, Head);
  countIterations();
  IR.SetInsertPoint(Middle);
  IR.CreateBr(Behind);
  IR.SetInsertPoint(Tail);
  Done->addIncoming(IR.CreateAdd(Done, Length, "", true, true), Tail);
  IR.CreateCondBr(IR.CreateICmpEQ(Remaining, More), Exit, Head);
}

/// Lets what iterations hand on go from strip to strip: values that leave the
/// iterations leave at the end of the strip, whose phis stand before Done.
void Stripper::carryBetweenStrips(PHINode &Done) {
  DenseMap<Value *, PHINode *> Final;
  auto final = [&](Value *V) -> Value * {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != B)
      return V;
    PHINode *&P = Final[V];
    if (!P) {
      P = PHINode::Create(V->getType(), 1, V->getName() + ".final", Middle);
      P->addIncoming(V, B);
    }
    return P;
  };
  for (PHINode &P : B->phis()) {
    PHINode *First =
        PHINode::Create(P.getType(), 2, P.getName(), Done.getIterator());
    First->addIncoming(P.getIncomingValueForBlock(Entry), Entry);
    First->addIncoming(final(P.getIncomingValueForBlock(B)), Tail);
    P.setIncomingValueForBlock(Entry, First);
    P.replaceIncomingBlockWith(Entry, Head);
  }
  for (PHINode &P : Exit->phis()) {
    P.setIncomingValueForBlock(B, final(P.getIncomingValueForBlock(B)));
    P.replaceIncomingBlockWith(B, Tail);
  }
}

/// Counts the iterations of a strip, which ends behind Length of them.
void Stripper::countIterations() {
  Instruction *Last = B->getTerminator();
  IRBuilder<> IR(Last);
  Count = PHINode::Create(IR.getInt64Ty(), 2, "count", B->begin());
  Value *Next = IR.CreateAdd(Count, IR.getInt64(1), "", true, true);
  Count->addIncoming(IR.getInt64(0), Head);
  Count->addIncoming(Next, B);
  BranchInst *Back = IR.CreateCondBr(IR.CreateICmpULT(Next, Length), B, Middle);
  Back->copyMetadata(*Last, {LLVMContext::MD_loop});
  Last->eraseFromParent();
}

/// Stores each part of each addition to a row of the buffer, one column for
/// each iteration.
void Stripper::putAside(unsigned Iterations) {
  BasicBlock &First = B->getParent()->getEntryBlock();
  IRBuilder<> EB(&First, First.begin()), IR(B->getTerminator());
  for (const Accumulation &A : Deferred)
    forEachPart(A, [&](Use &U) {
      AllocaInst *Row = EB.CreateAlloca(
          ArrayType::get(U->getType(), Iterations), nullptr, "aside");
      Row->setAlignment(Align(64));
      auto *Part = cast<Instruction>(U.get());
      IR.SetInsertPoint(B, isa<PHINode>(Part) ? B->getFirstInsertionPt()
                                              : std::next(Part->getIterator()));
      IR.CreateStore(U, IR.CreateInBoundsGEP(U->getType(), Row, Count));
      Buffers.push_back(Row);
    });
}

/// Adds what a strip put aside, in the order of its iterations and of the
/// additions in them.
void Stripper::addBehind() {
  IRBuilder<> IR(Behind);
  IR.SetCurrentDebugLocation(B->getTerminator()->getDebugLoc());
  PHINode *Again = IR.CreatePHI(IR.getInt64Ty(), 2, "count");
  ValueToValueMapTy VM;
  for (Instruction &I : *B) {
    if (!Slice.contains(&I) && !Moved.contains(&I))
      continue;
    Instruction *New = I.clone();
    New->setName(I.getName());
    IR.Insert(New);
    VM[&I] = New;
  }
  auto Row = Buffers.begin();
  for (const Accumulation &A : Deferred)
    forEachPart(A, [&](Use &U) {
      retroAssert(Row != Buffers.end() && VM.lookup(U.getUser()), "strips",
                  B->getParent(),
                  "behind a strip is each step of what is put aside in it");
      IR.SetInsertPoint(cast<Instruction>(VM[U.getUser()]));
      Value *Part = IR.CreateLoad(
          U->getType(), IR.CreateInBoundsGEP(U->getType(), *Row++, Again));
      cast<Instruction>(VM[U.getUser()])->setOperand(U.getOperandNo(), Part);
    });
  retroAssert(Row == Buffers.end(), "strips", B->getParent(),
              "all that is put aside is added");
  for (Instruction &I : *B)
    if (Value *New = VM.lookup(&I)) {
      if (auto *P = dyn_cast<PHINode>(New)) {
        P->setIncomingBlock(static_cast<unsigned>(P->getBasicBlockIndex(Head)),
                            Middle);
        P->setIncomingBlock(static_cast<unsigned>(P->getBasicBlockIndex(B)),
                            Behind);
      }
      RemapInstruction(cast<Instruction>(New), VM,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  IR.SetInsertPoint(Behind);
  Value *Next = IR.CreateAdd(Again, IR.getInt64(1), "", true, true);
  Again->addIncoming(IR.getInt64(0), Middle);
  Again->addIncoming(Next, Behind);
  IR.CreateCondBr(IR.CreateICmpULT(Next, Length), Behind, Tail);
  for (const Accumulation &A : reverse(Deferred)) {
    A.Store->eraseFromParent();
    for (Instruction *S : reverse(A.Steps))
      S->eraseFromParent();
    A.Load->eraseFromParent();
  }
}

unsigned Stripper::run() {
  if (!Entry || !Exit || L.getNumBlocks() != 1 || !L.isLoopSimplifyForm() ||
      !findAccesses() || !decide() || !pays())
    return 0;
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > 64)
    return 0;
  SCEVExpander Expand(SE, "strips");
  Instruction *Before = Entry->getTerminator();
  if (!Expand.isSafeToExpandAt(Taken, Before))
    return 0;
  Type *I64 = Type::getInt64Ty(B->getContext());
  Value *Times = Expand.expandCodeFor(SE.getNoopOrZeroExtend(Taken, I64), I64,
                                      Before->getIterator());
  if (Ranges.pairs()) {
    Value *Apart = Ranges.apart(Times);
    if (!Apart)
      return 0;
    IRBuilder<> IR(L.getLoopPreheader()->getTerminator());
    Overlapping.insert(copyLoop(L, IR.CreateNot(Apart)).Header);
    Entry = L.getLoopPreheader();
    retroAssert(Entry, "strips", B->getParent(),
                "a loop that was copied has an entry of its own still");
    ++counters().strip_ranges;
  }
  LoopParts Parts(*B, [&](const Instruction *I) { return Moved.contains(I); });
  uint64_t Row = Parts.bytes();
  for (const Accumulation &A : Deferred)
    forEachPart(
        A, [&](Use &U) { Row += U->getType()->getScalarSizeInBits() / 8; });
  auto Iterations = static_cast<unsigned>(
      std::clamp(llvm::bit_floor(BufferBytes / std::max<uint64_t>(Row, 1)),
                 uint64_t(8), MostIterations));
  SE.forgetLoop(&L);
  makeStrips(Times, Iterations);
  putAside(Iterations);
  addBehind();
  for (BasicBlock *Part : Parts.cut(*Head, *Count, Iterations))
    runInVectors(Part, *Part->getTerminator(), Lanes);
  return static_cast<unsigned>(Deferred.size());
}

/// May F be on the stack more than once? Its buffer is there as well.
bool mayRecur(Function &F) {
  SmallSetVector<Function *, 16> Reached;
  Reached.insert(&F);
  for (size_t N = 0; N < Reached.size(); ++N)
    for (Instruction &I : instructions(*Reached[N])) {
      auto *C = dyn_cast<CallBase>(&I);
      Function *Callee = C ? C->getCalledFunction() : nullptr;
      if (!C || C->isInlineAsm() ||
          (Callee && (Callee->isDeclaration() || isRuntime(*Callee))))
        continue;
      if (!Callee || Callee == &F || Reached.size() > 64)
        return true;
      Reached.insert(Callee);
    }
  return false;
}

/// Does the loop add to a place that it looks up?
bool mayScatter(const Loop &L, ScalarEvolution &SE) {
  return L.getNumBlocks() == 1 && any_of(*L.getHeader(), [&](Instruction &I) {
           auto *S = dyn_cast<StoreInst>(&I);
           auto *V =
               S ? dyn_cast<BinaryOperator>(S->getValueOperand()) : nullptr;
           return V && V->getType()->isFloatingPointTy() &&
                  !isa<SCEVAddRecExpr>(SE.getSCEV(S->getPointerOperand()));
         });
}

} // namespace

unsigned deferAdditions(Function &F, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  if (none_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(),
              [&](Loop *L) { return mayScatter(*L, SE); }) ||
      mayRecur(F))
    return 0;
  SmallPtrSet<BasicBlock *, 8> Overlapping;
  return changeInnermostLoops(F, FAM, [&](Loop &L) {
    return Stripper(L, FAM.getResult<ScalarEvolutionAnalysis>(F),
                    FAM.getResult<AAManager>(F),
                    FAM.getResult<TargetIRAnalysis>(F), Overlapping)
        .run();
  });
}

} // namespace retro
