// Input: the classes of memory of a unit. Output: addresses that its root knows
// where memory begins that is older than the derivative. What the unit does
// cannot tell which of these are the same, for other code has made them: only
// the running program can hold the classes against them.
#include "facts/memory/known_begins.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace retro {

std::vector<KnownBegin> givenMemory(Unit &U, const MemoryShape &Shape) {
  std::vector<KnownBegin> Out;
  const auto Word = int64_t(U.M.getDataLayout().getPointerSize());
  for (Argument &A : U.root().F->args()) {
    if (!A.getType()->isPointerTy() || A.getType()->getPointerAddressSpace())
      continue;
    const Address At = Shape.addressOf(&A);
    const MemoryClass &M = Shape.classAt(At.Class);
    const uint64_t There = A.getDereferenceableBytes();
    Out.push_back({&A, std::nullopt, std::max<uint64_t>(There, 1), At.Class});
    if (M.Stride)
      continue;
    for (const Cell &X : M.Cells)
      if (const int64_t Place = X.Offset - At.Offset;
          X.Kind == CellKind::Pointer && Place >= 0 &&
          Place + Word <= int64_t(There))
        Out.push_back({&A, Place, 1, Shape.targetOf(X)});
  }
  return Out;
}

bool isGivenDeeper(const MemoryShape &Shape, ArrayRef<KnownBegin> Given) {
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) &&
        (Shape.classAt(Id).Origins & (FromDup | FromConst)) &&
        !Shape.classAt(Id).Cells.empty() &&
        none_of(Given, [&](const KnownBegin &X) { return X.Class == Id; }))
      return true;
  return false;
}

bool holdAlike(const MemoryShape &Shape, unsigned A, unsigned B,
               std::initializer_list<CellKind> Kinds) {
  return any_of(Shape.classAt(A).Cells, [&](const Cell &X) {
    return is_contained(Kinds, X.Kind) &&
           any_of(Shape.classAt(B).Cells, [&](const Cell &Y) {
             return X.Kind == Y.Kind && X.Size == Y.Size;
           });
  });
}

std::vector<KnownBegin> variables(Unit &U, const MemoryShape &Shape,
                                  function_ref<bool(unsigned)> Wanted) {
  SmallPtrSet<const GlobalVariable *, 16> Accessed;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) && Wanted(Id))
      Accessed.insert_range(Shape.classAt(Id).Globals);
  std::vector<KnownBegin> Out;
  for (GlobalVariable &G : U.M.globals())
    if (!G.isConstant() && !G.isThreadLocal() && Accessed.contains(&G))
      Out.push_back({&G, std::nullopt,
                     U.M.getDataLayout().getTypeAllocSize(G.getValueType()),
                     Shape.classId(&G)});
  return Out;
}

std::optional<KnownBegin> staticPointer(Instruction &Access,
                                        const MemoryShape &Shape) {
  Value *Ptr = getLoadStorePointerOperand(&Access);
  if (!Ptr || !getLoadStoreType(&Access)->isPointerTy())
    return std::nullopt;
  int64_t Offset = 0;
  auto *G = dyn_cast<GlobalVariable>(
      GetPointerBaseWithConstantOffset(Ptr, Offset, Access.getDataLayout()));
  if (!G || G->isConstant())
    return std::nullopt;
  auto *L = dyn_cast<LoadInst>(&Access);
  if (!L)
    return KnownBegin{G, Offset, 1, 0};
  return KnownBegin{G, Offset, 1, Shape.classId(L)};
}

} // namespace retro
