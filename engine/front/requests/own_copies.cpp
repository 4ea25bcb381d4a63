// Gives requests private copies of the functions that they name. Where a
// request takes the address of the function itself, LLVM knows neither all
// calls of it nor their arguments: the program's own calls of a static
// function are not specialised for a constant that all of them pass, and its
// only call is not inlined, so that the program is slower for the request.
//
// A copy is made where that can be seen: of local functions that are called
// and whose address nobody else takes. Other functions LLVM treats alike with
// and without a request. What a copy calls is copied for the same reason: a
// second caller would hide what the first one passes.
#include "front/requests/own_copies.h"

#include "base/call_chain.h"
#include "front/known/entry_points.h"
#include "front/known/stand_in_links.h"
#include "front/requests/bind.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// The attribute of a function of the program of which there is a copy.
constexpr const char *OwnAttribute = "retro-has-copy";
/// What a copy has behind its name that a derivative still calls.
constexpr const char *CopySuffix = ".copy";

/// Is it an operand of a request for a derivative?
bool isOfRequest(const Use &U) {
  auto *C = dyn_cast<CallBase>(U.getUser());
  if (!C || !C->isArgOperand(&U))
    return false;
  const Entry Kind = entryOf(*C);
  // What a shadow holds for a pointer is asked for the function that the
  // pointer leads to.
  return Kind != Entry::None && Kind != Entry::VirtualReverse;
}

/// Is the function only stored to a variable that requests alone read?
bool isForRequests(const Use &U) {
  auto *S = dyn_cast<StoreInst>(U.getUser());
  auto *Slot = S && U.getOperandNo() == 0
                   ? dyn_cast<AllocaInst>(S->getPointerOperand())
                   : nullptr;
  return Slot && all_of(Slot->users(), [&](const User *Of) {
           if (Of == S || cast<Instruction>(Of)->isLifetimeStartOrEnd())
             return true;
           auto *L = dyn_cast<LoadInst>(Of);
           return L && !L->use_empty() && all_of(L->uses(), isOfRequest);
         });
}

bool isCall(const Use &U) {
  auto *C = dyn_cast<CallBase>(U.getUser());
  return C && C->isCallee(&U);
}

/// May there be a copy in the place of F for some that use it? Whoever compares
/// or stores its address must find one and the same function. A table of labels
/// leads to those of one function.
bool canBeCopied(const Function &F) {
  return F.hasLocalLinkage() && !F.isDeclaration() && !F.hasOptNone() &&
         !hasLabelsTaken(F) && !F.hasFnAttribute(RegisteredAttribute) &&
         !F.hasFnAttribute(OwnAttribute) && !F.isPresplitCoroutine() &&
         !linkOf(F, PrimalLink) && !linkOf(F, StandInLink) &&
         all_of(F.uses(), [](const Use &U) {
           return isCall(U) || isOfRequest(U) || isForRequests(U);
         });
}

class OwnCopies {
public:
  explicit OwnCopies(Module &M) : M(M) {}
  bool make();

private:
  void findReached();
  void chooseCopied();
  bool isCalledByOthers(Function &F) const;
  void copy(Function &F);
  void redirect();

  Module &M;
  /// What requests name, as their target or for it to call, and what these
  /// call, as far as it can be copied.
  SetVector<Function *> Reached;
  /// Those that the rest of the program calls as well, with their copies.
  MapVector<Function *, Function *> Copies;
};

void OwnCopies::findReached() {
  auto Reach = [&](Function *F) {
    if (F && !Reached.contains(F) && canBeCopied(*F))
      Reached.insert(F);
  };
  for (Function &F : M)
    for (CallBase *C : requestsIn(F))
      for (Value *V : C->args())
        Reach(functionBehind(V));
  for (unsigned N = 0; N < Reached.size(); ++N)
    for (Instruction &I : instructions(*Reached[N]))
      if (auto *C = dyn_cast<CallBase>(&I))
        Reach(C->getCalledFunction());
}

/// Does the program call F, other than from functions that only requests reach?
bool OwnCopies::isCalledByOthers(Function &F) const {
  return any_of(F.uses(), [&](const Use &U) {
    auto *C = isCall(U) ? cast<CallBase>(U.getUser()) : nullptr;
    return C && (!Reached.contains(C->getFunction()) ||
                 Copies.contains(C->getFunction()));
  });
}

void OwnCopies::chooseCopied() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function *F : Reached)
      if (!Copies.contains(F) && isCalledByOthers(*F)) {
        Copies.insert({F, nullptr});
        Changed = true;
      }
  }
}

void OwnCopies::copy(Function &F) {
  ValueToValueMapTy VM;
  Function *C = CloneFunction(&F, VM);
  C->setComdat(nullptr);
  C->takeName(&F);
  F.setName(C->getName() + OwnSuffix);
  F.addFnAttr(OwnAttribute);
  Copies[&F] = C;
}

/// Sends requests, and what they alone reach, to the copies.
void OwnCopies::redirect() {
  SmallPtrSet<const Function *, 16> Within;
  for (Function *F : Reached)
    Within.insert(Copies.contains(F) ? Copies.lookup(F) : F);
  for (auto [F, Copy] : Copies)
    F->replaceUsesWithIf(Copy, [&](Use &U) {
      return !isCall(U) ||
             Within.contains(cast<Instruction>(U.getUser())->getFunction());
    });
}

bool OwnCopies::make() {
  findReached();
  chooseCopied();
  for (auto &[F, Copy] : Copies)
    copy(*F);
  redirect();
  return !Copies.empty();
}

} // namespace

bool makeOwnCopies(Module &M) { return OwnCopies(M).make(); }

unsigned countOwnCopies(const Module &M) {
  return static_cast<unsigned>(count_if(
      M, [](const Function &F) { return F.hasFnAttribute(OwnAttribute); }));
}

bool restoreNames(Module &M) {
  SmallVector<Function *> Copied;
  // By the name of the copy. A thin link has told other modules of the name of
  // what is not local.
  MapVector<Function *, std::string> Names;
  for (Function &F : M)
    if (F.hasFnAttribute(OwnAttribute)) {
      Copied.push_back(&F);
      std::string Name = F.getName().str();
      const size_t At = Name.find(OwnSuffix);
      if (At != std::string::npos && F.hasLocalLinkage())
        Names[&F] = Name.erase(At, StringRef(OwnSuffix).size());
    }
  auto CopyNamed = [&](StringRef Name) {
    Function *C = M.getFunction(Name);
    return C && C->hasLocalLinkage() ? C : nullptr;
  };
  // A copy may be used by another one.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[F, Name] : Names)
      if (Function *C = CopyNamed(Name)) {
        C->removeDeadConstantUsers();
        if (!C->use_empty())
          continue;
        C->eraseFromParent();
        Changed = true;
      }
  }
  for (auto &[F, Name] : Names) {
    if (Function *C = CopyNamed(Name))
      C->setName(Name + CopySuffix);
    F->setName(Name);
  }
  for (Function *F : Copied)
    F->removeFnAttr(OwnAttribute);
  return !Copied.empty();
}

} // namespace retro
