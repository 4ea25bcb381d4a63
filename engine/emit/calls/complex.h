// The derivatives of complex functions, whose operands and results are pairs of
// numbers: from tangents of the operands, or for the adjoint of the result. The
// rules themselves stand in rules/complex.h.
#ifndef RETRO_EMIT_CALLS_COMPLEX_H
#define RETRO_EMIT_CALLS_COMPLEX_H

#include "front/known/known_functions.h"
#include "rules/complex.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

struct ComplexValue {
  llvm::Value *Re = nullptr, *Im = nullptr;
};

/// The derivatives of one canonical call.
class ComplexRule {
public:
  /// The call's operands (two for each complex one) and, where the rule reads
  /// it, its result, as the code that B emits sees them.
  ComplexRule(llvm::IRBuilder<> &B, const llvm::CallBase &C,
              llvm::ArrayRef<llvm::Value *> Operands, llvm::Value *Result);

  /// The tangent of the result, from the tangents of the operands; a null
  /// stands for zero.
  llvm::Value *tangent(llvm::ArrayRef<llvm::Value *> Tangents);
  /// The adjoint of complex operand N, from the result's.
  ComplexValue adjoint(llvm::Value *G, unsigned N);

  ComplexValue operand(unsigned N) const {
    return {Operands[2 * N], Operands[2 * N + 1]};
  }
  ComplexValue result() const;

private:
  llvm::IRBuilder<> &B;
  const llvm::CallBase &C;
  llvm::SmallVector<llvm::Value *, 4> Operands;
  llvm::Value *Result;
  rules::ComplexOp Op;
};

} // namespace retro

#endif
