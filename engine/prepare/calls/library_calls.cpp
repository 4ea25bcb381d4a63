// Brings each library call of a function to canonical form, by its kind in the
// table of known functions, and gives emitted functions the library's calls
// back. A call that stays as it is has a rule of its own, or no derivative.
#include "prepare/calls/library_calls.h"

#include "front/known/known_functions.h"
#include "ir/simplify.h"
#include "prepare/calls/blas_interface.h"
#include "prepare/calls/complex_calls.h"
#include "prepare/calls/copied_text.h"
#include "prepare/calls/scanned_numbers.h"
#include "prepare/calls/sorting.h"
#include "prepare/targets/assembly.h"
#include "prepare/targets/bit_casts.h"
#include "prepare/targets/device_intrinsics.h"
#include "prepare/targets/shuffle_words.h"
#include "prepare/targets/target_intrinsics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
/// Some functions find something in an array and return its address, or return
/// an operand. Their result is written as an address computed from that
/// operand, so that the memory has the same name whether the call found
/// something or not.
static bool placeInOperand(Instruction &Found, Value *Base) {
  if (!Found.getType()->isPointerTy() || Found.isTerminator() ||
      all_of(Found.users(),
             [](User *U) { return isa<CmpInst, PtrToIntInst>(U); }))
    return false;
  IRBuilder<> B(Found.getNextNode());
  Type *Word = B.getIntPtrTy(Found.getDataLayout());
  Value *At = B.CreatePtrToInt(&Found, Word);
  Value *Far = B.CreateSub(At, B.CreatePtrToInt(Base, Word));
  Value *Place = B.CreateSelect(B.CreateIsNull(&Found),
                                ConstantPointerNull::get(B.getPtrTy()),
                                B.CreatePtrAdd(Base, Far));
  Found.replaceUsesWithIf(Place, [&](Use &U) {
    return U.getUser() != At && !isa<CmpInst>(U.getUser());
  });
  return true;
}

/// The same where the place is the first part of the result.
static bool placesInOperand(CallBase &C, const KnownFunction &Row) {
  if (Row.A < 0)
    return false;
  Value *Base = C.getArgOperand(static_cast<unsigned>(Row.A));
  bool Changed = placeInOperand(C, Base);
  for (User *U : C.users())
    if (auto *E = dyn_cast<ExtractValueInst>(U);
        E && E->getIndices() == ArrayRef(0u))
      Changed |= placeInOperand(*E, Base);
  return Changed;
}

/// A function that is chosen when the program is loaded, for the processor, is
/// asked for here: the choice is always the same.
static bool chooseHere(CallBase &C) {
  auto *Of = dyn_cast<GlobalIFunc>(C.getCalledOperand());
  Function *Resolver = Of ? Of->getResolverFunction() : nullptr;
  if (!Resolver || Resolver->isDeclaration() || Resolver->arg_size())
    return false;
  C.setCalledOperand(IRBuilder<>(&C).CreateCall(Resolver));
  return true;
}

bool canonicalizeLibraryCalls(Function &F) {
  bool Changed = isGpu(*F.getParent()) && joinShuffles(F);
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      Calls.push_back(C);
  for (CallBase *C : Calls) {
    if (C->isInlineAsm()) {
      Changed |= lowerAssembly(*C);
      continue;
    }
    if (chooseHere(*C) || settleScanned(*C) || lowerTargetIntrinsic(*C) ||
        lowerDeviceIntrinsic(*C)) {
      Changed = true;
      continue;
    }
    // A unit runs in one thread from end to end.
    if (C->getIntrinsicID() == Intrinsic::threadlocal_address) {
      C->replaceAllUsesWith(C->getArgOperand(0));
      C->eraseFromParent();
      Changed = true;
      continue;
    }
    if (isBitCastCall(*C)) {
      C->replaceAllUsesWith(
          IRBuilder<>(C).CreateBitCast(C->getArgOperand(0), C->getType()));
      C->eraseFromParent();
      Changed = true;
      continue;
    }
    KnownCall K = knownCall(*C);
    if (K.Canonical)
      continue;
    if (K.Kind == KnownKind::Complex)
      Changed |= canonicalizeComplex(*C, K);
    else if (K.Kind == KnownKind::Sort)
      Changed |= canonicalizeSort(*C, K);
    else if (K.Kind == KnownKind::Search)
      Changed |= canonicalizeSearch(*C, K);
    else if (K.Kind == KnownKind::Blas && canonicalizeBlas(*C, K))
      Changed = true;
    else if (K.Kind == KnownKind::Blas)
      C->addFnAttr(Attribute::get(F.getContext(), OtherThanKnown));
    else if (K.Kind == KnownKind::Inactive)
      Changed |= allocateCopiedText(*C, *K.Row) || placesInOperand(*C, *K.Row);
  }
  return Changed;
}

static SmallVector<CallBase *> canonicalCalls(Function &F) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = C->getCalledFunction();
          G && G->getName().starts_with(CanonicalPrefix))
        Calls.push_back(C);
  return Calls;
}

void expandLibraryCalls(Function &F) {
  if (canonicalCalls(F).empty())
    return;
  // Only now is it known that a call whose result nobody reads has no effect.
  deleteDeadPhis(F);
  SmallVector<CallBase *> Calls = canonicalCalls(F);
  for (CallBase *C : Calls) {
    if (isInstructionTriviallyDead(C)) {
      C->eraseFromParent();
      continue;
    }
    KnownCall K = knownCall(*C);
    if (K.Kind == KnownKind::Complex)
      expandComplex(*C);
    else if (K.Kind == KnownKind::Sort)
      expandSort(*C, K);
    else if (K.Kind == KnownKind::Search)
      expandSearch(*C, K);
    else if (K.Kind == KnownKind::Blas)
      expandBlas(*C);
    else if (K.Kind == KnownKind::Shuffle)
      expandShuffle(*C, K);
  }
}

} // namespace retro
