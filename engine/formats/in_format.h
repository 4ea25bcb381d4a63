// Functions that compute in another format of numbers.
#ifndef RETRO_FORMATS_IN_FORMAT_H
#define RETRO_FORMATS_IN_FORMAT_H

#include "formats/operations.h"

#include "llvm/IR/ValueMap.h"

#include <map>

namespace retro {

/// Clones of functions, and of all that they call, which compute in a format.
class FunctionsInFormat {
public:
  /// With Memory, numbers in memory, arguments and results are in the format,
  /// too.
  FunctionsInFormat(const Format &F, bool Memory, Reporter &R)
      : F(F), Memory(Memory), R(R), Compute(this->F, Memory) {}

  /// The clone, of which nothing is to be run if R has failed.
  llvm::Function *of(llvm::Function &Source);

private:
  void rewrite(llvm::Function &Clone);
  void visit(llvm::Instruction &I);
  void visitCall(llvm::CallBase &C);
  bool isOperation(const llvm::Instruction &I) const;
  bool computes(const llvm::CallBase &C) const;
  std::string reasonAgainst(const llvm::Instruction &I) const;
  std::string reasonAgainstCall(const llvm::CallBase &C) const;
  llvm::Value *cast(llvm::IRBuilder<> &B, llvm::CastInst &I) const;
  void replace(llvm::Instruction &I, llvm::Value *With);
  void replaceOperation(llvm::Instruction &I);
  void keepConstants(llvm::Instruction &I);
  void refuse(llvm::Instruction &I, llvm::StringRef Reason);

  const Format F;
  const bool Memory;
  Reporter &R;
  Operations Compute;
  std::map<llvm::Function *, llvm::Function *> Clones;
};

} // namespace retro

#endif
