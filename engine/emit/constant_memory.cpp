// Accesses of memory of which only the running derivative knows whether it is
// constant, as the plan says: what would be lost there ends the program,
// shadows that are the memory itself are not freed, and what is loaded from
// there is no adjoint. Without it derivatives would be lost silently. Members
// of ShadowEmitter (emit/common/shadow_emitter.h).
#include "facts/activity/constant_memory.h"
#include "emit/calls/either_words.h"
#include "emit/common/shadow_emitter.h"
#include "front/names/runtime.h"
#include "ir/end_program.h"

using namespace llvm;

namespace retro {

/// Ends the program where what I uses is constant, so that something would have
/// no derivative.
void ShadowEmitter::endIfConstant(Instruction &I) {
  const bool Ends = Act.unit().DerivMode == Mode::Forward ||
                    E.Plan->of(UF).EndIfConstant.contains(&I);
  const auto Uses =
      Ends ? usesIfConstant(Act, I) : SmallVector<ConstantUse, 2>();
  if (Uses.empty())
    return;
  IRBuilder<> B(cloned(I));
  for (auto [Place, Loss] : Uses) {
    Value *Is = B.CreateICmpEQ(primal(Place), shadow(Place));
    auto UnlessConstant = [&](const Value *V) {
      Is = B.CreateAnd(Is, B.CreateICmpNE(primal(V), shadow(V)));
    };
    if (Loss == ConstantUse::Pointer) {
      const Value *V = cast<StoreInst>(I).getValueOperand();
      if (V->getType()->isPointerTy() || V->getType()->isIntegerTy())
        UnlessConstant(V);
    } else if (auto *C = dyn_cast<CallBase>(&I); C && knownCall(*C).isCopy()) {
      const KnownFunction &Row = *knownCall(*C).Row;
      if (Loss == ConstantUse::Copied)
        UnlessConstant(I.getOperand(static_cast<unsigned>(Row.B)));
      Is = B.CreateAnd(Is, B.CreateIsNotNull(primal(
                               I.getOperand(static_cast<unsigned>(Row.C)))));
    }
    StringRef What =
        Loss == ConstantUse::Read
            ? "an active number is read from memory to which a static variable "
              "led before the derivative, and which has no shadow, in "
            : "an active number, or a pointer to one, is written to memory "
              "that has no shadow, for a request marks it constant or a static "
              "variable led to it before the derivative, in ";
    callRuntime(B, Rt::end_if,
                {B.CreateZExt(Is, B.getInt32Ty()),
                 emitString(B, What.str() + E.R.ownerText(I))});
  }
}

/// The shadow of memory that is given back: none where it is that memory.
Value *ShadowEmitter::freedShadow(IRBuilder<> &B, const Value *Ptr) {
  Value *S = shadow(Ptr);
  if (Act.hasImage(Ptr)) // nobody has allocated it
    return Constant::getNullValue(S->getType());
  if (Act.mayHaveImage(Ptr))
    return callRuntime(B, Rt::unless_image, {S, B.getInt32(E.lane())});
  if (!Act.comparesShadow(Ptr) || S->getType()->getPointerAddressSpace() != 0)
    return S;
  return B.CreateSelect(B.CreateICmpEQ(primal(Ptr), S),
                        Constant::getNullValue(S->getType()), S);
}

/// The number that may be in a word in which L looks for a pointer; else null.
static Type *numberBeside(const ActivityAnalysis &Act, const LoadInst &L) {
  if (!(L.getType()->isPointerTy() || L.getType()->isIntegerTy(64)))
    return nullptr;
  for (const Cell *X :
       Act.shape().cellsOverlapping(L.getPointerOperand(), L.getType()))
    if (X->Kind == CellKind::Float)
      return X->FloatTy->isFloatTy() ? FixedVectorType::get(X->FloatTy, 2)
                                     : X->FloatTy;
  return nullptr;
}

/// The shadow of a pointer, or of a word that may be one, that L has loaded
/// from where pointers to memory with images are.
Value *ShadowEmitter::imageLoaded(IRBuilder<> &B, LoadInst &L) {
  Value *P = primal(&L);
  if (Type *Number = numberBeside(Act, L)) {
    Value *Word =
        P->getType()->isPointerTy() ? B.CreatePtrToInt(P, B.getInt64Ty()) : P;
    P = B.CreateSelect(mayBeAddress(B, Word, Number), P,
                       Constant::getNullValue(P->getType()));
  }
  return E.imageOf(B, P, L);
}

/// The shadow that L has loaded where memory may be constant. The shadow of a
/// number in it is zero, not the number; and a pointer that has none, for a
/// static variable led to what it leads to before, is its own.
Value *ShadowEmitter::loadedShadow(IRBuilder<> &B, LoadInst &L, Value *S) {
  const Value *P = L.getPointerOperand();
  Type *Number = numberBeside(Act, L);
  Value *None = Constant::getNullValue(S->getType());
  auto IsPointer = [&](Value *V) -> Value * {
    if (!Number)
      return B.getTrue();
    if (V->getType()->isPointerTy())
      V = B.CreatePtrToInt(V, B.getInt64Ty());
    return mayBeAddress(B, V, Number);
  };
  if (Number && Act.comparesShadow(P))
    if (Value *Constant = guard(B, P).inactive())
      S = B.CreateSelect(B.CreateAnd(Constant, B.CreateNot(IsPointer(S))), None,
                         S);
  if (!Act.mayLackShadow(&L))
    return S;
  Value *Lacks = B.CreateAnd(B.CreateICmpEQ(S, None), IsPointer(primal(&L)));
  return B.CreateSelect(Lacks, primal(&L), S);
}

} // namespace retro
