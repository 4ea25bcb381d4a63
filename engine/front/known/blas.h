// What blas.def says of a routine, and the calls of routines in canonical form
// (prepare/calls/library_calls.h): every scalar is an operand by value.
#ifndef RETRO_FRONT_KNOWN_BLAS_H
#define RETRO_FRONT_KNOWN_BLAS_H

#include "front/known/known_functions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <string>

namespace retro {

enum class BlasId {
#define BLAS_ROUTINE(Id, Name, Library, Result, Operands, Arrays) Id,
#include "front/known/blas.def"
};

/// What an operand is.
enum class BlasSlot : unsigned {
  Layout, ///< row- or column-major; C interfaces only
  Side,
  Uplo,
  TransA,
  TransB,
  Diag,
  M,
  N,
  K,
  Alpha,
  Beta,
  A,
  LdA,
  B,
  LdB,
  C,
  LdC,
  X,
  IncX,
  Y,
  IncY,
  Pivots,
  Handle, ///< of the library; some interfaces only
  None,
};

struct BlasArray {
  enum FormKind { Vector, Matrix, Triangle, Full, PivotVector };
  enum AccessKind { Reads, Writes, Updates };
  BlasSlot Slot;
  AccessKind Access;
  FormKind Form;
  BlasSlot Rows, Cols; ///< vectors: the length, and the length if transposed
  BlasSlot Flag;       ///< matrices: stored transposed if this flag says so
  unsigned Before = 0, After = 0; ///< slots whose adjoints read it

  template <class... S> BlasArray before(S... Slots) const {
    BlasArray X = *this;
    X.Before = ((1u << static_cast<unsigned>(Slots)) | ...);
    return X;
  }
  template <class... S> BlasArray after(S... Slots) const {
    BlasArray X = *this;
    X.After = ((1u << static_cast<unsigned>(Slots)) | ...);
    return X;
  }
  bool writes() const { return Access != Reads; }
};

struct BlasRoutine {
  enum LibraryKind { Blas, Lapack };
  enum ResultKind { Nothing, Number, Info };
  BlasId Id;
  llvm::StringRef Name;
  LibraryKind Library;
  ResultKind Result;
  llvm::SmallVector<BlasSlot, 13> Operands;
  llvm::SmallVector<BlasArray, 3> Arrays;

  bool has(BlasSlot S) const { return llvm::is_contained(Operands, S); }
};

const BlasRoutine &blasRoutine(BlasId Id);
const BlasRoutine *blasRoutine(llvm::StringRef Name);

/// A library whose routines take a handle (blas.def).
struct BlasHandles {
  llvm::StringRef Prefix, Vendor;
  bool FromZero; ///< choices are numbered from 0
};

/// How a library's routines are called.
struct BlasInterface {
  enum StyleKind { Fortran, C, WithHandle };
  StyleKind Style = Fortran;
  bool Wide = false;   ///< 64-bit integers
  char TypeLetter = 0; ///< s or d, as the names have it
  llvm::StringRef Suffix;
  const BlasHandles *Handles = nullptr; ///< of a library that takes them

  llvm::Type *number(llvm::LLVMContext &C) const;
  llvm::Type *integer(llvm::LLVMContext &C) const;
  /// Has the routine an operand that says how matrices are laid out?
  bool hasLayout(const BlasRoutine &R) const;
  std::string symbol(const BlasRoutine &R) const;
  /// The operands of a canonical call, in order.
  llvm::SmallVector<BlasSlot, 14> operands(const BlasRoutine &R) const;
};

/// The routine and the interface of a library function's name.
struct BlasFunction {
  const BlasRoutine *Routine = nullptr;
  BlasInterface Interface;
  explicit operator bool() const { return Routine; }
};
BlasFunction blasFunction(const KnownFunction &Row);

/// A call in canonical form.
class BlasCall {
public:
  /// Empty if the call is no canonical call of a routine.
  explicit BlasCall(const llvm::CallBase &C);
  BlasCall() = default;
  explicit operator bool() const { return Function.Routine; }

  const BlasRoutine &routine() const { return *Function.Routine; }
  const BlasInterface &interface() const { return Function.Interface; }
  /// The operand in a slot, or null.
  llvm::Value *operand(BlasSlot S) const;
  llvm::Type *number() const { return interface().number(C->getContext()); }
  /// The type of an array's elements.
  llvm::Type *elementType(const BlasArray &A) const;

private:
  const llvm::CallBase *C = nullptr;
  BlasFunction Function;
};

} // namespace retro

#endif
