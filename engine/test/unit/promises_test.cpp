// What stages promise each other, of units and plans that are whole and of ones
// that are broken on purpose: a promise that nobody misses is found here.
#include "facts_of.h"

#include "base/unit_promises.h"
#include "emit/emitted_promises.h"
#include "front/known/known_functions.h"
#include "loops/peeling.h"
#include "plan/plan_promises.h"
#include "plan/planner.h"
#include "polish/number_addresses.h"
#include "polish/polished_promises.h"

#include "llvm/IR/IRBuilder.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace retro;
using namespace retro::test;

namespace {

/// Each iteration keeps what it overwrites: the loop has a tape.
const std::string Squares = loopOver("ptr %x", SquareInPlace);

struct Planned : FactsOf {
  explicit Planned(StringRef Text) : FactsOf(Text), Plan(Act) { Plan.run(); }
  /// To break it, which nobody else can.
  FunctionPlan &ofRoot() {
    return const_cast<FunctionPlan &>(Plan.of(U.root()));
  }
  UnitPlan Plan;
};

/// The check of the plan ends with this sentence, where promises are looked at.
void expectBroken(Planned &X, const char *Promise) {
  if (ChecksPromises)
    EXPECT_EXIT(checkPlans(X.U, X.Plan), testing::ExitedWithCode(1), Promise);
  else
    checkPlans(X.U, X.Plan);
}

TEST(UnitPromises, AreKeptByWhatIsPrepared) {
  FactsOf X(Squares);
  checkUnit(X.U);
  EXPECT_EQ(X.U.root().Loops.size(), 1u);
}

TEST(UnitPromises, ALoopWithoutACounterIsFound) {
  FactsOf X(Squares);
  X.U.root().Loops.begin()->second.Counter = nullptr;
  if (ChecksPromises)
    EXPECT_EXIT(checkUnit(X.U), testing::ExitedWithCode(1),
                "stage 'control-flow' does not keep its promise of 'f[^']*': "
                "every loop has a counter");
}

TEST(UnitPromises, ASecondReturnIsFound) {
  FactsOf X(Squares);
  BasicBlock &Exit = X.U.root().F->back();
  ASSERT_TRUE(isa<ReturnInst>(Exit.getTerminator()));
  BasicBlock *Other = BasicBlock::Create(X.C, "other", X.U.root().F);
  ReturnInst::Create(X.C, Other);
  auto *Entry = X.U.root().F->getEntryBlock().getTerminator();
  BasicBlock *Next = Entry->getSuccessor(0);
  BranchInst::Create(Next, Other, ConstantInt::getTrue(X.C),
                     Entry->getIterator());
  Entry->eraseFromParent();
  X.U.root().DT.recalculate(*X.U.root().F);
  if (ChecksPromises)
    EXPECT_EXIT(checkUnit(X.U), testing::ExitedWithCode(1),
                "stage 'control-flow' .*there is one return at most");
}

/// Stages that run behind the search for loops replace registers by loads.
TEST(UnitPromises, TripsThatAreReplacedAreThoseOfTheLoop) {
  FactsOf X(Squares);
  UnitFunction &Root = X.U.root();
  CanonicalLoop &Loop = Root.Loops.begin()->second;
  IRBuilder<> B(Root.F->getEntryBlock().getTerminator());
  ASSERT_TRUE(Loop.Trips);
  auto *Old = BinaryOperator::CreateAdd(Loop.Trips, B.getInt64(1));
  B.Insert(Old);
  Value *New = B.CreateSub(Loop.Trips, B.getInt64(-1));
  Loop.Trips = Old;
  Old->replaceAllUsesWith(New);
  Old->eraseFromParent();
  EXPECT_EQ(Loop.Trips, New);
  checkUnit(X.U);
}

TEST(PlanPromises, AreKeptByThePlanner) {
  Planned X(Squares);
  checkPlans(X.U, X.Plan);
  EXPECT_EQ(X.ofRoot().Tapes.size(), 1u);
  EXPECT_EQ(X.ofRoot().ReversedLoops.size(), 1u);
}

TEST(PlanPromises, ABlockWithoutAWayBackIsFound) {
  Planned X(Squares);
  X.ofRoot().Blocks.erase(&X.U.root().F->getEntryBlock());
  expectBroken(X, "the reverse pass comes from the return to the entry");
}

TEST(PlanPromises, ATapeThatBeginsNowhereIsFound) {
  Planned X(Squares);
  FunctionPlan &P = X.ofRoot();
  auto &[Header, Tape] = *P.Tapes.begin();
  ASSERT_EQ(P.Cached.erase({Tape.Indexed ? Item::Base : Item::Head, Header}),
            1u);
  expectBroken(X, "where a tape begins is kept");
}

TEST(PlanPromises, AnItemInTheFieldOfAnotherIsFound) {
  Planned X(Squares);
  FunctionPlan &P = X.ofRoot();
  LoopTape &Tape = P.Tapes.begin()->second;
  ASSERT_FALSE(Tape.Fields.empty());
  Tape.Fields.front().What.Lane += 1;
  expectBroken(X, "an item of a tape has a field of its own");
}

TEST(PlanPromises, AFusedLoopOutOfOrderIsFound) {
  Planned X(Squares);
  FunctionPlan &P = X.ofRoot();
  ASSERT_TRUE(P.InOrder.empty());
  P.Fused.insert(P.Tapes.begin()->first);
  expectBroken(X, "a fused loop is in order");
}

TEST(PlanPromises, AnArgumentThatNobodyDecidedOnIsFound) {
  Planned X(Squares);
  X.ofRoot().ShadowArgs.resize(1);
  expectBroken(X, "of each argument it is known");
}

/// A function of the unit's module, as emission leaves one; it calls what it is
/// given.
Function *emitted(FactsOf &X, Function *Callee) {
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(X.C), false),
                             GlobalValue::InternalLinkage, "gradient", X.U.M);
  IRBuilder<> B(BasicBlock::Create(X.C, "entry", F));
  if (Callee) {
    SmallVector<Value *> Args;
    for (Argument &A : Callee->args())
      Args.push_back(Constant::getNullValue(A.getType()));
    B.CreateCall(Callee, Args);
  }
  B.CreateRetVoid();
  return F;
}

TEST(EmittedPromises, AreKeptByCodeOfItsOwn) {
  FactsOf X(Squares);
  checkEmitted(X.U, emitted(X, nullptr));
  checkEmitted(X.U, emitted(X, const_cast<Function *>(X.U.root().Source)));
}

TEST(EmittedPromises, ACallOfAFunctionOfTheUnitIsFound) {
  FactsOf X(Squares);
  Function *F = emitted(X, X.U.root().F);
  if (ChecksPromises)
    EXPECT_EXIT(checkEmitted(X.U, F), testing::ExitedWithCode(1),
                "names no function of the unit");
}

TEST(EmittedPromises, AFunctionWithoutABodyIsFound) {
  FactsOf X(Squares);
  Function *F = emitted(X, nullptr);
  F->deleteBody();
  if (ChecksPromises)
    EXPECT_EXIT(checkEmitted(X.U, F), testing::ExitedWithCode(1), "has a body");
}

TEST(EmittedPromises, ACallOfACanonicalFunctionIsFound) {
  FactsOf X(Squares);
  auto *Library = Function::Create(
      FunctionType::get(Type::getVoidTy(X.C), {Type::getDoubleTy(X.C)}, false),
      GlobalValue::ExternalLinkage, CanonicalPrefix + "daxpy_", X.U.M);
  Function *F = emitted(X, Library);
  if (ChecksPromises)
    EXPECT_EXIT(checkEmitted(X.U, F), testing::ExitedWithCode(1),
                "what the libraries have again");
}

TEST(PolishedPromises, ALoopThatHasToStayWholeIsFound) {
  FactsOf X(Squares);
  Function &F = *X.U.root().F;
  checkPolished(F, X.U.FAM, true);
  forbidPeeling(F, X.U.FAM);
  if (ChecksPromises)
    EXPECT_EXIT(checkPolished(F, X.U.FAM, true), testing::ExitedWithCode(1),
                "stage 'allow-peeling' .*may take iterations out of each loop");
  allowPeeling(F, X.U.FAM);
  checkPolished(F, X.U.FAM, true);
}

TEST(PolishedPromises, BitsOfANumberThatAreAnAddressAreFound) {
  FactsOf X(Squares);
  auto *F = Function::Create(FunctionType::get(Type::getDoubleTy(X.C),
                                               {Type::getDoubleTy(X.C)}, false),
                             GlobalValue::InternalLinkage, "gradient", X.U.M);
  IRBuilder<> B(BasicBlock::Create(X.C, "entry", F));
  Value *Bits = B.CreateBitCast(F->getArg(0), B.getInt64Ty());
  B.CreateRet(
      B.CreateLoad(B.getDoubleTy(), B.CreateIntToPtr(Bits, B.getPtrTy())));
  if (ChecksPromises)
    EXPECT_EXIT(checkPolished(*F, X.U.FAM, false), testing::ExitedWithCode(1),
                "stage 'number-addresses' .*frozen before they are an address");
  keepNumberAddresses(*F);
  checkPolished(*F, X.U.FAM, false);
}

} // namespace
