// Input: the step of a checkpointed loop. Output: errors at writes that are no
// part of its named state, and at reads of what has changed when the step runs
// again. The gradient would be that of another program.
#include "facts/loops/checkpoint_state.h"

#include "facts/writes/overwrite.h"
#include "front/known/known_functions.h"
#include "front/requests/checkpoint_marks.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

#include <set>

using namespace llvm;

namespace retro {
namespace {

constexpr const char *NameIt =
    "name it with retro_checkpoint_state(pointer, bytes) behind "
    "retro_checkpoint; 0 bytes if every step writes it before reading it";

/// Where a pointer comes from: an argument of the step, a global variable, or
/// a place in memory.
using Source = std::pair<const void *, int64_t>;

class StateCheck {
public:
  StateCheck(const ActivityAnalysis &Act, Reporter &R)
      : Act(Act), U(Act.unit()), Shape(Act.shape()), R(R), Writes(U, Act) {}
  void run();

private:
  std::optional<Source> sourceOf(const Value *Ptr);
  Source placeOf(const Value *Ptr) {
    Address A = Shape.addressOf(Ptr);
    return {reinterpret_cast<const void *>(uintptr_t(A.Class) + 1), A.Offset};
  }
  bool isOutside(unsigned Class) { return Shape.classAt(Class).fromOutside(); }
  /// Is it memory of before the step, that the step writes?
  bool isState(unsigned Class) {
    return Writes.everWritten(Class) && isOutside(Class) && !isFixed(Class);
  }
  bool isFixed(unsigned Class) {
    const MemoryClass &X = Shape.classAt(Class);
    return !X.Globals.empty() && !(X.Origins & ~(FromGlobal | FromStack)) &&
           all_of(X.Globals,
                  [](const GlobalVariable *G) { return G->isConstant(); });
  }
  void need(const Source &S, unsigned Class, const Instruction *At,
            const Value *Origin = nullptr);
  void checkLoad(LoadInst &L);
  void checkCopy(CallBase &C, const Value *From);
  void lost(unsigned Class, const Instruction *At, const std::string &Which);

  const ActivityAnalysis &Act;
  Unit &U;
  const MemoryShape &Shape;
  Reporter &R;
  WriteSummary Writes;
  std::set<Source> Named;
  DenseSet<unsigned> Accounted; ///< classes that some source leads to
};

std::optional<Source> StateCheck::sourceOf(const Value *Ptr) {
  const Value *V = getUnderlyingObject(Ptr);
  if (isa<Argument, GlobalVariable>(V))
    return Source{V, 0};
  if (auto *L = dyn_cast<LoadInst>(V))
    return placeOf(L->getPointerOperand());
  return std::nullopt;
}

/// At the first write to the class, if that is known.
void StateCheck::lost(unsigned Class, const Instruction *At,
                      const std::string &Which) {
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      SmallVector<unsigned> Classes;
      bool Unknown;
      WriteSummary::directWrites(I, Act, Classes, Unknown);
      if (is_contained(Classes, Class))
        return R.error(Diag::Checkpoint, &I, {Which, NameIt});
    }
  R.error(Diag::Checkpoint, At, {Which, NameIt});
}

void StateCheck::need(const Source &S, unsigned Class, const Instruction *At,
                      const Value *Origin) {
  if (!isState(Class))
    return;
  Accounted.insert(Class);
  std::string Name;
  if (auto *A = Origin; A && A->hasName())
    Name = " ('" + A->getName().str() + "')";
  if (!Named.count(S))
    lost(Class, At,
         "a step writes memory" + Name + " that is not named as its state");
}

void StateCheck::checkLoad(LoadInst &L) {
  if (!L.getType()->isPointerTy())
    return;
  unsigned From = Shape.classId(L.getPointerOperand()), To = Shape.classId(&L);
  // A pointer in a variable of the step came from somewhere else.
  if (!isOutside(From) || !isState(To))
    return;
  if (Shape.classAt(From).Stride)
    return lost(To, &L,
                "a step writes memory through an array of pointers, of which "
                "there may be any number");
  need(placeOf(L.getPointerOperand()), To, &L);
}

/// Pointers that are copied with what is around them.
void StateCheck::checkCopy(CallBase &C, const Value *From) {
  unsigned Class = Shape.classId(From);
  if (!isOutside(Class))
    return;
  const std::vector<Cell> Cells = Shape.classAt(Class).Cells;
  for (const Cell &X : Cells)
    if (X.Kind == CellKind::Pointer)
      need({reinterpret_cast<const void *>(uintptr_t(Class) + 1), X.Offset},
           Shape.targetOf(X), &C);
}

void StateCheck::run() {
  Function &Step = *U.root().F;
  for (Argument &A : Step.args())
    if (A.hasAttribute(LocalAttribute))
      Named.insert({&A, 0});
  DominatorTree DT(Step);
  LoopInfo LI(DT);
  for (Instruction &I : instructions(Step))
    if (isStateMark(I) && !LI.getLoopFor(I.getParent())) // not of a loop within
      if (auto S = sourceOf(cast<CallBase>(I).getArgOperand(0)))
        Named.insert(*S);
  const Instruction *First = &*Step.getEntryBlock().begin();
  for (Argument &A : Step.args())
    if (A.getType()->isPointerTy())
      need({&A, 0}, Shape.classId(&A), First, &A);
  for (unsigned Id = 0; Id < Shape.numClasses() && !R.failed(); ++Id)
    if (Shape.isRepresentative(Id))
      for (const GlobalVariable *G : Shape.classAt(Id).Globals)
        if (!G->isConstant())
          need({G, 0}, Id, First, G);
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      if (R.failed())
        return;
      auto *C = dyn_cast<CallBase>(&I);
      if (auto *L = dyn_cast<LoadInst>(&I))
        checkLoad(*L);
      else if (KnownCall K = C ? knownCall(*C) : KnownCall(); K.isCopy())
        checkCopy(*C, C->getArgOperand(static_cast<unsigned>(K.Row->B)));
    }
  for (unsigned Id = 0; Id < Shape.numClasses() && !R.failed(); ++Id)
    if (Shape.isRepresentative(Id) && isState(Id) && !Accounted.contains(Id))
      lost(Id, First,
           "a step writes memory of which it is not known what it is");
}

/// What the steps read must be the same when they are run again: nothing that
/// is not their state may be written after the loop.
class LoopCheck {
public:
  LoopCheck(const ActivityAnalysis &Act, Reporter &R)
      : Act(Act), U(Act.unit()), Shape(Act.shape()), R(R), Writes(U, Act) {}
  void run(CallBase &Loop);

private:
  void reach(unsigned Class, DenseSet<unsigned> &Seen);
  bool isVariableOf(CallBase &Loop, const Instruction &I);
  bool isUntypedCopy(const Instruction &I, const DenseSet<unsigned> &Seen);

  const ActivityAnalysis &Act;
  Unit &U;
  const MemoryShape &Shape;
  Reporter &R;
  WriteSummary Writes;
};

void LoopCheck::reach(unsigned Class, DenseSet<unsigned> &Seen) {
  if (!Seen.insert(Class).second)
    return;
  const std::vector<Cell> Cells = Shape.classAt(Class).Cells;
  for (const Cell &X : Cells)
    if (X.Kind == CellKind::Pointer)
      reach(Shape.targetOf(X), Seen);
}

/// Variables of the function itself are kept with the state.
bool LoopCheck::isVariableOf(CallBase &Loop, const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  if (Function *G = C ? C->getCalledFunction() : nullptr)
    return G->getFnAttribute(LoopAttribute).getValueAsString() == WritesLocals;
  auto *S = dyn_cast<StoreInst>(&I);
  const Value *V = S ? getUnderlyingObject(S->getPointerOperand()) : nullptr;
  if (auto *A = dyn_cast_or_null<Argument>(V))
    return A->hasAttribute(LocalAttribute) &&
           (is_contained(Loop.args(), V) || A->hasNoAliasAttr());
  return V && isa<AllocaInst>(V) && is_contained(Loop.args(), V);
}

/// A copy of bytes of which only the steps know what they are: whether they
/// carry a derivative cannot be seen here.
bool LoopCheck::isUntypedCopy(const Instruction &I,
                              const DenseSet<unsigned> &Seen) {
  auto *C = dyn_cast<CallBase>(&I);
  KnownCall K = C ? knownCall(*C) : KnownCall();
  if (!K.isCopy())
    return false;
  auto IsUnknown = [&](int Operand) {
    unsigned Class =
        Shape.classId(C->getArgOperand(static_cast<unsigned>(Operand)));
    return Seen.contains(Class) &&
           none_of(Shape.classAt(Class).Cells,
                   [](const Cell &X) { return X.Kind == CellKind::Float; });
  };
  return IsUnknown(K.Row->A) || IsUnknown(K.Row->B);
}

void LoopCheck::run(CallBase &Loop) {
  DenseSet<unsigned> Seen;
  for (Value *A : Loop.args())
    if (A->getType()->isPointerTy())
      reach(Shape.classId(A), Seen);
  for (Instruction &I : instructions(*Loop.getFunction())) {
    SmallVector<unsigned> Classes;
    bool Unknown;
    WriteSummary::directWrites(I, Act, Classes, Unknown);
    if (auto *C = dyn_cast<CallBase>(&I))
      if (UnitFunction *G = U.callee(*C))
        Classes.append(Writes.writtenBy(*G).begin(),
                       Writes.writtenBy(*G).end());
    if (isUntypedCopy(I, Seen))
      return R.error(Diag::Checkpoint, &I,
                     {"what is copied to or from memory of its steps is of "
                      "unknown type",
                      "compute with it, or work on the original"});
    bool Meets = Unknown || any_of(Classes, [&](unsigned W) {
                   return any_of(Seen, [&](unsigned S) {
                     return Shape.mayCoincide(W, S);
                   });
                 });
    if (&I != &Loop && Meets && !isVariableOf(Loop, I) &&
        isPotentiallyReachable(&Loop, &I))
      return R.error(Diag::Checkpoint, &I,
                     {"memory that its steps may read is written after it",
                      "write it in a function that is not differentiated, or "
                      "in the loop"});
  }
}

} // namespace

void checkCheckpointedLoops(const ActivityAnalysis &Act, Reporter &R) {
  Unit &U = Act.unit();
  bool Within = false;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      if (R.failed() || U.DerivMode != Mode::Reverse)
        return;
      if (isCheckpointMark(I))
        R.error(Diag::Checkpoint, &I,
                {"the mark stands in a function that the differentiated one "
                 "calls",
                 "mark a loop of the differentiated function, or let the call "
                 "be inlined"});
      auto *C = dyn_cast<CallBase>(&I);
      Function *Callee = C ? C->getCalledFunction() : nullptr;
      if (Callee && Callee->hasFnAttribute(LoopAttribute)) {
        LoopCheck(Act, R).run(*C);
        Within = true;
      }
    }
  // With a loop in it, the step was checked before that was outlined.
  if (!R.failed() && !Within)
    checkCheckpointState(Act, R);
}

void checkCheckpointState(const ActivityAnalysis &Act, Reporter &R) {
  if (Act.unit().root().F->hasFnAttribute(StepAttribute))
    StateCheck(Act, R).run();
}

} // namespace retro
