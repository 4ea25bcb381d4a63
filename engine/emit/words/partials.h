// The partial derivatives of one operation. One lane pulls its seed through
// the rule; several lanes share the partials, which the rule gives for a seed
// of one, and scale them.
#ifndef RETRO_EMIT_WORDS_PARTIALS_H
#define RETRO_EMIT_WORDS_PARTIALS_H

#include "emit/words/ir_ops.h"

#include "llvm/ADT/SmallVector.h"

namespace retro {

class Partials {
public:
  explicit Partials(unsigned Lanes) : Lanes(Lanes) {}

  /// G times the partial with respect to operand N of the operation at hand.
  llvm::Value *pull(llvm::IRBuilder<> &B, rules::RuleId Rule,
                    llvm::function_ref<llvm::Value *(int)> Fetch,
                    llvm::Value *G, int N, bool GuardProducts = false);
  /// The next operation is at hand.
  void forget() { Known.clear(); }

private:
  struct Partial {
    int N;
    llvm::Value *V;
    bool Guarded; ///< may be infinite where no operand is
  };
  unsigned Lanes;
  llvm::SmallVector<Partial, 2> Known;
};

} // namespace retro

#endif
