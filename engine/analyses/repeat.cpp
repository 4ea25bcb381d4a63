// What the reverse pass can compute again, and how it finds its way without
// being told.
#include "analyses/planner.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

bool isRepeatable(const Instruction &I, const Unit &U) {
  if (isa<LoadInst>(I))
    return true;
  if (I.mayReadOrWriteMemory() || I.isTerminator() ||
      isa<PHINode, AllocaInst, FreezeInst>(I))
    return false;
  if (auto *C = dyn_cast<CallBase>(&I)) {
    KnownCall K = knownCall(*C);
    if (K.Kind == KnownKind::Math) {
      // Cheap functions are computed again, transcendental ones kept.
      using enum rules::RuleId;
      switch (K.Row->Rule) {
      case Fabs:
      case Copysign:
      case Fmin:
      case Fmax:
      case Minimum:
      case Maximum:
      case Fma:
      case Flat:
        return true;
      default:
        // Few iterations of a sparse derivative run: they need no tape.
        return U.KeepAccumulations;
      }
    }
    return isa<IntrinsicInst>(C) && C->doesNotAccessMemory() &&
           C->hasFnAttr(Attribute::Speculatable);
  }
  return true;
}

std::optional<BranchChoice> branchChoice(const UnitFunction &UF,
                                         const BasicBlock &B) {
  SmallVector<const BasicBlock *> Preds(predecessors(&B));
  if (Preds.size() != 2 || Preds[0] == Preds[1])
    return std::nullopt;
  auto *Node = UF.DT.getNode(&B);
  const BasicBlock *D = Node->getIDom()->getBlock();
  if (UF.LI.getLoopFor(D) != UF.LI.getLoopFor(&B))
    return std::nullopt;
  auto *Br = dyn_cast<BranchInst>(D->getTerminator());
  if (!Br || !Br->isConditional() || Br->getSuccessor(0) == Br->getSuccessor(1))
    return std::nullopt;
  // Arm of each predecessor: the branch's successor that dominates it, or
  // the branch itself when the edge is direct.
  int Arm[2] = {-1, -1};
  for (int I = 0; I < 2; ++I)
    for (int S = 0; S < 2; ++S) {
      const BasicBlock *Succ = Br->getSuccessor(static_cast<unsigned>(S));
      if (Preds[I] == D ? Succ == &B
                        : Succ != &B && Succ->getSinglePredecessor() == D &&
                              UF.DT.dominates(Succ, Preds[I]))
        Arm[I] = S;
    }
  if (Arm[0] < 0 || Arm[1] < 0 || Arm[0] == Arm[1])
    return std::nullopt;
  BranchChoice C;
  C.Condition = Br->getCondition();
  C.IfTrue = Preds[Arm[0] == 0 ? 0 : 1];
  C.IfFalse = Preds[Arm[0] == 0 ? 1 : 0];
  return C;
}

} // namespace retro
