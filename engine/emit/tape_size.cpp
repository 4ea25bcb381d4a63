// How long a thread's tape will be: the slice of the primal that the plan names
// is run, and adds up what the forward pass would take of the pool. Without it
// memory for a launch's tapes could only be guessed before the launch. Members
// of UnitEmitter (emit/common/unit_emitter.h).
#include "emit/common/cloned_body.h"
#include "emit/common/forward_sweep.h"
#include "emit/tape_arrays.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace retro {
namespace {

using MeasureMap = DenseMap<const UnitFunction *, Function *>;

/// Fills the function that measures the tape of one function of the unit.
class MeasureSweep {
public:
  MeasureSweep(UnitEmitter &E, UnitFunction &UF, const MeasureMap &Others,
               Function &T)
      : E(E), UF(UF), P(E.Plan->of(UF)), Others(Others), T(T) {}
  void run();

private:
  void clone();
  void addFrame();
  void addTapes();
  void addCalls();
  void add(IRBuilder<> &B, Value *Bytes);
  void leaveBranchesOut();
  void leaveRestOut();
  const BasicBlock *nearExit(const BasicBlock &B);

  UnitEmitter &E;
  UnitFunction &UF;
  const FunctionPlan &P;
  const MeasureMap &Others;
  Function &T;
  ValueToValueMapTy VM;
  AllocaInst *Sum = nullptr;
  DenseMap<const BasicBlock *, unsigned> ToExit; ///< branches on the way
};

void MeasureSweep::clone() {
  for (Argument &A : UF.F->args())
    VM[&A] = T.getArg(A.getArgNo());
  SmallVector<ReturnInst *> Returns = cloneInto(T, UF, VM);
  // Of arguments that it does not read, nothing is promised.
  LLVMContext &C = T.getContext();
  AttrBuilder Fn(C);
  for (Attribute A : UF.F->getAttributes().getFnAttrs())
    if (A.isStringAttribute() || A.hasAttribute(Attribute::NoUnwind))
      Fn.addAttribute(A);
  T.setAttributes(AttributeList::get(C, AttributeList::FunctionIndex, Fn));
  IRBuilder<> B(&T.getEntryBlock(), T.getEntryBlock().begin());
  Sum = B.CreateAlloca(B.getInt64Ty(), nullptr, "tape.bytes");
  B.CreateStore(B.getInt64(0), Sum);
  for (ReturnInst *R : Returns) {
    B.SetInsertPoint(R);
    B.CreateRet(B.CreateLoad(B.getInt64Ty(), Sum));
    R->eraseFromParent();
  }
}

/// As much as Pool::take() makes of it.
void MeasureSweep::add(IRBuilder<> &B, Value *Bytes) {
  Bytes = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(Pool::Word - 1)),
                      B.getInt64(~(Pool::Word - 1)));
  B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Sum), Bytes), Sum);
}

void MeasureSweep::addFrame() {
  uint64_t Bytes = E.Memory.layout(frameTypes(P)).Bytes;
  for (const Instruction &I : UF.F->getEntryBlock())
    if (uint64_t PieceBytes = E.pieceBytes(UF, I))
      Bytes += PieceBytes * (1 + (E.Act.shadowed(&I) ? E.width() : 0));
  IRBuilder<> B(Sum->getNextNode()->getNextNode()); // after it is zero
  add(B, B.getInt64(Bytes));
}

void MeasureSweep::addTapes() {
  for (auto &[H, Tape] : P.Tapes) {
    if (!Tape.Indexed) {
      auto *HB = cast<BasicBlock>(VM[H]);
      IRBuilder<> B(HB, HB->getFirstInsertionPt());
      add(B, B.getInt64(E.Memory.layout(E.recordTypes(Tape)).Bytes));
      continue;
    }
    const BasicBlock *Before = UF.LI.getLoopFor(H)->getLoopPreheader();
    IRBuilder<> B(cast<Instruction>(VM[Before->getTerminator()]));
    IndexedLayout L =
        layoutIndexed(B, E, Tape, [&](const BasicBlock *X) -> Value * {
          Value *N = UF.loopAt(X).Trips;
          return isa<Constant>(N) ? N : static_cast<Value *>(VM[N]);
        });
    if (!Tape.OnStack)
      add(B, L.Total);
  }
}

void MeasureSweep::addCalls() {
  for (BasicBlock &Block : *UF.F)
    for (Instruction &I : Block) {
      auto *C = dyn_cast<CallBase>(&I);
      UnitFunction *G = C ? E.Act.unit().callee(*C) : nullptr;
      if (!G)
        continue;
      auto *Copy = cast<CallBase>(VM[C]);
      if (Function *Measure = Others.lookup(G)) {
        IRBuilder<> B(Copy);
        SmallVector<Value *> Args;
        for (unsigned N = 0; N < C->arg_size(); ++N) {
          Value *A = Copy->getArgOperand(N);
          Args.push_back(E.Plan->of(*G).MeasuredArgs.test(N)
                             ? A
                             : PoisonValue::get(A->getType()));
        }
        add(B, B.CreateCall(Measure, Args));
      }
      callSource(*Copy, *G->Plain);
    }
}

/// The successor from which the fewest branches lead to the end.
const BasicBlock *MeasureSweep::nearExit(const BasicBlock &B) {
  if (ToExit.empty()) {
    SmallVector<const BasicBlock *> Work{P.exitBlock};
    ToExit[P.exitBlock] = 0;
    for (size_t N = 0; N < Work.size(); ++N)
      for (const BasicBlock *X : predecessors(Work[N]))
        if (ToExit.try_emplace(X, ToExit.lookup(Work[N]) + 1).second)
          Work.push_back(X);
  }
  const BasicBlock *Best = nullptr;
  for (const BasicBlock *S : successors(&B))
    if (ToExit.contains(S) && (!Best || ToExit.lookup(S) < ToExit.lookup(Best)))
      Best = S;
  return Best;
}

/// Branches that decide nothing of interest go the shortest way to the end.
void MeasureSweep::leaveBranchesOut() {
  for (const BasicBlock &B : *UF.F) {
    const Instruction *Old = B.getTerminator();
    if (succ_size(&B) < 2 || P.Measured.contains(Old))
      continue;
    auto *Copy = cast<Instruction>(VM[Old]);
    BasicBlock *From = Copy->getParent();
    const BasicBlock *To = nearExit(B);
    auto *Next = To ? cast<BasicBlock>(VM[To]) : nullptr;
    bool Kept = false;
    for (BasicBlock *S : successors(From))
      if (S == Next && !Kept)
        Kept = true;
      else
        S->removePredecessor(From, /*KeepOneInputPHIs=*/true);
    IRBuilder<> IR(Copy);
    if (Next)
      IR.CreateBr(Next);
    else
      IR.CreateUnreachable();
    Copy->eraseFromParent();
  }
}

void MeasureSweep::leaveRestOut() {
  for (const BasicBlock &B : *UF.F)
    for (const Instruction &I : B) {
      if (I.isTerminator() || P.Measured.contains(&I))
        continue;
      auto *Copy = cast<Instruction>(VM[&I]);
      Copy->replaceAllUsesWith(PoisonValue::get(Copy->getType()));
      Copy->eraseFromParent();
    }
  EliminateUnreachableBlocks(T);
}

void MeasureSweep::run() {
  clone();
  addFrame();
  addTapes();
  addCalls();
  leaveBranchesOut();
  leaveRestOut();
}

} // namespace

uint64_t UnitEmitter::pieceBytes(const UnitFunction &UF,
                                 const Instruction &I) const {
  auto *A = dyn_cast<AllocaInst>(&I);
  if (!A || UF.Root ||
      !(Plan->of(UF).TapedAllocas.contains(A) || Act.shadowed(A)))
    return 0;
  return Pool::pieceBytes(tapedBytes(*A, M.getDataLayout()), A->getAlign());
}

Function *UnitEmitter::emitMeasure() {
  MeasureMap All;
  UnitFunction &Root = Act.unit().root();
  SmallVector<UnitFunction *> Order;
  for (auto &UF : Act.unit().Functions)
    if (Plan->of(*UF).HasTape || UF.get() == &Root)
      Order.push_back(UF.get());
  for (UnitFunction *UF : Order) {
    FunctionType *Old = UF->F->getFunctionType();
    All[UF] = Function::Create(
        FunctionType::get(Type::getInt64Ty(M.getContext()), Old->params(),
                          false),
        GlobalValue::InternalLinkage, "measure_" + UF->Source->getName(), M);
    NewFunctions.push_back(All[UF]);
  }
  for (UnitFunction *UF : Order)
    MeasureSweep(*this, *UF, All, *All[UF]).run();
  return All[&Root];
}

} // namespace retro
