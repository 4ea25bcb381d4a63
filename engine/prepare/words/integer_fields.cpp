// Input: accesses of fields that the program declares as integers. Output: the
// same accesses with TBAA that says so. At -O0 the front end gives none, and
// simplification forgets the types of addresses: then the bits of an integer
// could be taken for those of a number.
#include "prepare/words/integer_fields.h"

#include "facts/types/declared_types.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace retro {
namespace {

/// Is Ptr the address of a whole integer, in a field of a struct of the
/// program?
bool isIntegerField(const Value *Ptr, uint64_t Bytes) {
  auto *G = dyn_cast<GetElementPtrInst>(Ptr);
  auto *S = G ? dyn_cast<StructType>(G->getSourceElementType()) : nullptr;
  return S && !S->isLiteral() && G->getNumIndices() >= 2 &&
         G->getResultElementType()->isIntegerTy(
             static_cast<unsigned>(Bytes * 8));
}

bool isIntegerVariable(const Value *Ptr) {
  auto *A = dyn_cast<AllocaInst>(Ptr);
  return A && A->getAllocatedType()->isIntegerTy();
}

/// Does a copy of memory move what may be the bits of a number into an integer,
/// or out of one?
bool copiesBits(const Instruction &I) {
  auto *C = dyn_cast<MemTransferInst>(&I);
  auto *N = C ? dyn_cast<ConstantInt>(C->getLength()) : nullptr;
  if (!N || N->getValue().ugt(8))
    return false;
  const uint64_t Bytes = N->getZExtValue();
  const Value *To = C->getDest(), *From = C->getSource();
  bool Into = isIntegerField(To, Bytes), OutOf = isIntegerField(From, Bytes);
  return (Into && !OutOf && !isIntegerVariable(From)) ||
         (OutOf && !Into && !isIntegerVariable(To));
}

} // namespace

/// Marks accesses of integer fields as the front end would have done with
/// optimization on. Each name gets a root of its own, so that nothing is said
/// about aliasing. A struct without a name is no type of the program; it only
/// passes words.
void nameIntegerFields(Function &F) {
  MDBuilder MDB(F.getContext());
  // LLVM keeps such names where it makes one load of two, and drops notes.
  const bool Unnamed = none_of(instructions(F), [](const Instruction &I) {
    return I.hasMetadata(LLVMContext::MD_tbaa);
  });
  MDNode *Word =
      MDB.createTBAAScalarTypeNode(NamedWord, MDB.createTBAARoot(NamedWord));
  for (Instruction &I : instructions(F)) {
    if (copiesBits(I))
      F.addFnAttr(BitsInIntegers);
    if (Unnamed && I.hasMetadata(NotedWord))
      I.setMetadata(LLVMContext::MD_tbaa,
                    MDB.createTBAAStructTagNode(Word, Word, 0));
    if (!getLoadStorePointerOperand(&I) || I.hasMetadata(LLVMContext::MD_tbaa))
      continue;
    Type *T = getLoadStoreType(&I);
    StringRef Name = T->isIntegerTy(64)   ? "long"
                     : T->isIntegerTy(32) ? "int"
                     : T->isIntegerTy(16) ? "short"
                                          : "";
    auto *G = dyn_cast<GEPOperator>(getLoadStorePointerOperand(&I));
    if (Name.empty() ||
        !(isIntegerField(I) ||
          (G && isFieldOfStruct(*G) && G->getResultElementType() == T)))
      continue;
    MDNode *Root = MDB.createTBAARoot(("retro " + Name).str());
    MDNode *Scalar = MDB.createTBAAScalarTypeNode(Name, Root);
    I.setMetadata(LLVMContext::MD_tbaa,
                  MDB.createTBAAStructTagNode(Scalar, Scalar, 0));
  }
}

} // namespace retro
