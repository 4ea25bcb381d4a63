// Input: the functions that a request's emission has made. Output: one of each
// code. The facts hold clones of a function apart that work on different
// memory; their derivatives are mostly the same code. Without this LLVM
// optimizes as many copies of a product's kernel as a factorization calls.
#include "polish/equal_functions.h"

#include "ir/code_groups.h"

#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace retro {

void mergeEqual(std::vector<Function *> &Functions, ArrayRef<Function *> Kept,
                FunctionAnalysisManager &FAM) {
  auto IsOnlyCalled = [](const Function &F) {
    return F.hasLocalLinkage() && all_of(F.uses(), [](const Use &U) {
             auto *C = dyn_cast<CallBase>(U.getUser());
             return C && C->isCallee(&U);
           });
  };
  // The others begin, and stay, in groups of their own.
  CodeGroups Groups;
  DenseMap<const Function *, unsigned> First;
  unsigned Count = 1;
  for (Function *F : Functions)
    First[F] = IsOnlyCalled(*F) && !is_contained(Kept, F) ? 0 : Count++;
  if (Groups.run(Functions, std::move(First), Count) == Functions.size())
    return;
  SmallVector<Function *> Gone;
  DenseMap<unsigned, Function *> Stays;
  for (Function *F : Functions)
    if (Function *Same = Stays.try_emplace(Groups.of(*F), F).first->second;
        Same != F) {
      F->replaceAllUsesWith(Same);
      Gone.push_back(F);
    }
  erase_if(Functions, [&](Function *F) { return is_contained(Gone, F); });
  for (Function *F : Gone) {
    FAM.clear(*F, F->getName());
    F->dropAllReferences();
  }
  for (Function *F : Gone)
    F->eraseFromParent();
}

} // namespace retro
