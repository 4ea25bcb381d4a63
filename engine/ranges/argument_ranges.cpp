// Input: a unit whose plan tapes something only because arguments might
// overlap. Output: a function that asks the running program whether they do: it
// computes, from the arguments, the range of memory that is accessed through
// each of them. A range that is too small would choose the wrong gradient, so
// what is not known for certain makes the answer no.
#include "ranges/argument_ranges.h"

#include "ir/inline_call.h"

#include "base/faults.h"
#include "facts/parallel/synchronization.h"
#include "front/known/known_functions.h"
#include "plan/planner.h"
#include "ranges/remainders.h"
#include "ranges/share_bounds.h"
#include "ranges/take_calls.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// Within these bounds nothing overflows: bytes of one step, steps (or bytes of
/// one copy), loops around each other, and bytes to where the first access is.
constexpr int64_t MostStep = int64_t(1) << 25, MostCount = int64_t(1) << 32,
                  MostOffset = int64_t(1) << 46;
constexpr unsigned MostDeep = 6;
/// A bound on values that are looked up is of use only if it is as close as
/// this.
constexpr int64_t MostLookedUp = 1 << 20;
/// Longer offsets are not computed, and more arrays are not compared.
constexpr unsigned MostTerms = 32, MostArrays = 16;

/// What is accessed through one argument: bytes, counted from where it points
/// to.
struct Reach {
  SmallSetVector<const SCEV *, 8> Low, High;
  bool Written = false;
};

/// Finds the memory that a function accesses, as expressions of its arguments.
class Reaches {
public:
  Reaches(Function &F, Instruction &At, FunctionAnalysisManager &FAM)
      : F(F), At(At), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), Shares(SE),
        I64(Type::getInt64Ty(F.getContext())) {}

  /// Finds it. False if something is not known.
  bool find();
  /// By argument; only those through which anything is accessed.
  MapVector<const Argument *, Reach> All;

  /// Emits, at the function's entry, the first and the last byte that R
  /// reaches.
  std::optional<std::pair<Value *, Value *>> emit(const Reach &R,
                                                  IRBuilder<> &B);
  /// Emits whether none of the numbers in these expressions overflows.
  std::optional<Value *> emitBounds(IRBuilder<> &B);

private:
  using Terms = SmallSetVector<const SCEV *, 4>;
  /// From the least of some numbers to the greatest of others.
  struct Range {
    Terms Low, High;
  };
  Terms sums(const Terms &A, const Terms &B) const;
  bool add(Instruction &I);
  bool add(Value *Ptr, const SCEV *Bytes, bool Writes);
  bool isKnownBefore(const SCEV *S) const;
  std::optional<Range> rangeOf(const SCEV *S, unsigned Deep = 0);
  std::optional<Range> rangeOfChoice(const PHINode &P, unsigned Deep);
  std::optional<Range> rangeOfRow(const SCEVAddRecExpr &Row, unsigned Deep);
  std::optional<Range> rangeOfRemainder(const SCEV *S);
  std::optional<Terms> mostTaken(const Loop &L, unsigned Deep);
  const SCEV *extreme(const Terms &Of, bool Most);
  std::optional<Value *> emit(const SCEV *S, IRBuilder<> &B);

  Function &F;
  Instruction &At; ///< in the entry block
  ScalarEvolution &SE;
  ShareBounds Shares;
  Type *I64;
  SetVector<const SCEV *> Counts, Steps; ///< have to be within bounds
};

/// Is it memory that no argument points to?
bool isOwn(const Value *Ptr) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Ptr, Objects);
  return all_of(Objects, [](const Value *O) {
    auto *G = dyn_cast<GlobalVariable>(O);
    auto *C = dyn_cast<CallBase>(O);
    return isa<AllocaInst>(O) || (G && G->isConstant()) ||
           (C && isNoAliasCall(C) && knownCall(*C).isAllocation());
  });
}

/// Is S known where the question is asked? A thread's share counts as known.
bool Reaches::isKnownBefore(const SCEV *S) const {
  return !SCEVExprContains(S, [&](const SCEV *X) {
    auto *V = dyn_cast<SCEVUnknown>(X);
    auto *I = V ? dyn_cast<Instruction>(V->getValue()) : nullptr;
    auto *By = dyn_cast<SCEVUDivExpr>(X);
    return isa<SCEVAddRecExpr, SCEVCouldNotCompute>(X) ||
           (By && !isa<SCEVConstant>(By->getRHS())) ||
           (I && !ShareBounds::isShare(I) &&
            !(I->getParent() == At.getParent() && I->comesBefore(&At)));
  });
}

/// The least or the greatest of the terms, whatever the shares are; null if
/// unknown.
const SCEV *Reaches::extreme(const Terms &Of, bool Most) {
  SmallVector<const SCEV *> Ends;
  for (const SCEV *S : Of)
    if (const SCEV *End = Shares.extreme(S, Most, Counts, Steps))
      Ends.push_back(End);
    else
      return nullptr;
  return Most ? SE.getSMaxExpr(Ends) : SE.getSMinExpr(Ends);
}

Reaches::Terms Reaches::sums(const Terms &A, const Terms &B) const {
  Terms All;
  for (const SCEV *X : A)
    for (const SCEV *Y : B)
      All.insert(SE.getAddExpr(X, Y));
  return All;
}

/// The most iterations that follow the first, as i64, if that is known. For a
/// loop that is not reached it may be negative.
std::optional<Reaches::Terms> Reaches::mostTaken(const Loop &L, unsigned Deep) {
  const SCEV *S = SE.getBackedgeTakenCount(&L), *Zero = SE.getZero(I64);
  if (isa<SCEVCouldNotCompute>(S))
    S = SE.getSymbolicMaxBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(S) || SE.getTypeSizeInBits(S->getType()) > 64)
    return {};
  const SCEV *Share = Shares.mostTaken(L, S);
  S = Share ? Share : SE.getNoopOrZeroExtend(S, I64);
  auto Of = rangeOf(S, Deep);
  const SCEV *Least = Of ? extreme(Of->Low, false) : nullptr,
             *Most = Of ? extreme(Of->High, true) : nullptr;
  if (!Least || !Most)
    return {};
  // A number that is nonnegative only in this context may be any number for a
  // loop that is left another way.
  if (Share || SE.isKnownNonNegative(S) ||
      SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE, S, Zero)) {
    Counts.insert(SE.getSMaxExpr(Most, Zero));
  } else {
    Counts.insert(Most);
    Counts.insert(Least);
  }
  return Of->High;
}

std::optional<Reaches::Range> Reaches::rangeOfRow(const SCEVAddRecExpr &Row,
                                                  unsigned Deep) {
  const SCEV *Step = Row.isAffine() ? Row.getStepRecurrence(SE) : nullptr;
  if (!Step || Deep > MostDeep || !isKnownBefore(Step) || Shares.contains(Step))
    return {};
  auto First = rangeOf(Row.getStart(), Deep + 1);
  auto Times = First ? mostTaken(*Row.getLoop(), Deep + 1) : std::nullopt;
  if (!Times)
    return {};
  Steps.insert(Step);
  const bool Grows = SE.isKnownNonNegative(Step),
             Falls = SE.isKnownNonPositive(Step);
  Terms Down, Up;
  if (Grows || !Falls)
    Down.insert(SE.getZero(I64));
  if (Falls || !Grows)
    Up.insert(SE.getZero(I64));
  for (const SCEV *T : *Times) {
    const SCEV *Far = SE.getMulExpr(Step, T);
    if (!Grows)
      Down.insert(Far);
    if (!Falls)
      Up.insert(Far);
  }
  Range R{sums(First->Low, Down), sums(First->High, Up)};
  return R.Low.size() <= MostTerms && R.High.size() <= MostTerms
             ? std::optional(R)
             : std::nullopt;
}

/// The range of a choice of several numbers. A number may come from another
/// share than the one that the thread has where it is used.
std::optional<Reaches::Range> Reaches::rangeOfChoice(const PHINode &P,
                                                     unsigned Deep) {
  Range R;
  if (Deep > MostDeep)
    return {};
  for (Value *V : P.incoming_values()) {
    auto Of = rangeOf(SE.getSCEV(V), Deep + 1);
    const SCEV *Low = Of ? extreme(Of->Low, false) : nullptr,
               *High = Of ? extreme(Of->High, true) : nullptr;
    if (!Low || !High)
      return {};
    R.Low.insert(Low);
    R.High.insert(High);
  }
  return R;
}

/// The range of a remainder, wherever what is divided comes from.
std::optional<Reaches::Range> Reaches::rangeOfRemainder(const SCEV *S) {
  auto X = remainderOf(S);
  if (!X)
    return {};
  const bool Signed = X->Of->getOpcode() == Instruction::SRem;
  const SCEV *By = SE.getSCEV(X->Of->getOperand(1));
  // Without a sign in between, a negative one would be large.
  if (!isKnownBefore(By) || Shares.contains(By) ||
      (Signed && !X->SignExtended && By->getType() != I64))
    return {};
  // A divisor that is negative as a signed number is out of bounds.
  By = X->SignExtended ? SE.getSignExtendExpr(By, I64)
                       : SE.getNoopOrZeroExtend(By, I64);
  Counts.insert(By);
  const SCEV *Most =
      SE.getMulExpr(SE.getConstant(I64, static_cast<uint64_t>(X->Scale)),
                    SE.getAddExpr(By, SE.getMinusOne(I64)));
  Range R;
  R.Low.insert(Signed ? SE.getNegativeSCEV(Most) : SE.getZero(I64));
  R.High.insert(Most);
  return R;
}

/// The least and the greatest value of S (i64) where it is used.
std::optional<Reaches::Range> Reaches::rangeOf(const SCEV *S, unsigned Deep) {
  auto Between = [](const SCEV *Low, const SCEV *High) {
    Range R;
    R.Low.insert(Low);
    R.High.insert(High);
    return R;
  };
  if (isKnownBefore(S))
    return Between(S, S);
  if (auto *Row = dyn_cast<SCEVAddRecExpr>(S))
    return rangeOfRow(*Row, Deep);
  if (auto R = rangeOfRemainder(S))
    return R;
  auto *Sum = dyn_cast<SCEVAddExpr>(S);
  if (Sum && Sum->getNumOperands() <= MostDeep) {
    Range R = Between(SE.getZero(I64), SE.getZero(I64));
    for (const SCEV *Term : Sum->operands()) {
      auto Of = rangeOf(Term, Deep + 1);
      if (!Of)
        return {};
      R = {sums(R.Low, Of->Low), sums(R.High, Of->High)};
      if (R.Low.size() > MostTerms || R.High.size() > MostTerms)
        return {};
    }
    return R;
  }
  auto *Unknown = dyn_cast<SCEVUnknown>(S);
  if (auto *P = Unknown ? dyn_cast<PHINode>(Unknown->getValue()) : nullptr)
    return rangeOfChoice(*P, Deep);
  // What is done with a value that is looked up may bound it.
  ConstantRange Limits = SE.getSignedRange(S);
  if (Limits.getSignedMin().slt(-MostLookedUp) ||
      Limits.getSignedMax().sgt(MostLookedUp))
    return {};
  return Between(SE.getConstant(Limits.getSignedMin()),
                 SE.getConstant(Limits.getSignedMax()));
}

bool Reaches::add(Value *Ptr, const SCEV *Bytes, bool Writes) {
  if (isOwn(Ptr))
    return true;
  const SCEV *P = SE.getSCEV(Ptr);
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(P));
  auto *A = Base ? dyn_cast<Argument>(Base->getValue()) : nullptr;
  auto Of = A ? rangeOf(SE.removePointerBase(P)) : std::nullopt;
  const SCEV *Low = Of ? extreme(Of->Low, false) : nullptr,
             *High = Of ? extreme(Of->High, true) : nullptr;
  if (!Low || !High)
    return false;
  Reach &R = All[A];
  R.Low.insert(Low);
  R.High.insert(SE.getAddExpr(High, Bytes));
  R.Written |= Writes;
  return R.Low.size() <= MostTerms && R.High.size() <= MostTerms;
}

bool Reaches::add(Instruction &I) {
  if (!I.mayReadOrWriteMemory() || isAssumeLikeIntrinsic(&I))
    return true;
  auto *L = dyn_cast<LoadInst>(&I);
  auto *S = dyn_cast<StoreInst>(&I);
  if ((L && L->isSimple()) || (S && S->isSimple())) {
    TypeSize N = F.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
    return !N.isScalable() &&
           add(getLoadStorePointerOperand(&I),
               SE.getConstant(I64, N.getFixedValue()), S != nullptr);
  }
  if (auto *M = dyn_cast<MemIntrinsic>(&I)) {
    const SCEV *N = SE.getNoopOrZeroExtend(SE.getSCEV(M->getLength()), I64);
    auto Of = M->isVolatile() ? std::nullopt : rangeOf(N);
    const SCEV *Bytes = Of ? extreme(Of->High, true) : nullptr;
    auto *From = dyn_cast<MemTransferInst>(M);
    if (!Bytes)
      return false;
    Counts.insert(Bytes);
    return add(M->getRawDest(), Bytes, true) &&
           (!From || add(From->getRawSource(), Bytes, false));
  }
  auto *C = dyn_cast<CallBase>(&I);
  if (!C)
    return false;
  KnownCall Callee = knownCall(*C);
  if (Callee.isOfThread() || syncOf(*C) == Sync::Barrier)
    return all_of(C->args(), [](const Use &X) {
      return !X->getType()->isPointerTy() || isa<ConstantPointerNull>(X) ||
             isOwn(X);
    });
  // Memory that mathematical functions have for themselves is no array.
  return Callee.isPure() || Callee.Kind == KnownKind::Math ||
         Callee.isAllocation() ||
         (Callee.Kind == KnownKind::Free && isOwn(C->getArgOperand(0)));
}

bool Reaches::find() {
  return F.getDataLayout().getPointerSizeInBits(0) == 64 &&
         all_of(instructions(F), [&](Instruction &I) { return add(I); }) &&
         All.size() > 1 && All.size() <= MostArrays;
}

std::optional<Value *> Reaches::emit(const SCEV *S, IRBuilder<> &B) {
  SCEVExpander Expand(SE, "reach");
  Instruction *At = &*B.GetInsertPoint();
  if (!Expand.isSafeToExpandAt(S, At))
    return {};
  return Expand.expandCodeFor(S, I64, At->getIterator());
}

std::optional<std::pair<Value *, Value *>> Reaches::emit(const Reach &R,
                                                         IRBuilder<> &B) {
  SmallVector<const SCEV *> Low(R.Low.begin(), R.Low.end()),
      High(R.High.begin(), R.High.end());
  auto From = emit(SE.getSMinExpr(Low), B), To = emit(SE.getSMaxExpr(High), B);
  if (!From || !To)
    return {};
  return std::pair(*From, *To);
}

Value *isWithin(Value *V, int64_t Most, IRBuilder<> &B) {
  return B.CreateAnd(B.CreateICmpSGE(V, B.getInt64(uint64_t(-Most))),
                     B.CreateICmpSLE(V, B.getInt64(uint64_t(Most))));
}

std::optional<Value *> Reaches::emitBounds(IRBuilder<> &B) {
  Value *All = B.getTrue();
  for (const SCEV *S : Counts) {
    auto V = emit(S, B);
    if (!V)
      return {};
    All = B.CreateAnd(All, B.CreateICmpULE(*V, B.getInt64(MostCount)));
  }
  for (const SCEV *S : Steps) {
    auto V = emit(S, B);
    if (!V)
      return {};
    All = B.CreateAnd(All, isWithin(*V, MostStep, B));
  }
  return All;
}

/// Arrays and their shadows, by where they begin and end.
class Comparison {
public:
  Comparison(IRBuilder<> &B, Value *Holds) : B(B), Apart(Holds) {}

  /// Compares a range with all ranges so far. Addresses are signed here, as a
  /// range may begin below address 0.
  void add(Value *Ptr, std::pair<Value *, Value *> Offsets, bool Written) {
    Value *Base = B.CreatePtrToInt(Ptr, B.getInt64Ty());
    Memory M{B.CreateAdd(Base, Offsets.first),
             B.CreateAdd(Base, Offsets.second), Written};
    for (const Memory &O : All)
      if (Written || O.Written)
        Apart = B.CreateAnd(Apart, B.CreateOr(B.CreateICmpSLE(M.End, O.Begin),
                                              B.CreateICmpSLE(O.End, M.Begin)));
    All.push_back(M);
  }
  void require(Value *V) { Apart = B.CreateAnd(Apart, V); }
  Value *result() const { return Apart; }

private:
  struct Memory {
    Value *Begin, *End;
    bool Written;
  };
  IRBuilder<> &B;
  Value *Apart;
  SmallVector<Memory, 8> All;
};

bool hasShadow(const BoundArgument &A) {
  return A.Act == Activity::Dup || A.Act == Activity::DupNoNeed;
}

/// A copy of the root with parameters for shadows, which will return an i1.
Function *copyToAsk(const Unit &U, const Request &Req) {
  Function &F = *U.Functions.front()->F;
  LLVMContext &C = F.getContext();
  SmallVector<Type *> Params(F.getFunctionType()->params());
  for (const Argument &A : F.args())
    if (hasShadow(Req.Args[A.getArgNo()]))
      Params.append(Req.Width, A.getType());
  Function *Q =
      Function::Create(FunctionType::get(Type::getInt1Ty(C), Params, false),
                       GlobalValue::InternalLinkage, "apart", F.getParent());
  ValueToValueMapTy VM;
  for (Argument &A : F.args())
    VM[&A] = Q->getArg(A.getArgNo());
  SmallVector<ReturnInst *, 2> Returns;
  CloneFunctionInto(Q, &F, VM, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  stripDebugInfo(*Q);
  Q->setAttributes({});
  return Q;
}

/// Returns V in front of the instruction, and removes what follows.
void returnAt(Value *V, Instruction &At) {
  BasicBlock *First = At.getParent();
  First->splitBasicBlock(&At);
  First->getTerminator()->eraseFromParent();
  ReturnInst::Create(V->getContext(), V, First);
  EliminateUnreachableBlocks(*First->getParent());
}

/// The first instruction that is not mere arithmetic: the question is asked
/// there.
Instruction &firstEffect(Function &Q) {
  return *find_if(Q.getEntryBlock(), [](Instruction &I) {
    return I.isTerminator() || I.mayReadOrWriteMemory() ||
           I.mayHaveSideEffects() || isa<CallBase>(I);
  });
}

/// Makes Q the question, asked before At. False if that is impossible.
bool makeQuestion(Function &Q, Instruction &At, const Request &Req,
                  Reaches &Of) {
  IRBuilder<> B(&At);
  auto Bounds = Of.emitBounds(B);
  if (!Bounds)
    return false;
  Comparison Compare(B, *Bounds);
  for (auto &[A, R] : Of.All) {
    auto Offsets = Of.emit(R, B);
    if (!Offsets)
      return false;
    Compare.require(isWithin(Offsets->first, MostOffset, B));
    Compare.require(isWithin(Offsets->second, MostOffset, B));
    Compare.add(Q.getArg(A->getArgNo()), *Offsets, R.Written);
    unsigned Shadow = static_cast<unsigned>(Req.Args.size());
    for (unsigned N = 0; N < A->getArgNo(); ++N)
      Shadow += hasShadow(Req.Args[N]) ? Req.Width : 0;
    if (hasShadow(Req.Args[A->getArgNo()]))
      for (unsigned Lane = 0; Lane < Req.Width; ++Lane)
        Compare.add(Q.getArg(Shadow + Lane), *Offsets, true);
  }
  // Numbers that no loop depends on may overflow.
  for (Instruction &I : *At.getParent())
    if (&I == &At)
      break;
    else
      I.dropPoisonGeneratingFlags();
  returnAt(isPlanted(Fault::BlindRanges) ? B.getTrue()
                                         : B.CreateFreeze(Compare.result()),
           At);
  return true;
}

/// The argument of the root whose value A, of one of the unit's functions, is;
/// or null.
const Argument *argumentOfRoot(const Argument &A, const Unit &U) {
  const Function *F = A.getParent();
  if (F == U.Functions.front()->F)
    return &A;
  auto *C = F->hasOneUse() ? dyn_cast<CallBase>(*F->user_begin()) : nullptr;
  auto *Given = C && C->getCalledFunction() == F
                    ? dyn_cast<Argument>(
                          getUnderlyingObject(C->getArgOperand(A.getArgNo())))
                    : nullptr;
  return Given ? argumentOfRoot(*Given, U) : nullptr;
}

/// Does the plan tape a load, though the unit writes nothing under the load's
/// own name, because something under another name may overwrite it?
bool losesInputs(const Unit &U, const UnitPlan &Plan, const Reaches &Of) {
  auto Loses = [&](Instruction &I) {
    auto *L = dyn_cast<LoadInst>(&I);
    const Argument *A =
        L && !Plan.isStable(*L)
            ? dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand()))
            : nullptr;
    A = A && !A->hasNoAliasAttr() ? argumentOfRoot(*A, U) : nullptr;
    return A && !A->hasNoAliasAttr() && any_of(Of.All, [&](auto &X) {
             return X.first->getArgNo() == A->getArgNo() && !X.second.Written;
           });
  };
  return any_of(U.Functions,
                [&](auto &UF) { return any_of(instructions(*UF->F), Loses); });
}

} // namespace

unsigned tapeFields(const Unit &U, const UnitPlan &Plan) {
  unsigned Fields = 0;
  for (auto &UF : U.Functions) {
    Fields += static_cast<unsigned>(Plan.of(*UF).Copies.size());
    for (auto &[Header, Tape] : Plan.of(*UF).Tapes)
      Fields += static_cast<unsigned>(Tape.Fields.size());
  }
  return Fields;
}

ApartQuestion askWhetherApart(Unit &U, const UnitPlan &Plan,
                              const Request &Req) {
  if (!tapeFields(U, Plan))
    return {};
  Function *Q = copyToAsk(U, Req);
  ApartQuestion Result;
  bool HasQuestion = false;
  if (takeCallsInto(*Q, U)) {
    Instruction &At = firstEffect(*Q);
    keepRemainders(*Q);
    Reaches Of(*Q, At, U.FAM);
    HasQuestion =
        Of.find() && losesInputs(U, Plan, Of) && makeQuestion(*Q, At, Req, Of);
    for (auto &[A, R] : Of.All)
      Result.Arguments.push_back(A->getArgNo());
  }
  U.FAM.clear(*Q, Q->getName());
  if (!HasQuestion)
    Q->eraseFromParent();
  forgetShares(U.M);
  if (!HasQuestion)
    return {};
  Result.Asks = Q;
  return Result;
}

Function *chooseGradient(const ApartQuestion &Q, Function &Apart,
                         Function &Overlapping) {
  LLVMContext &C = Apart.getContext();
  Function *W = Function::Create(
      Overlapping.getFunctionType(), GlobalValue::InternalLinkage,
      Overlapping.getName() + ".either", Apart.getParent());
  W->setAttributes(AttributeList::get(
      C, AttributeList::FunctionIndex,
      AttrBuilder(C, Overlapping.getAttributes().getFnAttrs())));
  auto *Entry = BasicBlock::Create(C, "entry", W);
  SmallVector<Value *> Args(make_pointer_range(W->args()));
  auto Way = [&](Function &G) {
    IRBuilder<> B(BasicBlock::Create(C, "way", W));
    B.CreateRet(B.CreateCall(&G, Args));
    return B.GetInsertBlock();
  };
  BasicBlock *Yes = Way(Apart), *No = Way(Overlapping);
  IRBuilder<> B(Entry);
  CallInst *Asks = B.CreateCall(Q.Asks, Args);
  B.CreateCondBr(Asks, Yes, No);
  inlineCall(*Asks);
  Q.Asks->eraseFromParent();
  return W;
}

} // namespace retro
