// Input: the type information of what a unit throws. Output: whether handlers
// get the address at which the object begins. Without it a field could be taken
// for another of the same object.
#include "facts/memory/thrown_objects.h"

#include "front/names/foreign.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

StringRef calledName(const CallBase &C) {
  return C.getCalledOperand()->stripPointerCasts()->getName();
}

/// Has this type, by its information as the Itanium ABI lays it out, no more
/// than one base class at each level? Of what is declared elsewhere the name
/// says it for the classes of std and for integers. A number that is thrown by
/// itself is refused, as the conformance programs ask for.
bool beginsWithBase(const Value *Info) {
  auto *Type = dyn_cast<GlobalVariable>(Info->stripPointerCasts());
  if (!Type)
    return false;
  if (!Type->hasInitializer())
    return isA(Type->getName(), NameKind::KnownInfo);
  auto *Fields = dyn_cast<ConstantStruct>(Type->getInitializer());
  if (!Fields || Fields->getNumOperands() < 2)
    return false;
  StringRef Kind =
      Fields->getOperand(0)->stripInBoundsConstantOffsets()->getName();
  if (isA(Kind, NameKind::InfoOfClass))
    return true;
  return isA(Kind, NameKind::InfoOfOneBase) && Fields->getNumOperands() > 2 &&
         beginsWithBase(Fields->getOperand(2));
}

/// Does beginsWithBase hold of each object that is thrown here? LLVM may have
/// made one place of several.
bool beginWithBase(const Value *Infos) {
  SmallSetVector<const Value *, 4> Found;
  Found.insert(Infos);
  for (size_t N = 0; N < Found.size(); ++N) {
    if (auto *P = dyn_cast<PHINode>(Found[N]))
      for (const Use &O : P->incoming_values())
        Found.insert(O);
    else if (auto *S = dyn_cast<SelectInst>(Found[N]))
      for (const Value *O : {S->getTrueValue(), S->getFalseValue()})
        Found.insert(O);
    else if (!beginsWithBase(Found[N]))
      return false;
  }
  return true;
}

} // namespace

bool isThrownObject(const CallBase &C) {
  return isA(calledName(C), NameKind::NewException);
}

bool isCaughtObject(const CallBase &C) {
  return C.getType()->isPointerTy() &&
         isA(calledName(C), NameKind::GivesCaught);
}

bool endsCatch(const CallBase &C) {
  return isA(calledName(C), NameKind::EndsCatch);
}

bool isCaughtWhole(const Unit &U) {
  return all_of(U.Functions, [](const auto &UF) {
    return all_of(instructions(*UF->F), [](const Instruction &I) {
      auto *C = dyn_cast<CallBase>(&I);
      return !C || !isA(calledName(*C), NameKind::Throws) ||
             beginWithBase(C->getArgOperand(1));
    });
  });
}

} // namespace retro
