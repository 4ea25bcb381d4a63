// Input: a function. Output: its outermost loops that read and write nothing
// that changes but local variables, with the size of that state. Another loop
// would not give the same when its iterations run again.
#include "facts/loops/local_loops.h"

#include "base/scev.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// With a larger state, the loop is left as it is.
constexpr uint64_t MostState = 4096;
/// Functions are looked into, called one in the other so deep.
constexpr unsigned MostCalls = 3;
/// With more reads of memory from outside, the loop is left as it is.
constexpr size_t MostReads = 64;

bool isNumber(Type *T) {
  T = T->getScalarType();
  return T->isFloatTy() || T->isDoubleTy();
}

/// Might an integer from memory be a number that is only moved?
bool movesBits(const LoadInst &L) {
  Type *T = L.getType();
  if (T->isIntegerTy() && T->getIntegerBitWidth() < 16)
    return false;
  return !isNumber(T) && any_of(L.users(), [&](const User *U) {
    auto *B = dyn_cast<BinaryOperator>(U);
    return B ? B->getOpcode() == Instruction::Xor ||
                   B->getOpcode() == Instruction::Or
             : !isa<CmpInst, GetElementPtrInst, IntrinsicInst, ZExtInst,
                    SExtInst, TruncInst, SIToFPInst, UIToFPInst, SwitchInst>(U);
  });
}

/// Is it a store of whole numbers into a variable of whole numbers?
bool isInteger(const StoreInst &S) {
  auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(S.getPointerOperand(), 0));
  Type *T = A ? A->getAllocatedType() : nullptr;
  while (auto *X = dyn_cast_or_null<ArrayType>(T))
    T = X->getElementType();
  return T && T->isIntegerTy() &&
         S.getValueOperand()->getType()->getScalarType()->isIntegerTy();
}

bool isPlainCall(const CallInst &C, unsigned Depth);

/// Does I give the same again where memory is the same, and move no pointers
/// and no numbers that cannot be seen?
bool isPlain(const Instruction &I, unsigned Depth) {
  Type *T = I.getType();
  if (I.isTerminator())
    return isa<BranchInst, SwitchInst>(I) || (Depth && isa<ReturnInst>(I));
  if (T->isPtrOrPtrVectorTy())
    return T->isPointerTy() && (isa<GetElementPtrInst, SelectInst>(I) ||
                                (Depth && isa<AllocaInst>(I)));
  if (auto *C = dyn_cast<CallInst>(&I))
    return isPlainCall(*C, Depth);
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple() && !movesBits(*L);
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->isSimple() && (isNumber(S->getValueOperand()->getType()) ||
                             (!Depth && isInteger(*S)));
  if (auto *B = dyn_cast<BitCastInst>(&I))
    return isNumber(B->getSrcTy()) == isNumber(B->getDestTy());
  return !I.mayReadOrWriteMemory() && !isa<PtrToIntInst, PtrToAddrInst>(I);
}

bool isPlainCall(const CallInst &C, unsigned Depth) {
  if (auto *I = dyn_cast<IntrinsicInst>(&C))
    return I->isAssumeLikeIntrinsic() || I->isLifetimeStartOrEnd() ||
           I->doesNotAccessMemory();
  bool Pointers = any_of(C.args(), [](const Use &A) {
    return A->getType()->isPtrOrPtrVectorTy();
  });
  if (knownCall(C).isPure())
    return !Pointers;
  const Function *G = C.getCalledFunction();
  if (!G || G->isDeclaration() || G->isInterposable() || C.isMustTailCall() ||
      !C.doesNotThrow() || !C.hasFnAttr(Attribute::WillReturn) ||
      !C.getMemoryEffects()
           .getWithoutLoc(IRMemLocation::ErrnoMem)
           .onlyAccessesArgPointees() ||
      Depth == MostCalls)
    return false;
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (C.getArgOperand(N)->getType()->isPtrOrPtrVectorTy() &&
        (!C.doesNotCapture(N) || C.isPassPointeeByValueArgument(N)))
      return false;
  return all_of(instructions(*G),
                [&](const Instruction &I) { return isPlain(I, Depth + 1); });
}

bool isPlain(const Loop &L) {
  return all_of(L.blocks(), [](const BasicBlock *B) {
    return all_of(*B, [](const Instruction &I) { return isPlain(I, 0); });
  });
}

/// The variable of a fixed size that P is in, where nobody else knows it.
AllocaInst *variableOf(Value *P) {
  auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(P, 0));
  if (!A || !A->isStaticAlloca() || PointerMayBeCaptured(A, true))
    return nullptr;
  auto Size = A->getAllocationSize(A->getDataLayout());
  return Size && !Size->isScalable() ? A : nullptr;
}

class Screening {
public:
  Screening(Function &F, Loop &L, FunctionAnalysisManager &FAM)
      : F(F), L(L), DL(F.getDataLayout()),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)) {}
  std::optional<LocalLoop> run();

private:
  bool isComputed(Value *V, unsigned Depth = 0) const;
  bool isState(Value *V) const;
  bool keep(Type *T);
  bool findState();
  bool noteAccess(Value *P, bool Write, const AAMDNodes &Tags);
  bool noteAccesses(Instruction &I);
  bool readsWhatStays() const;
  std::optional<uint64_t> freshBytes() const;
  std::optional<uint64_t> strideOf(const Value *P) const;

  Function &F;
  Loop &L;
  const DataLayout &DL;
  ScalarEvolution &SE;
  AAResults &AA;
  LocalLoop Out;
  SmallSetVector<AllocaInst *, 8> Variables;
  SmallVector<MemoryLocation> Reads; ///< of memory that is not local
};

/// Is a whole number the result of arithmetic, and not bits that are moved?
bool Screening::isComputed(Value *V, unsigned Depth) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || Depth > 4)
    return isa<ConstantInt>(V);
  if (isa<PHINode>(I) && I->getParent() == L.getHeader())
    return true; // looked at by itself
  if (isa<PHINode, SelectInst>(I))
    return all_of(I->operands(), [&](const Use &O) {
      return O->getType() != I->getType() || isComputed(O, Depth + 1);
    });
  return isa<BinaryOperator, CmpInst, IntrinsicInst, ZExtInst, SExtInst,
             TruncInst, FPToSIInst, FPToUIInst>(I);
}

/// Can it go from step to step in a variable?
bool Screening::isState(Value *V) const {
  Type *T = V->getType();
  if (isNumber(T))
    return !isa<ScalableVectorType>(T);
  return T->isIntegerTy() && T->getIntegerBitWidth() <= 64 && isComputed(V);
}

bool Screening::keep(Type *T) {
  ++Out.StateParts;
  Out.StateBytes += DL.getTypeAllocSize(T).getFixedValue();
  return Out.StateBytes <= MostState;
}

/// What goes from iteration to iteration, out, and in.
bool Screening::findState() {
  for (PHINode &P : L.getHeader()->phis()) {
    Value *Next = P.getIncomingValueForBlock(L.getLoopLatch());
    bool Kept = Next == &P || isa<ConstantFP>(Next) || L.isLoopInvariant(Next)
                    ? isNumber(P.getType())
                    : isState(Next);
    if (!Kept || !keep(P.getType()))
      return false;
  }
  SmallPtrSet<Value *, 16> Numbers;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      bool Leaves = any_of(I.users(), [&](User *U) {
        return !L.contains(cast<Instruction>(U));
      });
      if (Leaves && (!isState(&I) || !keep(I.getType())))
        return false;
      for (Value *V : I.operands())
        if (isa<Argument, Instruction>(V) && L.isLoopInvariant(V) &&
            !V->getType()->isPointerTy() && !V->getType()->isIntegerTy() &&
            Numbers.insert(V).second)
          if (!isNumber(V->getType()) || !keep(V->getType()))
            return false;
    }
  return true;
}

bool Screening::noteAccess(Value *P, bool Write, const AAMDNodes &Tags) {
  const Value *Object = getUnderlyingObject(P, 0);
  if (AllocaInst *A = variableOf(P)) {
    Variables.insert(A);
    return true;
  }
  if (Write || isa<AllocaInst>(Object))
    return false;
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return G->isConstant();
  Reads.push_back(MemoryLocation::getBeforeOrAfter(P, Tags));
  return Reads.size() <= MostReads;
}

bool Screening::noteAccesses(Instruction &I) {
  if (auto *X = dyn_cast<LoadInst>(&I))
    return noteAccess(X->getPointerOperand(), false, X->getAAMetadata());
  if (auto *X = dyn_cast<StoreInst>(&I))
    return noteAccess(X->getPointerOperand(), true, AAMDNodes());
  auto *C = dyn_cast<CallInst>(&I);
  if (!C || isa<IntrinsicInst>(C) || knownCall(*C).isPure())
    return true;
  for (unsigned N = 0; N < C->arg_size(); ++N)
    if (C->getArgOperand(N)->getType()->isPointerTy() &&
        !noteAccess(C->getArgOperand(N), !C->onlyReadsMemory(N), AAMDNodes()))
      return false;
  return true;
}

/// Nothing in the function writes what is read and is not local.
bool Screening::readsWhatStays() const {
  if (Reads.empty())
    return true;
  for (Instruction &I : instructions(F)) {
    auto *C = dyn_cast<CallBase>(&I);
    if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd() ||
        (C && knownCall(*C).isPure()))
      continue;
    if (auto *X = dyn_cast<IntrinsicInst>(&I); X && X->isAssumeLikeIntrinsic())
      continue;
    for (const MemoryLocation &R : Reads)
      if (isModSet(AA.getModRefInfo(&I, R)))
        return false;
  }
  return true;
}

/// Bytes by which an address goes on in each iteration.
std::optional<uint64_t> Screening::strideOf(const Value *P) const {
  const SCEV *S = scevOf(SE, P);
  while (auto *R = dyn_cast<SCEVAddRecExpr>(S)) {
    if (R->getLoop() == &L) {
      auto *Step = dyn_cast<SCEVConstant>(R->getStepRecurrence(SE));
      return Step ? std::optional(Step->getAPInt().abs().getLimitedValue())
                  : std::nullopt;
    }
    S = R->getStart();
  }
  return 0;
}

std::optional<uint64_t> Screening::freshBytes() const {
  SmallDenseMap<const Value *, uint64_t> Of;
  for (const MemoryLocation &R : Reads) {
    std::optional<uint64_t> Bytes = strideOf(R.Ptr);
    if (!Bytes)
      return std::nullopt;
    uint64_t &Most = Of[getUnderlyingObject(R.Ptr, 0)];
    Most = std::max(Most, *Bytes);
  }
  uint64_t Sum = 0;
  for (auto [Object, Bytes] : Of)
    Sum += Bytes;
  return Sum;
}

std::optional<LocalLoop> Screening::run() {
  if (!L.isLoopSimplifyForm() || !L.hasDedicatedExits() ||
      L.getExitingBlock() != L.getLoopLatch() || !L.getExitBlock() ||
      !isPlain(L))
    return std::nullopt;
  Out.L = &L;
  Out.Backedge = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Out.Backedge) ||
      !Out.Backedge->getType()->isIntegerTy() ||
      Out.Backedge->getType()->getIntegerBitWidth() > 64 ||
      !SCEVExpander(SE, "").isSafeToExpandAt(
          Out.Backedge, L.getLoopPreheader()->getTerminator()))
    return std::nullopt;
  if (!findState())
    return std::nullopt;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (!noteAccesses(I))
        return std::nullopt;
  for (AllocaInst *A : Variables) {
    ++Out.StateParts;
    Out.StateBytes += A->getAllocationSize(DL)->getFixedValue();
  }
  if (Out.StateBytes > MostState || !readsWhatStays())
    return std::nullopt;
  Out.FreshBytes = freshBytes();
  return Out;
}

} // namespace

bool mayHaveLocalLoop(Function &F) {
  if (F.size() < 2)
    return false;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  return any_of(LI, [](const Loop *L) { return isPlain(*L); });
}

std::vector<LocalLoop> findLocalLoops(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  std::vector<LocalLoop> Out;
  for (Loop *L : LI) {
    simplifyLoop(L, &DT, &LI, &SE, nullptr, nullptr, false);
    formLCSSARecursively(*L, DT, &LI, &SE);
  }
  for (Loop *L : LI)
    if (auto Found = Screening(F, *L, FAM).run())
      Out.push_back(*Found);
  return Out;
}

} // namespace retro
