// Input: globals that a unit accesses, and what the program registered.
// Output: an error where a registered shadow cannot serve. The adjoint would
// go where the program does not look for it.
#include "facts/writes/global_shadows.h"

#include "facts/parallel/device.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace retro {

/// An instruction of the unit that mentions G, of those with a line the first
/// found; null: there is none.
static const Instruction *useOf(const Unit &U, const GlobalVariable *G) {
  const Instruction *Found = nullptr;
  SmallSetVector<const User *, 8> Work(G->user_begin(), G->user_end());
  for (size_t I = 0; I < Work.size(); ++I) {
    if (auto *Inst = dyn_cast<Instruction>(Work[I])) {
      if (U.find(Inst->getFunction()) && (!Found || !Found->getDebugLoc()))
        Found = Inst;
    } else {
      Work.insert(Work[I]->user_begin(), Work[I]->user_end());
    }
  }
  return Found;
}

bool mentions(const Unit &U, const GlobalVariable *G) { return useOf(U, G); }

/// Where the launch gives the size, it also gives place for the shadow.
static void reportDynamicShared(const ActivityAnalysis &Act, Reporter &R) {
  Unit &U = Act.unit();
  for (GlobalVariable &G : U.M.globals()) {
    const Instruction *Use = isDynamicShared(G) ? useOf(U, &G) : nullptr;
    if (!Use || !Act.shadowed(&G))
      continue;
    const char *Why =
        !U.SharedParts
            ? "the request does not say how many bytes of it there are"
        : asksForDynamicShared(U) ? "the differentiated code itself asks for "
                                    "its size, as a derivative does"
                                  : nullptr;
    if (Why)
      R.error(Diag::DynamicShared, Use, {G.getName().str(), Why});
  }
}

void reportGlobalShadows(const ActivityAnalysis &Act, Reporter &R) {
  Unit &U = Act.unit();
  reportDynamicShared(Act, R);
  for (GlobalVariable &G : U.M.globals()) {
    GlobalVariable *S = U.Registered.shadowOf(G);
    if (!S || !mentions(U, &G) || !Act.shadowed(&G))
      continue;
    if (U.Width > 1)
      R.error(
          Diag::GlobalShadow, &G, U.root().Source,
          {G.getName().str(), "it is one, and the request has several lanes"});
    else if (mentions(U, S))
      R.error(Diag::GlobalShadow, &G, U.root().Source,
              {G.getName().str(), "the differentiated code itself uses '" +
                                      S->getName().str() + "'"});
  }
}

} // namespace retro
