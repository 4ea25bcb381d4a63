// What an integer is in an iteration of a loop, from its number: with constants
// for the start and the steps the code that is emitted folds to the value.
#include "prepare/recurrences.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace {

/// The value of %p in iteration N of a loop of 100 in which it changes by Step;
/// nothing where no polynomial is found.
std::optional<int64_t> valueOf(const std::string &Step, int64_t N) {
  std::string Text = "define void @f() {\n"
                     "entry:\n"
                     "  br label %loop\n"
                     "loop:\n"
                     "  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n"
                     "  %p = phi i64 [ 5, %entry ], [ %p.next, %loop ]\n"
                     "  %q = phi i64 [ 2, %entry ], [ %q.next, %loop ]\n"
                     "  %q.next = add i64 %q, 3\n" +
                     Step +
                     "  %i.next = add nuw nsw i64 %i, 1\n"
                     "  %more = icmp ult i64 %i.next, 100\n"
                     "  br i1 %more, label %loop, label %exit\n"
                     "exit:\n"
                     "  ret void\n"
                     "}\n";
  LLVMContext C;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Error, C);
  if (!M)
    throw std::runtime_error(Error.getMessage().str());
  Function &F = *M->getFunction("f");
  DominatorTree DT(F);
  LoopInfo LI(DT);
  AssumptionCache AC(F);
  TargetLibraryInfoImpl Impl(M->getTargetTriple());
  TargetLibraryInfo TLI(Impl);
  ScalarEvolution SE(F, TLI, AC, DT, LI);
  Loop &L = **LI.begin();
  auto Phi = std::next(L.getHeader()->phis().begin());
  IRBuilder<> B(L.getHeader()->getTerminator());
  auto *V = dyn_cast_or_null<ConstantInt>(
      retro::polynomialOf(*Phi, L, B.getInt64(N), B, SE, DT));
  return V ? std::optional(V->getSExtValue()) : std::nullopt;
}

TEST(Recurrences, StepsThatGrow) {
  // 5 + the sum of 2 + 3k.
  for (int64_t N : {0, 1, 2, 4, 10}) {
    int64_t Expected = 5;
    for (int64_t K = 0; K < N; ++K)
      Expected += 2 + 3 * K;
    EXPECT_EQ(valueOf("  %p.next = add i64 %p, %q\n", N), Expected) << N;
  }
}

TEST(Recurrences, NotThoseThatMultiply) {
  EXPECT_FALSE(valueOf("  %p.next = mul i64 %p, 3\n", 4));
  EXPECT_FALSE(valueOf("  %p.next = xor i64 %p, %q\n", 4));
}

} // namespace
