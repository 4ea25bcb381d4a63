#include "analyses/global_shadows.h"

#include "front/registrations.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace retro {

bool mentions(const Unit &U, const GlobalVariable *G) {
  SmallSetVector<const User *, 8> Work(G->user_begin(), G->user_end());
  for (size_t I = 0; I < Work.size(); ++I) {
    if (auto *Inst = dyn_cast<Instruction>(Work[I])) {
      if (U.find(Inst->getFunction()))
        return true;
    } else {
      Work.insert(Work[I]->user_begin(), Work[I]->user_end());
    }
  }
  return false;
}

void reportGlobalShadows(const ActivityAnalysis &Act, Reporter &R) {
  Unit &U = Act.unit();
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
