// Finds out what an operand of a request is at compile time, through casts,
// aliases and what -O0 makes of variables. What stays unknown here is an error
// at the user's line.
#include "front/known/operands.h"

#include "base/uniqued.h"
#include "front/known/replaceable.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// The constant that a function without parameters always returns, or null. At
/// -O0, a captureless lambda is converted to a function pointer by such a
/// function.
Constant *constantResult(const Function &F) {
  Value *Result = nullptr;
  for (const BasicBlock &B : F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator())) {
      if (Result || !Ret->getReturnValue())
        return nullptr;
      Result = Ret->getReturnValue()->stripPointerCasts();
    }
  return dyn_cast_or_null<Constant>(Result);
}

/// The value that is stored to a local variable, if there is just one store.
Value *onlyStore(const Value *Ptr) {
  auto *Slot = dyn_cast<AllocaInst>(Ptr);
  if (!Slot)
    return nullptr;
  Value *Stored = nullptr;
  for (const User *U : Slot->users()) {
    if (auto *S = dyn_cast<StoreInst>(U)) {
      if (S->getPointerOperand() != Slot || Stored)
        return nullptr;
      Stored = S->getOperand(0);
    } else if (!isa<LoadInst>(U) &&
               !cast<Instruction>(U)->isLifetimeStartOrEnd()) {
      return nullptr;
    }
  }
  return Stored;
}

/// The value that V certainly is, one step nearer to where it comes from; null:
/// it comes from nowhere else.
Value *stepBack(const Value *V) {
  if (auto *A = dyn_cast<GlobalAlias>(V); A && !isReplaceable(*A))
    return uniqued(A->getAliasee());
  if (auto *L = dyn_cast<LoadInst>(V)) {
    if (Value *S = onlyStore(L->getPointerOperand()))
      return S;
    auto *G = dyn_cast<GlobalVariable>(L->getPointerOperand());
    if (G && G->isConstant() && G->hasDefinitiveInitializer())
      return uniqued(G->getInitializer());
  }
  auto *C = dyn_cast<CallBase>(V);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  return F && !F->isDeclaration() && !isReplaceable(*F) ? constantResult(*F)
                                                        : nullptr;
}

/// At most so many steps.
constexpr unsigned MostSteps = 16;

} // namespace

Value *originOf(Value *V) {
  V = V->stripPointerCasts();
  for (unsigned N = 0; N <= MostSteps; ++N) {
    Value *From = stepBack(V);
    if (!From)
      break;
    V = From->stripPointerCasts();
  }
  return V;
}

const Value *originOf(const Value *V) {
  const Value *At = V->stripPointerCasts();
  Value *From = stepBack(At);
  return From ? originOf(From) : At;
}

std::optional<uint64_t> constantOf(Value *V, unsigned Depth) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getZExtValue();
  if (Depth > 4)
    return std::nullopt;
  if (auto *C = dyn_cast<CastInst>(V))
    return constantOf(C->getOperand(0), Depth + 1);
  auto *L = dyn_cast<LoadInst>(V);
  if (!L || L->isVolatile())
    return std::nullopt;
  if (Value *S = onlyStore(L->getPointerOperand()))
    return constantOf(S, Depth + 1);
  auto *G = dyn_cast<GlobalVariable>(L->getPointerOperand());
  if (G && G->isConstant() && G->hasDefinitiveInitializer())
    return constantOf(G->getInitializer(), Depth + 1);
  return std::nullopt;
}

/// The marker that all operands of a phi are, which was loaded on each way to
/// it: a check of a sanitizer stood between.
static StringRef markerOf(const PHINode &Phi) {
  StringRef Name;
  for (const Value *V : Phi.incoming_values()) {
    StringRef This = isa<PHINode>(V) ? "" : markerOf(V);
    if (This.empty() || (!Name.empty() && This != Name))
      return "";
    Name = This;
  }
  return Name;
}

StringRef markerOf(const Value *V) {
  V = V->stripPointerCasts();
  while (auto *C = dyn_cast<CastInst>(V))
    V = C->getOperand(0);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return markerOf(*Phi);
  if (auto *L = dyn_cast<LoadInst>(V))
    V = L->getPointerOperand()->stripPointerCasts();
  auto *G = dyn_cast<GlobalVariable>(V);
  if (!G)
    return "";
  StringRef Name = G->getName();
  return Name.consume_front("enzyme_") ? Name : "";
}

Activity defaultActivity(const Argument &A, Mode M) {
  if (A.getType()->isPointerTy())
    return Activity::Dup;
  if (containsFloat(A.getType()))
    return M == Mode::Reverse ? Activity::Out : Activity::Dup;
  return Activity::Const;
}

Value *coerce(Value *V, Type *T, Instruction *Before) {
  Type *S = V->getType();
  if (S == T)
    return V;
  if (S->isFloatingPointTy() && T->isFloatingPointTy())
    return CastInst::CreateFPCast(V, T, "", Before->getIterator());
  if (S->isIntegerTy() && T->isIntegerTy())
    return CastInst::CreateIntegerCast(V, T, true, "", Before->getIterator());
  return nullptr;
}

} // namespace retro
