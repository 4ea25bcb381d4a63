// Input: a function. Output: the parameters to whose memory it writes numbers,
// as far as its body and those of its callees show. What a derivative of the
// user's own does to shadows is told by that alone.
#include "facts/memory/visible_writes.h"

#include "front/known/known_functions.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// Calls are followed to this depth.
constexpr unsigned MaxDepth = 6;

class Walker {
public:
  explicit Walker(std::vector<VisibleWrite> &Out) : Out(Out) {}
  /// Value P points Offset bytes behind what parameter Arg does.
  void follow(const Value &P, unsigned Arg, std::optional<int64_t> Offset,
              unsigned Depth);

private:
  void use(const Use &U, unsigned Arg, std::optional<int64_t> Offset,
           unsigned Depth);
  void call(const CallBase &C, unsigned Operand, unsigned Arg,
            std::optional<int64_t> Offset, unsigned Depth);

  std::vector<VisibleWrite> &Out;
  DenseSet<const Value *> Seen;
};

void Walker::follow(const Value &P, unsigned Arg, std::optional<int64_t> Offset,
                    unsigned Depth) {
  if (!Seen.insert(&P).second)
    return;
  for (const Use &U : P.uses())
    use(U, Arg, Offset, Depth);
}

void Walker::use(const Use &U, unsigned Arg, std::optional<int64_t> Offset,
                 unsigned Depth) {
  const User *V = U.getUser();
  if (auto *G = dyn_cast<GEPOperator>(V)) {
    APInt Sum(64, 0);
    const DataLayout &DL = cast<Instruction>(V)->getDataLayout();
    if (Offset && G->accumulateConstantOffset(DL, Sum))
      Offset = *Offset + Sum.getSExtValue();
    else
      Offset = std::nullopt;
    return follow(*V, Arg, Offset, Depth);
  }
  if (isa<CastInst, FreezeInst>(V))
    return follow(*V, Arg, Offset, Depth);
  if (isa<PHINode, SelectInst>(V)) // another place in each round
    return follow(*V, Arg, std::nullopt, Depth);
  if (auto *S = dyn_cast<StoreInst>(V)) {
    auto *Variable = dyn_cast<AllocaInst>(S->getPointerOperand());
    if (U.getOperandNo() == StoreInst::getPointerOperandIndex()) {
      if (S->getValueOperand()->getType()->isFPOrFPVectorTy())
        Out.push_back({Arg, Offset});
    } else if (Variable) {
      // A variable of -O0 that holds the pointer.
      for (const User *L : Variable->users())
        if (isa<LoadInst>(L) && L->getType()->isPointerTy())
          follow(*L, Arg, Offset, Depth);
    }
    return;
  }
  if (auto *C = dyn_cast<CallBase>(V); C && C->isArgOperand(&U))
    call(*C, C->getArgOperandNo(&U), Arg, Offset, Depth);
}

void Walker::call(const CallBase &C, unsigned Operand, unsigned Arg,
                  std::optional<int64_t> Offset, unsigned Depth) {
  KnownCall K = knownCall(C);
  if (K.isCopy() || K.Kind == KnownKind::Set) {
    if (static_cast<int>(Operand) == K.Row->A)
      Out.push_back({Arg, std::nullopt});
    return;
  }
  const Function *F = C.getCalledFunction();
  if (F && Depth < MaxDepth && Operand < F->arg_size())
    follow(*F->getArg(Operand), Arg, Offset, Depth + 1);
}

} // namespace

std::vector<VisibleWrite> visibleWrites(const Function &F) {
  std::vector<VisibleWrite> Out;
  for (const Argument &A : F.args())
    if (A.getType()->isPointerTy() && !A.onlyReadsMemory())
      Walker(Out).follow(A, A.getArgNo(), 0, 0);
  return Out;
}

} // namespace retro
