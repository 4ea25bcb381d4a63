// Calls of message passing, as known_mpi.def describes them.
#ifndef RETRO_FRONT_MPI_H
#define RETRO_FRONT_MPI_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace retro {

/// What a message holds, for all that is known when the program is compiled.
enum class MpiContents {
  Unknown,
  None,
  Bytes,
  Float,
  Double,
  LongDouble,
  Floats,
  Doubles,
  LongDoubles,
};

struct MpiBuffer {
  unsigned Operand = 0;
  bool Sent = false, Received = false;
  bool Later = false; ///< received when something waits for it
  int Count = -1;     ///< operand with the number of items, if it says that
  int Type = -1;      ///< operand with the datatype
};

class MpiCall {
public:
  explicit MpiCall(const llvm::CallBase &C);
  /// Is it such a call, of a library that is supported?
  explicit operator bool() const { return Valid; }

  const llvm::CallBase &Call;
  llvm::StringRef Body; ///< of the function that stands for it, or empty
  llvm::SmallVector<MpiBuffer, 2> Buffers;
  llvm::SmallVector<unsigned, 3> Written; ///< operands, beside buffers
  int Operation = -1;                     ///< operand, of a reduction
  bool Completes = false; ///< what other calls receive may be there after it
  bool Starts = false;    ///< something has to wait for it

  const llvm::Value *pointer(const MpiBuffer &B) const {
    return Call.getArgOperand(B.Operand);
  }
  /// Does the operand point to memory? (It may say MPI_IN_PLACE.)
  bool isMemory(const MpiBuffer &B) const;
  MpiContents contents(const MpiBuffer &B) const;
  /// The type of the numbers in it; null: none, or not known.
  llvm::Type *numberType(const MpiBuffer &B) const;
  /// Bytes that the message covers in memory, or -1.
  int64_t size(const MpiBuffer &B) const;
  /// Is the operation one that has no derivative? It may be that only the
  /// running program knows.
  bool hasOwnOperation() const;
  /// Has the call a derivative? Not if no numbers travel.
  bool carriesNumbers() const;

private:
  bool Valid = false;
};

bool isMpi(const llvm::CallBase &C);

/// The functions of the runtime.
inline constexpr llvm::StringLiteral MpiPrefix = "__retro_mpi_";
/// Is the runtime a part of this plugin? MPI was there when it was built.
bool hasMpiRuntime();

} // namespace retro

#endif
