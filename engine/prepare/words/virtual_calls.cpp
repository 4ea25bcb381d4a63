// Input: a call by an address, as the front end emitted it. Output: whether it
// is of a virtual function. The Itanium C++ ABI has the object point to its
// table first of all; other code that loads an address and calls it says by its
// types, or by how it addresses a field, that it is none. Without it a call by
// an address might enter every virtual function of its type.
#include "prepare/words/virtual_calls.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
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

/// The pointer to a method that C calls: an address, or 1 and a place in the
/// table of the object that is passed.
const LoadInst *calledMethod(const CallBase &C) {
  auto *Either = dyn_cast<PHINode>(C.getCalledOperand());
  if (!Either)
    return nullptr;
  for (const Value *V : Either->incoming_values())
    if (auto *Address = dyn_cast<IntToPtrInst>(V))
      if (auto *First = dyn_cast<ExtractValueInst>(Address->getOperand(0)))
        return dyn_cast<LoadInst>(First->getAggregateOperand());
  return nullptr;
}

/// Is it passed to a function that no other file calls, by value or reference?
bool isPassed(const LoadInst &Method) {
  const Value *From = Method.getPointerOperand();
  if (auto *Reference = dyn_cast<LoadInst>(From))
    From = Reference->getPointerOperand();
  return isa<AllocaInst>(From) && Method.getFunction()->isDiscardableIfUnused();
}

/// Adds the places that C names, a constant that has pointers to methods.
void addPlaces(const Constant &C, SmallSet<int64_t, 4> &Out,
               SmallPtrSetImpl<const Constant *> &Seen) {
  if (!isa<ConstantAggregate>(C) || !Seen.insert(&C).second)
    return;
  auto *First = dyn_cast<ConstantInt>(C.getOperand(0));
  if (First && First->getBitWidth() == 64 && First->getValue()[0] &&
      C.getNumOperands() == 2)
    Out.insert(First->getSExtValue() - 1);
  for (const Use &Part : C.operands())
    addPlaces(*cast<Constant>(Part), Out, Seen);
}

constexpr StringLiteral PlacesOfMethods = "retro.places-of-methods";

} // namespace

void noteMethods(Module &M) {
  SmallSet<int64_t, 4> Places;
  SmallPtrSet<const Constant *, 16> Seen;
  for (const GlobalVariable &G : M.globals())
    if (G.hasInitializer())
      addPlaces(*G.getInitializer(), Places, Seen);
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      for (const Use &U : I.operands())
        if (auto *C = dyn_cast<Constant>(U))
          addPlaces(*C, Places, Seen);
      auto *C = dyn_cast<CallBase>(&I);
      const LoadInst *Method = C ? calledMethod(*C) : nullptr;
      if (Method && isPassed(*Method))
        C->addFnAttr(Attribute::get(M.getContext(), CallsMethod));
    }
  NamedMDNode *Noted = M.getOrInsertNamedMetadata(PlacesOfMethods);
  for (int64_t At : Places)
    Noted->addOperand(MDNode::get(
        M.getContext(), ConstantAsMetadata::get(ConstantInt::getSigned(
                            Type::getInt64Ty(M.getContext()), At))));
}

SmallSet<int64_t, 4> placesOfMethods(const Module &M) {
  SmallSet<int64_t, 4> Out;
  if (const NamedMDNode *Noted = M.getNamedMetadata(PlacesOfMethods))
    for (const MDNode *N : Noted->operands())
      Out.insert(
          mdconst::extract<ConstantInt>(N->getOperand(0))->getSExtValue());
  return Out;
}

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
