// Input: what a unit throws and catches. Output: errors where numbers go with
// an exception to where they are not followed. They would have no adjoint.
#include "facts/losses/exception_losses.h"

#include "front/known/exceptions.h"
#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

namespace {

class ExceptionCheck {
public:
  ExceptionCheck(const ActivityAnalysis &Act,
                 const DenseSet<const Cell *> &Bits, Reporter &R)
      : Act(Act), Bits(Bits), Shape(Act.shape()), U(Act.unit()), R(R) {}
  void run();

private:
  bool readsCaught(const Instruction &I) const;
  bool leadsToVaried(const Value *V) const;
  bool keepsVaried(const CallBase &C) const;
  void thrown(CallBase &C);
  void passedOn();

  const ActivityAnalysis &Act;
  const DenseSet<const Cell *> &Bits; ///< in integers, of such numbers
  const MemoryShape &Shape;
  Unit &U;
  Reporter &R;
  bool Reads = false; ///< a handler looks at the exception
};

StringRef calleeName(const CallBase &C) {
  return C.getCalledOperand()->stripPointerCasts()->getName();
}

/// Is I an exception object that a handler was given, and does that use it?
bool ExceptionCheck::readsCaught(const Instruction &I) const {
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || C->use_empty())
    return false;
  return isA(calleeName(*C), NameKind::GivesCaught);
}

/// Can a number that depends on an input be reached from V?
bool ExceptionCheck::leadsToVaried(const Value *V) const {
  if (Act.varied(V))
    return true;
  if (!V->getType()->isPointerTy() || isa<Constant>(V))
    return false;
  SmallSetVector<unsigned, 8> Classes;
  Classes.insert(Shape.classId(V));
  for (size_t N = 0; N < Classes.size(); ++N)
    for (const Cell &X : Shape.classAt(Classes[N]).Cells) {
      if (X.Varied || Bits.contains(&X))
        return true;
      if (X.Kind == CellKind::Pointer)
        Classes.insert(Shape.targetOf(X));
    }
  return false;
}

/// What ends in an exception, with numbers that depend on an input at hand.
void ExceptionCheck::thrown(CallBase &C) {
  KnownCall K = knownCall(C);
  if (!K.Row || !(K.Row->Effects & NoReturn) || !(K.Row->Effects & MayThrow) ||
      isExceptionMark(C) || !mayUnwind(C))
    return;
  // Whether there are numbers in what is kept has been asked where it was.
  if (isA(calleeName(C), NameKind::ThrowsKept))
    return;
  // A function of the user's may also have written something.
  const bool Throws = !K.Row->Name.empty();
  if ((Throws ? Reads && !Shape.followsExceptions() : !C.onlyReadsMemory()) &&
      any_of(C.args(), [&](Value *A) { return leadsToVaried(A); }))
    R.error(Diag::Exceptions, &C);
}

/// A handler of any thread may get what std::exception_ptr has, at any time: an
/// object that is made for it, or what another handler was given.
bool ExceptionCheck::keepsVaried(const CallBase &C) const {
  if (!C.arg_empty() && !C.hasStructRetAttr())
    return leadsToVaried(C.getArgOperand(0));
  return any_of(Shape.exceptions(),
                [&](const Value *V) { return leadsToVaried(V); });
}

/// A derivative that passes exceptions from function to function goes on
/// unwinding to the landing pad of a call that did not throw by itself.
void ExceptionCheck::passedOn() {
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *C = dyn_cast<CallBase>(&I);
          C && isA(calleeName(*C), NameKind::ResumesException))
        R.error(Diag::Exceptions, C);
}

void ExceptionCheck::run() {
  passedOn();
  if (!U.CatchesExceptions)
    return;
  const bool Followed = Shape.followsExceptions();
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      Reads |= readsCaught(I);
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      if (C)
        thrown(*C);
      // There is no way on behind such a call, or none but out of the function.
      if (UnitFunction *G = C ? U.callee(*C) : nullptr;
          C && ((G && G->ReturnsExceptions && C->doesNotReturn()) ||
                (UF->ReturnsExceptions && C->isMustTailCall())))
        R.error(Diag::Exceptions, C);
      if (C && Reads && isA(calleeName(*C), NameKind::KeepsException) &&
          keepsVaried(*C))
        R.error(Diag::Exceptions, C);
      // Other handlers may be given what this one is.
      if (C && !Followed && readsCaught(I) &&
          (Act.shadowed(C) || leadsToVaried(C)))
        R.error(Diag::Exceptions, C);
    }
}

} // namespace

void reportExceptionLosses(const ActivityAnalysis &Act,
                           const DenseSet<const Cell *> &Bits, Reporter &R) {
  ExceptionCheck(Act, Bits, R).run();
}

} // namespace retro
