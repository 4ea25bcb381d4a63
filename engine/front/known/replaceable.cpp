// Decides whether the body that this module has of a function is the one that
// will run. A derivative of a body that the linker replaces would be silently
// wrong.
#include "front/known/replaceable.h"

#include "base/command_line.h"
#include "front/known/stand_in_links.h"

#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace retro {
namespace {

constexpr const char *LinkIsDone = "retro.link.done";
constexpr const char *WholeProgram = "retro.link.whole";

/// Are all definitions of this name the same?
bool hasOneDefinition(const GlobalValue &G) {
  return GlobalValue::isLinkOnceODRLinkage(G.getLinkage()) ||
         GlobalValue::isWeakODRLinkage(G.getLinkage()) ||
         G.hasAvailableExternallyLinkage();
}

} // namespace

bool isReplaceable(const GlobalValue &G) {
  if (G.isDeclaration() || !G.isInterposable() || hasOneDefinition(G))
    return false;
  const Module &M = *G.getParent();
  if (M.getNamedMetadata(WholeProgram))
    return false;
  // The linker has chosen this definition. Only another shared library could
  // come before it.
  return !M.getNamedMetadata(LinkIsDone) || !G.isDSOLocal();
}

const GlobalValue *replaceableCallee(const CallBase &C) {
  const Value *V = C.getCalledOperand()->stripPointerCasts();
  while (auto *A = dyn_cast<GlobalAlias>(V)) {
    if (isReplaceable(*A))
      return A;
    V = A->getAliasee()->stripPointerCasts();
  }
  auto *F = dyn_cast<Function>(V);
  if (!F)
    return nullptr;
  F = primalOf(*F);
  return isReplaceable(*F) ? F : nullptr;
}

KnownLink::KnownLink(Module &M, bool AtLink) : M(M) {
  if (AtLink)
    M.getOrInsertNamedMetadata(LinkIsDone);
  else if (any_of(M.global_values(),
                  [](const GlobalValue &G) {
                    return !isa<GlobalVariable>(G) && isReplaceable(G);
                  }) &&
           compilesWholeProgram())
    M.getOrInsertNamedMetadata(WholeProgram);
}

KnownLink::~KnownLink() {
  for (const char *Name : {LinkIsDone, WholeProgram})
    if (NamedMDNode *N = M.getNamedMetadata(Name))
      N->eraseFromParent();
}

} // namespace retro
