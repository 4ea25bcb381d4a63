// Emits how the reverse pass notes where it adds adjoints among bytes, and how
// it finds them when it comes to a copy: runtime/noted_places.c keeps the
// notes.
#include "emit/common/reverse_sweep.h"
#include "emit/words/memory_adjoint.h"
#include "front/names/runtime.h"

using namespace llvm;

namespace retro {

/// Behind what I adds to the adjoint of type T at At.
void ReverseSweep::notePlaces(const Instruction &I, Value *At, Type *T) {
  if (!P.NotedReads.contains(&I))
    return;
  const DataLayout &DL = E.M.getDataLayout();
  SmallVector<unsigned> Path;
  forEachFloat(
      DL, T, 0, Path, [&](Type *F, uint64_t Offset, ArrayRef<unsigned>) {
        auto *V = dyn_cast<FixedVectorType>(F);
        callRuntime(B, Rt::places_note,
                    {B.CreatePtrAdd(At, B.getInt64(Offset)),
                     B.getInt64(V ? V->getNumElements() : 1),
                     B.getInt64(DL.getTypeStoreSize(F->getScalarType()))});
      });
}

/// The adjoint of a copy of bytes. To: null if what is copied has no shadow.
void ReverseSweep::movePlaces(CallBase &C, Value *To, Value *From,
                              Value *Bytes) {
  const Value *Src =
      C.getArgOperand(static_cast<unsigned>(knownCall(C).Row->B));
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  if (!To)
    To = None;
  else if (Value *Constant = guard(Src).inactive())
    To = B.CreateSelect(Constant, None, To);
  callRuntime(B, Rt::places_add, {To, From, Bytes});
}

} // namespace retro
