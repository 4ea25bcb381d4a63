// Memory that functions with derivatives of the user's own are given, and
// memory that the program declares inactive. Of the one nothing more may be
// said, and of the other nothing has to be: without this file either would be
// taken for memory of the unit's own. Members of ShapeBuilder (shape_builder.h)
// and of MemoryShape (memory_shape.h).
#include "facts/memory/shape_builder.h"

#include "base/toggles.h"
#include "front/known/entry_points.h"
#include "front/registered/library_calls.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace retro {

bool MemoryShape::isInactive(const MemoryClass &C) const {
  if (C.Origins == FromConst && constTrusted())
    return true;
  return C.Origins == FromGlobal && all_of(C.Globals, [&](const auto *G) {
           return U.Registered.isInactive(*G);
         });
}

/// Globals that the program declares inactive hold no numbers that matter.
void ShapeBuilder::forgetInactive() {
  for (MemoryClass &C : Classes)
    if (isInactive(C))
      for (Cell &X : C.Cells)
        if (X.Kind == CellKind::Float)
          X.Kind = CellKind::Int;
}

SmallVector<unsigned, 8>
MemoryShape::reachedFrom(ArrayRef<const Value *> Values) const {
  SetVector<unsigned> Out;
  auto Reach = [&](unsigned Id) {
    Id = find(Id).Class;
    const MemoryClass &C = Classes[Id];
    bool Constant = !C.Globals.empty() &&
                    all_of(C.Globals, [](auto *G) { return G->isConstant(); });
    const bool Fixed =
        (C.Origins & FromConst) &&
        !(C.Origins & (FromStack | FromHeap | FromGlobal | FromDup));
    if (!Fixed && !Constant && !isInactive(C))
      Out.insert(Id);
  };
  for (const Value *V : Values) {
    if (isa<ConstantPointerNull, UndefValue, ConstantInt, ConstantAggregateZero,
            Function>(V))
      continue;
    if (V->getType()->isAggregateType()) {
      unsigned Leaf = 0;
      std::function<void(Type *)> Visit = [&](Type *T) {
        if (T->isAggregateType()) {
          uint64_t N = T->isStructTy() ? T->getStructNumElements()
                                       : T->getArrayNumElements();
          for (unsigned I = 0; I < N; ++I)
            Visit(T->isStructTy() ? T->getStructElementType(I)
                                  : T->getArrayElementType());
          return;
        }
        if (int C = T->isPointerTy() ? classOfLeaf(V, Leaf) : -1; C >= 0)
          Reach(static_cast<unsigned>(C));
        ++Leaf;
      };
      Visit(V->getType());
    } else if (carriesPointer(V)) {
      Reach(classId(V));
    }
  }
  for (size_t I = 0; I < Out.size(); ++I)
    for (size_t K = 0; K < Classes[Out[I]].Cells.size(); ++K)
      if (Cell C = Classes[Out[I]].Cells[K]; C.Kind == CellKind::Pointer)
        Reach(targetOf(C));
  return SmallVector<unsigned, 8>(Out.begin(), Out.end());
}

SmallVector<unsigned, 8> MemoryShape::reachedBy(const CallBase &C) const {
  SmallVector<const Value *> Values;
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (!isOpaqueOperand(C, N))
      Values.push_back(C.getArgOperand(N));
  Values.push_back(&C);
  return reachedFrom(Values);
}

void ShapeBuilder::markForeign() {
  for (const Value *P : Messages)
    Classes[target(contentOf(P)).Class].Foreign = true;
  for (const CallBase *C : Customs) {
    auto Reached = reachedBy(*C);
    bool Links =
        C->getType()->isPointerTy() || any_of(Reached, [&](unsigned Id) {
          return any_of(Classes[Id].Cells, [](const Cell &X) {
            return X.Kind == CellKind::Pointer;
          });
        });
    for (unsigned Id : Reached) {
      Classes[Id].Foreign = true;
      Classes[Id].Linked |= Links;
    }
  }
}

bool MemoryShape::holdsUnseen(unsigned Id) const {
  const MemoryClass &C = Classes[find(Id).Class];
  if (!C.Foreign ||
      any_of(C.Cells, [](const Cell &X) { return X.Kind == CellKind::Float; }))
    return false;
  // Of memory from outside the caller knows, and gives its shadow.
  if (C.Origins & FromDup)
    return true;
  // An array of integers or of pointers, all of it seen.
  int64_t Covered = 0;
  for (const Cell &X : C.Cells)
    Covered += X.Size;
  if (C.Stride && Covered >= C.Stride)
    return false;
  return C.Exact.empty() || any_of(C.Exact, [](const auto &X) {
           return X.second.first == CellKind::Float;
         });
}

} // namespace retro
