// Finds the source's names and types of parameters and variables in debug
// information, for messages. Nothing but the words of a message depends on it.
#include "front/registered/declared.h"

#include "front/known/operands.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// Spells a type as C does, in short.
std::string spell(const DIType *T, unsigned Depth = 0) {
  if (!T)
    return "void";
  if (Depth > 8)
    return "...";
  std::string Name = T->getName().str();
  if (auto *C = dyn_cast<DICompositeType>(T)) {
    if (C->getTag() == dwarf::DW_TAG_array_type)
      return spell(C->getBaseType(), Depth + 1) + "[]";
    return Name.empty() ? "struct" : Name;
  }
  auto *D = dyn_cast<DIDerivedType>(T);
  if (!D || D->getTag() == dwarf::DW_TAG_typedef)
    return Name;
  std::string Base = spell(D->getBaseType(), Depth + 1);
  switch (D->getTag()) {
  case dwarf::DW_TAG_pointer_type:
    return Base + (StringRef(Base).ends_with("*") ? "*" : " *");
  case dwarf::DW_TAG_reference_type:
  case dwarf::DW_TAG_rvalue_reference_type:
    return Base + " &";
  case dwarf::DW_TAG_const_type:
    return isa_and_nonnull<DIDerivedType>(D->getBaseType()) ? Base
                                                            : "const " + Base;
  default:
    return Base;
  }
}

Declared of(const DIVariable *V) {
  return V && V->getType() ? Declared{V->getName().str(), V->getType()}
                           : Declared();
}

/// The parameter of this number, counted from 1, as debug records in the body
/// name it.
Declared namedParameter(const Function &F, unsigned Number) {
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &D : filterDbgVars(I.getDbgRecordRange()))
      if (D.getVariable()->getArg() == Number &&
          !D.getDebugLoc().getInlinedAt())
        return of(D.getVariable());
  return {};
}

} // namespace

std::string Declared::text() const {
  if (!Type)
    return "";
  std::string T = spell(Type);
  return T + (StringRef(T).ends_with("*") ? "" : " ") + Name;
}

Declared declaredParameter(const Argument &A) {
  const Function &F = *A.getParent();
  const DISubprogram *SP = F.getSubprogram();
  if (!SP || !SP->getType())
    return {};
  // A struct may travel as several arguments; then nothing is known.
  DITypeRefArray Types = SP->getType()->getTypeArray();
  if (Types.size() != F.arg_size() + 1)
    return {};
  const unsigned Number = A.getArgNo() + 1;
  if (Declared D = namedParameter(F, Number))
    return D;
  return {A.getName().str(), Types[Number]};
}

Declared declaredOperand(Value &V) {
  Value *Origin = originOf(&V);
  if (auto *G = dyn_cast<GlobalVariable>(Origin)) {
    SmallVector<DIGlobalVariableExpression *, 1> Info;
    G->getDebugInfo(Info);
    return Info.empty() ? Declared() : of(Info[0]->getVariable());
  }
  if (auto *A = dyn_cast<Argument>(Origin))
    return declaredParameter(*A);
  if (auto *Slot = dyn_cast<AllocaInst>(Origin))
    for (DbgVariableRecord *D : findDVRDeclares(Slot))
      return of(D->getVariable());
  if (isa<Constant>(Origin) || isa<AllocaInst>(Origin))
    return {};
  SmallVector<DbgVariableRecord *> Records;
  findDbgValues(Origin, Records);
  for (DbgVariableRecord *D : Records)
    if (D->getExpression()->getNumElements() == 0)
      return of(D->getVariable());
  return {};
}

} // namespace retro
