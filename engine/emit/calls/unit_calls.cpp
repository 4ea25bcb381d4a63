// Members of ReverseSweep: the reverse pass of a call of the unit, which is a
// call of the reverse function of what is called, or of what runs both passes
// and may stand where the primal comes to the call. Without the latter a
// recursion would keep its whole tree of calls.
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "facts/activity/needs.h"
#include "facts/parallel/forks.h"

using namespace llvm;

namespace retro {

/// What R, the reverse pass of C, has returned.
void ReverseSweep::addArgumentAdjoints(CallBase &C, UnitFunction &G,
                                       CallInst &R) {
  unsigned Field = E.Plan->of(G).GivesResult;
  for (Argument &A : G.F->args())
    if (Act.active(&A))
      E.forLanes([&] {
        addAdjoint(C.getArgOperand(A.getArgNo()),
                   B.CreateExtractValue(&R, Field++));
      });
}

/// The adjoint of a call's result where the forward pass comes to the call.
Value *ReverseSweep::earlyAdjoint(IRBuilder<> &IR, const EarlyAdjoint &A) {
  // The arena comes behind the adjoints of what is returned.
  Value *G =
      T.getArg(static_cast<unsigned>(T.arg_size()) - 1 - E.width() + E.lane());
  if (A.Of) {
    AllocaInst *Slot = adjointSlot(A.Of);
    G = IR.CreateLoad(Slot->getAllocatedType(), Slot);
  }
  for (const Use *X : reverse(A.Through)) {
    auto *I = cast<Instruction>(X->getUser());
    IR.setFastMathFlags(ruleFlags(*I));
    Partials Own(1);
    G = Own.pull(
        IR, *ruleOf(*I),
        [&](int N) {
          return Fwd->primal(I->getOperand(static_cast<unsigned>(N)));
        },
        G, static_cast<int>(X->getOperandNo()), P.Guarded.contains(X));
  }
  return G;
}

/// Both passes of G run where the forward pass comes to C, in the same
/// iteration.
void ReverseSweep::unitCallAtOnce(CallBase &C, UnitFunction &G,
                                  const EarlyAdjoint &A) {
  Instruction *Place = Fwd->cloned(C);
  for (const Instruction *I : A.Earlier)
    Fwd->cloned(*I)->moveBefore(Place->getIterator());
  IRBuilder<> IR(Place);
  SmallVector<Value *> Ops;
  for (const Value *V : C.args())
    Ops.push_back(Fwd->primal(V));
  for (Argument &X : G.F->args())
    if (Act.shadowed(&X))
      E.forLanes(
          [&] { Ops.push_back(Fwd->shadow(C.getArgOperand(X.getArgNo()))); });
  E.forLanes([&] {
    Ops.push_back(earlyAdjoint(IR, A));
    takeAdjoint(&C);
  });
  E.useArena();
  Ops.push_back(Arena);
  CallInst *R = IR.CreateCall(&E.reverseOf(G), Ops);
  Fwd->callAnswered(C, IR.CreateExtractValue(R, 0));
  addArgumentAdjoints(C, G, *R);
}

void ReverseSweep::unitCallAdjoint(CallBase &C, UnitFunction &G) {
  if (auto At = P.AtOnce.find(&C); At != P.AtOnce.end())
    return unitCallAtOnce(C, G, At->second);
  if (isSpawn(C))
    return spawnAdjoint(C);
  const FunctionPlan &Q = E.Plan->of(G);
  SmallVector<Value *> Ops;
  for (unsigned N = 0; N < C.arg_size(); ++N) {
    Value *A = C.getArgOperand(N);
    Ops.push_back(N < Q.PrimalArgs.size() && Q.PrimalArgs[N]
                      ? primal(A)
                      : PoisonValue::get(A->getType()));
  }
  for (Argument &A : G.F->args())
    if (Act.shadowed(&A)) {
      unsigned N = A.getArgNo();
      bool Read = N < Q.ShadowArgs.size() && Q.ShadowArgs[N];
      E.forLanes([&] {
        Ops.push_back(Read ? shadow(C.getArgOperand(N))
                           : PoisonValue::get(A.getType()));
      });
    }
  if (E.returnsActive(G)) {
    Type *Ty = Act.adjointType(&C);
    E.forLanes([&] {
      Ops.push_back(Act.active(&C) ? takeAdjoint(&C)
                                   : Constant::getNullValue(Ty));
    });
  }
  if (isFork(C))
    return forkAdjoint(C, G, Ops);
  if (Q.Combined)
    E.useArena();
  Ops.push_back(Q.Combined        ? Arena
                : Q.Frame.empty() ? ConstantPointerNull::get(B.getPtrTy())
                                  : lookup({Item::Tape, &C}));
  if (Stride)
    Ops.push_back(Stride);
  CallInst *R = B.CreateCall(&E.reverseOf(G), Ops);
  addArgumentAdjoints(C, G, *R);
}

} // namespace retro
