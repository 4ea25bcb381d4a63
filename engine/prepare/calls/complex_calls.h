// Calls of complex functions: from the interfaces of C, C++ and Fortran to
// canonical form, and back.
#ifndef RETRO_PREPARE_CALLS_COMPLEX_CALLS_H
#define RETRO_PREPARE_CALLS_COMPLEX_CALLS_H

#include "front/known/known_functions.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Brings a call of a complex function to canonical form: it takes real and
/// imaginary parts as operands of their own, and returns {real, imaginary} or
/// one real number. False if the call is none.
bool canonicalizeComplex(llvm::CallBase &C, KnownCall K);
void expandComplex(llvm::CallBase &C);

/// A complex number as a value of type T, which is a vector, a struct or an
/// array of two.
llvm::Value *packComplex(llvm::IRBuilder<> &B, llvm::Type *T, llvm::Value *Re,
                         llvm::Value *Im);

} // namespace retro

#endif
