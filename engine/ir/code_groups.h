// Functions with the same code, found by refinement: those that may be one are
// in one group until something tells them apart, in themselves or in what they
// call. Code is compared with its metadata, which LLVM's comparison of
// functions takes for equal where it is nested (scopes of aliases).
#ifndef RETRO_IR_CODE_GROUPS_H
#define RETRO_IR_CODE_GROUPS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/IR/Function.h"

namespace retro {

class CodeGroups {
public:
  virtual ~CodeGroups() = default;

  /// Numbers the groups; returns how many there are. First: of each function
  /// the group that it begins in, below Count.
  unsigned run(llvm::ArrayRef<llvm::Function *> Functions,
               llvm::DenseMap<const llvm::Function *, unsigned> First,
               unsigned Count);
  unsigned of(const llvm::Function &F) const { return GroupOf.at(&F); }

protected:
  /// Is the same known of two functions, apart from their code?
  virtual bool areAlike(const llvm::Function &, const llvm::Function &) const {
    return true;
  }
  /// And of two instructions in the same place?
  virtual bool stepsAlike(const llvm::Instruction &,
                          const llvm::Instruction &) const {
    return true;
  }
  /// And of two parameters, or two results?
  virtual bool passAlike(const llvm::Value &, const llvm::Value &) const {
    return true;
  }
  /// A number that is the same for parameters and instructions that are alike.
  virtual llvm::hash_code hashOf(const llvm::Value &) const {
    return llvm::hash_code(0);
  }

private:
  class SideBySide;
  llvm::hash_code hashOfCode(const llvm::Function &F) const;

  llvm::DenseMap<const llvm::Function *, unsigned> GroupOf;
  llvm::DenseMap<const llvm::Function *, llvm::hash_code> CodeOf;
};

} // namespace retro

#endif
