// Input: calls of a parallel runtime that open a region, start a thread or join
// one, and get a function to run. Output: direct calls of that function, with a
// mark that says what they are. Analyses then follow the values into the
// region; a call of the runtime would hide them.
#include "prepare/threads/regions.h"

#include "base/unit.h"
#include "facts/parallel/forks.h"
#include "front/known/known_functions.h"
#include "front/names/runtime.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// The body of the region that C opens; null if it is unknown.
Function *bodyOf(const CallBase &C, const KnownFunction &Row) {
  if (Row.A < 0)
    return nullptr;
  Value *V = C.getArgOperand(static_cast<unsigned>(Row.A));
  auto *F = dyn_cast<Function>(V->stripPointerCasts());
  unsigned First = static_cast<unsigned>(Row.A) + 1;
  // The body takes the address of the thread's number, that of the team's, and
  // then what is shared.
  if (!F || F->isVarArg() || F->arg_size() != C.arg_size() - First + 2)
    return nullptr;
  for (unsigned N = First; N < C.arg_size(); ++N)
    if (C.getArgOperand(N)->getType() != F->getArg(N - First + 2)->getType())
      return nullptr;
  return F;
}

/// Calls the region's body where the team was forked.
bool lowerFork(CallBase &C, const KnownFunction &Row) {
  Function *Body = bodyOf(C, Row);
  if (!Body)
    return false;
  BasicBlock &Entry = C.getFunction()->getEntryBlock();
  IRBuilder<> EB(&Entry, Entry.begin());
  SmallVector<Value *> Args;
  for (const char *Name : {"thread", "bound"})
    Args.push_back(EB.CreateAlloca(EB.getInt32Ty(), nullptr, Name));
  Args.append(C.arg_begin() + Row.A + 1, C.arg_end());
  IRBuilder<> B(&C);
  for (unsigned N = 0; N < 2; ++N)
    B.CreateStore(B.getInt32(0), Args[N]);
  CallInst *Call = B.CreateCall(Body, Args);
  Call->addFnAttr(Attribute::get(C.getContext(), ForkMark));
  return true;
}

/// Calls what the thread runs where the thread was started. The handle becomes
/// a number of the engine's own runtime.
bool lowerSpawn(CallBase &C, const KnownFunction &Row) {
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  auto *Run = dyn_cast<Function>(Arg(Row.A)->stripPointerCasts());
  if (!Run || Run->arg_size() != 1 || Run->isVarArg() ||
      !Run->getArg(0)->getType()->isPointerTy())
    return false;
  IRBuilder<> B(&C);
  CallInst *Call = B.CreateCall(Run, Arg(Row.B));
  Call->addFnAttr(Attribute::get(C.getContext(), SpawnMark));
  B.CreateStore(callRuntime(B, Rt::thread_last), Arg(Row.C));
  if (!C.getType()->isVoidTy())
    C.replaceAllUsesWith(Constant::getNullValue(C.getType()));
  return true;
}

/// Joins a thread by that number. False if the program asks for what the thread
/// returned.
bool lowerJoin(CallBase &C, const KnownFunction &Row) {
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  if (!isa<ConstantPointerNull>(Arg(Row.B)))
    return false;
  IRBuilder<> B(&C);
  C.replaceAllUsesWith(callRuntime(B, Rt::thread_join, Arg(Row.A)));
  return true;
}

} // namespace

/// Says that only such calls write the places of a thread's share.
static void keepPlaces(CallBase &C) {
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (C.getArgOperand(N)->getType()->isPointerTy())
      C.addParamAttr(N, Attribute::getWithCaptureInfo(C.getContext(),
                                                      CaptureInfo::none()));
}

void lowerForks(Function &F) {
  SmallVector<std::pair<CallBase *, const KnownFunction *>> Forks;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I)) {
      KnownCall K = knownCall(*C);
      if (K.Kind == KnownKind::Parallel)
        Forks.push_back({C, K.Row});
      else if (K.Kind == KnownKind::Share)
        keepPlaces(*C);
    }
  for (auto [C, Row] : Forks) {
    bool Done = Row->says(ThreadCall::Start)  ? lowerSpawn(*C, *Row)
                : Row->says(ThreadCall::Join) ? lowerJoin(*C, *Row)
                                              : lowerFork(*C, *Row);
    if (!Done)
      continue;
    if (auto *Call = dyn_cast_or_null<CallInst>(C->getPrevNode()))
      Call->setDebugLoc(C->getDebugLoc());
    C->eraseFromParent();
  }
}

void findConcurrent(Unit &U) {
  if (isGpu(U.M))
    for (auto &UF : U.Functions)
      UF->Concurrent = true;
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
  // The function that starts a thread goes on beside it.
  bool Spawns = any_of(U.Functions, [](const auto &UF) {
    return any_of(instructions(*UF->F), [](const Instruction &I) {
      auto *C = dyn_cast<CallBase>(&I);
      return C && isSpawn(*C);
    });
  });
  for (auto &UF : U.Functions)
    if (Spawns)
      Enter(UF.get());
  while (!Work.empty())
    Visit(*Work.pop_back_val(), true);
}

} // namespace retro
