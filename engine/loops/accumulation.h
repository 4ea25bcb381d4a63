// *Ptr += something, in one block.
#ifndef RETRO_LOOPS_ACCUMULATION_H
#define RETRO_LOOPS_ACCUMULATION_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class ScalarEvolution;
}

namespace retro {

/// The scope of all adjoints in memory, and its domain, as the emitter names
/// them.
inline constexpr llvm::StringLiteral ShadowScopeName = "shadow";
inline constexpr llvm::StringLiteral RolesName = "retro";

/// Does I access adjoints? What is added to these has no order.
bool isOfAdjoints(const llvm::Instruction &I);

struct Accumulation {
  llvm::LoadInst *Load = nullptr;
  llvm::StoreInst *Store = nullptr;
  /// From the load to the stored sum: sums, differences and products that are
  /// added. Each is used by the next one alone.
  llvm::SmallVector<llvm::Instruction *, 2> Steps;
};

/// What the store adds to its place, if it does so in at most MostSteps steps,
/// and if nothing else writes there between the load and the store.
std::optional<Accumulation> accumulationOf(llvm::StoreInst &S, size_t MostSteps,
                                           llvm::ScalarEvolution &SE,
                                           llvm::AAResults &AA);

} // namespace retro

#endif
