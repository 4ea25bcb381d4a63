// Input: the classes of memory to which static variables lead, which may be
// there before a derivative begins. Output: those whose shadows are images: of
// each address another one, that both the derivative's own blocks and older
// ones have. Without it what is written to older blocks would have no
// derivative, and shadows that an earlier derivative has left would be taken
// for this one's. Members of ActivityAnalysis (activity.h).
#include "facts/activity/activity.h"

#include "facts/activity/kept_memory.h"
#include "facts/memory/known_begins.h"
#include "facts/memory/thrown_objects.h"
#include "front/known/blas.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

bool isPointerOrWord(const Type *T) {
  return T->isPointerTy() || T->isIntegerTy(64);
}

/// Is I one of what an image cannot be found for: a pointer that is loaded
/// among others, or an address in other memory than the program's own, such as
/// a device's?
bool forbidsImages(const Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I)) {
    const BlasCall Blas(*C);
    return Blas && Blas.interface().Handles;
  }
  auto *L = dyn_cast<LoadInst>(&I);
  if (!L || isPointerOrWord(L->getType()))
    return false;
  const Type *T = L->getType();
  return T->isPtrOrPtrVectorTy() || T->isAggregateType();
}

} // namespace

/// What pointers in variables lead to, if no derivative makes their shadows
/// anew when it starts.
DenseSet<unsigned> ActivityAnalysis::behindUnrenewed() const {
  const KeptMemory Kept(*this);
  DenseSet<unsigned> Out;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) && Shape.classAt(Id).Shadowed)
      for (const GlobalVariable *G : Shape.classAt(Id).Globals)
        for (const StaticPointers &P : Kept.unrenewed(*this, *G))
          Out.insert(P.Target);
  return Out;
}

bool ActivityAnalysis::mayHaveImages() const {
  const Type *Result = U.root().F->getReturnType();
  if (U.DerivedAgain || U.Split || U.Pool != PoolWish::None ||
      Result->isPointerTy() || Result->isAggregateType())
    return false; // or shadows outlive the derivative
  return none_of(U.Functions, [](const auto &UF) {
    return any_of(instructions(*UF->F), forbidsImages);
  });
}

/// May memory of the class be in another one, too, so that both have one
/// shadow?
bool ActivityAnalysis::meetsOther(unsigned Id) const {
  return any_of(seq(Shape.numClasses()), [&](unsigned Other) {
    return Other != Id && Shape.isRepresentative(Other) &&
           Shape.classAt(Other).Shadowed && Shape.classAt(Other).LedBy &&
           Shape.mayCoincide(Id, Other) &&
           holdAlike(Shape, Id, Other, {CellKind::Float});
  });
}

/// Takes the classes that have images out of those that variables lead to. A
/// class of numbers is left where the variables' pointers alone lead to it and
/// its blocks have shadows that are kept (KeptMemory).
void ActivityAnalysis::findImaged() {
  if (!mayHaveImages())
    return;
  // An object that is thrown has its shadow beside it.
  DenseSet<unsigned> Thrown;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *C = dyn_cast<CallBase>(&I);
          C && (isThrownObject(*C) || isCaughtObject(*C)))
        Thrown.insert(Shape.classId(C));
  SmallVector<std::pair<unsigned, MemoryClass::Shadows>> Imaged;
  // What pointers in memory of these and those lead to.
  const DenseSet<unsigned> Unrenewed = behindUnrenewed();
  const bool Deeper = isGivenDeeper(Shape, givenMemory(U, Shape));
  DenseSet<unsigned> Behind, BehindDup;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id))
      for (const Cell &X : Shape.classAt(Id).Cells)
        if (X.Kind == CellKind::Pointer) {
          if (LeftByProgram.contains(Id))
            Behind.insert(Shape.targetOf(X));
          if (Shape.classAt(Id).Origins & FromDup)
            BehindDup.insert(Shape.targetOf(X));
        }
  for (unsigned Id : LeftByProgram) {
    const MemoryClass &M = Shape.classAt(Id);
    constexpr unsigned Others = FromConst | FromUnknown | FromNumber;
    const bool HasPointers = any_of(
        M.Cells, [](const Cell &X) { return X.Kind == CellKind::Pointer; });
    const bool OfThreads = any_of(
        M.Globals, [](const GlobalVariable *G) { return G->isThreadLocal(); });
    // A derivative of another's may give its shadow to a device.
    if ((M.Origins & Others) || OfThreads || Thrown.contains(Id) || M.Foreign)
      continue;
    const bool Deep = HasPointers || Behind.contains(Id) || meetsOther(Id),
               InDup = M.Origins & FromDup;
    if (!Deep && (InDup || !Unrenewed.contains(Id)))
      continue;
    // What this code allocates is no argument's. Of what other code has made
    // the running program looks whether it is, as far as it can see arguments.
    // Tables of variables lead to the variables' shadows.
    if (!(M.Origins & FromHeap) &&
        (InDup || Deeper || (!Deep && !M.Globals.empty())))
      continue;
    if (!InDup)
      Imaged.push_back({Id, MemoryClass::Shadows::Images});
    else if (!M.Mirrored && !BehindDup.contains(Id))
      Imaged.push_back({Id, MemoryClass::Shadows::ImagesElse});
  }
  HasImages = !Imaged.empty();
  for (auto [Id, Where] : Imaged) {
    LeftByProgram.erase(Id);
    Shape.classAt(Id).Where = Where;
  }
}

bool ActivityAnalysis::isIn(MemoryClass::Shadows Where,
                            const Value *Ptr) const {
  return HasImages && !isa<ConstantData, Function>(Ptr) &&
         Shape.classOf(Ptr).Where == Where;
}

bool ActivityAnalysis::hasImage(const Value *Ptr) const {
  return isIn(MemoryClass::Shadows::Images, Ptr);
}

bool ActivityAnalysis::mayHaveImage(const Value *Ptr) const {
  return isIn(MemoryClass::Shadows::ImagesElse, Ptr);
}

} // namespace retro
