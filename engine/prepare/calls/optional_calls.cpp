// Input: a call by an address. Output: does the program ask before whether
// there is a function? An `if (hook)` of a std::function, or of a member that
// is an address, stands around such calls also in programs that give none.
// Without this they would be refused for a call that they never make.
#include "prepare/calls/optional_calls.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// The pointers that an address is loaded with, and the objects that they are
/// loaded from.
class Origins {
public:
  explicit Origins(const Value *Address) {
    const Value *Of = Address;
    while (Seen.insert(Of).second)
      if (auto *L = dyn_cast<LoadInst>(Of))
        Of = getUnderlyingObject(L->getPointerOperand());
  }

  bool include(const Value *Pointer) const {
    if (Seen.contains(Pointer))
      return true;
    auto *L = dyn_cast<LoadInst>(Pointer);
    return L && Seen.contains(getUnderlyingObject(L->getPointerOperand()));
  }

private:
  SmallPtrSet<const Value *, 4> Seen;
};

/// If Condition is as Holds says, is one of the pointers not null?
bool saysNotNull(const Value *Condition, bool Holds, const Origins &Of) {
  const Value *A = nullptr, *B = nullptr;
  if (Holds ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(Condition, m_LogicalOr(m_Value(A), m_Value(B))))
    return saysNotNull(A, Holds, Of) || saysNotNull(B, Holds, Of);
  CmpPredicate Is;
  return match(Condition, m_ICmp(Is, m_Value(A), m_Zero())) &&
         Is == (Holds ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ) && Of.include(A);
}

} // namespace

bool isOptional(const CallBase &C) {
  const Origins Of(C.getCalledOperand());
  DominatorTree DT(const_cast<Function &>(*C.getFunction()));
  const DomTreeNode *Node = DT.getNode(C.getParent());
  for (Node = Node ? Node->getIDom() : nullptr; Node; Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    for (unsigned Way = 0; Way < 2; ++Way)
      if (DT.dominates(
              BasicBlockEdge(Node->getBlock(), Branch->getSuccessor(Way)),
              C.getParent()) &&
          saysNotNull(Branch->getCondition(), Way == 0, Of))
        return true;
  }
  return false;
}

} // namespace retro
