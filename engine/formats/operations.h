// Single operations in another format of numbers.
#ifndef RETRO_FORMATS_OPERATIONS_H
#define RETRO_FORMATS_OPERATIONS_H

#include "formats/format.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Computes in a format. A function that keeps its numbers in memory in a
/// narrow type of the machine's has them in the low bits of wider ones.
class Operations {
public:
  Operations(const Format &F, bool Memory) : F(F), Memory(Memory) {}

  bool isFrom(const llvm::Type *T) const {
    return T->getScalarType() == F.From;
  }
  /// The type that stands for T where it is computed.
  llvm::Type *computed(llvm::Type *T) const;
  /// V, a number as the function keeps it, converted to what operations take.
  llvm::Value *taken(llvm::IRBuilder<> &B, llvm::Value *V) const;
  /// V, a result of operations, converted to what the function keeps.
  llvm::Value *given(llvm::IRBuilder<> &B, llvm::Value *V) const;
  /// V, a number of another type of the program's, rounded to what operations
  /// give.
  llvm::Value *rounded(llvm::IRBuilder<> &B, llvm::Value *V) const;
  /// A result of I as operations give it, from operands as they take them;
  /// null: there is no such operation.
  llvm::Value *result(llvm::IRBuilder<> &B, llvm::Instruction &I,
                      llvm::ArrayRef<llvm::Value *> Operands) const;

private:
  llvm::Value *native(llvm::IRBuilder<> &B, llvm::Instruction &I,
                      llvm::ArrayRef<llvm::Value *> Operands) const;
  llvm::Value *byMpfr(llvm::IRBuilder<> &B, llvm::Instruction &I,
                      llvm::ArrayRef<llvm::Value *> Operands) const;
  llvm::Value *mpfr(llvm::IRBuilder<> &B, llvm::StringRef Name,
                    llvm::ArrayRef<llvm::Value *> Operands) const;

  const Format &F;
  bool Memory;
};

} // namespace retro

#endif
