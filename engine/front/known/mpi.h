// Calls of message passing, as known_mpi.def describes them.
#ifndef RETRO_FRONT_KNOWN_MPI_H
#define RETRO_FRONT_KNOWN_MPI_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace retro {

/// The library whose header a program was compiled with. OpenMPI's handles are
/// pointers to objects; those of MPICH and its relatives are integers.
enum class MpiLibrary { OpenMpi, Mpich };

/// What a message holds, as far as it is known at compile time.
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
  /// Is it a call of MPI, as one of the libraries declares it?
  explicit operator bool() const { return Valid; }

  const llvm::CallBase &Call;
  MpiLibrary Library = MpiLibrary::OpenMpi;
  llvm::StringRef Body; ///< of the function that stands for it, or empty
  llvm::SmallVector<MpiBuffer, 2> Buffers;
  llvm::SmallVector<unsigned, 3>
      Written;            ///< operands that are written beside the buffers
  int Operation = -1;     ///< operand, of a reduction
  bool Completes = false; ///< what other calls receive may be there after it
  bool Starts = false;    ///< something has to wait for it
  bool Packs = false;     ///< what it packs has to be noted

  const llvm::Value *pointer(const MpiBuffer &B) const {
    return Call.getArgOperand(B.Operand);
  }
  /// Does the operand point to memory? (It may say MPI_IN_PLACE.)
  bool isMemory(const MpiBuffer &B) const;
  MpiContents contents(const MpiBuffer &B) const;
  /// The type of the numbers in it; null if there are none, or if it is not
  /// known.
  llvm::Type *numberType(const MpiBuffer &B) const;
  /// Bytes that the message covers in memory, or -1.
  int64_t size(const MpiBuffer &B) const;
  /// Is the operation one that has no derivative? For some only the running
  /// program knows.
  bool hasOwnOperation() const;
  /// Has the call a derivative? It has none if no numbers travel.
  bool carriesNumbers() const;
  /// The name of a function of the runtime for this library.
  std::string runtime(llvm::StringRef Function) const;

private:
  void readOperand(char Role, unsigned I);

  bool Valid = false;
};

bool isMpi(const llvm::CallBase &C);
/// Does anything in the module call MPI?
bool usesMpi(const llvm::Module &M);

/// Has this plugin the runtime for the library? That depends on whether the
/// library was there when the plugin was built.
bool hasMpiRuntime(MpiLibrary L);

} // namespace retro

#endif
