// What a program says of its own functions and globals: the registration arrays
// and annotations of the calling convention, read into one table.
#ifndef RETRO_FRONT_REGISTERED_REGISTRATIONS_H
#define RETRO_FRONT_REGISTERED_REGISTRATIONS_H

#include "front/known/known_functions.h"
#include "front/known/stand_in_links.h"
#include "front/registered/custom_rule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/GlobalVariable.h"
#include <optional>
#include <string>
#include <vector>

namespace retro {

/// What is registered for one function. While the module is optimized, its
/// calls go to a stand-in, a declaration, so that nothing is concluded from a
/// body that is not what is differentiated.
struct Registration {
  llvm::Function *Primal = nullptr;
  bool Inactive = false;
  bool Recompute = false;      ///< rather than keep its result
  std::string Like;            ///< a row of known_functions.def
  int AllocationSize = -1;     ///< the operand with the bytes
  int Released = -1;           ///< the operand that is freed
  std::vector<unsigned> Keeps; ///< operands to whose memory its result leads
  int Follows = -1; ///< the operand that leads to all that it reads and writes
  std::optional<CustomRule> Gradient;          ///< reverse mode
  std::optional<CustomRule> Derivative, Split; ///< forward mode

  /// Does it say what the derivative is, whatever the body does?
  bool hasOwnDerivative() const {
    return Inactive || Gradient || Derivative || Split;
  }
  /// Is it more than a hint?
  bool changesMeaning() const {
    return Inactive || !Like.empty() || AllocationSize >= 0 || Released >= 0 ||
           Gradient || Derivative || Split;
  }
};

/// A registration that makes no sense, which is reported.
struct RegistrationProblem {
  const llvm::GlobalVariable *Array; ///< or null: an annotation of Near
  const llvm::Function *Near;        ///< or null
  std::string Text;
};

class Registrations {
public:
  explicit Registrations(llvm::Module &M);

  /// What is registered for a user's function or its stand-in, or null.
  const Registration *of(const llvm::Function &F) const;
  const Registration *of(const llvm::CallBase &C) const;
  bool isInactive(const llvm::GlobalVariable &G) const {
    return InactiveGlobals.contains(&G);
  }
  /// The variable with the adjoints or tangents of a global, if the program
  /// names one.
  llvm::GlobalVariable *shadowOf(const llvm::GlobalVariable &G) const {
    return ShadowGlobals.lookup(&G);
  }
  /// Registers a function that the engine made, with its derivative.
  void add(Registration R) { ByFunction[R.Primal] = std::move(R); }

  /// The rule that derives calls of F in this mode, or null. Forward mode in
  /// two passes needs a split derivative, unless F takes numbers alone.
  const CustomRule *rule(const llvm::Function &F, Mode M, bool Split) const;
  /// Must calls of F stay calls in this mode? If not, F's body is derived.
  bool isOpaque(const llvm::Function &F, Mode M, bool Split) const;
  /// May F be entered through a pointer? To register F does not count. That the
  /// runtime of the engine was given its address counts if ByRuntime is set.
  bool hasAddressTaken(const llvm::Function &F, bool ByRuntime) const;

  const llvm::MapVector<const llvm::Function *, Registration> &all() const {
    return ByFunction;
  }
  const llvm::SmallPtrSetImpl<llvm::GlobalVariable *> &inactiveGlobals() const {
    return InactiveGlobals;
  }
  void remove(llvm::Function *Primal) { ByFunction.erase(Primal); }
  llvm::ArrayRef<llvm::GlobalVariable *> arrays() const { return Arrays; }
  llvm::ArrayRef<RegistrationProblem> problems() const { return Problems; }

private:
  friend class RegistrationReader;
  llvm::MapVector<const llvm::Function *, Registration> ByFunction;
  llvm::SmallPtrSet<llvm::GlobalVariable *, 4> InactiveGlobals;
  llvm::DenseMap<const llvm::GlobalVariable *, llvm::GlobalVariable *>
      ShadowGlobals;
  std::vector<llvm::GlobalVariable *> Arrays;
  std::vector<RegistrationProblem> Problems;
};

/// Says of a variable that it has no derivative. It is an attribute, which a
/// declaration can have.
void markInactive(llvm::GlobalVariable &G);

/// What R's function has as RegisteredAttribute.
std::string registeredText(const Registration &R);

} // namespace retro

#endif
