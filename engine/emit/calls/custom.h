// Calls of the derivatives that the user wrote: each parameter is given the
// value, shadow, seed or tape that it stands for. The functions are the user's,
// so that how they take and return structs is the ABI's business and not ours.
#ifndef RETRO_EMIT_CALLS_CUSTOM_H
#define RETRO_EMIT_CALLS_CUSTOM_H

#include "front/registered/custom_rule.h"

namespace retro {

/// One call of a user's function.
class CustomCall {
public:
  CustomCall(llvm::IRBuilder<> &B, const CustomFunction &F) : B(B), F(F) {}

  /// Operand gives the whole value that a parameter is given, or is a part
  /// of; null where it is in memory of its own: InMemory then gives that.
  void emit(llvm::function_ref<llvm::Value *(const CustomParam &)> Operand,
            const llvm::DebugLoc &Loc);
  /// A result by its number; in memory of its own where it lies there.
  llvm::Value *result(int Field);
  llvm::Value *resultAddress(int Field);

private:
  llvm::AllocaInst *variable(llvm::Type *T);

  llvm::IRBuilder<> &B;
  const CustomFunction &F;
  llvm::CallInst *Call = nullptr;
  llvm::AllocaInst *Memory = nullptr;
};

/// The memory that a call is given for the primal's result, or null.
llvm::Value *resultOperand(const llvm::CallBase &C);
/// Copies such a result.
void copyResult(llvm::IRBuilder<> &B, llvm::Value *To, llvm::Value *From,
                const llvm::CallBase &C);

} // namespace retro

#endif
