// Input: the classes of memory, and what reads from them. Output: the copies of
// bytes with numbers at places that nobody knows before the program runs, and
// the classes of bytes in which the reverse pass notes where it adds adjoints.
// A place that it did not note would lose an adjoint when it comes to the copy:
// of such memory no copy has a layout.
#include "facts/activity/noted_places.h"

#include "facts/activity/needs.h"
#include "facts/activity/transfer_layout.h"
#include "facts/parallel/forks.h"
#include "front/registered/registrations.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Does the unit run in several threads, or for more than its derivative?
bool runsApart(Unit &U) {
  return U.Errors || isGpu(U.M) || any_of(U.Functions, [](auto &UF) {
           return any_of(instructions(*UF->F), [](const Instruction &I) {
             auto *C = dyn_cast<CallBase>(&I);
             return C && (isFork(*C) || isSpawn(*C));
           });
         });
}

/// Do all adjoints in the class come from the unit, and has the note of a place
/// room for their types?
bool isOfUnit(const Unit &U, const MemoryClass &C) {
  return none_of(C.Globals,
                 [&](const GlobalVariable *G) {
                   return U.Registered.shadowOf(*G);
                 }) &&
         !(C.Origins & (FromDup | FromConst | FromUnknown | FromNumber)) &&
         !C.Foreign && none_of(C.Cells, [](const Cell &X) {
           return X.Kind == CellKind::Float && X.active() &&
                  !X.FloatTy->isDoubleTy() && !X.FloatTy->isFloatTy();
         });
}

/// May the derivative of the call add to adjoints in memory that it is given?
bool readsByPointer(const CallBase &C) {
  const KnownCall K = knownCall(C);
  return !K.isPlainMemory() && K.Kind != KnownKind::AllocStore &&
         K.Kind != KnownKind::Inactive;
}

/// Where I reads numbers in another way than by a load or copy.
SmallVector<const Value *, 2> readOtherwise(const ActivityAnalysis &Act,
                                            const Instruction &I) {
  // Counts of references are no numbers.
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return any_of(I.operands(), [&](const Use &V) { return Act.active(V); }) ||
                   Act.active(&I)
               ? SmallVector<const Value *, 2>{I.getOperand(0)}
               : SmallVector<const Value *, 2>{};
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || Act.unit().callee(*C) || !readsByPointer(*C))
    return {};
  SmallVector<const Value *, 2> Out;
  for (const Value *A : C->args())
    if (A->getType()->isPtrOrPtrVectorTy() && Act.shadowed(A))
      Out.push_back(A);
  return Out;
}

} // namespace

/// The classes of which the reverse pass does not see all that adds to adjoints
/// there.
DenseSet<unsigned> ActivityAnalysis::findUnnoted() const {
  DenseSet<unsigned> Out;
  const bool Apart = runsApart(U);
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) &&
        (Apart || !isOfUnit(U, Shape.classAt(Id))))
      Out.insert(Id);
  for (auto &UF : U.Functions)
    for (const Instruction &I : instructions(*UF->F))
      for (const Value *P : readOtherwise(*this, I))
        Out.insert(Shape.classId(P));
  return Out;
}

void ActivityAnalysis::findNoted() {
  SmallVector<const CallBase *> Unknown;
  for (auto &UF : U.Functions)
    for (const Instruction &I : instructions(*UF->F))
      if (auto *C = dyn_cast<CallBase>(&I);
          C && !U.callee(*C) && knownCall(*C).isCopy() &&
          transferIsActive(*this, *C) &&
          (!knownLayout(*this, *C) || copiesBesideNumbers(*this, *C)))
        Unknown.push_back(C);
  if (Unknown.empty())
    return;
  const DenseSet<unsigned> Unnoted = findUnnoted();
  for (const CallBase *C : Unknown) {
    const KnownFunction &Row = *knownCall(*C).Row;
    const unsigned To =
        Shape.classId(C->getArgOperand(static_cast<unsigned>(Row.A)));
    if (Unnoted.contains(To))
      continue;
    NotedCopies.insert(C);
    Noted.insert(To);
    for (unsigned Id :
         {To, Shape.classId(C->getArgOperand(static_cast<unsigned>(Row.B)))})
      NotesPointers |= any_of(Shape.classAt(Id).Cells, [](const Cell &X) {
        return X.Kind == CellKind::Pointer;
      });
  }
}

bool ActivityAnalysis::notesPlaces(const Value *Ptr) const {
  return !Noted.empty() && !isa<ConstantData>(Ptr) &&
         Noted.contains(Shape.classId(Ptr));
}

bool ActivityAnalysis::notesAmongPointers(const Value *Ptr) const {
  return NotesPointers && U.DerivMode == Mode::Reverse && notesPlaces(Ptr);
}

bool readsNoted(const ActivityAnalysis &Act, const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return Act.notesPlaces(L->getPointerOperand()) && Act.active(L);
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || Act.unit().callee(*C) || !knownCall(*C).isCopy())
    return false;
  const KnownFunction &Row = *knownCall(*C).Row;
  return Act.notesPlaces(C->getArgOperand(static_cast<unsigned>(Row.B))) &&
         !Act.movesNoted(*C);
}

bool writesAmongPointers(const ActivityAnalysis &Act, const Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Act.notesAmongPointers(S->getPointerOperand());
  auto *C = dyn_cast<CallBase>(&I);
  return C && !Act.unit().callee(*C) && knownCall(*C).isCopy() &&
         Act.notesAmongPointers(
             C->getArgOperand(static_cast<unsigned>(knownCall(*C).Row->A)));
}

bool writesNoted(const ActivityAnalysis &Act, const Instruction &I) {
  if (!writesAmongPointers(Act, I))
    return false;
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Act.active(S->getValueOperand());
  return !Act.movesNoted(cast<CallBase>(I));
}

} // namespace retro
