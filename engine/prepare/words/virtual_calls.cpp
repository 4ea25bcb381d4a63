// Input: a call by an address, as the front end emitted it. Output: whether it
// is of a virtual function. The Itanium C++ ABI has the object point to its
// table first of all; other code that loads an address and calls it says by its
// types, or by how it addresses a field, that it is none. Without it a call by
// an address might enter every virtual function of its type.
#include "prepare/words/virtual_calls.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// The access by which the front end loads an object's pointer to its table has
/// a type of its own.
bool isTypedAsTable(const LoadInst &Table) {
  const MDNode *Tag = Table.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || Tag->getNumOperands() < 2)
    return false;
  auto *Type = dyn_cast<MDNode>(Tag->getOperand(1));
  auto *Name = Type && Type->getNumOperands()
                   ? dyn_cast<MDString>(Type->getOperand(0))
                   : nullptr;
  return Name && Name->getString() == "vtable pointer";
}

/// A field, a variable or an entry of an array of the program's own, as the
/// front end addresses it: later addresses are in bytes.
bool isOwnPlace(const LoadInst &Entry) {
  const Value *Place = Entry.getPointerOperand();
  auto *Address = dyn_cast<GEPOperator>(Place);
  return Entry.hasMetadata(LLVMContext::MD_tbaa) || isa<AllocaInst>(Place) ||
         isa<GlobalVariable>(Place) ||
         (Address && Address->getSourceElementType()->isAggregateType());
}

} // namespace

std::optional<bool> isVirtualCall(const CallBase &C, bool IsFortran) {
  // A dummy procedure: no procedure that is bound to a type is passed as such.
  if (IsFortran && isa<Argument>(C.getCalledOperand()))
    return false;
  auto *Entry = dyn_cast<LoadInst>(C.getCalledOperand());
  if (!Entry)
    return std::nullopt;
  if (isOwnPlace(*Entry))
    return false;
  auto *Place = dyn_cast<GetElementPtrInst>(Entry->getPointerOperand());
  auto *Table =
      Place ? dyn_cast<LoadInst>(Place->getPointerOperand()) : nullptr;
  if (!Table || !Place->hasAllConstantIndices())
    return std::nullopt;
  // Without optimization accesses have no types. Other code computes anew what
  // it passes as the object, or takes the address of a field in between.
  const bool SaysNothing = C.getFunction()->hasOptNone() &&
                           !Table->hasMetadata(LLVMContext::MD_tbaa);
  if (isTypedAsTable(*Table) ||
      (SaysNothing && Place->getNumIndices() == 1 &&
       is_contained(C.args(), Table->getPointerOperand())))
    return true;
  return std::nullopt;
}

} // namespace retro
