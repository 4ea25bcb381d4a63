// The arrays of a loop nest's tape: which there are, and how long they are
// where the compiler knows it.
#ifndef RETRO_FACTS_LOOPS_TAPE_BYTES_H
#define RETRO_FACTS_LOOPS_TAPE_BYTES_H

#include "base/plan.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace retro {

/// Where the fields of an indexed tape lie. The numbers of trips of its loops
/// are known when it is made; all else is known here.
struct TapeArrays {
  struct Array {
    llvm::ArrayRef<const llvm::BasicBlock *> Nest; ///< the loops that index it
    uint64_t Step; ///< bytes from one element to the next
  };
  struct Field {
    unsigned Array;  ///< by number
    uint64_t Offset; ///< in an element: not 0 where fields lie side by side
  };
  llvm::SmallVector<Array, 4> Arrays; ///< in the order of their first fields
  llvm::SmallVector<Field, 4> Fields;
};

/// Each array starts at a multiple of this, for vectors.
inline constexpr uint64_t TapeArrayAlign = 16;

/// SizeOf: the bytes of one value in an array of its own.
TapeArrays arraysOf(const LoopTape &Tape, const llvm::DataLayout &DL,
                    llvm::function_ref<uint64_t(llvm::Type *)> SizeOf);

/// The bytes of an indexed tape whose loops all have constant numbers of trips.
/// The greatest number there is stands for all that are greater.
std::optional<uint64_t> constantBytes(const UnitFunction &UF,
                                      const LoopTape &Tape);

} // namespace retro

#endif
