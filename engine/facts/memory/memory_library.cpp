// What calls of libraries say about the contents of memory.
#include "facts/memory/memory_shape.h"

#include "front/known/blas.h"

using namespace llvm;

namespace retro {

/// All pointers of the call point to nodes; so do the nodes' links.
void MemoryShape::visitMirror(CallBase &C, StringRef Links) {
  SmallVector<Value *> Nodes;
  for (Value *A : C.args())
    if (A->getType()->isPointerTy() && !isa<ConstantPointerNull, UndefValue>(A))
      Nodes.push_back(A);
  if (C.getType()->isPointerTy())
    Nodes.push_back(&C);
  for (Value *N : Nodes)
    unifyValues(N, Nodes.front());
  SmallVector<StringRef> Offsets;
  Links.split(Offsets, ' ');
  for (StringRef O : Offsets) {
    int64_t Offset = 0;
    O.getAsInteger(10, Offset);
    Address Node = target(contentOf(Nodes.front()));
    unsigned Link = cell({Node.Class, Node.Offset + Offset}, CellKind::Pointer,
                         nullptr, DL.getPointerSize())
                        .Content;
    unifyContents(Link, contentOf(Nodes.front()));
  }
}

/// Arrays of numbers, and of pivots.
void MemoryShape::visitBlas(CallBase &C) {
  BlasCall Call(C);
  if (!Call)
    return;
  for (const BlasArray &A : Call.routine().Arrays) {
    Value *P = Call.operand(A.Slot);
    Type *T = Call.elementType(A);
    access(P, T, nullptr, nullptr);
    fold(target(contentOf(P)).Class,
         static_cast<int64_t>(DL.getTypeStoreSize(T).getFixedValue()));
  }
}

} // namespace retro
