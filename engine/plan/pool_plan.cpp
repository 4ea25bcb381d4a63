// Can the tape of a unit lie in a pool, which is memory for all threads of a
// launch that is there before it? And what has to run, in each thread, to know
// how many bytes that takes: the slice of the primal that decides how often
// loops with a tape run. It runs before the primal, so it may read nothing that
// the primal writes, in whichever thread. Declared in planner.h.
#include "base/toggles.h"
#include "facts/parallel/forks.h"
#include "plan/planner.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// The slice of one function.
class Measurer {
public:
  Measurer(const UnitPlan &UP, Unit &U, UnitFunction &UF, FunctionPlan &P,
           OverwriteAnalysis &Overwrite)
      : UP(UP), U(U), UF(UF), P(P), Overwrite(Overwrite) {}

  /// False: there is none, Why and At say for what reason.
  bool run();
  std::string Why;
  const Instruction *At = nullptr;

private:
  void findControl();
  void reach(const BasicBlock &B);
  void need(const Value *V);
  void needOperands(const Instruction &I);
  bool canRun(const Instruction &I);
  bool canRunLoad(const LoadInst &L);
  bool canRunCall(const CallBase &C);
  bool needStores(const AllocaInst &A);
  bool isPure(UnitFunction &G);
  bool fail(const Instruction &I, const Twine &Reason);

  const UnitPlan &UP;
  Unit &U;
  UnitFunction &UF;
  FunctionPlan &P;
  OverwriteAnalysis &Overwrite;
  /// The blocks whose branches decide whether a block is reached.
  DenseMap<const BasicBlock *, SmallVector<const BasicBlock *, 2>> Control;
  SmallPtrSet<const BasicBlock *, 16> Reached;
  SmallPtrSet<const AllocaInst *, 8> Variables;
  SmallVector<const Instruction *> Work;
};

bool Measurer::fail(const Instruction &I, const Twine &Reason) {
  if (Why.empty()) {
    Why = Reason.str();
    At = &I;
  }
  return false;
}

void Measurer::findControl() {
  PostDominatorTree After(*UF.F);
  for (const BasicBlock &B : *UF.F) {
    if (succ_size(&B) < 2)
      continue;
    const auto *Stop = After.getNode(&B)->getIDom();
    for (const BasicBlock *S : successors(&B))
      for (const auto *N = After.getNode(S); N && N != Stop; N = N->getIDom())
        if (N->getBlock())
          Control[N->getBlock()].push_back(&B);
  }
}

/// B is executed as often as in the primal.
void Measurer::reach(const BasicBlock &B) {
  if (!Reached.insert(&B).second)
    return;
  for (const BasicBlock *X : Control.lookup(&B))
    need(X->getTerminator());
}

void Measurer::need(const Value *V) {
  if (auto *A = dyn_cast<Argument>(V))
    P.MeasuredArgs.set(A->getArgNo());
  auto *I = dyn_cast<Instruction>(V);
  if (I && P.Measured.insert(I).second)
    Work.push_back(I);
}

void Measurer::needOperands(const Instruction &I) {
  for (const Value *O : I.operands())
    need(O);
}

/// A variable that is read: all that is stored to it is stored here too.
bool Measurer::needStores(const AllocaInst &A) {
  if (!Variables.insert(&A).second)
    return true;
  SmallVector<const Value *> Addresses{&A};
  while (!Addresses.empty())
    for (const Use &X : Addresses.pop_back_val()->uses()) {
      auto *I = cast<Instruction>(X.getUser());
      if (isa<GetElementPtrInst, CastInst>(I))
        Addresses.push_back(I);
      else if (isa<LoadInst>(I) || I->isLifetimeStartOrEnd() ||
               isa<DbgInfoIntrinsic>(I))
        continue;
      else if ((isa<StoreInst>(I) &&
                X.getOperandNo() == StoreInst::getPointerOperandIndex()) ||
               isa<MemSetInst>(I))
        need(I);
      else
        return fail(*I, "a variable that it depends on is not only loaded and "
                        "stored");
    }
  return true;
}

bool Measurer::canRunLoad(const LoadInst &L) {
  if (auto *A =
          dyn_cast<AllocaInst>(getUnderlyingObject(L.getPointerOperand())))
    return needStores(*A);
  if (Overwrite.isInput(L))
    return true;
  return fail(L, "it depends on memory that threads of the kernel may write");
}

/// Does a called function give its result without a trace, from what is there
/// before the primal runs?
bool Measurer::isPure(UnitFunction &G) {
  return all_of(instructions(*G.F), [&](Instruction &I) {
    if (auto *C = dyn_cast<CallBase>(&I))
      return isa<DbgInfoIntrinsic>(C) ||
             (C->doesNotAccessMemory() && !C->isConvergent());
    return !I.mayReadOrWriteMemory();
  });
}

bool Measurer::canRunCall(const CallBase &C) {
  if (UnitFunction *G = U.callee(C))
    return isPure(*G) ||
           fail(C, "it depends on the result of a function that is called");
  KnownCall K = knownCall(C);
  bool Alone = !C.isConvergent() || K.Kind == KnownKind::Math;
  if (Alone && (C.doesNotAccessMemory() || K.Kind == KnownKind::Math) &&
      !C.isInlineAsm())
    return true;
  return fail(C, "it depends on what other threads or another function give");
}

bool Measurer::canRun(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return canRunLoad(*L);
  if (isa<StoreInst, MemSetInst>(I)) // to a variable, see needStores()
    return true;
  if (auto *C = dyn_cast<CallBase>(&I))
    return canRunCall(*C);
  if (I.mayReadOrWriteMemory() ||
      (I.isTerminator() && !isa<BranchInst, SwitchInst>(I)))
    return fail(I, "it depends on what other threads do");
  return true;
}

bool Measurer::run() {
  P.MeasuredArgs.resize(static_cast<unsigned>(UF.F->arg_size()));
  findControl();
  for (auto &[H, Tape] : P.Tapes) {
    reach(Tape.Indexed ? *UF.LI.getLoopFor(H)->getLoopPreheader() : *H);
    for (const LoopTape::Field &F : Tape.Fields)
      for (const BasicBlock *X : F.Nest)
        need(UF.loopAt(X).Trips);
  }
  for (Instruction &I : instructions(*UF.F)) {
    auto *C = dyn_cast<CallBase>(&I);
    UnitFunction *G = C ? U.callee(*C) : nullptr;
    if (!G || !UP.of(*G).HasTape)
      continue;
    if (G->Recursive || G == &UF)
      return fail(I, "a function calls itself");
    reach(*C->getParent());
    for (unsigned N = 0; N < C->arg_size(); ++N)
      if (UP.of(*G).MeasuredArgs.test(N))
        need(C->getArgOperand(N));
  }
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (!canRun(*I))
      return false;
    reach(*I->getParent());
    needOperands(*I);
    if (auto *Phi = dyn_cast<PHINode>(I))
      for (const BasicBlock *B : Phi->blocks())
        reach(*B);
  }
  return true;
}

} // namespace

/// Decides for a whole unit.
class PoolPlanner {
public:
  explicit PoolPlanner(UnitPlan &UP) : UP(UP), U(UP.Act.unit()) {}
  void run();

private:
  std::string obstacle();
  std::string obstacleIn(UnitFunction &UF);
  void findTapes();
  void measure();
  void remark();

  UnitPlan &UP;
  Unit &U;
};

/// Why a function's tape cannot consist of words far from each other; or empty.
std::string PoolPlanner::obstacleIn(UnitFunction &UF) {
  const FunctionPlan &P = UP.of(UF);
  if (!P.Kept.empty())
    return "copies of whole arrays are kept";
  if (!P.EitherCopies.empty())
    return "words are copied that may be numbers or pointers";
  for (Instruction &I : instructions(*UF.F)) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (A && !UF.Root && (P.TapedAllocas.contains(A) || UP.Act.shadowed(A)) &&
        !(UF.Seeded && A->isStaticAlloca()))
      return "'" + displayName(*UF.Source) +
             "', which is called, has arrays of its own";
    auto *C = dyn_cast<CallBase>(&I);
    if (!C)
      continue;
    if (KnownCall K = knownCall(*C);
        K.Kind == KnownKind::Free &&
        UP.Act.isFreedLate(C->getArgOperand(static_cast<unsigned>(K.Row->A))))
      return "it frees memory that the reverse pass reads";
    if (isFork(*C) || isSpawn(*C))
      return "it starts threads";
  }
  return "";
}

std::string PoolPlanner::obstacle() {
  if (!isOn(Toggle::tape_pool))
    return "-retro-tape-pool=0";
  if (!isGpu(U.M))
    return "it is no device code";
  for (auto &UF : U.Functions)
    if (std::string Why = obstacleIn(*UF); !Why.empty())
      return Why;
  return "";
}

void PoolPlanner::findTapes() {
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : U.Functions) {
      FunctionPlan &P = UP.inTheMaking(*UF);
      if (P.HasTape)
        continue;
      P.HasTape = !P.Frame.empty() || !P.Tapes.empty() ||
                  any_of(instructions(*UF->F), [&](Instruction &I) {
                    auto *C = dyn_cast<CallBase>(&I);
                    UnitFunction *G = C ? U.callee(*C) : nullptr;
                    return G && UP.of(*G).HasTape;
                  });
      Again |= P.HasTape;
    }
  }
}

void PoolPlanner::measure() {
  // Callees first: callers compute what those read of their arguments.
  SmallPtrSet<UnitFunction *, 8> Seen;
  std::function<bool(UnitFunction &)> Visit = [&](UnitFunction &UF) {
    if (!Seen.insert(&UF).second)
      return true;
    for (Instruction &I : instructions(*UF.F))
      if (auto *C = dyn_cast<CallBase>(&I))
        if (UnitFunction *G = U.callee(*C); G && !Visit(*G))
          return false;
    OverwriteAnalysis Overwrite(UF, UP.Act, UP.Writes, U.FAM);
    Measurer X(UP, U, UF, UP.inTheMaking(UF), Overwrite);
    if (X.run())
      return true;
    UP.Pool.WhyNotMeasured = X.Why;
    UP.Unmeasured = X.At;
    return false;
  };
  Visit(U.root());
}

void PoolPlanner::run() {
  PoolPlan &Pool = UP.Pool;
  Pool.WhyNot = obstacle();
  if (!Pool.WhyNot.empty())
    return remark();
  findTapes();
  measure();
  Pool.Used = U.Pool == PoolWish::Caller || Pool.WhyNotMeasured.empty();
  if (!Pool.Used)
    Pool.WhyNot = "its bytes are not known before: " + Pool.WhyNotMeasured;
  counters().tape_pool += Pool.Used;
  remark();
}

/// -Rpass=retro, -Rpass-missed=retro
void PoolPlanner::remark() {
  const Function &F = *U.root().Source;
  OptimizationRemarkEmitter ORE(&F);
  DiagnosticLocation At(F.getSubprogram());
  if (UP.Unmeasured)
    At = DiagnosticLocation(UP.Unmeasured->getDebugLoc());
  std::string Tape = "the tape of '" + displayName(F) + "' ";
  if (UP.Pool.Used)
    ORE.emit(OptimizationRemark("retro", "TapeInPool", At, &F.front())
             << Tape
             << "lies in a pool, words of neighbouring threads side by "
                "side");
  else
    ORE.emit(OptimizationRemarkMissed("retro", "TapeFromMalloc", At, &F.front())
             << Tape << "comes from the device's malloc: " << UP.Pool.WhyNot);
}

void planPool(UnitPlan &Plan) { PoolPlanner(Plan).run(); }

} // namespace retro
