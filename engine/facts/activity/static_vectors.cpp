// Input: the classes that static variables lead to. Output: those to which only
// std::vectors of numbers in such variables lead, and these. How long they are
// they say themselves, so that their shadows are made anew when a derivative
// starts: they are never without one, nor have that of another time. Members of
// ActivityAnalysis (activity.h).
#include "facts/activity/activity.h"

#include "facts/types/declared_types.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace retro {
namespace {

/// How far into the variable a cell of its class is, at first.
int64_t distanceIn(const MemoryShape &Shape, const GlobalVariable &G,
                   const Cell &X) {
  const int64_t At = X.Offset - Shape.addressOf(&G).Offset,
                Stride = Shape.classOf(&G).Stride;
  return Stride ? ((At % Stride) + Stride) % Stride : At;
}

const Cell *pointerAt(const MemoryShape &Shape, const GlobalVariable &G,
                      int64_t At) {
  const int64_t Stride = Shape.classOf(&G).Stride;
  for (const Cell &X : Shape.classOf(&G).Cells)
    if (X.Kind == CellKind::Pointer &&
        distanceIn(Shape, G, X) == (Stride ? At % Stride : At))
      return &X;
  return nullptr;
}

/// Is the place in G, and in each later period, in no more than a vector?
bool isInVectors(const GlobalVariable &G, int64_t At, int64_t Stride) {
  const DataLayout &DL = G.getDataLayout();
  const int64_t Vector = 3 * int64_t(DL.getPointerSize());
  const auto Size = static_cast<int64_t>(DL.getTypeAllocSize(G.getValueType()));
  const SmallVector<int64_t> Starts = notedVectors(G);
  for (; At >= 0 && At < Size; At += Stride ? Stride : Size)
    if (none_of(Starts, [&](int64_t Start) {
          return At >= Start && At < Start + Vector;
        }))
      return false;
  return true;
}

} // namespace

/// Is each pointer to the class, in memory of which a variable may be a part, a
/// word of a vector of it, and no such pointer in what variables lead to?
bool ActivityAnalysis::onlyVectorsLeadTo(unsigned Id,
                                         const SetVector<unsigned> &Led) const {
  for (unsigned From = 0; From < Shape.numClasses(); ++From) {
    if (!Shape.isRepresentative(From))
      continue;
    const MemoryClass &M = Shape.classAt(From);
    for (const Cell &X : M.Cells)
      if (X.Kind == CellKind::Pointer && Shape.targetOf(X) == Id &&
          (Led.contains(From) ||
           any_of(M.Globals, [&](const GlobalVariable *G) {
             return !isInVectors(*G, distanceIn(Shape, *G, X), M.Stride);
           })))
        return false;
  }
  return true;
}

/// Takes the classes of such vectors out of those that variables lead to.
void ActivityAnalysis::findStaticVectors(SetVector<unsigned> &Led) {
  DenseSet<unsigned> Renewed;
  const bool Images = mayHaveImages();
  for (unsigned Id : Led) {
    const MemoryClass &M = Shape.classAt(Id);
    constexpr unsigned Others = FromDup | FromConst | FromUnknown | FromNumber;
    if (M.Shadowed && !(M.Origins & Others) &&
        none_of(M.Cells,
                [](const Cell &X) { return X.Kind == CellKind::Pointer; }) &&
        onlyVectorsLeadTo(Id, Led) && !(Images && meetsOther(Id)))
      Renewed.insert(Id);
  }
  if (Renewed.empty())
    return;
  Led.remove_if([&](unsigned Id) { return Renewed.contains(Id); });
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id))
      for (const GlobalVariable *G : Shape.classAt(Id).Globals)
        for (int64_t Start : notedVectors(*G))
          if (const Cell *X = pointerAt(Shape, *G, Start);
              X && Renewed.contains(Shape.targetOf(*X)))
            StaticVectors[G].push_back(Start);
}

} // namespace retro
