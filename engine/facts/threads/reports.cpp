// Input: blocks and calls. Output: which of them only report a mistake. Each
// check would else be a branch that the reverse pass has to remember.
#include "facts/threads/reports.h"

#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

bool isSanitizers(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  return F && (F->getIntrinsicID() == Intrinsic::ubsantrap ||
               F->getIntrinsicID() == Intrinsic::trap ||
               (F->isDeclaration() &&
                isA(F->getName(), NameKind::ReportOfSanitizer)));
}

bool onlyReports(const BasicBlock &B) { return all_of(B, doesNothing); }

/// Does a block report by more than the checks of sanitizers?
bool assertsIn(const BasicBlock &B) {
  return any_of(B, [](const Instruction &I) {
    return isReportCall(I) && !isSanitizers(I);
  });
}

/// Calls Each on B and what follows, up to where the program ends.
bool reportEnd(const BasicBlock &B,
               function_ref<void(const BasicBlock &)> Each) {
  const BasicBlock *At = &B;
  for (unsigned N = 0; N < 4 && At && onlyReports(*At); ++N) {
    Each(*At);
    if (isa<UnreachableInst>(At->getTerminator()))
      return true;
    At = At->getUniqueSuccessor();
  }
  return false;
}

/// Reports, and goes to To.
bool reportsAndGoes(const BasicBlock &B, const BasicBlock *To) {
  return B.getUniqueSuccessor() == To && B.getUniquePredecessor() &&
         To->phis().empty() && any_of(B, isReportCall) && onlyReports(B);
}

/// Does a block end in the choice between To and a report?
bool isReportBeside(const BasicBlock &B, const BasicBlock *To) {
  return endsInReport(B) || reportsAndGoes(B, To);
}

} // namespace

bool isReportCall(const Instruction &I) {
  if (isSanitizers(I))
    return true;
  auto *C = dyn_cast<CallBase>(&I);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  const KnownFunction *Row =
      F && F->isDeclaration() ? lookupKnown(*F) : nullptr;
  // A handler of exceptions may go on. Sanitizers do not believe that a call
  // does not return, and look.
  return Row && Row->Kind == KnownKind::Inactive && (Row->Effects & NoReturn) &&
         !(Row->Effects & MayThrow);
}

bool doesNothing(const Instruction &I) {
  auto *Mark = dyn_cast<IntrinsicInst>(&I);
  return !I.mayHaveSideEffects() || isReportCall(I) ||
         (Mark && Mark->isAssumeLikeIntrinsic());
}

bool endsInReport(const BasicBlock &B) {
  return reportEnd(B, [](const BasicBlock &) {});
}

BasicBlock *wayOn(const BasicBlock &B) {
  if (B.getUniqueSuccessor())
    return B.getTerminator()->getSuccessor(0);
  auto *Br = dyn_cast<BranchInst>(B.getTerminator());
  if (!Br || !Br->isConditional())
    return nullptr;
  for (unsigned N = 0; N < 2; ++N)
    if (isReportBeside(*Br->getSuccessor(N), Br->getSuccessor(1 - N)))
      return Br->getSuccessor(1 - N);
  return nullptr;
}

bool asserts(const BasicBlock &B) {
  const BasicBlock *Next = B.getUniqueSuccessor() ? nullptr : wayOn(B);
  if (!Next)
    return false;
  bool Any = false;
  for (const BasicBlock *S : successors(&B))
    if (S != Next) {
      Any |= assertsIn(*S);
      reportEnd(*S, [&](const BasicBlock &R) { Any |= assertsIn(R); });
    }
  return Any;
}

} // namespace retro
