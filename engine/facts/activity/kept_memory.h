// Memory that a static variable leads to, and that the program keeps from call
// to call: workspaces and histories.
#ifndef RETRO_FACTS_ACTIVITY_KEPT_MEMORY_H
#define RETRO_FACTS_ACTIVITY_KEPT_MEMORY_H

#include "base/plan.h"
#include "facts/activity/activity.h"

#include <optional>

namespace retro {

/// A pointer in a static variable.
struct StaticPlace {
  const llvm::GlobalVariable *Variable;
  int64_t Offset; ///< in bytes
};

/// Is a pointer there null or the begin of a block that it alone leads to?
bool keepsBlocks(const Unit &U, StaticPlace P);

/// Pointers in a static variable to memory of one class.
struct StaticPointers {
  ForgottenPointers Places;
  unsigned Target; ///< the class
};

/// Where the unit loads and stores pointers that are in a static variable, and
/// are null or the begin of a block of the C library's allocator, whoever set
/// them. All that the module stores there shows it, nobody else sees the
/// variable, and what the unit frees it replaces before it returns. Without
/// this their shadows may be of another block, or of none.
class KeptMemory {
public:
  explicit KeptMemory(const ActivityAnalysis &Act);

  /// The place that an instruction of the unit loads or stores.
  std::optional<StaticPlace> placeOf(const llvm::Instruction &Access) const {
    auto It = Places.find(&Access);
    return It == Places.end() ? std::nullopt : std::optional(It->second);
  }

  bool holds(const llvm::GlobalVariable &G, int64_t Offset) const {
    return any_of(Places, [&](auto &Entry) {
      return Entry.second.Variable == &G && Entry.second.Offset == Offset;
    });
  }

  /// Does a derivative make the shadow of the pointer at this offset anew when
  /// it starts, with what that leads to?
  bool renews(const ActivityAnalysis &Act, const llvm::GlobalVariable &G,
              int64_t At) const;
  /// The pointers in G, but for those whose shadows a derivative makes anew
  /// with what they lead to when it starts.
  llvm::SmallVector<StaticPointers>
  unrenewed(const ActivityAnalysis &Act, const llvm::GlobalVariable &G) const;

private:
  llvm::DenseMap<const llvm::Instruction *, StaticPlace> Places;
};

} // namespace retro

#endif
