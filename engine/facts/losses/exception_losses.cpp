// Input: what a unit throws and catches, and what it writes before. Output:
// errors where numbers go with the exception. They have no adjoint there, and
// a function that is left half way takes its tape with it.
#include "facts/losses/exception_losses.h"

#include "base/call_chain.h"
#include "front/known/entry_points.h"
#include "front/known/exceptions.h"
#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

bool asksException(const CallBase &Call) {
  if (Call.arg_empty() || containsFloat(Call.getType()) ||
      any_of(drop_begin(Call.args()), [](const Use &A) {
        return A->getType()->isPointerTy() || containsFloat(A->getType());
      }))
    return false;
  auto *Of = dyn_cast<CallBase>(getUnderlyingObject(Call.getArgOperand(0)));
  return Of && isA(Of->getCalledOperand()->getName(), NameKind::BeginsCatch);
}

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
  void thrown(CallBase &C);
  bool writesItself(Instruction &I) const;
  bool writes(Instruction &I) const;
  bool throws(const Instruction &I) const;
  void findWriting();
  bool writesBeforeThrow(Function &F);

  const ActivityAnalysis &Act;
  const DenseSet<const Cell *> &Bits; ///< in integers, of such numbers
  const MemoryShape &Shape;
  Unit &U;
  Reporter &R;
  bool Reads = false; ///< a handler looks at the exception
  /// Functions that write numbers with a derivative to memory not their own,
  /// and those that may throw.
  SmallPtrSet<const Function *, 8> Writing, Throwing;
  SmallPtrSet<const Function *, 8> Visited;
};

StringRef calleeName(const CallBase &C) {
  return C.getCalledOperand()->stripPointerCasts()->getName();
}

/// May the handler that the mark leads to return, so that its function's
/// reverse pass runs?
bool goesOn(const CallBase &Mark) {
  const BasicBlock *Handler = handlerOf(Mark);
  if (!Handler)
    return true;
  SmallSetVector<const BasicBlock *, 8> Seen;
  Seen.insert(Handler);
  for (size_t N = 0; N < Seen.size(); ++N) {
    if (isa<ReturnInst>(Seen[N]->getTerminator()))
      return true;
    Seen.insert_range(successors(Seen[N]));
  }
  return false;
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
  // A function of the user's may also have written something.
  const bool Throws = !K.Row->Name.empty();
  if ((Throws ? Reads : !C.onlyReadsMemory()) &&
      any_of(C.args(), [&](Value *A) { return leadsToVaried(A); }))
    R.error(Diag::Exceptions, &C);
}

/// Does I change a number with a derivative in memory that is not the
/// function's own?
bool ExceptionCheck::writesItself(Instruction &I) const {
  const Value *To = nullptr;
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (Act.touchesActive(*S))
      To = S->getPointerOperand();
  } else if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
    if (Act.touchesActive(A->getPointerOperand(), A->getType()))
      To = A->getPointerOperand();
  } else if (auto *C = dyn_cast<CallBase>(&I); C && !U.callee(*C)) {
    KnownCall K = knownCall(*C);
    if (K.Kind == KnownKind::Free || !C->mayWriteToMemory())
      return false;
    for (const Value *A : C->args())
      if (A->getType()->isPointerTy() && Act.shadowed(A) && !To)
        To = A;
    if (K.isCopy() || K.Kind == KnownKind::Set)
      To = Act.shadowed(C->getArgOperand(0)) ? C->getArgOperand(0) : nullptr;
  }
  if (!To)
    return false;
  const Value *Object = getUnderlyingObject(To);
  auto *New = dyn_cast<CallBase>(Object);
  return !isa<AllocaInst>(Object) && !(New && knownCall(*New).isAllocation());
}

bool ExceptionCheck::writes(Instruction &I) const {
  auto *C = dyn_cast<CallBase>(&I);
  UnitFunction *G = C ? U.callee(*C) : nullptr;
  return G ? Writing.contains(G->F) : writesItself(I);
}

bool ExceptionCheck::throws(const Instruction &I) const {
  auto *C = dyn_cast<CallBase>(&I);
  if (!C)
    return false;
  UnitFunction *G = U.callee(*C);
  return G ? Throwing.contains(G->F) : mayUnwind(*C);
}

void ExceptionCheck::findWriting() {
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : U.Functions)
      for (Instruction &I : instructions(*UF->F)) {
        if (writes(I))
          Again |= Writing.insert(UF->F).second;
        if (throws(I))
          Again |= Throwing.insert(UF->F).second;
      }
  }
}

bool ExceptionCheck::writesBeforeThrow(Function &F) {
  if (!Visited.insert(&F).second)
    return false;
  SmallVector<Instruction *> Writes, Throws;
  for (Instruction &I : instructions(F)) {
    if (writes(I))
      Writes.push_back(&I);
    if (throws(I))
      Throws.push_back(&I);
  }
  return any_of(Writes, [&](Instruction *W) {
    return any_of(Throws, [&](Instruction *T) {
      auto *C = dyn_cast<CallBase>(T);
      UnitFunction *G = C ? U.callee(*C) : nullptr;
      // A call that does both may do them in this order.
      return W == T ? G && writesBeforeThrow(*G->F)
                    : isPotentiallyReachable(W, T);
    });
  });
}

void ExceptionCheck::run() {
  if (!U.CatchesExceptions)
    return;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      Reads |= readsCaught(I);
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      if (C)
        thrown(*C);
      // What is made for std::exception_ptr a handler may get at any time.
      if (C && Reads && isA(calleeName(*C), NameKind::KeepsException) &&
          leadsToVaried(C->getArgOperand(0)))
        R.error(Diag::Exceptions, C);
      // Other handlers may be given what this one is.
      if (C && readsCaught(I) && (Act.shadowed(C) || leadsToVaried(C)))
        R.error(Diag::Exceptions, C);
    }
  if (U.DerivMode != Mode::Reverse || R.failed())
    return;
  findWriting();
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      UnitFunction *G = C ? U.callee(*C) : nullptr;
      const CallBase *Mark = G ? threwMark(*C) : nullptr;
      if (!Mark || G->ReturnsExceptions || !Throwing.contains(G->F) ||
          !goesOn(*Mark))
        continue;
      Visited.clear();
      if (writesBeforeThrow(*G->F))
        R.error(Diag::ControlFlow, C,
                {"'" + displayName(*G->Source) +
                 "' may throw after it has written numbers with a derivative, "
                 "and the exception is caught here"});
    }
}

} // namespace

void reportExceptionLosses(const ActivityAnalysis &Act,
                           const DenseSet<const Cell *> &Bits, Reporter &R) {
  ExceptionCheck(Act, Bits, R).run();
}

} // namespace retro
