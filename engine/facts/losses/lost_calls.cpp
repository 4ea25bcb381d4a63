// Calls of which nothing is known, and what is given to them. Such a call is
// refused here, at the user's line: a derivative without its part would be
// silently wrong. Members of LossCheck (loss_check.h).
#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/activity/rounding.h"
#include "facts/losses/loss_check.h"
#include "facts/memory/visible_writes.h"
#include "facts/threads/thread_order.h"
#include "facts/types/declared_types.h"
#include "front/known/entry_points.h"
#include "front/known/exceptions.h"
#include "front/registered/launches.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

/// Is there a number, or what may be one, in memory that V leads to?
bool LossCheck::reachesNumbers(const Value *V) const {
  if (isa<Function, ConstantPointerNull, UndefValue, ConstantInt>(V) ||
      !Shape.carriesPointer(V))
    return false;
  SmallSetVector<unsigned, 8> Seen;
  Seen.insert(Shape.classId(V));
  for (size_t I = 0; I < Seen.size(); ++I) {
    const MemoryClass &C = Shape.classAt(Seen[I]);
    if (C.Origins & FromDup)
      return true;
    for (const Cell &X : C.Cells) {
      if (X.Kind == CellKind::Float && (X.Varied || X.Useful))
        return true;
      if (X.Kind == CellKind::Pointer)
        Seen.insert(Shape.targetOf(X));
    }
  }
  return false;
}

/// An operation of the compiler or the machine, on numbers or on memory.
void LossCheck::unknownIntrinsic(CallBase &C) {
  bool Number =
      (containsFloat(C.getType()) || (Act.adjointType(&C) && Act.useful(&C))) &&
      !roundsToInteger(C) && any_of(C.args(), [&](Value *A) {
        return Act.varied(A) || (isUnknownOfDevice(C) && Bits.contains(A));
      });
  bool Accesses =
      C.getCalledFunction()->isTargetIntrinsic() ||
      is_contained({Intrinsic::masked_load, Intrinsic::masked_store,
                    Intrinsic::masked_gather, Intrinsic::masked_scatter,
                    Intrinsic::masked_expandload,
                    Intrinsic::masked_compressstore},
                   C.getIntrinsicID());
  bool Memory =
      Accesses && any_of(C.args(), [&](Value *A) {
        return A->getType()->isPtrOrPtrVectorTy() && reachesNumbers(A);
      });
  const bool OfBits = isUnknownOfDevice(C) && !C.isConvergent() && !Memory &&
                      C.getType()->isIntOrIntVectorTy();
  if (Number || Memory)
    R.error(OfBits ? Diag::BitArithmetic : Diag::NoDerivative, &C,
            {C.getCalledFunction()->getName().str()});
}

/// A function of which nothing is known may read, write and keep everything
/// that it is given: there is no derivative of it.
void LossCheck::unknown(CallBase &C) {
  KnownKind K = knownCall(C).Kind;
  bool Threads = K == KnownKind::Parallel;
  // Its adjoint adds to arrays that other threads may add to.
  if (UnitFunction *In = Act.unit().find(C.getFunction());
      In && In->Concurrent &&
      ((K == KnownKind::Blas && blasHasWork(Act, C)) ||
       (K == KnownKind::Mpi && mpiHasWork(C))))
    return R.error(Diag::Parallel, &C, {C.getCalledOperand()->getName().str()});
  if (K == KnownKind::Cancel)
    return R.error(Diag::Cancelled, &C);
  if ((K != KnownKind::None && !Threads) || Act.unit().callee(C))
    return;
  if (Threads)
    return R.error(Diag::Parallel, &C, {C.getCalledOperand()->getName().str()});
  if (isa<IntrinsicInst>(C))
    return unknownIntrinsic(C);
  if (asksException(C))
    return reportUnknownOrder(Act.unit(), C, R);
  if (onlyInspects(C))
    return;
  if (none_of(C.args(), [&](Value *A) { return reachesNumbers(A); }))
    return reportUnknownOrder(Act.unit(), C, R);
  reportNoDerivative(C, R);
}

void LossCheck::variadic(CallBase &C) {
  UnitFunction *G = Act.unit().callee(C);
  if (!G || !G->F->isVarArg())
    return;
  // A derivative has the named parameters alone.
  const bool Reads = any_of(instructions(*G->F), [](const Instruction &I) {
    return isa<VAStartInst>(I);
  });
  const auto Named = static_cast<unsigned>(G->F->arg_size());
  for (unsigned I = Reads ? 0 : Named; I < C.arg_size(); ++I) {
    const Value *A = C.getArgOperand(I);
    // Nothing says that what the function finds in its list is what A leads to:
    // numbers there may be read and written that seem to have no derivative.
    if (Act.varied(A) || Act.shadowed(A) ||
        (Reads && I >= Named && reachesNumbers(A)))
      return R.error(Diag::Variadic, &C);
  }
}

/// What a registered inactive function writes has derivative 0, and where it
/// writes is not known well enough to make it so: active numbers that are read
/// here must not be among it.
void LossCheck::inactive(CallBase &C) {
  const Registration *Reg = Act.unit().Registered.of(C);
  if (!Reg || !Reg->Inactive)
    return;
  for (const VisibleWrite &W : visibleWrites(*Reg->Primal)) {
    if (W.Arg >= C.arg_size() || !Act.shadowed(C.getArgOperand(W.Arg)))
      continue;
    Address A = Shape.addressOf(C.getArgOperand(W.Arg));
    const MemoryClass &M = Shape.classAt(A.Class);
    for (const Cell &X : M.Cells) {
      int64_t D = W.Offset ? X.Offset - A.Offset - *W.Offset : 0;
      bool There = M.Stride ? D % M.Stride == 0 : D == 0;
      if (There && X.Kind == CellKind::Float && X.active() &&
          isRead(A.Class, X))
        return R.error(Diag::InactiveWrite, &C, {Reg->Primal->getName().str()});
    }
  }
}

bool LossCheck::isRead(unsigned Class, const Cell &X) const {
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *L = dyn_cast<LoadInst>(&I); L && Act.active(L))
        if (Shape.classId(L->getPointerOperand()) == Class &&
            is_contained(Shape.cellsOf(L->getPointerOperand(), L->getType()),
                         &X))
          return true;
  return false;
}

/// The numbers that a library function may overwrite at A. Where the first
/// character of a text can be there is no number, and a text ends before what
/// lies behind its room. Where the places of an array are folded into one, text
/// beside numbers is taken for text.
SmallVector<const Cell *, 8> LossCheck::overwrittenAt(const CallBase &C,
                                                      const KnownFunction &Row,
                                                      const Value *A) {
  if ((Row.Effects & WritesText) != WritesText)
    return Shape.cellsIn(A, -1); // pointers to pointers are given, too
  SmallVector<const Cell *, 8> Out;
  const int64_t Stride = Shape.classOf(A).Stride;
  if (Stride == 0)
    append_range(Out,
                 Shape.cellsOverlapping(A, Type::getInt8Ty(C.getContext())));
  if (Row.C < 0 || A != C.getArgOperand(static_cast<unsigned>(Row.A)))
    return Out;
  auto *Bytes =
      dyn_cast<ConstantInt>(C.getArgOperand(static_cast<unsigned>(Row.C)));
  if (Stride == 0 || (Bytes && Bytes->getSExtValue() <= Stride))
    append_range(Out, Shape.cellsIn(A, Bytes ? Bytes->getSExtValue() : -1));
  return Out;
}

/// Active memory that a library function changes in a way that has no rule.
void LossCheck::overwritten(CallBase &C) {
  KnownCall K = knownCall(C);
  // The call could not be brought to canonical form: the function is not the
  // library's.
  bool Library = K.Kind == KnownKind::Sort || K.Kind == KnownKind::Search ||
                 K.Kind == KnownKind::Blas || K.Kind == KnownKind::Complex;
  if (Library && !K.Canonical && !Act.unit().Registered.of(C) &&
      any_of(C.args(),
             [&](Value *A) { return Act.varied(A) || Act.shadowed(A); }))
    return R.error(Diag::NoDerivative, &C, {K.Row->Name.str()});
  bool NoRule = K.Kind == KnownKind::Inactive || K.Kind == KnownKind::MathStore;
  if (!NoRule || !(K.Row->Effects & WritesArgs) || Act.unit().Registered.of(C))
    return;
  for (unsigned I = 0; I < C.arg_size(); ++I) {
    Value *A = C.getArgOperand(I);
    if (!A->getType()->isPointerTy() || isa<Constant>(A) ||
        C.onlyReadsMemory(I))
      continue;
    bool Numbers = any_of(overwrittenAt(C, *K.Row, A), [](const Cell *X) {
      return X->Kind == CellKind::Float && X->active();
    });
    if (Numbers)
      return R.error(Diag::NoDerivative, &C,
                     {C.getCalledOperand()->getName().str()});
  }
}

/// Memory of the heap stands for that of a resource, as long as nobody else
/// gives it back: a container that the caller made might.
void LossCheck::ofResource(const CallBase &C) {
  if (!C.hasFnAttr(OfResource) || Act.unit().DerivMode == Mode::Forward ||
      knownCall(C).Kind == KnownKind::None)
    return;
  const unsigned Block =
      Shape.classId(knownCall(C).isAllocation() ? &C : C.getArgOperand(1));
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id) {
    if (!Shape.isRepresentative(Id) || !Shape.isReachable(Shape.classAt(Id)))
      continue;
    if (Id == Block || any_of(Shape.classAt(Id).Cells, [&](const Cell &X) {
          return X.Kind == CellKind::Pointer && Shape.targetOf(X) == Block;
        }))
      return R.error(Diag::UnknownShadow, &C,
                     {"it belongs to a memory resource, and code outside of "
                      "the derivative reaches it"});
  }
}

/// A call of a registered derivative: it must fit, and no bits of numbers may
/// go into it as integers.
void LossCheck::custom(CallBase &C) {
  checkCustomCall(Act, C, R);
  const Registration *Reg = Act.unit().Registered.of(C);
  for (unsigned N = 0; Reg && N < C.arg_size(); ++N) {
    const Value *A = C.getArgOperand(N);
    bool Number = containsFloat(A->getType());
    bool Words = Act.varied(A) && Act.adjointType(A) != A->getType();
    // A struct that travels as a word may be undefined in part.
    auto *Word = dyn_cast<LoadInst>(A);
    bool Struct = Word && Word->getType()->isIntegerTy(64) &&
                  !Reg->Primal->getArg(N)->hasAttribute(Attribute::NoUndef) &&
                  Shape.isUntyped(A) &&
                  (Shape.classOf(Word->getPointerOperand()).Origins & FromDup);
    if ((Bits.contains(A) && !Number) || Words || Struct)
      return R.error(
          Diag::CustomArgument, &C,
          {Reg->Primal->getName().str(), "numbers in it travel as an integer"});
  }
}

} // namespace retro
