#include "parallel/lowering.h"

#include "front/known_functions.h"
#include "unit.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Attribute of a call.
constexpr const char *ForkMark = "retro-fork";

/// The body of the region that C opens, if it can be told.
Function *bodyOf(const CallBase &C, const KnownFunction &Row) {
  if (Row.A < 0)
    return nullptr;
  Value *V = C.getArgOperand(static_cast<unsigned>(Row.A));
  auto *F = dyn_cast<Function>(V->stripPointerCasts());
  unsigned First = static_cast<unsigned>(Row.A) + 1;
  // The place of the thread's number, that of the team's, what is shared.
  if (!F || F->isVarArg() || F->arg_size() != C.arg_size() - First + 2)
    return nullptr;
  for (unsigned N = First; N < C.arg_size(); ++N)
    if (C.getArgOperand(N)->getType() != F->getArg(N - First + 2)->getType())
      return nullptr;
  return F;
}

} // namespace

bool isFork(const CallBase &C) { return C.getAttributes().hasFnAttr(ForkMark); }

void lowerForks(Function &F) {
  SmallVector<std::pair<CallBase *, const KnownFunction *>> Forks;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (KnownCall K = knownCall(*C); K.Kind == KnownKind::Parallel)
        Forks.push_back({C, K.Row});
  for (auto [C, Row] : Forks) {
    Function *Body = bodyOf(*C, *Row);
    if (!Body)
      continue;
    IRBuilder<> EB(&F.getEntryBlock(), F.getEntryBlock().begin());
    SmallVector<Value *> Args;
    for (const char *Name : {"thread", "bound"})
      Args.push_back(EB.CreateAlloca(EB.getInt32Ty(), nullptr, Name));
    Args.append(C->arg_begin() + Row->A + 1, C->arg_end());
    IRBuilder<> B(C);
    for (unsigned N = 0; N < 2; ++N)
      B.CreateStore(B.getInt32(0), Args[N]);
    CallInst *Call = B.CreateCall(Body, Args);
    Call->addFnAttr(Attribute::get(F.getContext(), ForkMark));
    Call->setDebugLoc(C->getDebugLoc());
    C->eraseFromParent();
  }
}

void findConcurrent(Unit &U) {
  SmallVector<UnitFunction *> Work;
  auto Enter = [&](UnitFunction *G) {
    if (G && !G->Concurrent) {
      G->Concurrent = true;
      Work.push_back(G);
    }
  };
  auto Visit = [&](UnitFunction &UF, bool All) {
    for (Instruction &I : instructions(*UF.F))
      if (auto *C = dyn_cast<CallBase>(&I); C && (All || isFork(*C)))
        Enter(U.callee(*C));
  };
  for (auto &UF : U.Functions)
    Visit(*UF, false);
  while (!Work.empty())
    Visit(*Work.pop_back_val(), true);
}

} // namespace retro
