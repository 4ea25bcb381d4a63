// Finds the variable behind an address. Without it a program that asks which of
// its variables round could only be told lines.
#include "facts/types/variables.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

StringRef nameOf(const GlobalVariable &G) {
  SmallVector<DIGlobalVariableExpression *> Said;
  G.getDebugInfo(Said);
  return Said.empty() ? "" : Said[0]->getVariable()->getName();
}

/// The variable that V is the memory of, or the value of.
StringRef nameOf(const Value &V) {
  if (auto *G = dyn_cast<GlobalVariable>(&V))
    return nameOf(*G);
  // LLVM's queries take no constant value, and change none.
  auto *Of = const_cast<Value *>(&V);
  for (const DbgVariableRecord *D : findDVRDeclares(Of))
    return D->getVariable()->getName();
  SmallVector<DbgVariableRecord *> Values;
  findDbgValues(Of, Values);
  return Values.empty() ? "" : Values[0]->getVariable()->getName();
}

} // namespace

StringRef variableBehind(const Value &Address) {
  const Value *V = &Address;
  for (unsigned Steps = 0; Steps < 8; ++Steps) { // of lists there is no end
    V = getUnderlyingObject(V);
    if (StringRef Name = nameOf(*V); !Name.empty())
      return Name;
    auto *L = dyn_cast<LoadInst>(V);
    if (!L)
      return "";
    V = L->getPointerOperand();
  }
  return "";
}

} // namespace retro
