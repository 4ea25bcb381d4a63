// Which loads give the reverse pass what they gave the primal, and what that
// supposes of stores. An answer decides nothing, however often it is asked.
#include "facts_of.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace retro;
using namespace retro::test;

namespace {

struct Asked : FactsOf {
  explicit Asked(StringRef Text)
      : FactsOf(Text), Writes(U, Act), Overwrite(U.root(), Act, Writes, FAM) {}
  Stability load(unsigned N = 0) {
    return Overwrite.stabilityOf(find<LoadInst>(N));
  }
  WriteSummary Writes;
  OverwriteAnalysis Overwrite;
};

TEST(Overwrite, WhatNobodyWrites) {
  Asked X("define double @f(ptr %x) {\n"
          "  %a = load double, ptr %x\n"
          "  %p = fmul double %a, %a\n"
          "  ret double %p\n"
          "}\n");
  EXPECT_TRUE(X.load().Stable);
  EXPECT_FALSE(X.load().IfLateStoresWait);
  EXPECT_TRUE(X.Overwrite.lateStores().empty());
}

TEST(Overwrite, TheLastStoreWaits) {
  Asked X("define void @f(ptr %x) {\n"
          "  %a = load double, ptr %x\n"
          "  %p = fmul double %a, %a\n"
          "  store double %p, ptr %x\n"
          "  ret void\n"
          "}\n");
  for (int Times = 0; Times < 2; ++Times) {
    EXPECT_TRUE(X.load().Stable);
    EXPECT_TRUE(X.load().IfLateStoresWait);
    EXPECT_EQ(X.Overwrite.lateStores().size(), 1u);
  }
}

TEST(Overwrite, AStoreInALoopDoesNot) {
  Asked X(loopOver("ptr %x", SquareInPlace));
  EXPECT_TRUE(X.Overwrite.lateStores().empty());
  for (Instruction &I : instructions(*X.U.root().F))
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      const Loop *In = X.U.root().LI.getLoopFor(L->getParent());
      EXPECT_FALSE(X.Overwrite.stabilityOf(*L).Stable);
      EXPECT_FALSE(In && X.Overwrite.isUnchangedIn(*L, *In));
    }
}

/// x[i] = x[i + Read] ^ 2, for i from 1 on.
std::string recurrence(int Read) {
  return "define void @f(ptr %x, i64 %n) {\n"
         "entry:\n"
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i64 [ 1, %entry ], [ %next, %loop ]\n"
         "  %k = add nsw i64 %i, " +
         std::to_string(Read) +
         "\n"
         "  %from = getelementptr double, ptr %x, i64 %k\n"
         "  %a = load double, ptr %from\n"
         "  %p = fmul double %a, %a\n"
         "  %to = getelementptr double, ptr %x, i64 %i\n"
         "  store double %p, ptr %to\n"
         "  %next = add nuw nsw i64 %i, 1\n"
         "  %done = icmp eq i64 %next, %n\n"
         "  br i1 %done, label %end, label %loop\n"
         "end:\n"
         "  ret void\n"
         "}\n";
}

TEST(Overwrite, ALaterIterationStoresElsewhere) {
  for (int Read = -2; Read <= 1; ++Read) {
    Asked X(recurrence(Read));
    const Loop *In = X.U.root().LI.getLoopFor(X.find<LoadInst>(0).getParent());
    EXPECT_EQ(X.load().Stable, Read < 0);
    // What is read was written in the iteration before.
    EXPECT_FALSE(X.Overwrite.isUnchangedIn(X.find<LoadInst>(0), *In));
  }
}

TEST(Overwrite, AnotherField) {
  Asked X("define double @f(ptr noalias %x, ptr noalias %y) {\n"
          "  %a = load double, ptr %x\n"
          "  %p = fmul double %a, %a\n"
          "  store double %p, ptr %y\n"
          "  ret double %p\n"
          "}\n");
  EXPECT_TRUE(X.load().Stable);
  EXPECT_FALSE(X.load().IfLateStoresWait);
}

TEST(Shape, AQueryCreatesNothing) {
  FactsOf X("@g = internal global [4 x double] zeroinitializer\n"
            "define double @f(ptr %x) {\n"
            "  %p = load ptr, ptr %x\n"
            "  %a = load double, ptr %p\n"
            "  ret double %a\n"
            "}\n");
  const unsigned Classes = X.Shape.numClasses();
  const unsigned Argument = X.Shape.classId(X.U.root().F->getArg(0));
  const unsigned Pointee = X.Shape.classId(&X.find<LoadInst>());
  EXPECT_NE(Argument, Pointee);
  EXPECT_EQ(X.Shape.classAt(Argument).Origins, unsigned(FromDup));
  EXPECT_EQ(X.Shape.classAt(Pointee).Origins, unsigned(FromDup));
  // Null leads to no memory.
  const Value *Null = ConstantPointerNull::get(PointerType::get(X.C, 0));
  EXPECT_TRUE(X.Shape.classOf(Null).Cells.empty());
  EXPECT_FALSE(X.Shape.mayCoincide(X.Shape.classId(Null), Pointee));
  EXPECT_EQ(X.Shape.numClasses(), Classes);
}

TEST(Shape, OfWhatIsNotInTheUnitNothingIsKnown) {
  FactsOf X("define double @f(ptr %x) {\n"
            "  %a = load double, ptr %x\n"
            "  ret double %a\n"
            "}\n");
  // The user's function, of which the unit has a copy.
  const Value *Strange = X.function().getArg(0);
  if (ChecksPromises)
    EXPECT_EXIT(X.Shape.classId(Strange), testing::ExitedWithCode(1),
                "each value of the unit has a class");
  else
    EXPECT_TRUE(X.Shape.mayCoincide(X.Shape.classId(Strange),
                                    X.Shape.classId(X.U.root().F->getArg(0))));
}

} // namespace
