// The facts of a function that is given as IR, as a request of reverse mode
// would find them: each pointer is duplicated, each number is returned.
#ifndef RETRO_TEST_UNIT_FACTS_OF_H
#define RETRO_TEST_UNIT_FACTS_OF_H

#include "facts/activity/activity.h"
#include "facts/writes/overwrite.h"
#include "front/registered/registrations.h"
#include "prepare/prepare.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <stdexcept>
#include <string>

namespace retro::test {

/// A function whose only loop runs Body for each i below n. Parameters are
/// those before n.
inline std::string loopOver(llvm::StringRef Parameters, llvm::StringRef Body,
                            llvm::StringRef Begin = "define void @f(") {
  return (Begin + Parameters +
          ", i64 %n) {\n"
          "entry:\n"
          "  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n" +
          Body +
          "  %j = add nuw nsw i64 %i, 1\n"
          "  %more = icmp ult i64 %j, %n\n"
          "  br i1 %more, label %loop, label %exit\n"
          "exit:\n"
          "  ret void\n"
          "}\n")
      .str();
}

/// Squares x[i] in place.
inline const char *const SquareInPlace =
    "  %at = getelementptr inbounds double, ptr %x, i64 %i\n"
    "  %a = load double, ptr %at\n"
    "  %p = fmul double %a, %a\n"
    "  store double %p, ptr %at\n";

/// A module, and the analyses of its functions.
struct Parsed {
  explicit Parsed(llvm::StringRef Text) {
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(Text, Error, C);
    if (!M)
      throw std::runtime_error(Error.getMessage().str());
    Passes.registerModuleAnalyses(MAM);
    Passes.registerCGSCCAnalyses(CAM);
    Passes.registerFunctionAnalyses(FAM);
    Passes.registerLoopAnalyses(LAM);
    Passes.crossRegisterProxies(LAM, FAM, CAM, MAM);
  }
  llvm::Function &function() const { return *M->getFunction("f"); }

  llvm::LLVMContext C;
  std::unique_ptr<llvm::Module> M;
  llvm::PassBuilder Passes;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CAM;
  llvm::ModuleAnalysisManager MAM;
};

/// The unit of function f.
struct FactsOf : Parsed {
  explicit FactsOf(llvm::StringRef Text)
      : Parsed(Text), Registered(*M),
        U(*M, MAM, FAM, Mode::Reverse, Registered), R(nullptr), Shape(U),
        Act(U, Shape, R) {
    prepareUnit(U, function(), R);
    llvm::SmallVector<Activity> Args;
    for (llvm::Argument &A : U.root().F->args())
      Args.push_back(A.getType()->isPointerTy()         ? Activity::Dup
                     : A.getType()->isFloatingPointTy() ? Activity::Out
                                                        : Activity::Const);
    Shape.run(Args);
    Act.run(Args, true);
  }
  /// The Nth instruction of a kind.
  template <typename T> T &find(unsigned N = 0) {
    for (llvm::Instruction &I : llvm::instructions(*U.root().F))
      if (auto *X = llvm::dyn_cast<T>(&I); X && N-- == 0)
        return *X;
    throw std::runtime_error("no such instruction");
  }

  Registrations Registered;
  Unit U;
  Reporter R;
  MemoryShape Shape;
  ActivityAnalysis Act;
};

} // namespace retro::test

#endif
