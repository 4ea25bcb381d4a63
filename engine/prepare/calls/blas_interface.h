// Calls of BLAS and LAPACK: from the C and Fortran interfaces to canonical
// form, in which every scalar is an operand by value, and back.
#ifndef RETRO_PREPARE_CALLS_BLAS_INTERFACE_H
#define RETRO_PREPARE_CALLS_BLAS_INTERFACE_H

#include "front/known/blas.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

bool canonicalizeBlas(llvm::CallBase &C, KnownCall K);
void expandBlas(llvm::CallBase &C);

/// The canonical function of a routine. Lengths is the type of the lengths of
/// character operands that Fortran passes behind the others, or null.
llvm::Function *blasFunctionOf(llvm::Module &M, const BlasInterface &I,
                               const BlasRoutine &R, llvm::Type *Lengths);
/// The type of those lengths, from a canonical function; or null.
llvm::Type *hiddenLengths(const llvm::Function &Canonical);

/// How the interfaces name choices. In the order of memory a row-major matrix
/// is a column-major one transposed.
struct BlasFlag {
  BlasSlot Slot;
  unsigned CIf, CElse;       ///< of the C interface of BLAS
  char If, Else;             ///< the letters
  unsigned ZeroIf, ZeroElse; ///< where choices are numbered from 0

  /// The numbers of an interface that has no letters.
  unsigned numberIf(const BlasInterface &I) const {
    return I.Handles && I.Handles->FromZero ? ZeroIf : CIf;
  }
  unsigned numberElse(const BlasInterface &I) const {
    return I.Handles && I.Handles->FromZero ? ZeroElse : CElse;
  }
};
/// The names of the choice in this operand: Layout (row-major?), Side (right?),
/// Uplo (lower?), TransA and TransB (transposed?), Diag (unit?).
const BlasFlag &blasFlag(BlasSlot Slot);

} // namespace retro

#endif
