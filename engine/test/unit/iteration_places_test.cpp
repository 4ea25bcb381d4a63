// Whether two accesses of a loop can meet in different iterations, and which
// places of an array a nest touches.
#include "facts/loops/iteration_places.h"

#include "facts/loops/grid.h"
#include "facts_of.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace retro;
using namespace retro::test;

namespace {

/// Does the load at Offset numbers from %x + 8 i Step meet the store at %x + 8
/// i Step of another iteration?
bool areApart(int64_t Step, int64_t Offset) {
  const std::string Text =
      "define void @f(ptr %x) {\n"
      "entry:\n"
      "  br label %loop\n"
      "loop:\n"
      "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
      "  %at = mul nuw nsw i64 %i, " +
      std::to_string(Step) +
      "\n"
      "  %p = getelementptr inbounds double, ptr %x, i64 %at\n"
      "  %q = getelementptr inbounds double, ptr %p, i64 " +
      std::to_string(Offset) +
      "\n"
      "  %a = load double, ptr %q\n"
      "  store double %a, ptr %p\n"
      "  %j = add nuw nsw i64 %i, 1\n"
      "  %more = icmp ult i64 %j, 100\n"
      "  br i1 %more, label %loop, label %exit\n"
      "exit:\n"
      "  ret void\n"
      "}\n";
  Parsed X(Text);
  IterationPlaces Places(X.function(), X.FAM);
  Instruction *Load = nullptr, *Store = nullptr;
  for (Instruction &I : instructions(X.function())) {
    Load = isa<LoadInst>(I) ? &I : Load;
    Store = isa<StoreInst>(I) ? &I : Store;
  }
  auto &LI = X.FAM.getResult<LoopAnalysis>(X.function());
  return Places.apart(**LI.begin(), *Load, *Store);
}

TEST(IterationPlaces, Neighbours) {
  EXPECT_TRUE(areApart(1, 0));
  EXPECT_FALSE(areApart(1, 1));
  EXPECT_FALSE(areApart(1, -1));
  EXPECT_FALSE(areApart(1, 5));
}

TEST(IterationPlaces, BetweenTheSteps) {
  EXPECT_TRUE(areApart(3, 1));
  EXPECT_TRUE(areApart(3, 2));
  EXPECT_FALSE(areApart(3, 3));
  EXPECT_FALSE(areApart(3, -6));
}

TEST(IterationPlaces, BeyondTheLast) { EXPECT_TRUE(areApart(1, 100)); }

TEST(Grid, PlacesOfADenseArray) {
  Parsed X(
      "define void @f(ptr %x) {\n"
      "entry:\n"
      "  br label %rows\n"
      "rows:\n"
      "  %i = phi i64 [ 0, %entry ], [ %i.next, %row ]\n"
      "  br label %columns\n"
      "columns:\n"
      "  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]\n"
      "  %p = getelementptr inbounds [50 x double], ptr %x, i64 %i, i64 %j\n"
      "  %far = getelementptr inbounds double, ptr %p, i64 7\n"
      "  store double 0.0, ptr %p\n"
      "  %j.next = add nuw nsw i64 %j, 1\n"
      "  %more = icmp ult i64 %j.next, 50\n"
      "  br i1 %more, label %columns, label %row\n"
      "row:\n"
      "  %i.next = add nuw nsw i64 %i, 1\n"
      "  %again = icmp ult i64 %i.next, 40\n"
      "  br i1 %again, label %rows, label %exit\n"
      "exit:\n"
      "  ret void\n"
      "}\n");
  Function &F = X.function();
  auto &LI = X.FAM.getResult<LoopAnalysis>(F);
  auto &SE = X.FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = X.FAM.getResult<DominatorTreeAnalysis>(F);
  Grid G(*(*LI.begin())->getSubLoops().front(), SE, DT);
  ASSERT_EQ(G.nest().size(), 2u);
  Value *P = nullptr;
  for (Instruction &I : instructions(F))
    if (auto *S = dyn_cast<StoreInst>(&I))
      P = S->getPointerOperand();
  EXPECT_FALSE(G.shapeLike(P, 4)); // there would be gaps
  Grid H(*(*LI.begin())->getSubLoops().front(), SE, DT);
  ASSERT_TRUE(H.shapeLike(P, 8));
  EXPECT_EQ(H.loops().size(), 2u);
  EXPECT_FALSE(H.isBackward(0));
  auto Place = H.place(P);
  ASSERT_TRUE(Place);
  EXPECT_EQ(Place->To, Grid::Toward::Same);
  EXPECT_EQ(Place->Array.asConstant(), 0);
  EXPECT_FALSE(readsNeighbours(*(*LI.begin())->getSubLoops().front(), SE, DT));
}

} // namespace
