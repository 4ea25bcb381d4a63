// Input: the classes of memory, which know what the unit stores. Output: the
// static pointers that it loads as other code has set them, with the arguments
// that are of another class. Only the running program can tell whether other
// code has made them lead to such an argument's memory: what is read through
// them would then have no derivative, and what is written would change numbers
// that are taken to stay.
#include "facts/writes/static_arguments.h"

#include "front/known/known_functions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

using Place = std::pair<GlobalVariable *, int64_t>;

/// The static variable, and where in it, at which a pointer is loaded or
/// stored.
std::optional<Place> placeOf(Instruction &I) {
  Value *Ptr = getLoadStorePointerOperand(&I);
  if (!Ptr || !getLoadStoreType(&I)->isPointerTy())
    return std::nullopt;
  int64_t Offset = 0;
  auto *G = dyn_cast<GlobalVariable>(
      GetPointerBaseWithConstantOffset(Ptr, Offset, I.getDataLayout()));
  return G && !G->isConstant() ? std::optional(Place{G, Offset}) : std::nullopt;
}

bool holdsNumbers(const MemoryClass &M) {
  return any_of(M.Cells,
                [](const Cell &X) { return X.Kind == CellKind::Float; });
}

/// How many bytes at least are accessed from where a pointer leads to. Of an
/// array nobody knows more than its first.
uint64_t bytesAt(const MemoryShape &Shape, const Value *Ptr) {
  const MemoryClass &M = Shape.classOf(Ptr);
  int64_t End = 1;
  if (!M.Stride)
    for (const Cell &X : M.Cells)
      End = std::max(End, X.Offset + X.Size - Shape.addressOf(Ptr).Offset);
  return uint64_t(End);
}

} // namespace

std::vector<StaticArgument> findStaticArguments(const ActivityAnalysis &Act,
                                                const KeptMemory &Kept) {
  Unit &U = Act.unit();
  const MemoryShape &Shape = Act.shape();
  SmallVector<const Argument *> Arguments;
  for (const Argument &A : U.root().F->args())
    if (A.getType()->isPointerTy() && holdsNumbers(Shape.classOf(&A)))
      Arguments.push_back(&A);
  if (Arguments.empty() || isGpu(U.M))
    return {};
  MapVector<Place, SmallVector<const StoreInst *, 2>> Stores;
  DenseSet<unsigned> Written;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(UF->F)) {
      if (auto *C = dyn_cast<AnyMemIntrinsic>(&I))
        Written.insert(Shape.classId(C->getDest()));
      auto *S = dyn_cast<StoreInst>(&I);
      if (!S)
        continue;
      Written.insert(Shape.classId(S->getPointerOperand()));
      if (auto P = placeOf(I))
        Stores[*P].push_back(S);
    }
  // Of what has no derivative, and nobody writes, nothing is lost.
  auto AreApart = [&](const Argument *A, unsigned Id) {
    const unsigned Other = Shape.classId(A);
    return Other != Id &&
           (Act.shadowed(A) || Written.contains(Id) || Written.contains(Other));
  };
  auto IsReplaced = [&](const UnitFunction &UF, const LoadInst &L, Place P) {
    return any_of(Stores.lookup(P), [&](const StoreInst *S) {
      return S->getFunction() == UF.F && UF.DT.dominates(S, &L);
    });
  };
  MapVector<Place, StaticArgument> Found;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(UF->F)) {
      auto *L = dyn_cast<LoadInst>(&I);
      auto P = placeOf(I);
      if (!L || !P || Found.contains(*P) || Kept.holds(*P->first, P->second) ||
          IsReplaced(*UF, *L, *P) || !holdsNumbers(Shape.classOf(L)))
        continue;
      StaticArgument New{P->first, P->second, L, bytesAt(Shape, L), {}};
      for (const Argument *A : Arguments)
        if (AreApart(A, Shape.classId(L)))
          New.Apart.push_back(
              {A, std::max(A->getDereferenceableBytes(), bytesAt(Shape, A))});
      if (!New.Apart.empty())
        Found.insert({*P, New});
    }
  std::vector<StaticArgument> Out;
  for (auto &[P, One] : Found)
    Out.push_back(std::move(One));
  return Out;
}

} // namespace retro
