// Copies the target of a request where the request passes a function or an
// integer as a constant argument, and puts that in the argument's place. Calls
// of a function are then direct, so that its body can be derived, and a number
// is as well known as where LLVM inlines a plain call. Without it the
// derivative of a call through a function pointer would be refused.
#include "front/requests/bind.h"

#include "base/call_chain.h"
#include "front/known/stand_in_links.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {

bool hasLabelsTaken(const Function &F) {
  return any_of(F, [](const BasicBlock &B) { return B.hasAddressTaken(); });
}

void FunctionBinder::noteRequests(Module &M) {
  for (Function &F : M)
    for (CallBase *C : requestsIn(F)) {
      Function *Target = targetOf(*C);
      if (!Target)
        continue;
      Constants Passed;
      for (Value *V : C->args())
        if (auto *N = dyn_cast<ConstantInt>(V))
          Passed.push_back(N);
      auto [It, New] = Agreed.try_emplace(Target, Passed);
      if (!New && It->second != Passed)
        It->second = std::nullopt;
    }
}

bool FunctionBinder::isAgreed(const Function &Target,
                              const ConstantInt &Value) const {
  auto It = Agreed.find(&Target);
  // A request may pass a number of another width than the parameter has.
  return It != Agreed.end() && It->second &&
         any_of(*It->second, [&](const Constant *C) {
           return APInt::isSameValue(cast<ConstantInt>(C)->getValue(),
                                     Value.getValue());
         });
}

/// Smaller numbers are not bound. They say how often short loops run, which
/// would be unrolled, and their bodies be derived again and again; what is won
/// is won with sizes, by which indices are multiplied and divided.
constexpr uint64_t LeastBound = 64;

/// The functions and integers that constant arguments are, where that is known
/// at compile time; empty where none is. In split mode nothing is bound: one
/// pass may know what the other does not, and both must agree on the tape.
FunctionBinder::Constants FunctionBinder::knownArguments(const Request &Req,
                                                         Traits Modes) const {
  Constants Out;
  if (Req.isSplit())
    return Out;
  const bool Numbers = applies(Toggle::constants, Modes);
  for (size_t I = 0; I < Req.Args.size(); ++I) {
    Value *Given = Req.Args[I].Primal;
    if (Req.Args[I].Act != Activity::Const || !Given)
      continue;
    Constant *Known = functionBehind(Given);
    if (!Known && Numbers)
      if (auto *N = dyn_cast<ConstantInt>(Given);
          N && N->getValue().abs().uge(LeastBound) && isAgreed(*Req.Target, *N))
        Known = N;
    if (!Known)
      continue;
    Out.resize(Req.Args.size());
    Out[I] = Known;
  }
  return Out;
}

Function *FunctionBinder::bind(const Request &Req, Traits Modes) {
  const Constants Known = knownArguments(Req, Modes);
  // What is registered for the target does not hold for a copy, and a table of
  // labels leads to the target's.
  if (Known.empty() || Req.Target->hasFnAttribute(RegisteredAttribute) ||
      hasLabelsTaken(*Req.Target))
    return Req.Target;
  auto [It, New] = Clones.try_emplace({Req.Target, Known});
  if (!New)
    return It->second;
  ValueToValueMapTy VM;
  Function *C = CloneFunction(Req.Target, VM);
  C->setLinkage(GlobalValue::InternalLinkage);
  C->setComdat(nullptr);
  C->setVisibility(GlobalValue::DefaultVisibility);
  C->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  std::string Name = Req.Target->getName().str();
  bool Fixed = false;
  for (Argument &A : C->args())
    if (Constant *K = Known[A.getArgNo()]) {
      A.replaceAllUsesWith(K);
      if (isa<Function>(K))
        Name += "." + K->getName().str();
      else
        Fixed = true;
    }
  if (Fixed) {
    Name += FixedSuffix;
    ++counters().constants;
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
