// Input: metadata that prepare/words/note_types.cpp has written. Output: the
// types that the front end meant. Without it memory of which optimized code
// says nothing could not be told from integers.
#include "facts/types/declared_types.h"

#include "facts/types/type_tags.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace retro {
namespace {

/// Constant N of what is noted, or null.
Constant *noted(const MDNode *Note, unsigned N) {
  if (!Note || N >= Note->getNumOperands())
    return nullptr;
  return mdconst::dyn_extract_or_null<Constant>(Note->getOperand(N));
}

} // namespace

std::optional<DeclaredField> declaredField(const Instruction &I) {
  const MDNode *Note = I.getMetadata(NotedField);
  Constant *Object = noted(Note, 0);
  auto *In = Object ? dyn_cast<StructType>(Object->getType()) : nullptr;
  auto *Offset = dyn_cast_or_null<ConstantInt>(noted(Note, 1));
  if (!In || !Offset)
    return std::nullopt;
  return DeclaredField{In, Offset->getSExtValue()};
}

static bool isUnion(Type *T) {
  auto *S = dyn_cast_or_null<StructType>(T);
  return S && S->hasName() && S->getName().starts_with("union.");
}

bool isFieldOfStruct(const GEPOperator &G) {
  auto *S = dyn_cast<StructType>(G.getSourceElementType());
  if (!S || S->isLiteral() || isUnion(S) || G.getNumIndices() < 2 ||
      S->getName().starts_with("struct.anon"))
    return false;
  const Value *Base = G.getPointerOperand();
  auto *A = dyn_cast<AllocaInst>(Base);
  auto *B = dyn_cast<GEPOperator>(Base);
  return !isUnion(A   ? A->getAllocatedType()
                  : B ? B->getResultElementType()
                      : nullptr);
}

/// The type of the scalar at an offset in a struct, or null.
static Type *scalarAt(Type *T, uint64_t Offset, const DataLayout &DL) {
  while (auto *S = dyn_cast<StructType>(T)) {
    if (S->isOpaque() || S->getNumElements() == 0 || isUnion(S))
      return nullptr;
    const StructLayout *In = DL.getStructLayout(S);
    if (Offset >= In->getSizeInBytes())
      return nullptr;
    const unsigned N = In->getElementContainingOffset(Offset);
    Offset -= In->getElementOffset(N).getFixedValue();
    T = S->getElementType(N);
  }
  return Offset == 0 && !T->isAggregateType() ? T : nullptr;
}

bool isIntegerField(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (isField(Tag) && namesInteger(accessName(Tag)))
    return true;
  auto Field = declaredField(I);
  Type *T = Field && Field->Offset >= 0
                ? scalarAt(Field->In, static_cast<uint64_t>(Field->Offset),
                           I.getDataLayout())
                : nullptr;
  return T && T == getLoadStoreType(&I) && T->isIntegerTy();
}

bool isIntegerByItself(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  return I.hasMetadata(NotedInteger) || isField(Tag) ||
         namesInteger(accessName(I)) || isIntegerField(I);
}

bool isDeclaredInteger(const LoadInst &L) {
  return L.hasMetadata(NotedInteger) || namesInteger(accessName(L));
}

bool isDeclaredWord(const LoadInst &L) {
  StringRef Name = accessName(L);
  Type *T = L.getType();
  // LLVM may load a number as a pointer, where one is loaded on another way.
  return L.hasMetadata(NotedWord) || L.hasMetadata(NotedInteger) ||
         Name == NamedWord || namesInteger(Name) ||
         (namesPointer(Name) && T->isPointerTy()) ||
         (floatNamed(Name, L.getContext()) && T->isFPOrFPVectorTy()) ||
         (T->isVectorTy() && L.hasMetadata(NotedNumbers));
}

/// Is a number loaded or stored as what the program declares an integer?
static bool passesAsInteger(const Instruction &I) {
  return getLoadStorePointerOperand(&I) &&
         getLoadStoreType(&I)->isFPOrFPVectorTy() &&
         namesInteger(accessName(I));
}

bool keepsBitsInIntegers(const Unit &U) {
  return any_of(U.Functions, [](const auto &UF) {
    return UF->F->hasFnAttribute(BitsInIntegers) ||
           any_of(instructions(*UF->F), passesAsInteger);
  });
}

std::optional<uint64_t> declaredElement(const CallBase &C) {
  auto *Size =
      dyn_cast_or_null<ConstantInt>(noted(C.getMetadata(NotedElement), 0));
  if (!Size)
    return std::nullopt;
  return Size->getZExtValue();
}

void noteElement(CallBase &C, Type *T) {
  if (T)
    C.setMetadata(NotedObjects,
                  MDNode::get(C.getContext(),
                              ConstantAsMetadata::get(PoisonValue::get(T))));
}

Type *namedElement(const CallBase &C) {
  Constant *Object = noted(C.getMetadata(NotedObjects), 0);
  if (Object)
    return Object->getType();
  // LLVM tags the copy that it makes of a loop like the loads and stores.
  StringRef Name = accessName(C);
  return namesPointer(Name) ? PointerType::getUnqual(C.getContext())
                            : floatNamed(Name, C.getContext());
}

SmallVector<int64_t> notedVectors(const GlobalVariable &G) {
  SmallVector<int64_t> Out;
  if (const MDNode *Note = G.getMetadata(NotedVectors))
    for (unsigned N = 0; N < Note->getNumOperands(); ++N)
      Out.push_back(cast<ConstantInt>(noted(Note, N))->getSExtValue());
  return Out;
}

} // namespace retro
