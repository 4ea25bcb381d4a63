// Emits how the reverse pass notes where it adds adjoints among bytes, and how
// it finds them when it comes to a copy: runtime/noted_places.c keeps the
// notes. Without the notes a copy of bytes could not tell adjoints from
// pointers. Members of ShadowEmitter and ReverseSweep (emit/common/).
#include "emit/common/reverse_sweep.h"
#include "emit/words/memory_adjoint.h"
#include "front/names/runtime.h"

using namespace llvm;

namespace retro {

/// Emits what comes before the adjoint of what I wrote is taken, which is of
/// type T and lies at At: what nobody has noted there is no adjoint.
void ReverseSweep::takePlace(const Instruction &I, Value *At, Type *T) {
  if (P.NotedWrites.contains(&I))
    callRuntime(B, Rt::places_take,
                {At, B.getInt64(E.M.getDataLayout().getTypeStoreSize(T))});
}

/// Adds G to the adjoint at At, for I, and notes its numbers. A word may be
/// read as a number and as something else, of which only one is used: the
/// adjoints of the other are zero, and are not noted.
void ReverseSweep::addNoted(Value *At, Value *G) {
  const DataLayout &DL = E.M.getDataLayout();
  Type *T = G->getType();
  Value *Sum = IRBuilder<>(EntryPoint).CreateAlloca(T, nullptr, "noted");
  B.CreateStore(G, Sum);
  SmallVector<unsigned> Path;
  forEachFloat(
      DL, T, 0, Path, [&](Type *F, uint64_t Offset, ArrayRef<unsigned>) {
        auto *V = dyn_cast<FixedVectorType>(F);
        callRuntime(B, Rt::places_note,
                    {B.CreatePtrAdd(At, B.getInt64(Offset)),
                     B.CreatePtrAdd(Sum, B.getInt64(Offset)),
                     B.getInt64(V ? V->getNumElements() : 1),
                     B.getInt64(DL.getTypeStoreSize(F->getScalarType()))});
      });
}

/// The shadows of pointers go along with what is copied. IsConstant: is the
/// source its own shadow, as constant memory is? Null: no.
void ShadowEmitter::copyPlaces(IRBuilder<> &B, Value *To, Value *From,
                               Value *Bytes, Value *IsConstant) {
  Value *Is = IsConstant ? B.CreateZExt(IsConstant, B.getInt32Ty())
                         : static_cast<Value *>(B.getInt32(0));
  callRuntime(B, Rt::places_copy,
              {To, From, B.CreateZExtOrTrunc(Bytes, B.getInt64Ty()), Is});
}

/// A pointer that was where a number is stored has no shadow any more.
void ShadowEmitter::coverPlace(IRBuilder<> &B, Value *At, Type *T) {
  callRuntime(B, Rt::places_cover,
              {At, B.getInt64(E.M.getDataLayout().getTypeStoreSize(T))});
}

/// The adjoint of a copy of bytes. To: null if what is copied has no shadow.
void ReverseSweep::movePlaces(CallBase &C, Value *To, Value *From,
                              Value *Bytes) {
  const KnownFunction &Row = *knownCall(C).Row;
  const Value *Src = C.getArgOperand(static_cast<unsigned>(Row.B));
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  if (!To)
    To = None;
  else if (Value *Constant = guard(Src).inactive())
    To = B.CreateSelect(Constant, None, To);
  callRuntime(B, Rt::places_add,
              {To, From, Bytes, B.getInt32(P.AmongPointers.contains(&C)),
               B.getInt32(Act.notesPlaces(Src))});
}

} // namespace retro
