// Brings each library call of a function to canonical form, by its kind in the
// table of known functions, and gives emitted functions the library's calls
// back. A call that stays as it is has a rule of its own, or no derivative.
#include "prepare/calls/library_calls.h"

#include "front/known/known_functions.h"
#include "prepare/calls/blas_interface.h"
#include "prepare/calls/complex_calls.h"
#include "prepare/calls/sorting.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

/// Attribute with the name of the function whose conventions a canonical one
/// has.
constexpr StringLiteral LikeAttribute = "retro-like";

} // namespace

Function *canonicalFunction(Module &M, StringRef Name, FunctionType *T,
                            StringRef Like) {
  std::string Full = (CanonicalPrefix + Name).str();
  if (Function *F = M.getFunction(Full))
    return F;
  Function *F = Function::Create(T, GlobalValue::ExternalLinkage, Full, M);
  F->addFnAttr(LikeAttribute, Like);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::WillReturn);
  return F;
}

StringRef libraryName(const Function &Canonical) {
  StringRef Name = Canonical.getName();
  Name.consume_front(CanonicalPrefix);
  return Name;
}

Function *conventionsOf(const Function &Canonical) {
  return const_cast<Module *>(Canonical.getParent())
      ->getFunction(Canonical.getFnAttribute(LikeAttribute).getValueAsString());
}

/// Some functions find something in an array and return its address, or return
/// an operand. Their result is written as an address computed from that
/// operand, so that the memory has the same name whether the call found
/// something or not.
static bool placeInOperand(CallBase &C, const KnownFunction &Row) {
  if (Row.A < 0 || !C.getType()->isPointerTy() || C.isTerminator() ||
      all_of(C.users(), [](User *U) { return isa<CmpInst, PtrToIntInst>(U); }))
    return false;
  IRBuilder<> B(C.getNextNode());
  Value *Base = C.getArgOperand(static_cast<unsigned>(Row.A));
  Type *Word = B.getIntPtrTy(C.getDataLayout());
  Value *At = B.CreatePtrToInt(&C, Word);
  Value *Far = B.CreateSub(At, B.CreatePtrToInt(Base, Word));
  Value *Place =
      B.CreateSelect(B.CreateIsNull(&C), ConstantPointerNull::get(B.getPtrTy()),
                     B.CreatePtrAdd(Base, Far));
  C.replaceUsesWithIf(Place, [&](Use &U) {
    return U.getUser() != At && !isa<CmpInst>(U.getUser());
  });
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
    if (settleScanned(*C) || lowerTargetIntrinsic(*C) ||
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
    else if (K.Kind == KnownKind::Blas)
      Changed |= canonicalizeBlas(*C, K);
    else if (K.Kind == KnownKind::Inactive)
      Changed |= placeInOperand(*C, *K.Row);
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
  SmallVector<WeakTrackingVH> Phis;
  for (BasicBlock &B : F)
    for (PHINode &P : B.phis())
      Phis.push_back(&P);
  for (WeakTrackingVH &V : Phis)
    if (auto *P = dyn_cast_or_null<PHINode>(V))
      RecursivelyDeleteDeadPHINode(P);
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

void dropCanonicalFunctions(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.getName().starts_with(CanonicalPrefix) && F.use_empty())
      F.eraseFromParent();
}

} // namespace retro
