#include "facts/losses/losses.h"

#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/activity/rounding.h"
#include "facts/losses/atomic_losses.h"
#include "facts/losses/exception_losses.h"
#include "facts/losses/library_losses.h"
#include "facts/losses/transfer_losses.h"
#include "facts/memory/declared_types.h"
#include "facts/memory/visible_writes.h"
#include "facts/threads/thread_order.h"
#include "facts/writes/global_shadows.h"
#include "front/known/entry_points.h"
#include "front/registered/launches.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace retro {
namespace {

/// Does a pointer step through memory byte by byte? What is at a constant
/// place of an element is a field of its own.
bool sweepsBytes(const Value *Ptr, const DataLayout &DL) {
  for (;;) {
    Ptr = Ptr->stripPointerCasts();
    auto *G = dyn_cast<GEPOperator>(Ptr);
    if (!G)
      return isa<PHINode, LoadInst, SelectInst>(Ptr);
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(64, 0);
    if (!G->collectOffset(DL, 64, Variable, Constant))
      return true;
    for (auto &[Index, Scale] : Variable)
      if (Scale.countr_zero() +
              computeKnownBits(Index, DL).countMinTrailingZeros() <
          2)
        return true;
    Ptr = G->getPointerOperand();
  }
}

class LossCheck {
public:
  LossCheck(ActivityAnalysis &Act, Reporter &R)
      : Act(Act), Shape(Act.shape()), R(R) {}

  void run() {
    spread();
    for (auto &UF : Act.unit().Functions)
      for (Instruction &I : instructions(*UF->F)) {
        brokenBits(I);
        if (auto *C = dyn_cast<IntToPtrInst>(&I))
          lostPointer(*C);
        if (auto *C = dyn_cast<BitCastInst>(&I))
          lostNumber(*C);
        if (auto *L = dyn_cast<LoadInst>(&I)) {
          ambiguousWord(*L);
          hiddenNumber(*L);
        }
        if (isa<LoadInst, StoreInst>(I))
          misalignedWord(I);
        if (auto *C = dyn_cast<CallBase>(&I)) {
          unknown(*C);
          variadic(*C);
          overwritten(*C);
          inactive(*C);
          if (isCustom(*C))
            custom(*C);
          if (isMpi(*C))
            checkMpiCall(Act, *C, R);
          if (C->hasFnAttr(Attribute::ReturnsTwice))
            R.error(Diag::ControlFlow, C, {"a call that returns twice"});
        }
      }
    reportAtomicLosses(Act, R);
    reportLibraryLosses(Act, R);
    reportExceptionLosses(Act, R);
    reportGlobalShadows(Act, R);
    reportTransferLosses(Act, R);
    reportThreadOrder(Act, R);
  }

private:
  bool carriesBits(const Value *V) const {
    return Bits.contains(V) ||
           (Act.varied(V) && !V->getType()->isFPOrFPVectorTy() &&
            !V->getType()->isAggregateType());
  }
  bool mayBeBits(const Value &V) const {
    return V.getType()->isAggregateType() || !Act.adjointType(&V);
  }
  bool takesBits(const Instruction &I) const;
  bool takesByte(const LoadInst &L) const;
  bool givesByte(const StoreInst &S) const;
  bool movesUnaligned(const StoreInst &S) const;
  void spread();
  bool takesApart(const CallBase &C) const;
  void lostPointer(IntToPtrInst &I);
  void lostNumber(BitCastInst &I);
  void brokenBits(Instruction &I);
  bool reachesNumbers(const Value *V) const;
  void unknown(CallBase &C);
  void unknownIntrinsic(CallBase &C);
  void ambiguousWord(LoadInst &L);
  bool keepsBits();
  void hiddenNumber(LoadInst &L);
  void misalignedWord(Instruction &I);
  bool wholeNumber(Instruction &I, Type *F);
  void variadic(CallBase &C);
  void overwritten(CallBase &C);
  void custom(CallBase &C);
  void inactive(CallBase &C);
  bool isRead(unsigned Class, const Cell &X) const;

  ActivityAnalysis &Act;
  MemoryShape &Shape;
  Reporter &R;
  /// Integers that hold a part of the bits of a varied number, and no number.
  DenseSet<const Value *> Bits;
  std::optional<bool> KeepsBits; ///< keepsBits, when it has been asked
};

/// Is a byte taken here that is a part of a number, or of a pointer to such,
/// or that may be one for all that is known?
bool LossCheck::takesByte(const LoadInst &L) const {
  const Value *Ptr = L.getPointerOperand();
  const MemoryClass &C = Shape.classOf(Ptr);
  if (!L.getType()->isIntegerTy(8))
    return false;
  auto Concerns = [&](const Cell &X) {
    if (X.Kind == CellKind::Pointer) {
      const MemoryClass &To = Shape.classAt(Shape.targetOf(X));
      return To.Shadowed || (To.Origins & FromDup);
    }
    return X.Kind == CellKind::Float && X.Varied;
  };
  if ((C.Origins & FromDup) && all_of(C.Cells, [](const Cell &X) {
        return X.Kind == CellKind::Int && X.Size == 1;
      }))
    return true;
  if (!C.Stride)
    return any_of(Shape.cellsOverlapping(Ptr, L.getType()),
                  [&](Cell *X) { return X->Size > 1 && Concerns(*X); });
  // Another field, unless all of it is swept.
  return C.Stride % 4 != 0 && sweepsBytes(Ptr, L.getDataLayout()) &&
         any_of(C.Cells, Concerns);
}

/// Do the stored bits become a number or pointer, or what may be one?
bool LossCheck::givesByte(const StoreInst &S) const {
  const Value *Ptr = S.getPointerOperand();
  const MemoryClass &C = Shape.classOf(Ptr);
  Type *T = S.getValueOperand()->getType();
  if (!T->isIntegerTy(8))
    return false;
  if ((C.Origins & FromDup) && all_of(C.Cells, [](const Cell &X) {
        return X.Kind == CellKind::Int && X.Size == 1;
      }))
    return true;
  return any_of(Shape.cellsOverlapping(Ptr, T), [](Cell *X) {
    return (X->Kind == CellKind::Float && X->Useful) ||
           X->Kind == CellKind::Pointer;
  });
}

/// Does a word from arguments go to arguments that is not aligned as an integer
/// of its size: two floats, copied, in memory of which nothing else is known?
bool LossCheck::movesUnaligned(const StoreInst &S) const {
  auto *L = dyn_cast<LoadInst>(S.getValueOperand());
  Type *T = S.getValueOperand()->getType();
  if (!L || !T->isIntegerTy(64))
    return false;
  Align Known = std::min(S.getAlign(), L->getAlign());
  const Value *To = S.getPointerOperand();
  return Known > Align(1) &&
         Known < Act.unit().M.getDataLayout().getABITypeAlign(T) &&
         (Shape.classOf(To).Origins & FromDup) &&
         all_of(
             Shape.cellsOverlapping(To, T),
             [](Cell *C) { return C->Kind == CellKind::Int && !C->Declared; });
}

/// An operation of a GPU of which the table says nothing.
bool isUnknownOfDevice(const Value &V) {
  auto *C = dyn_cast<IntrinsicInst>(&V);
  StringRef Name = C ? C->getCalledFunction()->getName() : "";
  return (Name.starts_with("llvm.nvvm.") || Name.starts_with("llvm.amdgcn.")) &&
         knownCall(*C).Kind == KnownKind::None;
}

/// Has the result, which is no number, bits of a varied number in it?
bool LossCheck::takesBits(const Instruction &I) const {
  // The numbers of an aggregate are known as such; its integers may be bits.
  const bool Several = I.getType()->isAggregateType();
  if (I.getType()->isFPOrFPVectorTy() || !mayBeBits(I))
    return false;
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (!(Several || I.getType()->isIntOrIntVectorTy()) ||
        Shape.accessesOwnInteger(I))
      return false;
    if (takesByte(*L))
      return true;
    // What an argument points to may be a number unless something says what
    // it is.
    const Value *Ptr = L->getPointerOperand();
    bool Argument = Shape.classOf(Ptr).Origins & FromDup;
    return any_of(Shape.cellsOf(Ptr, L->getType()), [&](Cell *C) {
      return C->Kind != CellKind::Pointer &&
             !(Several && C->Kind == CellKind::Float) &&
             (C->Varied || (Argument && C->Kind == CellKind::Int &&
                            C->Size > 1 && !C->Declared));
    });
  }
  if (isa<BitCastInst>(I))
    return Act.varied(I.getOperand(0)) || Bits.contains(I.getOperand(0));
  if (!I.getType()->isIntOrIntVectorTy() && !Several)
    return false;
  // Moved about, or compared and one of them chosen; by GPUs from thread to
  // thread.
  auto *Builtin = dyn_cast<IntrinsicInst>(&I);
  if (Builtin && I.getType() == Builtin->getArgOperand(0)->getType() &&
      (Builtin->doesNotAccessMemory() || Builtin->isConvergent()))
    return any_of(Builtin->args(),
                  [&](const Use &O) { return carriesBits(O); });
  if (isUnknownOfDevice(I))
    return any_of(Builtin->args(), [&](const Use &O) {
      return Bits.contains(O) || Act.varied(O);
    });
  if (!isa<BinaryOperator, PHINode, SelectInst, FreezeInst, TruncInst, ZExtInst,
           SExtInst, InsertElementInst, ExtractElementInst, ShuffleVectorInst,
           InsertValueInst, ExtractValueInst>(I))
    return false;
  return any_of(I.operands(), [&](const Use &O) {
    return Several ? Bits.contains(O) : carriesBits(O);
  });
}

void LossCheck::spread() {
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : Act.unit().Functions)
      for (Instruction &I : instructions(*UF->F)) {
        if (auto *S = dyn_cast<StoreInst>(&I);
            S && Bits.contains(S->getValueOperand()) &&
            !Shape.accessesOwnInteger(I)) {
          for (Cell *C : Shape.cellsOf(S->getPointerOperand(),
                                       S->getValueOperand()->getType()))
            if (C->Kind == CellKind::Int && !C->Varied)
              C->Varied = Again = true;
        }
        if (auto *C = dyn_cast<CallBase>(&I))
          if (UnitFunction *G = Act.unit().callee(*C)) {
            for (Argument &A : G->F->args())
              if (A.getArgNo() < C->arg_size() && mayBeBits(A) &&
                  carriesBits(C->getArgOperand(A.getArgNo())))
                Again |= Bits.insert(&A).second;
            for (BasicBlock &B : *G->F)
              if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
                if (Value *V = Ret->getReturnValue();
                    V && mayBeBits(I) && carriesBits(V))
                  Again |= Bits.insert(&I).second;
          }
        if (!Bits.contains(&I) && takesBits(I))
          Again |= Bits.insert(&I).second;
      }
  }
}

/// Does a function of integers, which has no derivative, make the bits of a
/// number of those of another one?
bool LossCheck::takesApart(const CallBase &C) const {
  KnownCall K = knownCall(C);
  if (C.getType()->isFPOrFPVectorTy() || Act.unit().callee(C) ||
      K.Kind != KnownKind::Inactive)
    return false;
  return any_of(C.args(), [&](const Use &A) {
    return A->getType()->isIntOrIntVectorTy() && carriesBits(A);
  });
}

/// Is it a number of elements in bytes? What LLVM makes of null and an offset:
/// the end of an array without elements, which nobody looks behind. (A narrow
/// number that is made wide may be an address that is kept in short form.)
static bool isSize(const Value *V) {
  while (auto *B = dyn_cast<BinaryOperator>(V)) {
    if (!isa<ConstantInt>(B->getOperand(1)))
      return false;
    V = B->getOperand(0);
    if (is_contained({Instruction::Shl, Instruction::Mul}, B->getOpcode()))
      return V->getType()->isIntegerTy(64) && !isa<ZExtInst>(V);
    if (!is_contained({Instruction::Add, Instruction::Or}, B->getOpcode()))
      return false;
  }
  return false;
}

/// A pointer made of a word of which it is not known what it points to.
void LossCheck::lostPointer(IntToPtrInst &I) {
  const Value *Word = I.getOperand(0);
  if (!isa<Constant>(Word) && !isSize(Word) && Act.shadowed(&I) &&
      !Act.shadowed(Word))
    R.error(Diag::UnknownShadow, &I, {"its address is computed with integers"});
}

/// A number that the optimizer has loaded as the pointer beside it in a union.
/// What is only moved on may be the pointer; what is computed with is none.
void LossCheck::lostNumber(BitCastInst &I) {
  auto *Word = dyn_cast<PtrToIntInst>(I.getOperand(0));
  auto *L = Word ? dyn_cast<LoadInst>(Word->getPointerOperand()) : nullptr;
  if (L && Act.useful(&I) && !Act.varied(&I) &&
      any_of(
          I.users(),
          [](const User *U) {
            if (auto *C = dyn_cast<CallBase>(U))
              return knownCall(*C).Kind == KnownKind::Math;
            return !isa<PHINode, SelectInst, StoreInst, CastInst, FreezeInst>(
                U);
          }) &&
      any_of(Shape.cellsOverlapping(L->getPointerOperand(), L->getType()),
             [](Cell *C) { return C->Kind == CellKind::Float && C->Varied; }))
    R.error(Diag::UnknownType, &I);
}

/// Bits that become a number again, one that a result depends on.
void LossCheck::brokenBits(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Value *V = S->getValueOperand();
    if (!Bits.contains(V) || Shape.accessesOwnInteger(I))
      return;
    if (givesByte(*S))
      return R.error(Diag::ByteCopy, &I);
    if (movesUnaligned(*S))
      return R.error(Diag::UnknownType, &I);
    for (Cell *C : Shape.cellsOf(S->getPointerOperand(), V->getType()))
      if (C->Kind == CellKind::Float && C->Useful)
        return R.error(Diag::BitArithmetic, &I, {"store"});
    return;
  }
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (!L->getType()->isFPOrFPVectorTy() || !Act.useful(L) || Act.varied(L) ||
        Shape.classOf(L->getPointerOperand()).Stride)
      return;
    for (Cell *C : Shape.cellsOverlapping(L->getPointerOperand(), L->getType()))
      if (C->Kind == CellKind::Float && C->Varied)
        return R.error(Diag::BitArithmetic, &I, {"load"});
    return;
  }
  if (!Act.useful(&I) || !Act.adjointType(&I))
    return;
  if (auto *C = dyn_cast<CallBase>(&I); C && takesApart(*C))
    return R.error(Diag::BitArithmetic, &I,
                   {C->getCalledOperand()->getName().str()});
  // Of calls, those that move bits about.
  if (isa<CallBase>(I) &&
      !(isa<IntrinsicInst>(I) && I.getType()->isIntOrIntVectorTy()))
    return;
  if (isa<SIToFPInst, UIToFPInst>(I))
    return;
  for (const Use &O : I.operands())
    if (Bits.contains(O) && !isa<CmpInst>(O) &&
        !O->getType()->isAggregateType() &&
        !(isa<SelectInst>(I) && O.getOperandNo() == 0) &&
        !(isa<ExtractElementInst>(I) && O.getOperandNo() == 1) &&
        !(isa<InsertElementInst>(I) && O.getOperandNo() == 2))
      return R.error(Diag::BitArithmetic, &I, {I.getOpcodeName()});
}

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
      (containsFloatType(C.getType()) ||
       (Act.adjointType(&C) && Act.useful(&C))) &&
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
  if (onlyInspects(C))
    return;
  if (none_of(C.args(), [&](Value *A) { return reachesNumbers(A); }))
    return reportUnknownOrder(Act.unit(), C, R);
  reportNoDerivative(C, R);
}

/// Are the words that a call is given numbers of bytes or of elements?
static bool takesSizes(const CallBase &C) {
  switch (knownCall(C).Kind) {
  case KnownKind::Alloc:
  case KnownKind::AllocZero:
  case KnownKind::AllocStore:
  case KnownKind::Realloc:
  case KnownKind::Free:
  case KnownKind::Copy:
  case KnownKind::Move:
  case KnownKind::Set:
    return true;
  default:
    return false;
  }
}

/// Is the word itself, not what is computed from it, stored or passed on?
static bool isMoved(const LoadInst &L) {
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&L);
  for (size_t N = 0; N < Seen.size(); ++N)
    for (const User *U : Seen[N]->users()) {
      auto *C = dyn_cast<CallBase>(U);
      if (C ? knownCall(*C).Kind != KnownKind::Inactive && !takesSizes(*C)
            : isa<StoreInst, ReturnInst, InsertValueInst, InsertElementInst,
                  CastInst>(U) &&
                  !isa<TruncInst>(U))
        return true;
      if (isa<PHINode, SelectInst, FreezeInst, TruncInst>(U))
        Seen.insert(U);
    }
  return false;
}

/// Is a word that is moved aligned as one number on both sides, where it is
/// taken for narrower ones, because such are somewhere in memory that is
/// indexed?
bool LossCheck::wholeNumber(Instruction &I, Type *F) {
  auto *S = dyn_cast<StoreInst>(&I);
  if (!S || Shape.declaredKind(S->getValueOperand()))
    return false;
  const Value *To = S->getPointerOperand(), *From = nullptr;
  Align Known = S->getAlign();
  if (auto *L = dyn_cast<LoadInst>(S->getValueOperand())) {
    From = L->getPointerOperand();
    Known = std::min(Known, L->getAlign());
  }
  const DataLayout &DL = S->getDataLayout();
  const uint64_t Size = DL.getTypeStoreSize(S->getValueOperand()->getType());
  auto Indexed = [&](const Value *P) {
    int64_t Stride = P ? Shape.classOf(P).Stride : 0;
    return Stride && Stride < static_cast<int64_t>(Size);
  };
  auto Declared = [&](const Value *P) { return P && Shape.isDeclared(P, F); };
  return DL.getTypeStoreSize(F) < Size && Known >= Align(Size) &&
         (Indexed(To) || Indexed(From)) && !Declared(To) && !Declared(From);
}

/// A word that is moved as an integer, taken for a number for whose type it is
/// not aligned: two narrower ones, in memory that nothing accesses as a number.
void LossCheck::misalignedWord(Instruction &I) {
  const Value *V = isa<LoadInst>(I) ? &I : I.getOperand(0);
  const Value *P = getLoadStorePointerOperand(&I);
  Type *F = V->getType()->isIntegerTy() && Act.varied(V)
                ? Shape.floatCarriedBy(V)
                : nullptr;
  // Of bytes no alignment is known, which says nothing.
  Align Known = getLoadStoreAlignment(&I);
  if (!F)
    return;
  if (wholeNumber(I, F))
    return R.error(Diag::UnknownType, &I);
  if (Known == Align(1) ||
      Known >= Act.unit().M.getDataLayout().getABITypeAlign(F))
    return;
  auto Cells = Shape.cellsOf(P, V->getType());
  if (none_of(Cells, [](Cell *C) { return C->Declared; }) &&
      any_of(Cells,
             [](Cell *C) { return C->Kind == CellKind::Float && C->active(); }))
    R.error(Diag::UnknownType, &I);
}

/// A word that is loaded as an integer and may be an active number of several
/// types, or a pointer to active memory: each has a shadow of its own kind.
void LossCheck::ambiguousWord(LoadInst &L) {
  if (!L.getType()->isIntegerTy() || !Act.varied(&L) || !isMoved(L) ||
      Shape.declaredKind(&L))
    return;
  SmallPtrSet<Type *, 2> Numbers;
  bool Pointer = false;
  for (Cell *C : Shape.cellsOf(L.getPointerOperand(), L.getType())) {
    if (C->Kind == CellKind::Float && C->active())
      Numbers.insert(C->FloatTy);
    Pointer |= C->Kind == CellKind::Pointer && C->Declared &&
               Shape.classAt(Shape.targetOf(*C)).Shadowed;
  }
  if (Numbers.size() + Pointer > 1)
    R.error(Diag::UnknownType, &L);
}

/// Is a number loaded or stored as what the program declares an integer?
static bool passesAsInteger(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || !getLoadStorePointerOperand(&I) || Tag->getNumOperands() < 2 ||
      !getLoadStoreType(&I)->isFPOrFPVectorTy())
    return false;
  auto *Access = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  auto *Name = Access && Access->getNumOperands()
                   ? dyn_cast_or_null<MDString>(Access->getOperand(0))
                   : nullptr;
  return Name &&
         is_contained({"int", "long", "long long", "short"}, Name->getString());
}

/// Does the program keep numbers in objects of integer type?
bool LossCheck::keepsBits() {
  if (!KeepsBits)
    KeepsBits = any_of(Act.unit().Functions, [&](const auto &UF) {
      return UF->F->hasFnAttribute(BitsInIntegers) ||
             any_of(instructions(*UF->F), passesAsInteger);
    });
  return *KeepsBits;
}

/// A word that is moved, and that the program declares to be an integer, where
/// other objects have an active number: it may be a number that is kept in one.
void LossCheck::hiddenNumber(LoadInst &L) {
  if (!L.getType()->isIntegerTy() || !Shape.accessesOwnInteger(L) ||
      !isMoved(L) || !keepsBits())
    return;
  const uint64_t Bytes = L.getDataLayout().getTypeStoreSize(L.getType());
  if (any_of(Shape.cellsOf(L.getPointerOperand(), L.getType()), [&](Cell *C) {
        return C->Kind == CellKind::Float && C->Size == Bytes && C->active();
      }))
    R.error(Diag::UnknownType, &L);
}

void LossCheck::variadic(CallBase &C) {
  UnitFunction *G = Act.unit().callee(C);
  if (!G || !G->F->isVarArg())
    return;
  // A derivative has the named parameters alone.
  const bool Reads = any_of(instructions(*G->F), [](const Instruction &I) {
    return isa<VAStartInst>(I);
  });
  for (unsigned I = Reads ? 0 : static_cast<unsigned>(G->F->arg_size());
       I < C.arg_size(); ++I)
    if (Act.varied(C.getArgOperand(I)) || Act.shadowed(C.getArgOperand(I)))
      return R.error(Diag::Variadic, &C);
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

/// Active memory that a library function changes in a way that has no rule.
void LossCheck::overwritten(CallBase &C) {
  KnownCall K = knownCall(C);
  // What could not be brought to canonical form: not the library's function.
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
    // Inactive functions are given pointers to pointers too.
    bool Numbers = any_of(Shape.cellsIn(A, -1), [](Cell *X) {
      return X->Kind == CellKind::Float && X->active();
    });
    if (Numbers)
      return R.error(Diag::NoDerivative, &C,
                     {C.getCalledOperand()->getName().str()});
  }
}

/// A call of a registered derivative: it must fit, and no bits of numbers may
/// go into it as integers.
void LossCheck::custom(CallBase &C) {
  checkCustomCall(Act, C, R);
  const Registration *Reg = Act.unit().Registered.of(C);
  for (unsigned N = 0; Reg && N < C.arg_size(); ++N) {
    const Value *A = C.getArgOperand(N);
    bool Number = containsFloatType(A->getType());
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

} // namespace

void reportLosses(ActivityAnalysis &Act, Reporter &R) {
  LossCheck(Act, R).run();
}

} // namespace retro
