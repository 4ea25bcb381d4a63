// Threads that the primal starts: their passes are threads, too. The reverse
// pass starts one where the primal joined it, and waits for it where the primal
// started it. In another order adjoints would be read before the thread has
// added to them. Members of ShadowEmitter, ForwardSweep, ReverseSweep and
// TangentSweep (emit/common/).
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "emit/threads/fork.h"
#include "front/names/runtime.h"

using namespace llvm;

namespace retro {
namespace {

/// When the derivative ends, the thread's memory is freed.
void freeLater(UnitEmitter &E, IRBuilder<> &B, Value *Arena, Value *Thread) {
  E.RT.deferCall(B, Arena, runtimeCallee(E.M, Rt::thread_free), Thread);
}

} // namespace

/// A thread that carries no derivative.
void ShadowEmitter::plainSpawn(CallBase &C, UnitFunction &G) {
  IRBuilder<> B(cloned(C));
  // The reverse pass looks at it where it was joined.
  Value *Thread = emitThread(
      E, B, entryPoint(), G.Source->getName(), {primal(C.getArgOperand(0))},
      Arena ? E.RT.releaseFunction() : nullptr,
      [&](IRBuilder<> &TB, ThreadPart &P) {
        if (Arena)
          E.RT.startArena(TB, P.Arena);
        TB.CreateCall(G.Source, P.Values);
      },
      nullptr, [&](Function *F, bool Rev) { E.addTeam(F, Rev); });
  if (Arena) {
    E.useArena();
    freeLater(E, B, Arena, Thread);
  }
  replaceCloned(C, nullptr);
}

/// Args: of the augmented function, but for the arena. The reverse function is
/// given the same.
void ForwardSweep::spawnCall(CallBase &C, UnitFunction &G,
                             ArrayRef<Value *> Args) {
  IRBuilder<> B(cloned(C));
  auto Forward = [&](IRBuilder<> &TB, ThreadPart &P) {
    E.RT.startArena(TB, P.Arena);
    SmallVector<Value *> Ops(P.Values);
    Ops.push_back(P.Arena);
    CallInst *R = TB.CreateCall(&E.augmentedOf(G), Ops);
    TB.CreateStore(
        TB.CreateExtractValue(R, R->getType()->getStructNumElements() - 1),
        P.Frame);
  };
  auto Reverse = [&](IRBuilder<> &TB, ThreadPart &P) {
    Function *F = &E.reverseOf(G);
    SmallVector<Value *> Ops(P.Values);
    // Nobody reads what the thread returns: its adjoint is zero.
    while (Ops.size() + 1 < F->arg_size())
      Ops.push_back(Constant::getNullValue(
          F->getArg(static_cast<unsigned>(Ops.size()))->getType()));
    Ops.push_back(TB.CreateLoad(TB.getPtrTy(), P.Frame));
    TB.CreateCall(F, Ops);
  };
  auto Made = [&](Function *F, bool Rev) { E.addTeam(F, Rev); };
  StringRef Name = G.Source->getName();
  Value *Thread =
      E.Plan->of(G).HasWork
          ? emitThread(E, B, EntryPoint, Name, Args, E.RT.releaseFunction(),
                       Forward, Reverse, Made)
          : emitThread(E, B, EntryPoint, Name, Args, E.RT.releaseFunction(),
                       Forward, nullptr, Made);
  store({Item::Tape, &C}, Thread, B);
  E.useArena();
  freeLater(E, B, Arena, Thread);
  replaceCloned(C, nullptr);
}

void ReverseSweep::spawnAdjoint(CallBase &C) {
  callRuntime(B, Rt::thread_finish, lookup({Item::Tape, &C}));
}

/// Args: of the tangent function.
void TangentSweep::spawnCall(CallBase &C, UnitFunction &G,
                             ArrayRef<Value *> Args) {
  IRBuilder<> B(cloned(C));
  emitThread(
      E, B, entryPoint(), G.Source->getName(), Args, nullptr,
      [&](IRBuilder<> &TB, ThreadPart &P) {
        TB.CreateCall(&E.tangentOf(G), P.Values);
      },
      nullptr, [&](Function *F, bool Rev) { E.addTeam(F, Rev); });
  replaceCloned(C, nullptr);
}

} // namespace retro
