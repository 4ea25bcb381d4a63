// Calls by which a program says something of a value or of memory, and that do
// nothing else.
#ifndef RETRO_FRONT_REGISTERED_SAYINGS_H
#define RETRO_FRONT_REGISTERED_SAYINGS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace retro {

enum class Saying {
  Nothing,
  Double,     ///< (address, bytes): memory holds such numbers,
  Float,      ///< or such,
  Integer,    ///< or no numbers,
  Pointer,    ///< or pointers
  Fixed,      ///< (v): v, without a derivative
  Iterations, ///< (n, k): n, and k more for each order of derivative
};

/// What the calls of F say. They are read where attributes are, so that a
/// stand-in says the same.
Saying sayingOf(const llvm::Function &F);
Saying sayingOf(const llvm::CallBase &C);
inline bool isOfMemory(Saying S) {
  return S >= Saying::Double && S <= Saying::Pointer;
}

/// Recognizes the declarations of a module by their names, and gives those that
/// return something a body. All are inactive. Is anything changed?
bool defineSayings(llvm::Module &M);

/// Drops the calls that speak of memory. Is anything changed?
bool dropSayings(llvm::Module &M);

/// F is derived once more: its series get longer.
void growIterations(llvm::Function &F);

} // namespace retro

#endif
