// What a function visibly writes through its pointer parameters.
#ifndef RETRO_FACTS_MEMORY_VISIBLE_WRITES_H
#define RETRO_FACTS_MEMORY_VISIBLE_WRITES_H

#include "llvm/IR/Function.h"
#include <optional>
#include <vector>

namespace retro {

/// Numbers are written to what a parameter points to.
struct VisibleWrite {
  unsigned Arg;
  std::optional<int64_t> Offset; ///< nothing: anywhere
};

/// What the body of F and of what it calls shows; no more than that.
std::vector<VisibleWrite> visibleWrites(const llvm::Function &F);

} // namespace retro

#endif
