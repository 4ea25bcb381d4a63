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
  /// A number as the function has it, as operations take it.
  llvm::Value *taken(llvm::IRBuilder<> &B, llvm::Value *V) const;
  /// And back.
  llvm::Value *given(llvm::IRBuilder<> &B, llvm::Value *V) const;
  /// One of the program's other numbers, as operations give it.
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
