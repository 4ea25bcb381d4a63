// What each instruction says about the contents of memory. Each access says one
// thing, and the places that two of them mean become one class: what is missed
// here nothing else finds. Members of ShapeBuilder (shape_builder.h).
#include "facts/memory/shape_builder.h"

#include "base/halves.h"
#include "facts/memory/leaves.h"
#include "facts/memory/sign_bits.h"
#include "facts/memory/steps.h"
#include "facts/parallel/atomic_choices.h"
#include "facts/types/declared_types.h"
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

/// Does V change only signs, of one number in each of its elements or of two
/// narrower ones?
bool changesSigns(const Value *V, const DataLayout &DL) {
  const unsigned Bits = V->getType()->getScalarSizeInBits();
  return hasOnlySigns(V, Bits, DL) ||
         (Bits == 64 && hasOnlySigns(V, Bits / 2, DL));
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
void ShapeBuilder::markBits(const Value *V, Type *T) {
  Content &C = Contents[contentOf(V)];
  C.Float = T->getScalarType();
  C.OfBits = true;
}

/// The result is an integer, of a number's bits if an operand is.
void ShapeBuilder::noteArithmetic(const Instruction &I) {
  unsigned Result = contentOf(&I);
  Contents[Result].Int = Contents[Result].Computed = true;
  if (!keepsBits(I))
    return;
  for (const Use &O : I.operands())
    if (O->getType()->isIntOrIntVectorTy() && tracked(O->getType()) &&
        !isa<Constant>(O))
      Derived.push_back({contentOf(O), Result});
}

/// How far behind its base G points.
static Steps stepsOf(const GEPOperator &G, const DataLayout &DL) {
  Steps Out;
  for (auto GTI = gep_type_begin(G), E = gep_type_end(G); GTI != E; ++GTI) {
    Steps S;
    if (StructType *T = GTI.getStructTypeOrNull()) {
      auto F = cast<ConstantInt>(GTI.getOperand())->getZExtValue();
      S.Offset =
          static_cast<int64_t>(DL.getStructLayout(T)
                                   ->getElementOffset(static_cast<unsigned>(F))
                                   .getFixedValue());
    } else {
      S = stepsOf(GTI.getOperand(), DL);
      S.scale(static_cast<int64_t>(
          GTI.getSequentialElementStride(DL).getFixedValue()));
    }
    Out.add(S);
  }
  return Out;
}

/// Is V a character that is only compared with others?
static bool isOnlyCompared(const Value &V) {
  return all_of(V.users(), [](const User *U) {
    return isa<CmpInst, SwitchInst>(U) ||
           (isa<ZExtInst, SExtInst>(U) &&
            all_of(U->users(), IsaPred<CmpInst, SwitchInst>));
  });
}

/// Are only single characters looked at there, and become nothing else? Then
/// that they are indexed says nothing of what is beside them.
static bool leadsToCharacters(const User &Ptr) {
  return isa<Instruction>(Ptr) && all_of(Ptr.users(), [](const User *U) {
           if (isa<GetElementPtrInst>(U))
             return leadsToCharacters(*U);
           auto *L = dyn_cast<LoadInst>(U);
           return L && L->getType()->isIntegerTy(8) && isOnlyCompared(*L);
         });
}

void ShapeBuilder::visitGEP(const User &G, unsigned Result) {
  auto &Op = cast<GEPOperator>(G);
  // The end of an array that is not there is none of another such.
  if (isa<ConstantPointerNull, UndefValue>(Op.getPointerOperand())) {
    target(Result);
    return;
  }
  Address Base = target(contentOf(Op.getPointerOperand()));
  Steps S = stepsOf(Op, DL);
  if (S.Every % 4 != 0 && leadsToCharacters(G)) {
    Characters.push_back(cast<Instruction>(&G));
    target(Result);
    return;
  }
  if (S.Every)
    fold(Base.Class, S.Every, &G);
  for (auto [To, From] : S.Distances) {
    const Address A = addressOf(To), B = addressOf(From);
    const int64_t D = A.Class == B.Class ? A.Offset - B.Offset : 0;
    Distances.push_back({&G, Op.getPointerOperand(), To, From, D});
    S.Offset += D;
  }
  for (auto [To, From] : S.Perhaps)
    Distances.push_back({&G, Op.getPointerOperand(), To, From, 0});
  Contents[findContent(Result)].Pointer = true;
  Base = find(Base);
  Address At{Base.Class, Base.Offset + S.Offset};
  unsigned R = findContent(Result);
  if (Contents[R].Target.Class == ~0u)
    Contents[R].Target = At;
  else
    unifyAddresses(Contents[R].Target, At);
}

/// Records layout evidence for a typed access; V's leaf gets the content.
void ShapeBuilder::access(const Value *Ptr, Type *T, const Value *V,
                          const Instruction *At, int64_t Offset,
                          unsigned Leaf) {
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
  const int64_t Size = static_cast<int64_t>(DL.getTypeStoreSize(T));
  for (unsigned I = 0; I < Lanes; ++I) {
    Address A = addressOf(Ptr);
    A.Offset += Offset + static_cast<int64_t>(I) * Size;
    accessScalar(A, T, V, At, Leaf);
  }
}

void ShapeBuilder::accessScalar(Address A, Type *T, const Value *V,
                                const Instruction *At, unsigned Leaf) {
  // A string's integers, and counts of references, are none of what else lies
  // there at other times.
  if (At &&
      (At->hasMetadata(NotedInteger) || At->hasMetadata(ReferenceCount))) {
    if (V && tracked(T) && !isa<Constant>(V))
      Contents[findContent(contentOf(V, Leaf))].Int = true;
    return;
  }
  const CellKind K = T->isFloatingPointTy() ? CellKind::Float
                     : T->isPointerTy()     ? CellKind::Pointer
                                            : CellKind::Int;
  const bool Integer = At && declaredInteger(*At);
  Cell &X = cell(A, K, K == CellKind::Float ? T : nullptr,
                 static_cast<unsigned>(DL.getTypeStoreSize(T)),
                 K != CellKind::Int || Integer);
  X.AsInteger |= (K != CellKind::Int && Integer) ||
                 (K == CellKind::Float && At && isUntyped(*At));
  if (isa_and_nonnull<LoadInst, StoreInst>(At))
    X.Aligned = std::min(
        X.Aligned, static_cast<unsigned>(getLoadStoreAlignment(At).value()));
  const unsigned C = X.Content;
  Address R = find(A);
  if (K != CellKind::Int)
    Classes[R.Class].noteExact(R.Offset, K, T,
                               Classes[R.Class].Stride
                                   ? MemoryClass::By::Index
                                   : MemoryClass::By::Access);
  if (V && K != CellKind::Float && tracked(T) &&
      !isa<ConstantPointerNull, UndefValue, ConstantInt>(V))
    unifyContents(C, contentOf(V, Leaf));
  if (At && K == CellKind::Int)
    evidence(*At, C);
}

void ShapeBuilder::addInitializer(const Constant &C, unsigned Class,
                                  int64_t Off, unsigned &Budget) {
  if (Budget == 0 || isa<UndefValue>(C))
    return;
  --Budget;
  Type *T = C.getType();
  if (T->isFloatingPointTy()) {
    cell({Class, Off}, CellKind::Float, T,
         static_cast<unsigned>(DL.getTypeStoreSize(T)));
  } else if (T->isPointerTy() || (isa<ConstantExpr>(C) && tracked(T))) {
    // An address may lie there as an integer.
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

void ShapeBuilder::addGlobal(const GlobalVariable &G) {
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

void ShapeBuilder::visitSwap(AtomicCmpXchgInst &A) {
  Value *Ptr = A.getPointerOperand(), *New = A.getNewValOperand();
  access(Ptr, A.getCompareOperand()->getType(), nullptr, &A);
  access(Ptr, New->getType(), New, &A);
}

void ShapeBuilder::visitAddressCast(CastInst &I) {
  Value *Of = I.getOperand(0);
  if (tracked(I.getType()) && tracked(Of->getType()) &&
      !isa<ConstantInt, ConstantPointerNull>(Of) && !isOfTwoWords(Of) &&
      !isHalf(Of))
    unifyContents(contentOf(&I), contentOf(Of));
}

void ShapeBuilder::visitAtomic(AtomicRMWInst &A) {
  access(A.getPointerOperand(), A.getType(), &A, &A);
  if (storesOperand(A.getOperation()))
    access(A.getPointerOperand(), A.getType(), A.getValOperand(), &A);
  if (isMarkedNumber(A))
    access(A.getPointerOperand(), operandType(A), nullptr, &A);
}

void ShapeBuilder::visitPlace(GetElementPtrInst &G) {
  if (G.getType()->isVectorTy()) {
    // Several places, of whichever objects: no more is followed of them.
    if (G.getPointerOperandType()->isPtrOrPtrVectorTy())
      unifyContents(contentOf(&G), contentOf(G.getPointerOperand()));
    return;
  }
  if (G.hasMetadata(HeadPointer))
    return visitHead(G);
  const bool Aligned = G.hasMetadata(AlignedPointer);
  if (!Aligned && !G.hasMetadata(TaggedPointer))
    return visitGEP(G, contentOf(&G));
  unifyValues(&G, G.getPointerOperand());
  if (Aligned)
    fold(classId(&G), 4); // whatever was before the aligned place
}

/// The node or bucket that a container holds itself is told apart from it.
void ShapeBuilder::visitHead(Instruction &I) {
  target(contentOf(&I));
  HeadPointers.push_back(&I);
}

void ShapeBuilder::visitPart(ExtractValueInst &E) {
  const unsigned Base =
      leafIndex(E.getAggregateOperand()->getType(), E.getIndices());
  SmallVector<Type *> Leaves;
  leavesOf(E.getType(), Leaves);
  for (unsigned K = 0; K < Leaves.size(); ++K)
    if (tracked(Leaves[K]))
      unifyContents(contentOf(&E, K),
                    contentOf(E.getAggregateOperand(), Base + K));
}

void ShapeBuilder::visitWhole(InsertValueInst &E) {
  const unsigned Base = leafIndex(E.getType(), E.getIndices());
  const unsigned End = Base + leafCount(E.getInsertedValueOperand()->getType());
  SmallVector<Type *> Leaves;
  leavesOf(E.getType(), Leaves);
  for (unsigned K = 0; K < Leaves.size(); ++K) {
    const bool In = K >= Base && K < End;
    const Value *From =
        In ? E.getInsertedValueOperand() : E.getAggregateOperand();
    if (tracked(Leaves[K]) &&
        !isa<ConstantPointerNull, UndefValue, ConstantInt>(From))
      unifyContents(contentOf(&E, K), contentOf(From, In ? K - Base : K));
  }
}

void ShapeBuilder::visitBits(BitCastInst &C) {
  Value *From = C.getOperand(0);
  if (From->getType()->isFPOrFPVectorTy() && tracked(C.getType()))
    markBits(&C, From->getType());
  else if (C.getType()->isFPOrFPVectorTy() && tracked(From->getType()))
    markBits(From, C.getType());
  else if (tracked(C.getType()))
    unifyValues(&C, From);
}

/// Sign-bit tricks keep the kind of the word; other arithmetic is integer.
void ShapeBuilder::visitMask(BinaryOperator &I) {
  if (!tracked(I.getType()))
    return;
  bool Kept = false;
  for (unsigned N = 0; N < 2; ++N)
    if (keepsFloat(I.getOperand(1 - N)) || roundsNumber(I, N) ||
        (I.getOpcode() != Instruction::And &&
         changesSigns(I.getOperand(1 - N), DL))) {
      unifyValues(&I, I.getOperand(N));
      Kept = true;
    }
  if (!Kept)
    noteArithmetic(I);
}

/// No evidence of what these are.
void ShapeBuilder::seeAll(const Instruction &I) {
  see(&I);
  for (const Use &O : I.operands())
    if (!isa<ConstantData>(O))
      see(O);
}

void ShapeBuilder::visit(Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return visitCall(*C);
  if (I.hasMetadata(MovesWords))
    return seeAll(I);
  auto Same = [&](ArrayRef<unsigned> Operands) {
    for (unsigned N : Operands)
      unifyValues(&I, I.getOperand(N));
  };
  switch (I.getOpcode()) {
  case Instruction::Alloca:
    addOrigin(&I, FromStack);
    return declareVariable(cast<AllocaInst>(I).getAllocatedType(), classId(&I));
  case Instruction::Load:
    return access(I.getOperand(0), I.getType(), &I, &I);
  case Instruction::Store:
    return access(I.getOperand(1), I.getOperand(0)->getType(), I.getOperand(0),
                  &I);
  case Instruction::AtomicRMW:
    return visitAtomic(cast<AtomicRMWInst>(I));
  case Instruction::AtomicCmpXchg:
    return visitSwap(cast<AtomicCmpXchgInst>(I));
  case Instruction::GetElementPtr:
    return visitPlace(cast<GetElementPtrInst>(I));
  case Instruction::PHI:
    for (Value *V : cast<PHINode>(I).incoming_values())
      unifyValues(&I, V);
    return;
  case Instruction::Select:
    return Same({1, 2});
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
  case Instruction::ExtractElement:
    return Same({0});
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return Same({0, 1});
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return visitAddressCast(cast<CastInst>(I));
  case Instruction::BitCast:
    return visitBits(cast<BitCastInst>(I));
  case Instruction::ExtractValue:
    return visitPart(cast<ExtractValueInst>(I));
  case Instruction::InsertValue:
    return visitWhole(cast<InsertValueInst>(I));
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return visitMask(cast<BinaryOperator>(I));
  default:
    if (I.getType()->isIntegerTy() && tracked(I.getType()))
      noteArithmetic(I);
  }
}

} // namespace retro
