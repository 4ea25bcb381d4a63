// Input: loops over a grid, with indices that clamp or go on at the other end,
// in whatever form the program has them. Output: one form for each. What clamps
// is a maximum or a minimum: i > 0 ? i - 1 : 0 becomes max(i, 1) - 1, and i < n
// ? i + 1 : n becomes min(i + 1, n). What is periodic is a choice by equality:
// (i + 1) % n becomes i + 1 == n ? 0 : i + 1. Stencils are recognized in this
// form alone. In another form each boundary would be a branch, and the adjoint
// would run in no vectors.
#include "loops/boundary_indices.h"

#include "facts/loops/grid.h"
#include "loops/each_loop.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace retro {
namespace {

/// Writes I as a maximum or minimum, in front of it; null if it is none.
Value *asExtremum(Instruction &I, Grid &G) {
  IRBuilder<> IR(&I);
  if (auto *S = dyn_cast<SelectInst>(&I)) {
    auto Kind = G.extremum(*S);
    return Kind ? IR.CreateBinaryIntrinsic(*Kind, S->getTrueValue(),
                                           S->getFalseValue())
                : nullptr;
  }
  auto *C = dyn_cast<IntrinsicInst>(&I);
  if (!C || C->getIntrinsicID() != Intrinsic::usub_sat ||
      !G.isNonNegative(C->getArgOperand(0)) ||
      !isa<ConstantInt>(C->getArgOperand(1)) ||
      cast<ConstantInt>(C->getArgOperand(1))->isNegative())
    return nullptr;
  Value *By = C->getArgOperand(1);
  return IR.CreateNSWSub(
      IR.CreateBinaryIntrinsic(Intrinsic::smax, C->getArgOperand(0), By), By);
}

/// Writes a remainder as a choice, in front of it; null if it is none.
Value *asChoice(BinaryOperator &I, Grid &G) {
  auto To = G.remainder(I);
  if (!To)
    return nullptr;
  IRBuilder<> IR(&I);
  Value *X = I.getOperand(0), *N = I.getOperand(1);
  if (To == Grid::Toward::NextAround)
    return IR.CreateSelect(IR.CreateICmpEQ(X, N),
                           Constant::getNullValue(I.getType()), X);
  Value *Least = IR.CreateNSWSub(X, N);
  return IR.CreateSelect(
      IR.CreateICmpEQ(X, IR.CreateNSWSub(N, ConstantInt::get(N->getType(), 1))),
      X, Least);
}

/// Writes a choice as one by equality, in front of it; null if it is none.
Value *byEquality(SelectInst &S, Grid &G) {
  auto *C = dyn_cast<ICmpInst>(S.getCondition());
  auto Is = C && S.getType()->isIntOrPtrTy() ? G.equality(*C) : std::nullopt;
  if (!Is)
    return nullptr;
  IRBuilder<> IR(&S);
  Value *A = C->getOperand(0);
  if (Is->Offset)
    A = IR.CreateAdd(A, ConstantInt::getSigned(A->getType(), Is->Offset));
  Value *Equal = IR.CreateICmpEQ(A, C->getOperand(1));
  Value *Then = S.getTrueValue(), *Else = S.getFalseValue();
  if (Is->Negated)
    std::swap(Then, Else);
  return IR.CreateSelect(Equal, Then, Else);
}

/// Writes I in one of these forms, in front of it; null if it has none.
Value *normalized(Instruction &I, Grid &G) {
  if (Value *New = asExtremum(I, G))
    return New;
  if (auto *S = dyn_cast<SelectInst>(&I))
    return byEquality(*S, G);
  auto *Op = dyn_cast<BinaryOperator>(&I);
  return Op ? asChoice(*Op, G) : nullptr;
}

/// The branch in Outer around all of its inner loop, if Outer's iterations do
/// not decide it, and if Outer does nothing where the inner loop is not run.
BranchInst *guardOf(Loop &Outer, Loop &Inner) {
  BranchInst *Guard = nullptr;
  for (BasicBlock *B : Outer.blocks()) {
    if (Inner.contains(B))
      continue;
    if (any_of(*B, [](Instruction &I) {
          return (I.mayHaveSideEffects() || I.mayReadFromMemory()) &&
                 !isa<NoAliasScopeDeclInst>(I);
        }))
      return nullptr;
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br || (Br->isConditional() && B != Outer.getLoopLatch() && Guard))
      return nullptr;
    if (Br->isConditional() && B != Outer.getLoopLatch())
      Guard = Br;
  }
  return Guard && Outer.isLoopInvariant(Guard->getCondition()) ? Guard
                                                               : nullptr;
}

/// Decides before Outer whether it would do anything.
bool guardBefore(Loop &Outer, Loop &Inner) {
  BasicBlock *Entry = Outer.getLoopPreheader(), *Exit = Outer.getExitBlock();
  BranchInst *Guard = guardOf(Outer, Inner);
  if (!Guard || !Entry || !Exit || !Outer.isLoopSimplifyForm() ||
      Outer.getExitingBlock() != Outer.getLoopLatch() ||
      !Exit->phis().empty() || Outer.getSubLoops().size() != 1)
    return false;
  const bool First = Guard->getSuccessor(0) == Inner.getHeader() ||
                     Guard->getSuccessor(0) == Inner.getLoopPreheader();
  BasicBlock *In = Guard->getSuccessor(First ? 0 : 1);
  BasicBlock *Past = Guard->getSuccessor(First ? 1 : 0);
  if ((In != Inner.getHeader() && In != Inner.getLoopPreheader()) || Past == In)
    return false;
  Past->removePredecessor(Guard->getParent(), /*KeepOneInputPHIs=*/true);
  Instruction *Old = Entry->getTerminator();
  BranchInst::Create(First ? Outer.getHeader() : Exit,
                     First ? Exit : Outer.getHeader(), Guard->getCondition(),
                     Entry);
  Old->eraseFromParent();
  BranchInst::Create(In, Guard->getParent());
  Guard->eraseFromParent();
  return true;
}

} // namespace

unsigned guardNests(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) -> unsigned {
    Loop *Outer = L.getParentLoop();
    return L.getNumBlocks() == 1 && Outer &&
           !isa<SCEVCouldNotCompute>(
               FAM.getResult<ScalarEvolutionAnalysis>(F).getBackedgeTakenCount(
                   Outer)) &&
           guardBefore(*Outer, L);
  });
}

unsigned normalizeBoundaryIndices(Function &F, FunctionAnalysisManager &FAM) {
  return changeInnermostLoops(F, FAM, [&](Loop &L) -> unsigned {
    Grid G(L, FAM.getResult<ScalarEvolutionAnalysis>(F),
           FAM.getResult<DominatorTreeAnalysis>(F));
    SmallVector<std::pair<Instruction *, Value *>> Changes;
    for (Loop *OuterLoop : G.nest())
      for (BasicBlock *B : OuterLoop->blocks())
        if (FAM.getResult<LoopAnalysis>(F).getLoopFor(B) == OuterLoop)
          for (Instruction &I : make_early_inc_range(*B))
            if (Value *New = normalized(I, G))
              Changes.push_back({&I, New});
    for (auto [Old, New] : Changes) {
      Old->replaceAllUsesWith(New);
      Old->eraseFromParent();
    }
    return static_cast<unsigned>(Changes.size());
  });
}

} // namespace retro
