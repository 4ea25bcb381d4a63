#include "analyses/kept_memory.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// All that is stored to a local variable, or nothing if other code sees it.
std::optional<SmallVector<const Value *>> storedTo(const AllocaInst &A) {
  SmallVector<const Value *> Out;
  for (const User *U : A.users()) {
    if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == &A)
      Out.push_back(S->getValueOperand());
    else if (!isa<LoadInst>(U) && !cast<Instruction>(U)->isLifetimeStartOrEnd())
      return std::nullopt;
  }
  return Out;
}

/// Is V null or the begin of a block that free() takes?
bool isBlock(const Value *V) {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(V);
  for (size_t N = 0; N < Work.size(); ++N) {
    const Value *X = Work[N]->stripPointerCasts();
    if (isa<ConstantPointerNull>(X))
      continue;
    if (auto *C = dyn_cast<CallBase>(X)) {
      const Function *F = C->getCalledFunction();
      if (!F || !StringSwitch<bool>(F->getName())
                     .Cases({"malloc", "calloc", "realloc"}, true)
                     .Cases({"reallocarray", "aligned_alloc"}, true)
                     .Default(false))
        return false;
    } else if (isa<PHINode>(X)) {
      Work.insert_range(cast<User>(X)->operands());
    } else if (auto *S = dyn_cast<SelectInst>(X)) {
      Work.insert(S->getTrueValue());
      Work.insert(S->getFalseValue());
    } else if (auto *L = dyn_cast<LoadInst>(X)) {
      auto *A = dyn_cast<AllocaInst>(L->getPointerOperand());
      auto Stored = A ? storedTo(*A) : std::nullopt;
      if (!Stored)
        return false;
      Work.insert_range(*Stored);
    } else {
      return false;
    }
  }
  return true;
}

/// Does only a sanitizer look at this address?
bool isForSanitizer(const User *U) {
  StringRef Name = U->getName();
  if (isa<GlobalVariable>(U))
    return Name.starts_with("__asan") || Name.starts_with("llvm.") ||
           Name.starts_with("___asan");
  if (auto *I = dyn_cast<Instruction>(U)) {
    auto *C = dyn_cast<CallBase>(I);
    const Function *F = C ? C->getCalledFunction() : nullptr;
    return I->getOpcode() == Instruction::LShr ||
           I->getOpcode() == Instruction::And ||
           (F && (F->getName().starts_with("__asan_") ||
                  F->getName().starts_with("__ubsan_")));
  }
  return isa<Constant>(U) && all_of(U->users(), isForSanitizer);
}

/// Is a pointer that was loaded stored only where the function keeps it?
bool staysLocal(const LoadInst &L) {
  return none_of(L.users(), [&](const User *U) {
    auto *S = dyn_cast<StoreInst>(U);
    return S && S->getValueOperand() == &L &&
           !isa<AllocaInst>(S->getPointerOperand());
  });
}

/// The uses of the place Offset of Variable, from its part at At that V is.
bool holdsBlocks(const Value &V, int64_t At, int64_t Offset,
                 const DataLayout &DL) {
  auto Overlaps = [&](Type *T) {
    return At < Offset + static_cast<int64_t>(DL.getPointerSize()) &&
           Offset < At + static_cast<int64_t>(DL.getTypeStoreSize(T));
  };
  return all_of(V.uses(), [&](const Use &X) {
    const User *U = X.getUser();
    if (auto *G = dyn_cast<GEPOperator>(U)) {
      APInt Step(DL.getIndexTypeSizeInBits(G->getType()), 0);
      return G->accumulateConstantOffset(DL, Step) &&
             holdsBlocks(*G, At + Step.getSExtValue(), Offset, DL);
    }
    if (isa<PtrToIntOperator, Constant>(U))
      return all_of(U->users(), isForSanitizer);
    if (auto *L = dyn_cast<LoadInst>(U))
      return !Overlaps(L->getType()) ||
             (At == Offset && L->getType()->isPointerTy() && staysLocal(*L));
    if (auto *S = dyn_cast<StoreInst>(U))
      return X.getOperandNo() == StoreInst::getPointerOperandIndex() &&
             (!Overlaps(S->getValueOperand()->getType()) ||
              (At == Offset && isBlock(S->getValueOperand())));
    return false;
  });
}

} // namespace

std::optional<StaticPlace> KeptMemory::placeOf(const Instruction &Access) {
  const Value *Ptr = getLoadStorePointerOperand(&Access);
  if (!Ptr || !getLoadStoreType(&Access)->isPointerTy())
    return std::nullopt;
  const DataLayout &DL = Access.getDataLayout();
  int64_t Offset = 0;
  auto *G = const_cast<GlobalVariable *>(dyn_cast<GlobalVariable>(
      GetPointerBaseWithConstantOffset(Ptr, Offset, DL)));
  if (!G || !G->hasLocalLinkage() || G->isConstant() || G->isThreadLocal() ||
      !G->hasInitializer() || !G->getInitializer()->isNullValue())
    return std::nullopt;
  auto [It, New] = Known.try_emplace({G, Offset}, false);
  if (New)
    It->second = holdsBlocks(*G, 0, Offset, DL);
  return It->second ? std::optional(StaticPlace{G, Offset}) : std::nullopt;
}

} // namespace retro
