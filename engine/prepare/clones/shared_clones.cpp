// Input: a unit in which each call has a clone of its callee. Output: of clones
// with the same code, whose parameters and results lead to the same memory and
// are active alike, one is left. Without this a unit has as many derivatives of
// a small function (one that releases a shared pointer) as the program has
// calls of it, and takes the compiler minutes.
#include "prepare/clones/shared_clones.h"

#include "facts/activity/activity.h"
#include "facts/memory/leaves.h"
#include "ir/code_groups.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace retro {
namespace {

cl::opt<unsigned> ShareAbove(
    "retro-share-above", cl::init(5000), cl::Hidden,
    cl::desc("Instructions of a request's functions above which calls share a "
             "derivative that each could have for itself."));

/// Finds which clones are alike.
class CloneGroups : public CodeGroups {
public:
  CloneGroups(Unit &U, ArrayRef<Activity> Args, bool Returns)
      : U(U), Shape(U), Act(U, Shape, Quiet) {
    Quiet.silence();
    Shape.run(Args);
    Act.run(Args, Returns);
  }

  /// Numbers the groups; returns how many there are.
  unsigned run();

private:
  bool areAlike(const Function &A, const Function &B) const override {
    const UnitFunction &X = *U.find(&A), &Y = *U.find(&B);
    return X.Concurrent == Y.Concurrent && X.Recursive == Y.Recursive;
  }
  bool stepsAlike(const Instruction &A, const Instruction &B) const override {
    return areActiveAlike(A, B);
  }
  bool passAlike(const Value &A, const Value &B) const override {
    return areActiveAlike(A, B) && leadAlike(A, B);
  }
  hash_code hashOf(const Value &V) const override {
    return hash_combine(Act.varied(&V), Act.useful(&V));
  }
  /// Have both a derivative, or none?
  bool areActiveAlike(const Value &A, const Value &B) const {
    return Act.varied(&A) == Act.varied(&B) && Act.useful(&A) == Act.useful(&B);
  }
  bool leadAlike(const Value &A, const Value &B) const;

  Unit &U;
  Reporter Quiet{nullptr};
  MemoryShape Shape;
  ActivityAnalysis Act;
};

/// Is it a clone that is only called, whatever a call passes?
bool mayShare(const Unit &U, const UnitFunction &F) {
  return &F != U.Functions.front().get() && all_of(F.F->uses(), [&](Use &Use) {
    auto *C = dyn_cast<CallBase>(Use.getUser());
    return C && C->isCallee(&Use) && U.find(C->getFunction());
  });
}

/// Do two values of one type lead to the same places, and is as much known of
/// what they are?
bool CloneGroups::leadAlike(const Value &A, const Value &B) const {
  if (isa<ConstantData>(A) || isa<ConstantData>(B))
    return &A == &B;
  if (Shape.numbersOf(&A) != Shape.numbersOf(&B) ||
      Shape.carriesPointer(&A) != Shape.carriesPointer(&B) ||
      Shape.isUntyped(&A) != Shape.isUntyped(&B) ||
      Shape.isMixed(&A) != Shape.isMixed(&B))
    return false;
  SmallVector<Type *> Leaves;
  leavesOf(A.getType(), Leaves);
  for (auto [Leaf, T] : enumerate(Leaves)) {
    if (!T->isPtrOrPtrVectorTy() && !Shape.carriesPointer(&A))
      continue;
    const auto N = static_cast<unsigned>(Leaf);
    const Address X = Shape.addressOf(&A, N), Y = Shape.addressOf(&B, N);
    const int64_t Stride = Shape.classAt(X.Class).Stride;
    const int64_t Apart = X.Offset - Y.Offset;
    if (X.Class != Y.Class || (Stride ? Apart % Stride != 0 : Apart != 0))
      return false;
  }
  return true;
}

unsigned CloneGroups::run() {
  unsigned Count = 0;
  SmallVector<Function *> Functions;
  DenseMap<const Function *, unsigned> OfSource, First;
  for (auto &F : U.Functions) {
    auto [It, New] = OfSource.try_emplace(F->Source, Count);
    First[F->F] = New || !mayShare(U, *F) ? Count++ : It->second;
    Functions.push_back(F->F);
  }
  return CodeGroups::run(Functions, std::move(First), Count);
}

/// Leaves the last function of each group: what it calls comes behind it in the
/// unit, as what the others of the group call does.
void keepOneOfEach(Unit &U, const CloneGroups &Groups) {
  DenseMap<unsigned, Function *> Last;
  for (auto &F : U.Functions)
    Last[Groups.of(*F->F)] = F->F;
  SmallVector<Function *> Gone;
  for (auto &F : U.Functions)
    if (Function *Stays = Last[Groups.of(*F->F)]; Stays != F->F) {
      F->F->replaceAllUsesWith(Stays);
      Gone.push_back(F->F);
    }
  erase_if(U.Functions,
           [&](const auto &F) { return is_contained(Gone, F->F); });
  for (Function *F : Gone) {
    U.ByFunction.erase(F);
    U.FAM.clear(*F, F->getName());
    F->dropAllReferences();
  }
  for (Function *F : Gone)
    F->eraseFromParent();
}

} // namespace

void shareClones(Unit &U, ArrayRef<Activity> Args, bool Returns) {
  unsigned Size = 0;
  SmallPtrSet<const Function *, 16> Sources;
  for (auto &F : U.Functions) {
    Size += F->F->getInstructionCount();
    Sources.insert(F->Source);
  }
  if (Size <= ShareAbove || Sources.size() == U.Functions.size())
    return;
  CloneGroups Groups(U, Args, Returns);
  if (Groups.run() < U.Functions.size())
    keepOneOfEach(U, Groups);
}

} // namespace retro
