// Memory that a static variable leads to, and that the program keeps from call
// to call: workspaces and histories.
#ifndef RETRO_ANALYSES_KEPT_MEMORY_H
#define RETRO_ANALYSES_KEPT_MEMORY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace retro {

/// A pointer in a static variable.
struct StaticPlace {
  llvm::GlobalVariable *Variable;
  int64_t Offset; ///< in bytes
};

/// Tells which pointers in static variables are null or the begin of a block
/// of the C library's allocator, whoever set them: all that the module stores
/// there shows it, and nobody else sees the variable.
class KeptMemory {
public:
  /// The place that a pointer is loaded from or stored to, if it is one.
  std::optional<StaticPlace> placeOf(const llvm::Instruction &Access);

private:
  llvm::DenseMap<std::pair<const llvm::GlobalVariable *, int64_t>, bool> Known;
};

} // namespace retro

#endif
