// Gives the emitted code the primal's lines, as of code inlined into the
// derivative. LLVM's verifier refuses lines of another function.
#include "emit/words/debug_lines.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

/// The user's function that the first code in F with a line is of, after
/// inlining.
DISubprogram *firstSource(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (const DebugLoc &L = I.getDebugLoc())
      if (DISubprogram *P = L->getInlinedAtScope()->getSubprogram())
        return P;
  return nullptr;
}

DISubprogram *subprogramFor(const Function &F, const DISubprogram &Of) {
  LLVMContext &C = F.getContext();
  DISubroutineType *T = DISubroutineType::get(C, DINode::FlagZero, 0, nullptr);
  return DISubprogram::getDistinct(
      C, Of.getFile(), F.getName(), F.getName(), Of.getFile(), Of.getLine(), T,
      Of.getScopeLine(), nullptr, 0, 0, DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          DISubprogram::SPFlagOptimized,
      Of.getUnit());
}

/// What describes variables and allocations of the primal.
void dropVariables(Instruction &I) {
  I.dropDbgRecords();
  I.setMetadata("heapallocsite", nullptr);
  I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
}

} // namespace

void keepLines(Function &F) {
  DISubprogram *Of = firstSource(F);
  if (!Of)
    return void(stripDebugInfo(F));
  LLVMContext &C = F.getContext();
  DISubprogram *P = subprogramFor(F, *Of);
  F.setSubprogram(P);
  DenseMap<const MDNode *, MDNode *> Cache;
  // For each function that lines are of, the place where it is inlined.
  DenseMap<const DISubprogram *, DILocation *> Sites;
  auto Inlined = [&](const DILocation *L) -> DILocation * {
    DISubprogram *From = L->getInlinedAtScope()->getSubprogram();
    DILocation *&Site = Sites[From];
    if (!Site)
      Site = DILocation::getDistinct(C, Of->getLine(), 0, P);
    return DILocation::get(
        C, L->getLine(), L->getColumn(), L->getScope(),
        DebugLoc::appendInlinedAt(DebugLoc(L), Site, C, Cache));
  };
  // Intrinsics of variables are records by now.
  for (Instruction &I : instructions(F)) {
    dropVariables(I);
    updateLoopMetadataDebugLocations(I, [&](Metadata *M) -> Metadata * {
      auto *L = dyn_cast_or_null<DILocation>(M);
      return L ? Inlined(L) : M;
    });
    // What has no line is of none, and so is what is made of it: a call without
    // any could not be inlined.
    const DebugLoc &L = I.getDebugLoc();
    I.setDebugLoc(L ? Inlined(L) : DILocation::get(C, 0, 0, P));
  }
}

} // namespace retro
