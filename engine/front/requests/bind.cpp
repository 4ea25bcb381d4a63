// Copies the target of a request where the request passes a function as a
// constant argument, and puts that function in the argument's place. Calls of
// it are then direct, so that its body can be derived.
#include "front/requests/bind.h"

#include "front/known/stand_in_links.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// The functions that constant arguments are, where that is known at compile
/// time; empty where none is. In split mode nothing is bound: one pass may know
/// what the other does not, and both must agree on the tape.
std::vector<Function *> knownFunctions(const Request &Req) {
  std::vector<Function *> Out;
  if (Req.isSplit())
    return Out;
  for (size_t I = 0; I < Req.Args.size(); ++I)
    if (Req.Args[I].Act == Activity::Const && Req.Args[I].Primal)
      if (Function *F = functionBehind(Req.Args[I].Primal)) {
        Out.resize(Req.Args.size());
        Out[I] = F;
      }
  return Out;
}

} // namespace

Function *FunctionBinder::bind(const Request &Req) {
  std::vector<Function *> Callees = knownFunctions(Req);
  // What is registered for the target does not hold for a copy.
  if (Callees.empty() || Req.Target->hasFnAttribute(RegisteredAttribute))
    return Req.Target;
  auto [It, New] = Clones.try_emplace({Req.Target, Callees});
  if (!New)
    return It->second;
  ValueToValueMapTy VM;
  Function *C = CloneFunction(Req.Target, VM);
  C->setLinkage(GlobalValue::InternalLinkage);
  C->setComdat(nullptr);
  C->setVisibility(GlobalValue::DefaultVisibility);
  C->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  std::string Name = Req.Target->getName().str();
  for (Argument &A : C->args())
    if (Function *F = Callees[A.getArgNo()]) {
      A.replaceAllUsesWith(F);
      Name += "." + F->getName().str();
    }
  C->setName(Name);
  for (Instruction &I : instructions(*C))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall())
      if (Function *F = functionBehind(Call->getCalledOperand()))
        Call->setCalledOperand(F);
  return It->second = C;
}

FunctionBinder::~FunctionBinder() {
  for (auto &[K, F] : Clones) {
    F->removeDeadConstantUsers();
    if (!F->use_empty())
      continue;
    FAM.clear(*F, F->getName());
    F->eraseFromParent();
  }
}

} // namespace retro
