// What calls of libraries say about the contents of memory. Without it what
// such a call fills would be taken for memory that nobody writes. Members of
// ShapeBuilder (shape_builder.h).
#include "facts/memory/shape_builder.h"

#include "front/known/blas.h"
#include "front/known/mpi.h"

using namespace llvm;

namespace retro {

/// All pointers of the call point to nodes; so do the nodes' links.
void ShapeBuilder::visitMirror(CallBase &C, StringRef Links) {
  SmallVector<Value *> Nodes;
  for (Value *A : C.args())
    if (A->getType()->isPointerTy() && !isa<ConstantPointerNull, UndefValue>(A))
      Nodes.push_back(A);
  if (C.getType()->isPointerTy())
    Nodes.push_back(&C);
  for (Value *N : Nodes)
    unifyValues(N, Nodes.front());
  if (Nodes.empty())
    return;
  Classes[classId(Nodes.front())].Mirrored = true;
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
void ShapeBuilder::visitBlas(CallBase &C) {
  BlasCall Call(C);
  if (!Call)
    return;
  for (const BlasArray &A : Call.routine().Arrays) {
    Value *P = Call.operand(A.Slot);
    Type *T = Call.elementType(A);
    access(P, T, nullptr, nullptr);
    fold(target(contentOf(P)).Class,
         static_cast<int64_t>(DL.getTypeStoreSize(T).getFixedValue()), &C);
  }
}

/// What is sent and received has the type that the datatype says.
void ShapeBuilder::visitMpi(CallBase &Call) {
  MpiCall X(Call);
  for (const MpiBuffer &B : X.Buffers) {
    const Value *P = X.pointer(B);
    MpiContents K = X.contents(B);
    if (!X.isMemory(B) || K == MpiContents::None)
      continue;
    if (B.Later)
      Later.push_back(P);
    Type *T = X.numberType(B);
    if (!T) {
      if (K == MpiContents::Unknown)
        Messages.push_back(P);
      continue;
    }
    auto Step = static_cast<int64_t>(DL.getTypeAllocSize(T));
    int64_t Size = X.size(B);
    if (Size < 0 || Size > 16 * Step) {
      access(P, T, nullptr, nullptr);
      // Pairs with an index have other strides.
      bool Plain = K == MpiContents::Float || K == MpiContents::Double ||
                   K == MpiContents::LongDouble;
      if (Plain)
        fold(target(contentOf(P)).Class, Step, &Call);
      continue;
    }
    for (int64_t At = 0; At < Size; At += Step)
      access(P, T, nullptr, nullptr, At);
  }
}

} // namespace retro
