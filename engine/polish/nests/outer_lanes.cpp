// Input: the adjoint of C += A B as it is often written, s += a[i][k] b[k][j]
// for each i, j and k: its innermost loop goes down columns of B and of its
// adjoint, a cache line for each number. Output: as many columns as a line
// holds are done at once, in vectors. Without this it takes two to three times
// the time of the loops that someone would write by hand.
#include "polish/nests/outer_lanes.h"

#include "polish/nests/lane_nest.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace retro {
namespace {

/// Writes the strips of one nest.
class OuterLanes {
public:
  OuterLanes(Loop &Outer, const LaneNest &Nest, ScalarEvolution &SE)
      : Nest(Nest), SE(SE), Before(Outer.getLoopPreheader()),
        Exit(Outer.getExitBlock()), Expand(SE, "lanes"),
        Entry(Before->getTerminator()), B(Before->getContext()),
        Copies(Nest.lanes()) {}

  bool run();

private:
  Value *expanded(const SCEV *S) {
    return Expand.expandCodeFor(S, S->getType(), Entry->getIterator());
  }
  Value *asWord(const SCEV *S) {
    return Expand.expandCodeFor(SE.getNoopOrZeroExtend(S, B.getInt64Ty()),
                                B.getInt64Ty(), Entry->getIterator());
  }
  bool canExpand() const;
  std::pair<Value *, Value *> rangeOf(const Instruction &I);
  Value *guards();
  void makeBlocks();
  void enterRest(Value *Strips);
  Value *counterAt(const PHINode &P, Value *Iteration);
  void copyBlock(const BasicBlock &From, unsigned Lane);
  void writeBody();
  void write(Instruction &I);
  void writeStore(StoreInst &S);
  Value *sum(StoreInst &S);
  Value *place(Value *Ptr, int64_t OuterStep);
  Value *inLane(Value *V, unsigned Lane);
  Value *vector(Value *V);
  Value *gather(function_ref<Value *(unsigned)> OfLane);

  const LaneNest &Nest;
  ScalarEvolution &SE;
  BasicBlock *Before, *Exit;
  SCEVExpander Expand;
  Instruction *Entry;
  IRBuilder<> B;
  BasicBlock *Head = nullptr, *Body = nullptr, *Tail = nullptr,
             *After = nullptr, *Rest = nullptr;
  PHINode *Strip = nullptr;
  Value *Trips = nullptr, *InnerTaken = nullptr;
  /// Start and step of the outer loop's counters.
  DenseMap<const PHINode *, std::pair<Value *, Value *>> Counters;
  SmallVector<DenseMap<const Value *, Value *>, 16> Copies; ///< by lane
  DenseMap<const Value *, Value *> Vectors;
  SmallVector<PHINode *> Carried;
};

bool OuterLanes::canExpand() const {
  auto Can = [&](const SCEV *S) { return Expand.isSafeToExpandAt(S, Entry); };
  if (!Can(Nest.outerTaken()) || !Can(Nest.innerTaken()) ||
      !all_of(Nest.wideSteps(), Can))
    return false;
  for (PHINode &P : Nest.head()->phis()) {
    auto *R = cast<SCEVAddRecExpr>(SE.getSCEV(&P));
    if (!Can(R->getStart()) || !Can(R->getStepRecurrence(SE)))
      return false;
  }
  return all_of(Nest.comparedPairs(), [&](const LaneNest::Pair &P) {
    return all_of(ArrayRef({P.first, P.second}), [&](const Instruction *I) {
      const LaneNest::Place &At = Nest.placeOf(*I);
      return Can(At.Start) && Can(At.InnerStep);
    });
  });
}

/// The first byte that an access touches in the whole nest, and that behind the
/// last one.
std::pair<Value *, Value *> OuterLanes::rangeOf(const Instruction &I) {
  const LaneNest::Place &P = Nest.placeOf(I);
  Value *Low = B.CreatePtrToInt(expanded(P.Start), B.getInt64Ty()), *High = Low;
  auto Extend = [&](Value *Step, Value *Taken) {
    Value *By = B.CreateMul(Step, Taken), *None = B.getInt64(0);
    Low = B.CreateAdd(Low, B.CreateBinaryIntrinsic(Intrinsic::smin, By, None));
    High =
        B.CreateAdd(High, B.CreateBinaryIntrinsic(Intrinsic::smax, By, None));
  };
  Extend(B.getInt64(static_cast<uint64_t>(P.OuterStep)),
         B.CreateSub(Trips, B.getInt64(1)));
  Extend(expanded(P.InnerStep), InnerTaken);
  const uint64_t Size =
      I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
  return {Low, B.CreateAdd(High, B.getInt64(Size))};
}

/// May the strips run? True if nothing has to be asked.
Value *OuterLanes::guards() {
  Value *Holds = B.getTrue();
  for (const SCEV *Step : Nest.wideSteps())
    Holds = B.CreateAnd(
        Holds,
        B.CreateICmpUGE(B.CreateBinaryIntrinsic(Intrinsic::abs, expanded(Step),
                                                B.getFalse()),
                        B.getInt64(static_cast<uint64_t>(Nest.leastStep()))));
  for (auto [X, Y] : Nest.comparedPairs()) {
    auto [LowX, HighX] = rangeOf(*X);
    auto [LowY, HighY] = rangeOf(*Y);
    Holds = B.CreateAnd(Holds, B.CreateOr(B.CreateICmpULE(HighX, LowY),
                                          B.CreateICmpULE(HighY, LowX)));
  }
  return Holds;
}

void OuterLanes::makeBlocks() {
  Function &F = *Before->getParent();
  auto Make = [&](const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, Nest.head());
  };
  Head = Make("lanes"), Body = Make("lanes.inner"), Tail = Make("lanes.tail"),
  After = Make("lanes.done"), Rest = Make("lanes.rest");
}

/// The value of a counter in an iteration of the outer loop.
Value *OuterLanes::counterAt(const PHINode &P, Value *Iteration) {
  auto [Start, Step] = Counters.lookup(&P);
  Value *By =
      B.CreateMul(B.CreateZExtOrTrunc(Iteration, Step->getType()), Step);
  return P.getType()->isPointerTy() ? B.CreatePtrAdd(Start, By)
                                    : B.CreateAdd(Start, By);
}

/// What the strips leave runs as before.
void OuterLanes::enterRest(Value *Strips) {
  B.SetInsertPoint(After);
  Value *Done = B.CreateMul(Strips, B.getInt64(Nest.lanes()));
  B.CreateCondBr(B.CreateICmpEQ(Done, Trips), Exit, Rest);
  for (PHINode &P : Exit->phis())
    P.addIncoming(P.getIncomingValueForBlock(Nest.tail()), After);
  B.SetInsertPoint(Rest);
  PHINode *First = B.CreatePHI(B.getInt64Ty(), 2);
  First->addIncoming(B.getInt64(0), Before);
  First->addIncoming(Done, After);
  for (PHINode &P : Nest.head()->phis()) {
    const int N = P.getBasicBlockIndex(Before);
    P.setIncomingValue(static_cast<unsigned>(N), counterAt(P, First));
    P.setIncomingBlock(static_cast<unsigned>(N), Rest);
  }
  B.CreateBr(Nest.head());
}

Value *OuterLanes::inLane(Value *V, unsigned Lane) {
  if (auto It = Copies[Lane].find(V); It != Copies[Lane].end())
    return It->second;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || (I->getParent() != Nest.body() && I->getParent() != Nest.head() &&
             I->getParent() != Nest.tail()))
    return V;
  // What the inner loop computes is written where it is first asked for; what
  // is the same for all lanes, once.
  if (I->getParent() == Nest.body() && Lane != 0 &&
      Nest.kindOf(V) == LaneNest::Kind::Same)
    return Copies[Lane][V] = inLane(V, 0);
  if (Value *All = Vectors.lookup(V))
    return B.CreateExtractElement(All, Lane);
  Instruction *New = I->clone();
  for (Use &U : New->operands())
    U.set(inLane(U.get(), Lane));
  B.Insert(New);
  return Copies[Lane][V] = New;
}

void OuterLanes::copyBlock(const BasicBlock &From, unsigned Lane) {
  for (const Instruction &I : From) {
    auto *P = dyn_cast<PHINode>(&I);
    if (P && &From == Nest.tail())
      Copies[Lane][P] = inLane(P->getIncomingValue(0), Lane);
    else if (!P && !I.isTerminator() && !isAssumeLikeIntrinsic(&I))
      inLane(const_cast<Instruction *>(&I), Lane);
  }
}

Value *OuterLanes::gather(function_ref<Value *(unsigned)> OfLane) {
  Value *V = nullptr;
  for (unsigned N = 0; N < Nest.lanes(); ++N) {
    Value *X = OfLane(N);
    if (!V)
      V = PoisonValue::get(FixedVectorType::get(X->getType(), Nest.lanes()));
    V = B.CreateInsertElement(V, X, N);
  }
  return V;
}

/// A value of the inner loop, or one that it uses, in all lanes.
Value *OuterLanes::vector(Value *V) {
  if (Value *Known = Vectors.lookup(V))
    return Known;
  auto *I = dyn_cast<Instruction>(V);
  if (I && I->getParent() == Nest.body())
    return B.CreateVectorSplat(Nest.lanes(), inLane(V, 0));
  IRBuilder<>::InsertPointGuard Guard(B);
  B.SetInsertPoint(Head->getTerminator());
  Value *All = Nest.kindOf(V) == LaneNest::Kind::Same
                   ? B.CreateVectorSplat(Nest.lanes(), inLane(V, 0))
                   : gather([&](unsigned N) { return inLane(V, N); });
  return Vectors[V] = All;
}

/// Where the lanes' elements begin.
Value *OuterLanes::place(Value *Ptr, int64_t OuterStep) {
  return inLane(Ptr, OuterStep < 0 ? Nest.lanes() - 1 : 0);
}

/// The lanes' addends are added to one place, or subtracted from what is there,
/// in the order of the iterations unless the program leaves that to us.
Value *OuterLanes::sum(StoreInst &S) {
  const Use &Addend = *LaneNest::addendOf(S);
  auto *Old = cast<BinaryOperator>(Addend.getUser());
  auto *From = cast<LoadInst>(Old->getOperand(1 - Addend.getOperandNo()));
  Value *V = inLane(From, 0), *X = vector(Addend.get());
  IRBuilder<>::FastMathFlagGuard Flags(B);
  B.setFastMathFlags(Old->getFastMathFlags());
  auto *Of = dyn_cast<FPMathOperator>(Addend.get());
  if (Old->hasAllowReassoc() || (Of && Of->hasAllowReassoc())) {
    FastMathFlags Any = B.getFastMathFlags();
    Any.setAllowReassoc();
    B.setFastMathFlags(Any);
    Value *Zero = ConstantFP::getNegativeZero(V->getType());
    Value *All = B.CreateFAddReduce(Zero, X);
    return B.CreateBinOp(Old->getOpcode(), V, All);
  }
  for (unsigned N = 0; N < Nest.lanes(); ++N)
    V = B.CreateBinOp(Old->getOpcode(), V, B.CreateExtractElement(X, N));
  return V;
}

void OuterLanes::writeStore(StoreInst &S) {
  const int64_t Step = Nest.placeOf(S).OuterStep;
  Value *V = Step == 0 ? sum(S) : vector(S.getValueOperand());
  if (Step < 0)
    V = B.CreateVectorReverse(V);
  StoreInst *New =
      B.CreateAlignedStore(V, place(S.getPointerOperand(), Step), S.getAlign());
  New->setAAMetadata(S.getAAMetadata());
}

void OuterLanes::write(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return writeStore(*S);
  if (Nest.kindOf(&I) == LaneNest::Kind::Same)
    return void(inLane(&I, 0));
  if (Nest.kindOf(&I) == LaneNest::Kind::Address || isAssumeLikeIntrinsic(&I))
    return;
  auto Wide = [&](Type *T) { return FixedVectorType::get(T, Nest.lanes()); };
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    const int64_t Step = Nest.placeOf(*L).OuterStep;
    LoadInst *New = B.CreateAlignedLoad(
        Wide(L->getType()), place(L->getPointerOperand(), Step), L->getAlign());
    New->setAAMetadata(L->getAAMetadata());
    Vectors[L] = Step < 0 ? B.CreateVectorReverse(New) : New;
    return;
  }
  if (auto *C = dyn_cast<IntrinsicInst>(&I)) {
    SmallVector<Value *, 3> Args;
    for (Value *A : C->args())
      Args.push_back(vector(A));
    Vectors[C] =
        B.CreateIntrinsic(C->getIntrinsicID(), {Wide(C->getType())}, Args, C);
    return;
  }
  // A sum in one place is written with its store.
  if (I.hasOneUse())
    if (auto *S = dyn_cast<StoreInst>(*I.user_begin());
        S && Nest.placeOf(*S).OuterStep == 0)
      return;
  Instruction *New = I.clone();
  for (Use &U : New->operands())
    U.set(vector(U.get()));
  New->mutateType(Wide(I.getType()));
  B.Insert(New);
  Vectors[&I] = New;
}

void OuterLanes::writeBody() {
  B.SetInsertPoint(Body);
  for (PHINode &P : Nest.body()->phis()) {
    const bool Same = Nest.kindOf(&P) == LaneNest::Kind::Same;
    Type *T =
        Same ? P.getType() : FixedVectorType::get(P.getType(), Nest.lanes());
    PHINode *New = B.CreatePHI(T, 2);
    Value *Start = P.getIncomingValueForBlock(Nest.head());
    New->addIncoming(Same ? inLane(Start, 0) : vector(Start), Head);
    (Same ? Copies[0][&P] : Vectors[&P]) = New;
    Carried.push_back(&P);
  }
  for (Instruction &I : *Nest.body())
    if (!isa<PHINode>(I) && !I.isTerminator())
      write(I);
  for (PHINode *P : Carried) {
    const bool Same = Nest.kindOf(P) == LaneNest::Kind::Same;
    Value *Next = P->getIncomingValueForBlock(Nest.body());
    cast<PHINode>(Same ? Copies[0][P] : Vectors[P])
        ->addIncoming(Same ? inLane(Next, 0) : vector(Next), Body);
  }
  auto *Back = cast<BranchInst>(Nest.body()->getTerminator());
  const bool First = Back->getSuccessor(0) == Nest.body();
  BranchInst *New = B.CreateCondBr(inLane(Back->getCondition(), 0),
                                   First ? Body : Tail, First ? Tail : Body);
  // It is in vectors already.
  LLVMContext &C = B.getContext();
  MDNode *Done = MDNode::get(C, {MDString::get(C, "llvm.loop.isvectorized"),
                                 ConstantAsMetadata::get(B.getInt32(1))});
  MDNode *Loop = MDNode::getDistinct(C, {nullptr, Done});
  Loop->replaceOperandWith(0, Loop);
  New->setMetadata(LLVMContext::MD_loop, Loop);
}

bool OuterLanes::run() {
  if (!canExpand())
    return false;
  B.SetInsertPoint(Entry);
  Trips = B.CreateAdd(asWord(Nest.outerTaken()), B.getInt64(1));
  InnerTaken = asWord(Nest.innerTaken());
  for (PHINode &P : Nest.head()->phis()) {
    auto *R = cast<SCEVAddRecExpr>(SE.getSCEV(&P));
    Counters[&P] = {expanded(R->getStart()),
                    expanded(R->getStepRecurrence(SE))};
  }
  Value *Strips = B.CreateSelect(
      guards(), B.CreateUDiv(Trips, B.getInt64(Nest.lanes())), B.getInt64(0));
  makeBlocks();
  B.CreateCondBr(B.CreateICmpEQ(Strips, B.getInt64(0)), Rest, Head);
  Entry->eraseFromParent();
  enterRest(Strips);

  B.SetInsertPoint(Head);
  Strip = B.CreatePHI(B.getInt64Ty(), 2);
  B.CreateBr(Body);
  B.SetInsertPoint(Head->getTerminator());
  Value *First = B.CreateMul(Strip, B.getInt64(Nest.lanes()));
  for (unsigned N = 0; N < Nest.lanes(); ++N) {
    Value *Iteration = B.CreateAdd(First, B.getInt64(N));
    for (PHINode &P : Nest.head()->phis())
      Copies[N][&P] = counterAt(P, Iteration);
    copyBlock(*Nest.head(), N);
  }
  writeBody();
  B.SetInsertPoint(Tail);
  for (unsigned N = 0; N < Nest.lanes(); ++N)
    copyBlock(*Nest.tail(), N);
  Value *Next = B.CreateAdd(Strip, B.getInt64(1));
  Strip->addIncoming(B.getInt64(0), Before);
  Strip->addIncoming(Next, Tail);
  B.CreateCondBr(B.CreateICmpEQ(Next, Strips), After, Head);
  return true;
}

/// Changes a nest that has not been looked at yet.
bool runOne(Function &F, FunctionAnalysisManager &FAM,
            SmallPtrSetImpl<const BasicBlock *> &Seen) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    if (L->getNumBlocks() != 3 || !Seen.insert(L->getHeader()).second)
      continue;
    if (LaneNest Nest(*L, SE, AA);
        Nest.find() && OuterLanes(*L, Nest, SE).run())
      return true;
  }
  return false;
}

} // namespace

unsigned runInOuterLanes(Function &F, FunctionAnalysisManager &FAM) {
  const auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  if (TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue() < 128)
    return 0;
  FAM.invalidate(F, PreservedAnalyses::none());
  SmallPtrSet<const BasicBlock *, 8> Seen;
  unsigned Count = 0;
  for (; runOne(F, FAM, Seen); ++Count)
    FAM.invalidate(F, PreservedAnalyses::none());
  return Count;
}

} // namespace retro
