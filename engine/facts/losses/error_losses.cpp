// Finds the functions on which a result depends and of which nobody knows how
// they round. What they return would count as exact.
#include "facts/losses/error_losses.h"

#include "facts/activity/operation_errors.h"
#include "front/known/entry_points.h"
#include "front/known/known_functions.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Does a result depend on a number that C returns or may write?
bool givesUseful(const ActivityAnalysis &Act, const CallBase &C) {
  if (Act.adjointType(&C) && Act.useful(&C))
    return true;
  const MemoryShape &Shape = Act.shape();
  return any_of(Shape.reachedBy(C), [&](unsigned Id) {
    const MemoryClass &M = Shape.classAt(Id);
    return M.UnseenUseful || any_of(M.Cells, [](const Cell &X) {
             return X.Kind == CellKind::Float && X.Useful;
           });
  });
}

/// Is a function called of which it is not known how it rounds?
bool isUnknown(const ActivityAnalysis &Act, const CallBase &C) {
  if (Act.unit().callee(C) || C.isInlineAsm())
    return false;
  if (!ownError(C))
    return givesUseful(Act, C);
  return knownCall(C).Kind == KnownKind::None && Act.adjointType(&C) &&
         Act.useful(&C);
}

/// The name that the program calls it by.
std::string nameOf(const CallBase &C) {
  StringRef Name = C.getCalledOperand()->getName();
  Name.consume_front(CanonicalPrefix);
  return Name.str();
}

/// Does the function begin with a value and an error?
bool takesErrors(const Function &F) {
  return F.arg_size() >= 2 && !F.isVarArg() &&
         F.getArg(0)->getType()->isFloatingPointTy() &&
         F.getArg(1)->getType()->isFloatingPointTy();
}

} // namespace

void reportErrorLosses(const ActivityAnalysis &Act, Reporter &R) {
  const Unit &U = Act.unit();
  if (!U.Errors)
    return;
  if (const Function *Logger = errorLogger(U.M);
      Logger && !takesErrors(*Logger))
    R.error(Diag::ErrorLogger, nullptr, {Logger->getName().str()});
  if (const Function *ErrorFunction = ownErrorFunction(U.M);
      ErrorFunction && !(takesErrors(*ErrorFunction) &&
                         ErrorFunction->getReturnType()->isFloatingPointTy()))
    R.error(Diag::OwnErrorFunction, nullptr, {ErrorFunction->getName().str()});
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *C = dyn_cast<CallBase>(&I); C && isUnknown(Act, *C))
        R.error(Diag::UnknownError, C, {nameOf(*C)});
}

} // namespace retro
