// What calls say about the contents of memory. Without it what an allocation
// gives and what a copy moves would be memory of nobody's. Members of
// ShapeBuilder (shape_builder.h).
#include "facts/memory/shape_builder.h"
#include "facts/memory/thrown_objects.h"

#include "front/known/known_functions.h"
#include "front/registered/sayings.h"

using namespace llvm;

namespace retro {

/// Copies of so many bytes are taken for those of a part of an object, which
/// may be a number.
constexpr int64_t SmallestPart = 4, LargestPart = 64;

void ShapeBuilder::addOrigin(const Value *Ptr, unsigned Origins) {
  Classes[classId(Ptr)].Origins |= Origins;
}

/// Parameters are the arguments, and the result is what is returned.
void ShapeBuilder::visitUnitCall(CallBase &C, UnitFunction &Callee) {
  for (Argument &A : Callee.F->args())
    if (A.getArgNo() < C.arg_size())
      unifyValues(&A, C.getArgOperand(A.getArgNo()));
  for (BasicBlock &B : *Callee.F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      if (Ret->getReturnValue())
        unifyValues(&C, Ret->getReturnValue());
}

/// A function with a derivative of the user's own.
void ShapeBuilder::visitCustom(CallBase &C) {
  Customs.push_back(&C);
  if (C.arg_size() && C.paramHasAttr(0, Attribute::StructRet)) {
    unsigned Budget = 512;
    Address A = addressOf(C.getArgOperand(0));
    declare(C.getParamStructRetType(0), A.Class, A.Offset, Budget);
  }
  if (!C.getType()->isPointerTy())
    return;
  const Registration *R = U.Registered.of(C);
  const bool Known = R && !R->Keeps.empty();
  addOrigin(&C, Known ? FromHeap : FromHeap | FromUnknown);
  // It has a pointer to each operand's memory, wherever that is in it.
  for (size_t I = 0; Known && I < R->Keeps.size(); ++I) {
    Address At = addressOf(&C);
    At.Offset += static_cast<int64_t>(I * DL.getPointerSize());
    const unsigned X =
        cell(At, CellKind::Pointer, nullptr, DL.getPointerSize()).Content;
    unifyContents(X, contentOf(C.getArgOperand(R->Keeps[I])));
  }
}

void ShapeBuilder::visitResult(const CallBase &C) {
  if (auto *Returned = C.getReturnedArgOperand())
    unifyValues(&C, Returned);
  else if (C.getType()->isPointerTy())
    addOrigin(&C, FromUnknown);
}

/// What the program says of so many bytes; of a number that is not known, of
/// the first element.
void ShapeBuilder::visitSaying(const CallBase &C, Saying What) {
  if (C.arg_size() == 0 || !C.getArgOperand(0)->getType()->isPointerTy())
    return;
  const Value *Ptr = C.getArgOperand(0);
  LLVMContext &Ctx = U.M.getContext();
  Type *T = What == Saying::Double  ? Type::getDoubleTy(Ctx)
            : What == Saying::Float ? Type::getFloatTy(Ctx)
                                    : nullptr;
  const int64_t Word =
      T ? int64_t(DL.getTypeStoreSize(T)) : int64_t(DL.getPointerSize());
  int64_t Bytes = C.arg_size() > 1 ? constantSize(C.getArgOperand(1)) : -1;
  Bytes = Bytes < 0 ? Word : std::min(Bytes, 64 * Word);
  for (int64_t O = 0; O < Bytes; O += Word) {
    Address A = addressOf(Ptr);
    markField({A.Class, A.Offset + O}, T, What == Saying::Pointer,
              static_cast<unsigned>(std::min(Word, Bytes - O)));
  }
}

/// It stores the address of what it allocates to where its first operand
/// points.
void ShapeBuilder::visitAllocStore(const CallBase &C) {
  const unsigned X = cell(addressOf(C.getArgOperand(0)), CellKind::Pointer,
                          nullptr, DL.getPointerSize())
                         .Content;
  Classes[target(X).Class].Origins |= FromHeap;
}

/// A copy of a part of an object is aligned as that is.
void ShapeBuilder::noteMove(const Value *Of, MaybeAlign Known, int64_t Size) {
  const auto At = static_cast<unsigned>(Known.valueOrOne().value());
  MemoryClass &C = Classes[classId(Of)];
  C.MoveAlign = std::min(C.MoveAlign, At);
  if (Size >= SmallestPart && Size <= LargestPart)
    C.PartAlign = std::min(C.PartAlign, At);
}

void ShapeBuilder::visitCopy(CallBase &C, Value *To, Value *From,
                             Value *Bytes) {
  const int64_t Size = constantSize(Bytes);
  Copies.push_back({&C, To, From, Size});
  noteMove(To, C.getParamAlign(0), Size);
  noteMove(From, C.getParamAlign(1), Size);
  Classes[classId(To)].CopiedTo = true;
  copiedFields(C, To, From);
  copiedObjects(C, To, From);
}

void ShapeBuilder::visitFree(const Value *Ptr) {
  if (!isa<ConstantPointerNull>(Ptr))
    Classes[classId(Ptr)].Freed = true;
}

/// A handler may be given whatever the unit throws.
void ShapeBuilder::visitException(const CallBase &C) {
  if (Exceptions.empty())
    FollowsExceptions = !U.Split && isCaughtWhole(U);
  Exceptions.push_back(&C);
  if (FollowsExceptions) {
    addOrigin(&C, FromHeap);
    unifyValues(&C, Exceptions.front());
  } else {
    visitResult(C);
  }
}

void ShapeBuilder::visitCall(CallBase &C) {
  if (UnitFunction *Callee = U.callee(C))
    return visitUnitCall(C, *Callee);
  if (Saying S = sayingOf(C); isOfMemory(S))
    return visitSaying(C, S);
  // A mark that is not lowered yet.
  if (C.getCalledOperand()->getName() == HeadPointer)
    return unifyValues(&C, C.getArgOperand(0));
  if (isThrownObject(C) || isCaughtObject(C))
    return visitException(C);
  KnownCall K = knownCall(C);
  auto Arg = [&](int I) { return C.getArgOperand(static_cast<unsigned>(I)); };
  switch (K.Kind) {
  case KnownKind::Copy:
  case KnownKind::Move:
    visitCopy(C, Arg(K.Row->A), Arg(K.Row->B), Arg(K.Row->C));
    break;
  case KnownKind::Alloc:
  case KnownKind::AllocZero:
    addOrigin(&C, FromHeap);
    break;
  case KnownKind::AllocStore:
    visitAllocStore(C);
    break;
  case KnownKind::Realloc:
    addOrigin(&C, FromHeap);
    unifyValues(&C, Arg(K.Row->B));
    break;
  case KnownKind::Custom:
    visitCustom(C);
    break;
  case KnownKind::Free:
    visitFree(Arg(K.Row->A));
    break;
  case KnownKind::Mirror:
    visitMirror(C, K.Row->Text);
    break;
  case KnownKind::Blas:
    visitBlas(C);
    break;
  case KnownKind::Mpi:
    visitMpi(C);
    break;
  case KnownKind::Shuffle:
    unifyValues(&C, Arg(K.Row->A));
    break;
  default:
    visitResult(C);
    break;
  }
  if (K.returnedOperand() >= 0 && !C.getType()->isVoidTy())
    unifyValues(&C, Arg(K.returnedOperand()));
  // Pointer results in memory (modf, frexp, sincos, remquo).
  for (unsigned I = 0; I < C.arg_size(); ++I)
    if (Type *T = K.outputType(C, I))
      access(C.getArgOperand(I), T, nullptr, &C);
}

} // namespace retro
