// Input: a function as the front end wrote it. Output: the same function, with
// metadata at accesses of memory that says what the types of the addresses
// said. Simplification forgets those types; then memory that nothing else tells
// of could not be told from integers.
#include "prepare/words/note_types.h"

#include "base/unit.h"
#include "facts/memory/declared_types.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// The field of a struct with a name at which Ptr points, if its place in the
/// struct is constant. A struct without a name is no type of the program.
std::optional<DeclaredField> fieldAt(const Value *Ptr, const DataLayout &DL) {
  int64_t Offset = 0;
  std::optional<DeclaredField> Out;
  while (auto *G = dyn_cast<GEPOperator>(Ptr)) {
    auto *S = dyn_cast<StructType>(G->getSourceElementType());
    APInt Constant(64, 0);
    // The first index steps over whole objects.
    SmallVector<Value *> Within(G->indices());
    if (S && !S->isLiteral() && G->getNumIndices() >= 2 &&
        all_of(drop_begin(Within),
               [](Value *I) { return isa<ConstantInt>(I); })) {
      Within[0] = ConstantInt::get(Within[0]->getType(), 0);
      Out = {S, Offset + DL.getIndexedOffsetInType(S, Within)};
    }
    if (!G->accumulateConstantOffset(DL, Constant))
      break;
    Offset += Constant.getSExtValue();
    Ptr = G->getPointerOperand();
  }
  return Out;
}

/// The type of the numbers at Ptr, if Ptr is computed as an address of such;
/// else null.
Type *numbersAt(const Value *Ptr) {
  auto *G = dyn_cast<GEPOperator>(Ptr);
  if (!G)
    return nullptr;
  Type *T = G->getResultElementType();
  while (auto *A = dyn_cast<ArrayType>(T))
    T = A->getElementType();
  return T->isFloatingPointTy() ? T : nullptr;
}

/// The type of all numbers in T, a struct of the program of nothing else; else
/// null.
Type *onlyNumbers(Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return onlyNumbers(A->getElementType());
  auto *S = dyn_cast<StructType>(T);
  if (!S || S->isLiteral() || S->elements().empty())
    return T->isFloatingPointTy() ? T : nullptr;
  Type *Number = onlyNumbers(S->getElementType(0));
  return all_of(S->elements(),
                [&](Type *E) { return Number && onlyNumbers(E) == Number; })
             ? Number
             : nullptr;
}

/// Is Ptr the address of a variable or field that is a struct of two floats?
bool isPairOfFloats(const Value *Ptr, const DataLayout &DL) {
  auto *G = dyn_cast<GEPOperator>(Ptr);
  auto *A = dyn_cast<AllocaInst>(Ptr);
  Type *T = G ? G->getResultElementType() : A ? A->getAllocatedType() : nullptr;
  Type *Number = isa_and_nonnull<StructType>(T) ? onlyNumbers(T) : nullptr;
  return Number && Number->isFloatTy() && DL.getTypeAllocSize(T) == 8;
}

/// LLVM would make one word of a copy of two floats, whatever their alignment.
/// Copied as two words, they are not taken for a double, and as two numbers
/// where the program declares them, they are known as such.
void copyAsTwo(MemTransferInst &Copy, Type *Word) {
  IRBuilder<> B(&Copy);
  auto *T = FixedVectorType::get(Word, 2);
  Value *Words = B.CreateAlignedLoad(T, Copy.getRawSource(),
                                     Copy.getSourceAlign(), "words");
  B.CreateAlignedStore(Words, Copy.getRawDest(), Copy.getDestAlign());
  Copy.eraseFromParent();
}

/// Does F count the references of std::shared_ptr or std::weak_ptr (libstdc++)?
/// A virtual call follows such an operation, and may be of anything.
bool countsReferences(const Function &F) {
  return F.getName().contains("_Sp_counted_base") ||
         F.getName().contains("__exchange_and_add");
}

} // namespace

void noteVectors(Function &F) {
  for (Instruction &I : instructions(F))
    if (getLoadStorePointerOperand(&I)) {
      Type *T = getLoadStoreType(&I);
      if (T->isVectorTy() && T->isFPOrFPVectorTy())
        I.setMetadata(NotedNumbers, MDNode::get(F.getContext(), {}));
    }
}

void noteTypes(Function &F) {
  if (countsReferences(F))
    for (Instruction &I : instructions(F))
      if (I.isAtomic())
        I.setMetadata(ReferenceCount, MDNode::get(F.getContext(), {}));
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(F.getContext());
  auto Number = [&](uint64_t N) {
    return ConstantAsMetadata::get(B.getInt64(N));
  };
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (const Value *Ptr = getLoadStorePointerOperand(&I)) {
      if (auto Field = fieldAt(Ptr, DL))
        I.setMetadata(
            NotedField,
            MDNode::get(F.getContext(),
                        {ConstantAsMetadata::get(PoisonValue::get(Field->In)),
                         Number(static_cast<uint64_t>(Field->Offset))}));
      continue;
    }
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    if (!Copy || Copy->isVolatile() || Copy->hasMetadata(NotedElement))
      continue;
    Type *T = numbersAt(Copy->getRawDest());
    if (!T)
      T = numbersAt(Copy->getRawSource());
    auto *Bytes = dyn_cast<ConstantInt>(Copy->getLength());
    if (!T && Bytes && Bytes->equalsInt(8) &&
        (isPairOfFloats(Copy->getRawDest(), DL) ||
         isPairOfFloats(Copy->getRawSource(), DL)))
      copyAsTwo(*Copy, B.getFloatTy());
    if (!T)
      continue;
    const uint64_t Size = DL.getTypeAllocSize(T).getFixedValue();
    if (Size == 4 && Bytes && Bytes->getZExtValue() == 8)
      copyAsTwo(*Copy, B.getInt32Ty());
    else
      Copy->setMetadata(NotedElement,
                        MDNode::get(F.getContext(), Number(Size)));
  }
}

} // namespace retro
