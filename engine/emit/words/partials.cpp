// Runs a rule once for one lane, or once for all: then each lane scales the
// partials that a seed of one gives. Without this vector mode would compute
// each partial once a lane.
#include "emit/words/partials.h"

using namespace llvm;

namespace retro {

Value *Partials::pull(IRBuilder<> &B, rules::RuleId Rule,
                      function_ref<Value *(int)> Fetch, Value *G, int N,
                      bool GuardProducts) {
  IROps Ops(B, GuardProducts);
  IROps::Operands X{Fetch};
  if (Lanes == 1)
    return rules::pull<IROps>(Rule, Ops, X, G, N);
  auto *P = find_if(Known, [&](const Partial &K) { return K.N == N; });
  if (P == Known.end()) {
    Value *V =
        rules::pull<IROps>(Rule, Ops, X, ConstantFP::get(G->getType(), 1.0), N);
    Known.push_back({N, V, Ops.askedForGuard()});
    P = &Known.back();
  }
  Value *Product = B.CreateFMul(G, P->V);
  return P->Guarded ? rules::guarded<IROps>(Ops, G, Product) : Product;
}

} // namespace retro
