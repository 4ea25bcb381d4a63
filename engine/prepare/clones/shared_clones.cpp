// Input: a unit in which each call has a clone of its callee. Output: of clones
// with the same code, whose parameters and results lead to the same memory and
// are active alike, one is left. Without this a unit has as many derivatives of
// a small function (one that releases a shared pointer) as the program has
// calls of it, and takes the compiler minutes.
#include "prepare/clones/shared_clones.h"

#include "facts/activity/activity.h"
#include "facts/memory/leaves.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace retro {
namespace {

cl::opt<unsigned> ShareAbove(
    "retro-share-above", cl::init(5000), cl::Hidden,
    cl::desc("Instructions of a request's functions above which calls share a "
             "derivative that each could have for itself."));

using Numbers = DenseMap<const Function *, unsigned>;
using ValueToValue = DenseMap<const Value *, const Value *>;

/// Finds which clones are alike, by refinement: those of one function are until
/// something tells them apart, in themselves or in what they call.
class CloneGroups {
public:
  CloneGroups(Unit &U, ArrayRef<Activity> Args, bool Returns)
      : U(U), Shape(U), Act(U, Shape, Quiet) {
    Quiet.silence();
    Shape.run(Args);
    Act.run(Args, Returns);
  }

  /// Numbers the groups; returns how many there are.
  unsigned run();
  unsigned of(const UnitFunction &F) const { return GroupOf.at(F.F); }

private:
  bool areAlike(const UnitFunction &A, const UnitFunction &B) const;
  bool leadAlike(const Value &A, const Value &B) const;
  bool areSameValues(const Value &A, const Value &B) const;
  bool haveSameCode(const Function &A, const Function &B) const;
  bool areSameInstructions(const Instruction &A, const Instruction &B,
                           const ValueToValue &InB) const;
  bool areSameOperands(const Value &A, const Value &B,
                       const ValueToValue &InB) const;

  Unit &U;
  Reporter Quiet{nullptr};
  MemoryShape Shape;
  ActivityAnalysis Act;
  Numbers GroupOf;
  DenseMap<const Function *, hash_code> CodeOf; ///< of functions of one code
};

/// What is the same in functions with the same code: most that are not alike
/// are told apart by it.
hash_code hashOf(const Function &F, const ActivityAnalysis &Act) {
  hash_code Hash = hash_combine(F.size(), F.getAttributes().getRawPointer());
  for (const Argument &A : F.args())
    Hash = hash_combine(Hash, Act.varied(&A), Act.useful(&A));
  for (const Instruction &I : instructions(F))
    Hash = hash_combine(Hash, I.getOpcode(), I.getType(), I.getNumOperands(),
                        Act.varied(&I), Act.useful(&I));
  return Hash;
}

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

/// Do two values, of which each is one of its clone's, lead to the same memory,
/// and have both a derivative, or none?
bool CloneGroups::areSameValues(const Value &A, const Value &B) const {
  return Act.varied(&A) == Act.varied(&B) && Act.useful(&A) == Act.useful(&B) &&
         leadAlike(A, B);
}

bool CloneGroups::areSameOperands(const Value &A, const Value &B,
                                  const ValueToValue &InB) const {
  if (auto It = InB.find(&A); It != InB.end())
    return It->second == &B;
  if (&A == &B)
    return true;
  auto *F = dyn_cast<Function>(&A), *G = dyn_cast<Function>(&B);
  return F && G && U.find(F) && U.find(G) && GroupOf.at(F) == GroupOf.at(G);
}

/// Do two loops have the same properties? Each copy of a loop has a node of its
/// own for them, which begins with itself, and then the lines of the source.
bool areSameLoops(const MDNode &A, const MDNode &B) {
  auto Properties = [](const MDNode &N) {
    SmallVector<const Metadata *> Out;
    for (const MDOperand &X : drop_begin(N.operands()))
      if (!isa_and_nonnull<DILocation>(X.get()))
        Out.push_back(X.get());
    return Out;
  };
  return Properties(A) == Properties(B);
}

/// Debug information tells apart what is alike: of each copy's variables, too,
/// it says which of its stores are theirs.
bool haveSameMetadata(const Instruction &A, const Instruction &B) {
  auto Of = [](const Instruction &I) {
    SmallVector<std::pair<unsigned, MDNode *>> Out;
    I.getAllMetadataOtherThanDebugLoc(Out);
    erase_if(Out, [](const auto &X) {
      return X.first == LLVMContext::MD_DIAssignID;
    });
    return Out;
  };
  return all_of_zip(Of(A), Of(B), [](const auto &X, const auto &Y) {
    return X == Y || (X.first == Y.first && X.first == LLVMContext::MD_loop &&
                      areSameLoops(*X.second, *Y.second));
  });
}

bool CloneGroups::areSameInstructions(const Instruction &A,
                                      const Instruction &B,
                                      const ValueToValue &InB) const {
  if (!A.isSameOperationAs(&B) || !A.hasSameSubclassOptionalData(&B) ||
      Act.varied(&A) != Act.varied(&B) || Act.useful(&A) != Act.useful(&B))
    return false;
  if (!haveSameMetadata(A, B))
    return false;
  for (auto [X, Y] : zip_equal(A.operands(), B.operands()))
    if (!areSameOperands(*X, *Y, InB))
      return false;
  if (auto *P = dyn_cast<PHINode>(&A))
    for (auto [X, Y] : zip_equal(P->blocks(), cast<PHINode>(B).blocks()))
      if (InB.lookup(X) != Y)
        return false;
  return !isa<ReturnInst>(A) || A.getNumOperands() == 0 ||
         areSameValues(*A.getOperand(0), *B.getOperand(0));
}

bool CloneGroups::haveSameCode(const Function &A, const Function &B) const {
  if (A.size() != B.size() ||
      A.getInstructionCount() != B.getInstructionCount())
    return false;
  ValueToValue InB;
  for (auto [X, Y] : zip_equal(A.args(), B.args()))
    InB[&X] = &Y;
  for (auto [X, Y] : zip_equal(A, B)) {
    if (X.size() != Y.size())
      return false;
    InB[&X] = &Y;
    for (auto [I, J] : zip_equal(X, Y))
      InB[&I] = &J;
  }
  return all_of(zip_equal(instructions(A), instructions(B)), [&](auto Pair) {
    auto &[I, J] = Pair;
    return areSameInstructions(I, J, InB);
  });
}

bool CloneGroups::areAlike(const UnitFunction &A, const UnitFunction &B) const {
  return CodeOf.at(A.F) == CodeOf.at(B.F) && A.Concurrent == B.Concurrent &&
         A.Recursive == B.Recursive &&
         A.F->getAttributes() == B.F->getAttributes() &&
         all_of(zip_equal(A.F->args(), B.F->args()),
                [&](auto Pair) {
                  auto &[X, Y] = Pair;
                  return areSameValues(X, Y);
                }) &&
         haveSameCode(*A.F, *B.F);
}

unsigned CloneGroups::run() {
  unsigned Count = 0;
  Numbers OfSource;
  for (auto &F : U.Functions) {
    CodeOf.try_emplace(F->F, hashOf(*F->F, Act));
    auto [It, New] = OfSource.try_emplace(F->Source, Count);
    GroupOf[F->F] = New || !mayShare(U, *F) ? Count++ : It->second;
  }
  for (unsigned Before = 0; Before != Count;) {
    Before = Count;
    Count = 0;
    Numbers Next;
    // Of each group as it was, one function of each that is left of it.
    DenseMap<unsigned, SmallVector<UnitFunction *>> Parts;
    for (auto &F : U.Functions) {
      auto &Known = Parts[GroupOf[F->F]];
      auto *Same =
          find_if(Known, [&](UnitFunction *G) { return areAlike(*G, *F); });
      if (Same != Known.end()) {
        const unsigned N = Next.at((*Same)->F);
        Next[F->F] = N;
        continue;
      }
      Known.push_back(F.get());
      Next[F->F] = Count++;
    }
    GroupOf = std::move(Next);
  }
  return Count;
}

/// Leaves the last function of each group: what it calls comes behind it in the
/// unit, as what the others of the group call does.
void keepOneOfEach(Unit &U, const CloneGroups &Groups) {
  DenseMap<unsigned, Function *> Last;
  for (auto &F : U.Functions)
    Last[Groups.of(*F)] = F->F;
  SmallVector<Function *> Gone;
  for (auto &F : U.Functions)
    if (Function *Stays = Last[Groups.of(*F)]; Stays != F->F) {
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
