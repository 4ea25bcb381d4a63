// Input: the classes of memory, which know what the unit stores. Output: the
// static pointers that it loads as other code has set them, with memory of
// other classes that they must not lead to: arguments', variables', and what
// other such pointers lead to. What is read through them would have no
// derivative, and what is written would change numbers that are taken to stay.
#include "facts/writes/separate_memory.h"

#include "front/known/known_functions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

class SeparateFinder {
public:
  SeparateFinder(const ActivityAnalysis &Act, const KeptMemory &Kept)
      : Act(Act), U(Act.unit()), Shape(Act.shape()), Kept(Kept) {}

  std::vector<SeparateMemory> run();

private:
  using Place = std::pair<const Value *, int64_t>;
  static Place placeOf(const KnownBegin &X) { return {X.Base, *X.Pointer}; }

  void findWrites();
  bool isReplaced(const UnitFunction &UF, const Instruction &L,
                  const KnownBegin &X) const;
  bool hasCells(unsigned Class) const {
    return !Shape.classAt(Class).Cells.empty();
  }
  /// Would it matter if both were the same memory? Of what has no derivative,
  /// and nobody writes, nothing is lost.
  bool matters(unsigned A, unsigned B) const {
    return (Shape.classAt(A).Shadowed || Shape.classAt(B).Shadowed ||
            Written.contains(A) || Written.contains(B)) &&
           holdAlike(Shape, A, B,
                     {CellKind::Float, CellKind::Pointer, CellKind::Int});
  }

  const ActivityAnalysis &Act;
  Unit &U;
  const MemoryShape &Shape;
  const KeptMemory &Kept;
  DenseMap<Place, SmallVector<const StoreInst *, 2>> Stores;
  DenseSet<unsigned> Written; ///< classes
};

void SeparateFinder::findWrites() {
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(UF->F)) {
      if (auto *C = dyn_cast<AnyMemIntrinsic>(&I))
        Written.insert(Shape.classId(C->getDest()));
      auto *S = dyn_cast<StoreInst>(&I);
      if (!S)
        continue;
      Written.insert(Shape.classId(S->getPointerOperand()));
      if (auto X = staticPointer(I, Shape))
        Stores[placeOf(*X)].push_back(S);
    }
}

/// Does the function that loads a pointer store another one there before?
bool SeparateFinder::isReplaced(const UnitFunction &UF, const Instruction &L,
                                const KnownBegin &X) const {
  return any_of(Stores.lookup(placeOf(X)), [&](const StoreInst *S) {
    return S->getFunction() == UF.F && UF.DT.dominates(S, &L);
  });
}

std::vector<SeparateMemory> SeparateFinder::run() {
  findWrites();
  std::vector<KnownBegin> Others = givenMemory(U, Shape);
  append_range(Others,
               variables(U, Shape, [&](unsigned Id) { return hasCells(Id); }));
  MapVector<Place, SeparateMemory> Found;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(UF->F)) {
      auto X = isa<LoadInst>(I) ? staticPointer(I, Shape) : std::nullopt;
      auto *G = X ? cast<GlobalVariable>(X->Base) : nullptr;
      if (G && hasCells(X->Class) && !isReplaced(*UF, I, *X))
        Found.insert({placeOf(*X), {*X, &I, {}}});
    }
  std::vector<SeparateMemory> Out;
  for (auto &[P, One] : Found) {
    // What makes its shadow anew is no other variable's.
    const bool Own = Kept.renews(Act, *cast<GlobalVariable>(One.Static.Base),
                                 *One.Static.Pointer);
    copy_if(Others, std::back_inserter(One.Others), [&](const KnownBegin &X) {
      if (Own && !isa<Argument>(X.Base))
        return false;
      // A container may lead to itself.
      return X.Base != One.Static.Base &&
             !Shape.mayCoincide(X.Class, One.Static.Class) &&
             matters(X.Class, One.Static.Class);
    });
    if (!Own)
      Others.push_back(One.Static);
    if (!One.Others.empty())
      Out.push_back(std::move(One));
  }
  return Out;
}

} // namespace

std::vector<SeparateMemory> findSeparateMemory(const ActivityAnalysis &Act,
                                               const KeptMemory &Kept) {
  if (isGpu(Act.unit().M))
    return {};
  return SeparateFinder(Act, Kept).run();
}

} // namespace retro
