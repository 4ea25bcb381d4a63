// The normal form of a unit, said in code: prepare makes it, and a loop without
// a counter or a function with two returns would only show in what is emitted.
// What breaks it ends the compiler with the stage that should have made it so.
#include "base/unit_promises.h"

#include "base/unit.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

constexpr const char *From = "control-flow";

void checkBlocks(const UnitFunction &UF) {
  const Function &F = *UF.F;
  retroAssert(pred_empty(&F.getEntryBlock()), From, &F,
              "nothing leads back to the entry");
  retroAssert(UF.DT.getRoot() == &F.getEntryBlock(), From, &F,
              "its dominators are known");
  unsigned Returns = 0;
  for (const BasicBlock &B : F) {
    retroAssert(UF.DT.isReachableFromEntry(&B), From, &F,
                "each block can be reached");
    Returns += isa<ReturnInst>(B.getTerminator());
    retroAssert((!isa<InvokeInst, CallBrInst, IndirectBrInst, CatchSwitchInst,
                      CleanupReturnInst>(B.getTerminator())),
                "exceptions", &F, "a block ends in a branch, or ends the way");
    retroAssert(!B.isEHPad(), "exceptions", &F, "there is no landing pad");
  }
  retroAssert(Returns <= 1, From, &F, "there is one return at most");
  for (const Instruction &I : instructions(F))
    retroAssert(!I.isLifetimeStartOrEnd(), From, &F,
                "no mark ends the life of what the reverse pass may read");
}

void checkTrips(UnitFunction &UF, const Loop &L, const CanonicalLoop &C) {
  auto *Made = dyn_cast<Instruction>(C.Trips);
  retroAssert(C.Trips->getType()->isIntegerTy(64), From, UF.F,
              "trips are a number of 64 bits");
  retroAssert(!Made || !L.contains(Made), From, UF.F,
              "trips are known before the loop");
  const Loop *Before =
      C.KnownBefore ? UF.LI.getLoopFor(C.KnownBefore) : nullptr;
  retroAssert(Before && Before->getHeader() == C.KnownBefore &&
                  Before->contains(&L),
              From, UF.F, "trips hold before the loop or one around it");
}

void checkLoop(UnitFunction &UF, const Loop &L) {
  const Function *F = UF.F;
  retroAssert(L.isLoopSimplifyForm(), From, F,
              "every loop has one entry and one latch");
  const CanonicalLoop &C = UF.loopAt(L.getHeader());
  retroAssert(C.Counter && C.Counter->getParent() == L.getHeader(), From, F,
              "every loop has a counter");
  auto *First = dyn_cast<ConstantInt>(
      C.Counter->getIncomingValueForBlock(L.getLoopPreheader()));
  retroAssert(First && First->isZero(), From, F, "a counter begins at 0");
  auto *Next = dyn_cast<BinaryOperator>(
      C.Counter->getIncomingValueForBlock(L.getLoopLatch()));
  auto *Step = Next ? dyn_cast<ConstantInt>(Next->getOperand(1)) : nullptr;
  retroAssert(Next && Next->getOpcode() == Instruction::Add &&
                  Next->getOperand(0) == C.Counter && Step && Step->isOne(),
              From, F, "a counter counts by 1");
  if (C.Trips)
    return checkTrips(UF, L, C);
  SmallVector<BasicBlock *> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *B : Exits) {
    const PHINode *Last = C.LastCounter.lookup(B);
    retroAssert(Last && Last->getParent() == B, From, F,
                "behind a loop without trips the last count is known");
  }
}

} // namespace

void checkUnit(Unit &U) {
  if (!ChecksPromises)
    return;
  retroAssert(!U.Functions.empty(), "prepare", nullptr, "a unit has a root");
  for (auto &UF : U.Functions) {
    const Function *F = UF->F;
    retroAssert(F && UF->Source && !F->isDeclaration(), "prepare", F,
                "each function is the copy of one with a body");
    retroAssert(U.find(F) == UF.get() && F->getParent() == &U.M, "prepare", F,
                "each function is found by its copy");
    retroAssert((UF->Root || UF->Seeded) == (UF.get() == &U.root()), "prepare",
                F, "the first function is the one that was asked for");
    checkBlocks(*UF);
    const auto Loops = UF->LI.getLoopsInPreorder();
    retroAssert(UF->Loops.size() == Loops.size(), From, F,
                "what has a counter is a loop");
    for (const Loop *L : Loops)
      checkLoop(*UF, *L);
  }
  for (const PreaccumulatedLoop &L : U.Preaccumulated)
    retroAssert(L.Primal && L.Augmented && L.Reverse, "preaccumulate", L.Primal,
                "a loop with a gradient of its own has both passes");
}

} // namespace retro
