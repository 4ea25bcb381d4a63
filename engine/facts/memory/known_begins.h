// Where memory begins that is there before a derivative is: what its caller
// gives it, variables, and what pointers in these lead to.
#ifndef RETRO_FACTS_MEMORY_KNOWN_BEGINS_H
#define RETRO_FACTS_MEMORY_KNOWN_BEGINS_H

#include "facts/memory/memory_shape.h"

#include <optional>

namespace retro {

struct KnownBegin {
  /// An argument of the root, or a static variable.
  llvm::Value *Base = nullptr;
  /// Bytes from there to the pointer that leads to the memory; none: it begins
  /// there itself.
  std::optional<int64_t> Pointer;
  uint64_t Bytes = 1; ///< of it, that are known to be there
  unsigned Class = 0;
};

/// What the arguments of the unit's root lead to, and what pointers lead to in
/// such memory, as far as a caller must have it.
std::vector<KnownBegin> givenMemory(Unit &U, const MemoryShape &Shape);

/// Is there more with a class of its own, deeper in what arguments lead to?
bool isGivenDeeper(const MemoryShape &Shape, llvm::ArrayRef<KnownBegin> Given);

/// Is there of some kind a word, or number, of one size in both classes? Else
/// no pointer that is used as it should be leads to both.
bool holdAlike(const MemoryShape &Shape, unsigned A, unsigned B,
               std::initializer_list<CellKind> Kinds);

/// The variables that the unit accesses, but for those of classes that are not
/// asked for.
std::vector<KnownBegin> variables(Unit &U, const MemoryShape &Shape,
                                  llvm::function_ref<bool(unsigned)> Wanted);

/// What the pointer leads to that a load, or store, of a static variable moves.
/// Of a store only the place is said.
std::optional<KnownBegin> staticPointer(llvm::Instruction &Access,
                                        const MemoryShape &Shape);

/// Has T one of the records by which flang describes arrays?
bool holdsDescriptor(const llvm::Type *T);

/// May a variable keep what was there before from derivative to derivative?
bool mayKeep(const llvm::GlobalVariable &G, const Registrations &Registered);

/// Is the pointer at an offset in a variable null or the begin of a block that
/// is no other pointer's?
using IsBlockOf =
    llvm::function_ref<bool(const llvm::GlobalVariable &, int64_t)>;

/// Notes which classes static variables lead to before a derivative begins
/// (MemoryClass::LedBy).
void markLed(Unit &U, MemoryShape &Shape, IsBlockOf IsBlock);

} // namespace retro

#endif
