// What the program's types say about memory: TBAA, declared types, debug
// information, and the assumption that a copied array is uniform. Without it a
// word that the optimized code only moves as an integer could be anything, and
// the request would be refused. Members of ShapeBuilder (shape_builder.h) and
// of MemoryShape (memory_shape.h).
#include "facts/memory/shape_builder.h"
#include "facts/types/debug_types.h"
#include "facts/types/declared_types.h"
#include "facts/types/named_types.h"
#include "facts/types/type_tags.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// Is a variable of this type no more than room for bits, of whatever they are?
bool isRoom(Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return isRoom(A->getElementType());
  if (auto *S = dyn_cast<StructType>(T))
    return S->isLiteral() && all_of(S->elements(), isRoom);
  return T->isIntOrIntVectorTy();
}

/// The type that the program accesses something as. Variables of integers are
/// no more than room, whatever they are read as.
StringRef nameOfAccess(const Instruction &I) {
  StringRef N = accessName(I);
  const Value *P = getLoadStorePointerOperand(&I);
  auto *A = P ? dyn_cast<AllocaInst>(getUnderlyingObject(P)) : nullptr;
  return A && namesInteger(N) && isRoom(A->getAllocatedType()) ? "" : N;
}

} // namespace

/// Does the program access an object of integer type here? Copies of memory
/// that were made loads and stores do not say.
bool MemoryShape::declaredInteger(const Instruction &I) {
  return namesInteger(nameOfAccess(I));
}

/// Does nothing say of what type the object is, where the front end says it of
/// others? So are words accessed that the program copies by bytes from or to an
/// object of another type.
bool MemoryShape::isUntyped(const Instruction &I) const {
  return Typed.contains(I.getFunction()) && nameOfAccess(I).empty();
}

/// Without optimization the front end says nothing of numbers and pointers.
bool ShapeBuilder::saysTypes(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto D = declaredAccess(I);
    return D && D->first != CellKind::Int;
  });
}

std::optional<MemoryShape::WordKind>
MemoryShape::declaredAccess(const Instruction &I) {
  StringRef N = nameOfAccess(I);
  if (Type *F = floatNamed(N, I.getContext()))
    return WordKind(CellKind::Float, F);
  if (namesPointer(N))
    return WordKind(CellKind::Pointer, nullptr);
  if (namesInteger(N))
    return WordKind(CellKind::Int, nullptr);
  return std::nullopt;
}

/// Type information that the front end attached to an access.
void ShapeBuilder::evidence(const Instruction &At, unsigned C) {
  StringRef N = nameOfAccess(At);
  Content &X = Contents[findContent(C)];
  if (Type *F = floatNamed(N, At.getContext()); F && !X.Float)
    X.Float = F;
  X.Pointer |= namesPointer(N);
  X.Int |= namesInteger(N);
}

/// A declared type, as evidence of the layout. Does it say all that is there?
bool ShapeBuilder::declare(Type *T, unsigned Class, int64_t Offset,
                           unsigned &Budget) {
  if (Budget == 0)
    return false;
  --Budget;
  if (auto *S = dyn_cast<StructType>(T)) {
    // Of a union the type has one member, and says nothing.
    if (S->isOpaque() || (S->hasName() && S->getName().starts_with("union.")))
      return false;
    bool All = true;
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      All &= declare(S->getElementType(I), Class,
                     Offset + static_cast<int64_t>(
                                  DL.getStructLayout(S)->getElementOffset(I)),
                     Budget);
    Address At = find({Class, Offset});
    if (All) // with what is between the fields
      Classes[At.Class].Described.push_back(
          {At.Offset, static_cast<int64_t>(DL.getTypeAllocSize(S))});
    return All;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    bool All = !A->getElementType()->isIntegerTy(8);
    int64_t Step =
        static_cast<int64_t>(DL.getTypeAllocSize(A->getElementType()));
    for (uint64_t I = 0; I < A->getNumElements() && (All || Budget); ++I)
      All &= declare(A->getElementType(), Class,
                     Offset + static_cast<int64_t>(I) * Step, Budget);
    return All;
  }
  if (T->isIntegerTy(8))
    return true;
  Address At = find({Class, Offset});
  CellKind K = T->isFPOrFPVectorTy() ? CellKind::Float
               : T->isPointerTy()    ? CellKind::Pointer
                                     : CellKind::Int;
  Classes[At.Class].noteExact(At.Offset, K, T);
  return true;
}

void ShapeBuilder::declareVariable(Type *T, unsigned Class) {
  unsigned Budget = 512;
  if (!isRoom(T))
    declare(T, Class, 0, Budget);
}

/// The assignment of a struct: the front end lists its fields.
void ShapeBuilder::copiedFields(const CallBase &C, const Value *Dst,
                                const Value *Src) {
  MDNode *Fields = C.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!Fields)
    return;
  bool All = true;
  for (unsigned I = 0; I + 2 < Fields->getNumOperands(); I += 3) {
    auto *Off = mdconst::dyn_extract<ConstantInt>(Fields->getOperand(I));
    auto *Size = mdconst::dyn_extract<ConstantInt>(Fields->getOperand(I + 1));
    auto *Tag = dyn_cast_or_null<MDNode>(Fields->getOperand(I + 2));
    StringRef N = accessName(Tag);
    if (!Off || !Size || N.empty() || N.contains("char")) {
      All = false;
      continue;
    }
    for (const Value *P : {Dst, Src}) {
      Address A = target(contentOf(P));
      A.Offset += Off->getSExtValue();
      markField(A, floatNamed(N, C.getContext()), namesPointer(N),
                static_cast<unsigned>(Size->getZExtValue()));
    }
  }
  int64_t Bytes = constantSize(C.getArgOperand(2));
  if (All && Bytes > 0)
    for (const Value *P : {Dst, Src}) {
      Address A = addressOf(P);
      Classes[A.Class].Described.push_back({A.Offset, Bytes});
    }
}

/// The copy of objects whose type the library's helper has in its name.
void ShapeBuilder::copiedObjects(const CallBase &C, const Value *Dst,
                                 const Value *Src) {
  Type *T = namedElement(C);
  SmallVector<NamedField> Fields;
  if (!T || !fieldsOf(T, DL, 0, Fields))
    return;
  for (auto [Offset, F] : Fields)
    if (F->isFloatingPointTy() || F->isPointerTy())
      for (const Value *P : {Dst, Src}) {
        Address A = target(contentOf(P));
        A.Offset += Offset;
        markField(A, F->isPointerTy() ? nullptr : F, F->isPointerTy(),
                  static_cast<unsigned>(DL.getTypeStoreSize(F)));
      }
}

/// A field of known kind: a number (or an array of them), pointer or integer.
void ShapeBuilder::markField(Address A, Type *F, bool Pointer, unsigned Size) {
  if (F) {
    unsigned S = static_cast<unsigned>(DL.getTypeStoreSize(F));
    for (unsigned O = 0; O + S <= std::min(Size, 64 * S); O += S)
      cell({A.Class, A.Offset + O}, CellKind::Float, F, S);
  } else if (Pointer) {
    cell(A, CellKind::Pointer, nullptr, Size);
  } else {
    Contents[findContent(cell(A, CellKind::Int, nullptr, Size, true).Content)]
        .Int = true;
  }
}

/// What is at A, and what the pointers there lead to, is of type T.
void ShapeBuilder::markDebugType(const DIType *T, Address A,
                                 const DenseSet<unsigned> &Wanted,
                                 unsigned Depth) {
  DebugLayout L = layoutOf(T, U.M.getContext());
  if (Wanted.contains(A.Class)) {
    for (const DebugField &F : L.Fields)
      markField({A.Class, A.Offset + F.Offset}, F.Float, F.Pointer, F.Size);
    Address At = find(A);
    for (auto [Offset, Bytes] : L.Described)
      Classes[At.Class].Described.push_back({At.Offset + Offset, Bytes});
  }
  if (Depth == 0)
    return;
  for (const DebugField &F : L.Fields) {
    if (!F.Pointee)
      continue;
    Address At = find({A.Class, A.Offset + F.Offset});
    if (const Cell *C = findCell(Classes[At.Class], At.Offset,
                                 CellKind::Pointer, nullptr, F.Size, false))
      markDebugType(F.Pointee, target(C->Content), Wanted, Depth - 1);
  }
}

/// Debug information is read only where nothing else says what is copied:
/// derivatives must not depend on -g where they need not.
bool ShapeBuilder::addDebugEvidence() {
  Changed = false;
  DenseSet<unsigned> Wanted;
  for (const UntypedMove &M : untypedMoves()) {
    Wanted.insert(M.From);
    Wanted.insert(M.To);
  }
  if (Wanted.empty())
    return false;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      if (auto Field = declaredField(I)) {
        Address A = addressOf(getLoadStorePointerOperand(&I));
        unsigned Budget = 512;
        if (Wanted.contains(A.Class) && !Classes[A.Class].Stride) {
          const size_t Before = Classes[A.Class].Exact.size();
          declare(Field->In, A.Class, A.Offset - Field->Offset, Budget);
          Changed |= Classes[find(A).Class].Exact.size() != Before;
        }
      }
      for (DbgVariableRecord &D : filterDbgVars(I.getDbgRecordRange())) {
        Value *V = D.getNumVariableLocationOps() == 1
                       ? D.getVariableLocationOp(0)
                       : nullptr;
        if (!V || !V->getType()->isPointerTy() || isa<Constant>(V) ||
            D.getExpression()->getNumElements() != 0)
          continue;
        const DIType *T = D.getVariable()->getType();
        if (!D.isAddressOfVariable())
          T = pointeeOf(T, U.M.getContext());
        if (T)
          markDebugType(T, addressOf(V), Wanted, 3);
      }
    }
  return Changed;
}

/// The type of all numbers of a class, if nothing else is known to be in it.
Type *ShapeBuilder::onlyNumbers(const MemoryClass &C) {
  Type *F = nullptr;
  for (const Cell &X : C.Cells) {
    if (X.Kind == CellKind::Pointer ||
        (X.Kind == CellKind::Int &&
         (X.Declared || Contents[findContent(X.Content)].Int)))
      return nullptr;
    if (X.Kind == CellKind::Float) {
      if (F && F != X.FloatTy)
        return nullptr;
      F = X.FloatTy;
    }
  }
  for (auto &[Offset, What] : C.Exact)
    if (What.first != CellKind::Float ||
        (F && What.second->getScalarType() != F))
      return nullptr;
  return F;
}

/// Is one of the numbers that are known among what is copied?
bool MemoryShape::copiesNumber(const Copy &C) const {
  return any_of(ArrayRef({C.Dst, C.Src}), [&](const Value *P) {
    const Address A = addressOf(P);
    const MemoryClass &M = Classes[A.Class];
    return any_of(M.Cells, [&](const Cell &X) {
      return X.Kind == CellKind::Float && beginsIn(M, X, A, C.Size);
    });
  });
}

/// A copy of more than the numbers that are accessed, from memory that has
/// nothing but numbers, copies more of them: of an array, or of an object of
/// which some are known.
bool ShapeBuilder::assumeUniformCopies() {
  Changed = false;
  for (const Copy &C : Copies)
    for (const Value *P : {C.Dst, C.Src}) {
      Address A = addressOf(P);
      Type *F = onlyNumbers(Classes[A.Class]);
      if (!F)
        continue;
      int64_t S = static_cast<int64_t>(DL.getTypeStoreSize(F));
      bool Aligned = all_of(Classes[A.Class].Cells, [&](const Cell &X) {
        return X.Kind != CellKind::Float || (X.Offset - A.Offset) % S == 0;
      });
      const int64_t Stride = Classes[A.Class].Stride;
      if (!Aligned || (Stride ? Stride != S : !copiesNumber(C)))
        continue;
      if (C.Size < 0 || C.Size > 64 * S)
        fold(A.Class, S);
      for (int64_t O = 0; C.Size >= 0 && O + S <= std::min(C.Size, 64 * S);
           O += S)
        cell({A.Class, A.Offset + O}, CellKind::Float, F,
             static_cast<unsigned>(S));
    }
  return Changed;
}

} // namespace retro
