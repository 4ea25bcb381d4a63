// A derivative that the user wrote: functions of the calling convention, and
// how their parameters and results correspond to those of the primal.
#ifndef RETRO_FRONT_REGISTERED_CUSTOM_RULE_H
#define RETRO_FRONT_REGISTERED_CUSTOM_RULE_H

#include "base/plan.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include <string>

namespace retro {

/// What is passed for one parameter of a user's derivative.
struct CustomParam {
  enum Role {
    Results, ///< memory for the results
    Primal,  ///< the primal's argument Arg
    Shadow,  ///< its shadow, or tangent
    Seed,    ///< the adjoint of the primal's result
    Tape,    ///< what the augmented function returned for it
  } What;
  unsigned Arg = 0;
  int Leaf = -1;         ///< Seed, Tape: this scalar of it; -1: all of it
  bool InMemory = false; ///< a pointer to a copy
};

/// A function of the user, bound to a primal.
struct CustomFunction {
  llvm::Function *F = nullptr; ///< null: there is none
  llvm::SmallVector<CustomParam, 8> Params;
  /// What it returns, as a C struct; null if nothing.
  llvm::StructType *Results = nullptr;
  llvm::SmallVector<int, 4> Fields; ///< places in it, without padding
  bool ResultsInMemory = false;
  int Tape = -1, Primal = -1, Derivative = -1; ///< fields, or -1
};

/// Forward pass and derivative. The reverse function of a gradient returns the
/// adjoints of the parameters that hold numbers, in order.
struct CustomRule {
  /// Without a function, the primal itself runs. A function that has no field
  /// for the result leaves the result to the primal, which is called besides.
  CustomFunction Augmented;
  CustomFunction Derivative; ///< reverse, or tangent
  llvm::Type *Tape = nullptr;
  /// The primal runs in any case, and these functions do what is more.
  bool Besides = false;
};

/// The primal's parameters and result as derivatives see them.
struct PrimalSignature {
  explicit PrimalSignature(const llvm::Function &F);
  const llvm::Function &F;
  int ResultArg = -1; ///< memory for the result, or -1
  llvm::Type *Result; ///< void, or what is returned
  /// Does the parameter hold a number? Others are passed with their shadows.
  bool isNumber(unsigned Arg) const;
};

bool holdsNumbers(llvm::Type *T);
bool holdsPointers(llvm::Type *T);

/// Binds functions to a primal. Returns an empty string, or why they do not
/// fit.
std::string bindGradient(const PrimalSignature &P, llvm::Function *Augmented,
                         llvm::Function *Reverse, CustomRule &Out);
std::string bindDerivative(const PrimalSignature &P, llvm::Function *Forward,
                           CustomRule &Out);
std::string bindSplit(const PrimalSignature &P, llvm::Function *Augmented,
                      llvm::Function *Forward, CustomRule &Out);

} // namespace retro

#endif
