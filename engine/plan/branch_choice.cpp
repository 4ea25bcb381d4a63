// Input: a block where ways of the primal meet. Output: a tree of conditions
// that tells from where it came. Where there is none, the number of the way is
// kept. Without the tree each merge of ways would need that number on the tape.
#include "plan/branch_choice.h"

#include "plan/planner.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace retro {
namespace {

/// More decisions than this are not looked for; nor is a larger region looked
/// at, or a longer expression.
constexpr unsigned MostDecisions = 8, MostBlocks = 64, MostDepth = 6;

class Chooser {
public:
  Chooser(const UnitFunction &UF, const Unit &U, const BasicBlock &B)
      : UF(UF), U(U), B(B), In(UF.LI.getLoopFor(&B)) {}

  std::unique_ptr<BranchChoice> run();

private:
  using Origins = SmallSetVector<const BasicBlock *, 4>; ///< predecessors of B
  std::optional<Origins> reached(const BasicBlock &X, const BasicBlock &S);
  std::unique_ptr<BranchChoice> decide(const BasicBlock *X,
                                       const Origins &Among);
  const BasicBlock *beyond(const BasicBlock *X, const Origins &Among) const;
  bool isComputable(const Value *V, unsigned Depth = 0) const;

  const UnitFunction &UF;
  const Unit &U;
  const BasicBlock &B;
  const Loop *In;
  unsigned Decisions = 0;
};

/// From which blocks B can be entered when X goes on to S, in this iteration.
std::optional<Chooser::Origins> Chooser::reached(const BasicBlock &X,
                                                 const BasicBlock &S) {
  Origins Out;
  SmallSetVector<const BasicBlock *, 16> Seen;
  auto Step = [&](const BasicBlock &From, const BasicBlock &To) {
    if (&To == &B)
      Out.insert(&From);
    else if (!In || &To != In->getHeader())
      Seen.insert(&To);
  };
  Step(X, S);
  for (size_t I = 0; I < Seen.size(); ++I) {
    if (Seen.size() > MostBlocks)
      return std::nullopt;
    for (const BasicBlock *To : successors(Seen[I]))
      Step(*Seen[I], *To);
  }
  return Out;
}

/// The next block that decides between some of the origins, if all paths from X
/// to them lead there.
const BasicBlock *Chooser::beyond(const BasicBlock *X,
                                  const Origins &Among) const {
  const BasicBlock *D = Among[0];
  for (const BasicBlock *P : Among)
    D = UF.DT.findNearestCommonDominator(D, P);
  return D != X && UF.DT.dominates(X, D) ? D : nullptr;
}

/// Can the reverse pass compute V at B? It can where the primal has computed V
/// whenever it came to B, and where computing V does no harm.
bool Chooser::isComputable(const Value *V, unsigned Depth) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || UF.DT.dominates(I->getParent(), &B))
    return true;
  if (Depth > MostDepth || I->mayReadOrWriteMemory() || isa<CallBase>(I) ||
      !isSafeToSpeculativelyExecute(I) || !isRepeatable(*I, U))
    return false;
  return all_of(I->operands(),
                [&](const Use &O) { return isComputable(O, Depth + 1); });
}

std::unique_ptr<BranchChoice> Chooser::decide(const BasicBlock *X,
                                              const Origins &Among) {
  auto Out = std::make_unique<BranchChoice>();
  if (Among.size() == 1) {
    Out->From = Among[0];
    return Out;
  }
  while (X && UF.LI.getLoopFor(X) != In)
    X = beyond(X, Among);
  auto *Br = X ? dyn_cast<BranchInst>(X->getTerminator()) : nullptr;
  if (!Br)
    return nullptr;
  if (!Br->isConditional())
    return decide(Br->getSuccessor(0), Among);
  if (Br->getSuccessor(0) == Br->getSuccessor(1) || ++Decisions > MostDecisions)
    return nullptr;
  auto True = reached(*X, *Br->getSuccessor(0));
  auto False = reached(*X, *Br->getSuccessor(1));
  if (!True || !False)
    return nullptr;
  // A way that does not lead to B is none that the primal took.
  if (True->empty() || False->empty())
    return decide(Br->getSuccessor(True->empty() ? 1 : 0), Among);
  if (any_of(*True, [&](const BasicBlock *P) { return False->contains(P); })) {
    const BasicBlock *Next = beyond(X, Among);
    return Next ? decide(Next, Among) : nullptr;
  }
  if (!isComputable(Br->getCondition()))
    return nullptr;
  Out->Condition = Br->getCondition();
  Out->IfTrue = decide(Br->getSuccessor(0), *True);
  Out->IfFalse = decide(Br->getSuccessor(1), *False);
  return Out->IfTrue && Out->IfFalse ? std::move(Out) : nullptr;
}

std::unique_ptr<BranchChoice> Chooser::run() {
  Origins All;
  for (const BasicBlock *P : predecessors(&B))
    if (!All.insert(P))
      return nullptr;
  if (All.size() < 2)
    return nullptr;
  return decide(UF.DT.getNode(&B)->getIDom()->getBlock(), All);
}

} // namespace

void BranchChoice::forEachCondition(
    function_ref<void(const Value *)> Visit) const {
  if (!Condition)
    return;
  Visit(Condition);
  IfTrue->forEachCondition(Visit);
  IfFalse->forEachCondition(Visit);
}

std::unique_ptr<BranchChoice> branchChoice(const UnitFunction &UF,
                                           const Unit &U, const BasicBlock &B) {
  return Chooser(UF, U, B).run();
}

} // namespace retro
