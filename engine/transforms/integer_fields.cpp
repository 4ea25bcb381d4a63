#include "transforms/prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace retro {

/// Accesses of integer fields say so, as the front end would have said with
/// optimization on: simplification forgets the types of addresses. Each name
/// has a root of its own, so that nothing is said about aliasing. A struct
/// without a name is no type of the program's: it passes words.
void nameIntegerFields(Function &F) {
  MDBuilder MDB(F.getContext());
  for (Instruction &I : instructions(F)) {
    auto *G =
        dyn_cast_or_null<GetElementPtrInst>(getLoadStorePointerOperand(&I));
    if (!G || I.hasMetadata(LLVMContext::MD_tbaa))
      continue;
    Type *T = getLoadStoreType(&I);
    StringRef Name = T->isIntegerTy(64)   ? "long"
                     : T->isIntegerTy(32) ? "int"
                     : T->isIntegerTy(16) ? "short"
                                          : "";
    auto *S = dyn_cast<StructType>(G->getSourceElementType());
    if (Name.empty() || !S || S->isLiteral() || G->getNumIndices() < 2 ||
        G->getResultElementType() != T)
      continue;
    MDNode *Root = MDB.createTBAARoot(("retro " + Name).str());
    MDNode *Scalar = MDB.createTBAAScalarTypeNode(Name, Root);
    I.setMetadata(LLVMContext::MD_tbaa,
                  MDB.createTBAAStructTagNode(Scalar, Scalar, 0));
  }
}

} // namespace retro
