// What each instruction says about the contents of memory.
#include "facts/memory/memory_shape.h"

#include "facts/memory/declared_types.h"

#include "facts/parallel/atomic_choices.h"
#include "front/known/known_functions.h"
#include "front/registered/registrations.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// Leaves of a first-class type in order: scalars of nested structs/arrays.
void leaves(Type *T, SmallVectorImpl<Type *> &Out) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (Type *E : S->elements())
      leaves(E, Out);
  } else if (auto *A = dyn_cast<ArrayType>(T)) {
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      leaves(A->getElementType(), Out);
  } else {
    Out.push_back(T);
  }
}

unsigned leafCount(Type *T) {
  SmallVector<Type *> L;
  leaves(T, L);
  return static_cast<unsigned>(L.size());
}

/// The number of the first leaf below an index path.
unsigned leafIndex(Type *T, ArrayRef<unsigned> Path) {
  unsigned N = 0;
  for (unsigned I : Path) {
    if (auto *S = dyn_cast<StructType>(T)) {
      for (unsigned K = 0; K < I; ++K)
        N += leafCount(S->getElementType(K));
      T = S->getElementType(I);
    } else {
      T = T->getArrayElementType();
      N += I * leafCount(T);
    }
  }
  return N;
}

/// Does combining the bits of a number with V leave a number: a mask of the
/// sign or of the rest, the sign of another number, or all bits or none?
bool keepsFloat(const Value *V) {
  const APInt *C;
  if (match(V, m_APInt(C)))
    return C->isSignMask() || C->isMaxSignedValue() || C->isAllOnes();
  if (match(V, m_And(m_Value(), m_APInt(C))))
    return C->isSignMask() || C->isMaxSignedValue();
  const Value *B;
  return match(V, m_SExt(m_Value(B))) && B->getType()->isIntOrIntVectorTy(1);
}

/// Arithmetic that can be undone, or moves a part of the bits as they are. What
/// multiplies, divides or counts makes other numbers of them.
bool keepsBits(const Instruction &I) {
  if (auto *C = dyn_cast<IntrinsicInst>(&I))
    return is_contained(
        std::initializer_list<Intrinsic::ID>{
            Intrinsic::bswap, Intrinsic::bitreverse, Intrinsic::fshl,
            Intrinsic::fshr, Intrinsic::smax, Intrinsic::smin, Intrinsic::umax,
            Intrinsic::umin, Intrinsic::abs},
        C->getIntrinsicID());
  return is_contained(
      std::initializer_list<unsigned>{
          Instruction::And, Instruction::Or, Instruction::Xor, Instruction::Shl,
          Instruction::LShr, Instruction::AShr, Instruction::Add,
          Instruction::Sub, Instruction::Trunc, Instruction::ZExt,
          Instruction::SExt},
      I.getOpcode());
}

} // namespace

/// The word V is the bits of numbers of type T.
void MemoryShape::markBits(const Value *V, Type *T) {
  Content &C = Contents[contentOf(V)];
  C.Float = T->getScalarType();
  C.OfBits = true;
}

/// The result is an integer, of a number's bits if an operand is.
void MemoryShape::noteArithmetic(const Instruction &I) {
  unsigned Result = contentOf(&I);
  Contents[Result].Int = Contents[Result].Computed = true;
  if (!keepsBits(I))
    return;
  for (const Use &O : I.operands())
    if (O->getType()->isIntOrIntVectorTy() && tracked(O->getType()) &&
        !isa<Constant>(O))
      Derived.push_back({contentOf(O), Result});
}

/// Integers narrow as a byte carry neither pointers nor floats.
bool MemoryShape::tracked(Type *T) const {
  T = T->getScalarType();
  return T->isPointerTy() ||
         (T->isIntegerTy() && T->getIntegerBitWidth() >= 16);
}

unsigned MemoryShape::contentOf(const Value *V, unsigned Leaf) {
  auto [It, New] = ValueContent.try_emplace({V, Leaf}, 0);
  if (!New)
    return findContent(It->second);
  unsigned C = newContent();
  It->second = C;
  Contents[C].Pointer = V->getType()->isPtrOrPtrVectorTy();
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    addGlobal(*G);
  } else if (auto *CE = dyn_cast<ConstantExpr>(V)) {
    if (CE->getOpcode() == Instruction::GetElementPtr)
      visitGEP(*CE, C);
    else if (CE->isCast())
      unifyContents(C, contentOf(CE->getOperand(0)));
  } else if (auto *A = dyn_cast<GlobalAlias>(V)) {
    unifyContents(C, contentOf(A->getAliaseeObject()));
  }
  return findContent(C);
}

void MemoryShape::unifyValues(const Value *A, const Value *B) {
  if (isa<ConstantPointerNull, UndefValue, ConstantInt>(A) ||
      isa<ConstantPointerNull, UndefValue, ConstantInt>(B))
    return;
  SmallVector<Type *> L;
  leaves(A->getType(), L);
  for (unsigned I = 0; I < L.size(); ++I)
    if (tracked(L[I]))
      unifyContents(contentOf(A, I), contentOf(B, I));
}

void MemoryShape::visitGEP(const User &G, unsigned Result) {
  auto &Op = cast<GEPOperator>(G);
  Address Base = target(contentOf(Op.getPointerOperand()));
  int64_t Offset = 0, Stride = 0;
  for (auto GTI = gep_type_begin(Op), E = gep_type_end(Op); GTI != E; ++GTI) {
    if (StructType *S = GTI.getStructTypeOrNull()) {
      unsigned F = static_cast<unsigned>(
          cast<ConstantInt>(GTI.getOperand())->getZExtValue());
      Offset += static_cast<int64_t>(
          DL.getStructLayout(S)->getElementOffset(F).getFixedValue());
      continue;
    }
    int64_t Scale = static_cast<int64_t>(
        GTI.getSequentialElementStride(DL).getFixedValue());
    Value *I = GTI.getOperand();
    if (auto *C = dyn_cast<ConstantInt>(I)) {
      Offset += C->getSExtValue() * Scale;
      continue;
    }
    if (!isa<Constant>(I)) {
      unsigned Zeros = computeKnownBits(I, DL).countMinTrailingZeros();
      // Decimal factors too: i * 24 steps by 24, not by 8.
      const ConstantInt *F = nullptr;
      if (auto *B = dyn_cast<BinaryOperator>(I);
          B && B->getOpcode() == Instruction::Mul)
        F = dyn_cast<ConstantInt>(B->getOperand(1));
      int64_t K = F && F->getValue().isStrictlyPositive() &&
                          F->getValue().getActiveBits() < 31
                      ? static_cast<int64_t>(F->getZExtValue())
                      : int64_t(1) << std::min(Zeros, 12u);
      Scale *= K;
    }
    Stride = std::gcd(Stride, Scale);
  }
  if (Stride)
    fold(Base.Class, Stride);
  Contents[findContent(Result)].Pointer = true;
  Address At{Base.Class, Base.Offset + Offset};
  unsigned R = findContent(Result);
  if (Contents[R].Target.Class == ~0u)
    Contents[R].Target = At;
  else
    unifyAddresses(Contents[R].Target, At);
}

/// Records layout evidence for a typed access; V's leaf gets the content.
void MemoryShape::access(const Value *Ptr, Type *T, const Value *V,
                         const Instruction *At, int64_t Offset, unsigned Leaf) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (unsigned I = 0; I < S->getNumElements(); ++I) {
      access(Ptr, S->getElementType(I), V, At,
             Offset + static_cast<int64_t>(
                          DL.getStructLayout(S)->getElementOffset(I)),
             Leaf);
      Leaf += leafCount(S->getElementType(I));
    }
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    int64_t Step =
        static_cast<int64_t>(DL.getTypeAllocSize(A->getElementType()));
    for (uint64_t I = 0; I < A->getNumElements(); ++I) {
      access(Ptr, A->getElementType(), V, At,
             Offset + static_cast<int64_t>(I) * Step, Leaf);
      Leaf += leafCount(A->getElementType());
    }
    return;
  }
  unsigned Lanes = 1;
  if (auto *VT = dyn_cast<FixedVectorType>(T)) {
    Lanes = VT->getNumElements();
    T = VT->getElementType();
  }
  unsigned Size = static_cast<unsigned>(DL.getTypeStoreSize(T));
  for (unsigned I = 0; I < Lanes; ++I) {
    Address A = target(contentOf(Ptr));
    A.Offset += Offset + static_cast<int64_t>(I) * Size;
    CellKind K = T->isFloatingPointTy() ? CellKind::Float
                 : T->isPointerTy()     ? CellKind::Pointer
                                        : CellKind::Int;
    const bool Integer = At && declaredInteger(*At);
    Cell &X = cell(A, K, K == CellKind::Float ? T : nullptr, Size,
                   K != CellKind::Int || Integer);
    X.AsInteger |= (K != CellKind::Int && Integer) ||
                   (K == CellKind::Float && At && isUntyped(*At));
    const unsigned C = X.Content;
    Address R = find(A);
    if (K != CellKind::Int && !Classes[R.Class].Stride)
      Classes[R.Class].Exact.try_emplace(R.Offset, std::make_pair(K, T));
    if (V && K != CellKind::Float && tracked(T) &&
        !isa<ConstantPointerNull, UndefValue, ConstantInt>(V))
      unifyContents(C, contentOf(V, Leaf));
    if (At && K == CellKind::Int)
      evidence(*At, C);
  }
}

void MemoryShape::addInitializer(const Constant &C, unsigned Class, int64_t Off,
                                 unsigned &Budget) {
  if (Budget == 0 || isa<UndefValue>(C))
    return;
  --Budget;
  Type *T = C.getType();
  if (T->isFloatingPointTy()) {
    cell({Class, Off}, CellKind::Float, T,
         static_cast<unsigned>(DL.getTypeStoreSize(T)));
  } else if (T->isPointerTy()) {
    unsigned X = cell({Class, Off}, CellKind::Pointer, nullptr,
                      static_cast<unsigned>(DL.getTypeStoreSize(T)))
                     .Content;
    if (!C.isNullValue())
      unifyContents(X, contentOf(&C));
  } else if (T->isAggregateType()) {
    uint64_t N =
        T->isStructTy() ? T->getStructNumElements() : T->getArrayNumElements();
    for (uint64_t I = 0; I < N && Budget; ++I) {
      Constant *E = C.getAggregateElement(static_cast<unsigned>(I));
      if (!E)
        break;
      int64_t At = T->isStructTy()
                       ? static_cast<int64_t>(
                             DL.getStructLayout(cast<StructType>(T))
                                 ->getElementOffset(static_cast<unsigned>(I)))
                       : static_cast<int64_t>(
                             I * DL.getTypeAllocSize(T->getArrayElementType()));
      addInitializer(*E, Class, Off + At, Budget);
    }
  }
}

void MemoryShape::addGlobal(const GlobalVariable &G) {
  if (!GlobalsSeen.try_emplace(&G, true).second)
    return;
  unsigned Class = target(contentOf(&G)).Class;
  Classes[Class].Origins |= FromGlobal;
  // With a shadow of the user's it is like memory behind an argument.
  if (U.Registered.shadowOf(G))
    Classes[Class].Origins |= FromDup;
  Classes[Class].Globals.push_back(&G);
  declareVariable(G.getValueType(), Class);
  unsigned Budget = 4096;
  if (G.hasInitializer())
    addInitializer(*G.getInitializer(), Class, 0, Budget);
}

void MemoryShape::visitCall(CallBase &C) {
  if (UnitFunction *Callee = U.callee(C)) {
    for (Argument &A : Callee->F->args())
      if (A.getArgNo() < C.arg_size())
        unifyValues(&A, C.getArgOperand(A.getArgNo()));
    for (BasicBlock &B : *Callee->F)
      if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
        if (Ret->getReturnValue())
          unifyValues(&C, Ret->getReturnValue());
    return;
  }
  KnownCall K = knownCall(C);
  auto Arg = [&](int I) { return C.getArgOperand(static_cast<unsigned>(I)); };
  switch (K.Kind) {
  case KnownKind::Copy:
  case KnownKind::Move:
    Copies.push_back(
        {&C, Arg(K.Row->A), Arg(K.Row->B), constantSize(Arg(K.Row->C))});
    copiedFields(C, Arg(K.Row->A), Arg(K.Row->B));
    break;
  case KnownKind::Alloc:
  case KnownKind::AllocZero:
    Classes[target(contentOf(&C)).Class].Origins |= FromHeap;
    break;
  case KnownKind::AllocStore: {
    unsigned X = cell(target(contentOf(Arg(0))), CellKind::Pointer, nullptr,
                      DL.getPointerSize())
                     .Content;
    Classes[target(X).Class].Origins |= FromHeap;
    break;
  }
  case KnownKind::Realloc:
    Classes[target(contentOf(&C)).Class].Origins |= FromHeap;
    unifyValues(&C, Arg(K.Row->B));
    break;
  case KnownKind::Custom:
    Customs.push_back(&C);
    if (C.arg_size() && C.paramHasAttr(0, Attribute::StructRet)) {
      unsigned Budget = 512;
      Address A = addressOf(Arg(0));
      declare(C.getParamStructRetType(0), A.Class, A.Offset, Budget);
    }
    if (C.getType()->isPointerTy())
      Classes[target(contentOf(&C)).Class].Origins |= FromHeap | FromUnknown;
    break;
  case KnownKind::Free:
    if (!isa<ConstantPointerNull>(Arg(K.Row->A)))
      Classes[target(contentOf(Arg(K.Row->A))).Class].Freed = true;
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
    if (auto *Returned = C.getReturnedArgOperand())
      unifyValues(&C, Returned);
    else if (C.getType()->isPointerTy())
      Classes[target(contentOf(&C)).Class].Origins |= FromUnknown;
    break;
  }
  if (K.returnedOperand() >= 0 && !C.getType()->isVoidTy())
    unifyValues(&C, Arg(K.returnedOperand()));
  // Pointer results in memory (modf, frexp, sincos, remquo).
  for (unsigned I = 0; I < C.arg_size(); ++I)
    if (Type *T = K.outputType(C, I))
      access(C.getArgOperand(I), T, nullptr, &C);
}

/// May the operation leave its operand in the place, as it is?
static bool storesOperand(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

void MemoryShape::visit(Instruction &I, UnitFunction &UF) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return visitCall(*C);
  if (I.hasMetadata(MovesWords))
    return; // no evidence of what they are
  switch (I.getOpcode()) {
  case Instruction::Alloca: {
    unsigned Class = target(contentOf(&I)).Class;
    Classes[Class].Origins |= FromStack;
    declareVariable(cast<AllocaInst>(I).getAllocatedType(), Class);
    break;
  }
  case Instruction::Load:
    access(I.getOperand(0), I.getType(), &I, &I);
    break;
  case Instruction::Store:
    access(I.getOperand(1), I.getOperand(0)->getType(), I.getOperand(0), &I);
    break;
  case Instruction::AtomicRMW:
    access(I.getOperand(0), I.getType(), &I, &I);
    if (storesOperand(cast<AtomicRMWInst>(I).getOperation()))
      access(I.getOperand(0), I.getType(), I.getOperand(1), &I);
    if (isMarkedNumber(I))
      access(I.getOperand(0), operandType(cast<AtomicRMWInst>(I)), nullptr, &I);
    break;
  case Instruction::AtomicCmpXchg:
    access(I.getOperand(0), I.getOperand(1)->getType(), nullptr, &I);
    access(I.getOperand(0), I.getOperand(2)->getType(), I.getOperand(2), &I);
    break;
  case Instruction::GetElementPtr:
    if (I.getType()->isVectorTy()) {
      // Several places, of whichever objects: no more is followed of them.
      if (I.getOperand(0)->getType()->isPtrOrPtrVectorTy())
        unifyContents(contentOf(&I), contentOf(I.getOperand(0)));
      break;
    }
    if (I.hasMetadata(TaggedPointer) || I.hasMetadata(AlignedPointer)) {
      unifyValues(&I, I.getOperand(0));
      if (I.hasMetadata(AlignedPointer))
        fold(classId(&I), 4); // whatever was before the aligned place
      break;
    }
    visitGEP(I, contentOf(&I));
    break;
  case Instruction::PHI:
    for (Value *V : cast<PHINode>(I).incoming_values())
      unifyValues(&I, V);
    break;
  case Instruction::Select:
    unifyValues(&I, I.getOperand(1));
    unifyValues(&I, I.getOperand(2));
    break;
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
    unifyValues(&I, I.getOperand(0));
    break;
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    if (tracked(I.getType()) && tracked(I.getOperand(0)->getType()) &&
        !isa<ConstantInt, ConstantPointerNull>(I.getOperand(0)))
      unifyContents(contentOf(&I), contentOf(I.getOperand(0)));
    break;
  case Instruction::BitCast:
    if (I.getOperand(0)->getType()->isFPOrFPVectorTy() && tracked(I.getType()))
      markBits(&I, I.getOperand(0)->getType());
    else if (I.getType()->isFPOrFPVectorTy() &&
             tracked(I.getOperand(0)->getType()))
      markBits(I.getOperand(0), I.getType());
    else if (tracked(I.getType()))
      unifyValues(&I, I.getOperand(0));
    break;
  case Instruction::ExtractValue: {
    auto &E = cast<ExtractValueInst>(I);
    unsigned Base =
        leafIndex(E.getAggregateOperand()->getType(), E.getIndices());
    SmallVector<Type *> L;
    leaves(I.getType(), L);
    for (unsigned K = 0; K < L.size(); ++K)
      if (tracked(L[K]))
        unifyContents(contentOf(&I, K),
                      contentOf(E.getAggregateOperand(), Base + K));
    break;
  }
  case Instruction::InsertValue: {
    auto &E = cast<InsertValueInst>(I);
    unsigned Base = leafIndex(I.getType(), E.getIndices());
    SmallVector<Type *> L, N;
    leaves(I.getType(), L);
    leaves(E.getInsertedValueOperand()->getType(), N);
    for (unsigned K = 0; K < L.size(); ++K) {
      if (!tracked(L[K]))
        continue;
      bool In = K >= Base && K < Base + N.size();
      const Value *From =
          In ? E.getInsertedValueOperand() : E.getAggregateOperand();
      if (isa<ConstantPointerNull, UndefValue, ConstantInt>(From))
        continue;
      unifyContents(contentOf(&I, K), contentOf(From, In ? K - Base : K));
    }
    break;
  }
  case Instruction::InsertElement:
    unifyValues(&I, I.getOperand(0));
    unifyValues(&I, I.getOperand(1));
    break;
  case Instruction::ShuffleVector:
    unifyValues(&I, I.getOperand(0));
    unifyValues(&I, I.getOperand(1));
    break;
  case Instruction::ExtractElement:
    unifyValues(&I, I.getOperand(0));
    break;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor: {
    // Sign-bit tricks keep the kind of the word; other arithmetic is integer.
    if (!I.getType()->isIntOrIntVectorTy() || !tracked(I.getType()))
      break;
    bool Kept = false;
    for (unsigned N = 0; N < 2; ++N)
      if (keepsFloat(I.getOperand(1 - N))) {
        unifyValues(&I, I.getOperand(N));
        Kept = true;
      }
    if (!Kept)
      noteArithmetic(I);
    break;
  }
  default:
    if (I.getType()->isIntegerTy() && tracked(I.getType()))
      noteArithmetic(I);
    break;
  }
  (void)UF;
}

} // namespace retro
