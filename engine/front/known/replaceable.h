// Definitions that the linker may replace, so that their bodies do not tell
// what the program runs.
#ifndef RETRO_FRONT_KNOWN_REPLACEABLE_H
#define RETRO_FRONT_KNOWN_REPLACEABLE_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace retro {

/// May the linker put another definition in the place of G, a function or an
/// alias? It may not for inline functions, whose definitions are all the same.
bool isReplaceable(const llvm::GlobalValue &G);

/// The function or alias that C calls and that may be replaced, or null.
const llvm::GlobalValue *replaceableCallee(const llvm::CallBase &C);

/// What is known of the link while a module is differentiated: it has taken
/// place, or the module is the whole program.
class KnownLink {
public:
  KnownLink(llvm::Module &M, bool AtLink);
  ~KnownLink();
  KnownLink(const KnownLink &) = delete;
  KnownLink &operator=(const KnownLink &) = delete;

private:
  llvm::Module &M;
};

} // namespace retro

#endif
