// How the source declares what a request is given, as far as debug information
// tells.
#ifndef RETRO_FRONT_REGISTERED_DECLARED_H
#define RETRO_FRONT_REGISTERED_DECLARED_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include <string>

namespace retro {

/// A variable's name and type; both empty where the program does not tell.
struct Declared {
  std::string Name;
  const llvm::DIType *Type = nullptr;
  explicit operator bool() const { return Type; }
  /// "double *x"; empty if nothing is known.
  std::string text() const;
};

/// Parameter A of a function that has a body.
Declared declaredParameter(const llvm::Argument &A);

/// The variable that an operand of a call is, or whose value it is.
Declared declaredOperand(llvm::Value &V);

} // namespace retro

#endif
