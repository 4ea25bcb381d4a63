// Parallel regions without a derivative, in the forward pass, the reverse pass
// and the tangent: each pass of a region is run by a team, and what all threads
// read by value has one adjoint, to which they add. Without that one adjoint
// the sums of all threads but one would be lost.
#include "emit/threads/fork.h"

#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "emit/threads/open_team.h"
#include "emit/words/memory_adjoint.h"
#include "front/names/runtime.h"

using namespace llvm;

namespace retro {

/// What threads are given: with the images of the derivative, if it has any,
/// behind all else. A thread has none of its own.
static SmallVector<Value *> withImages(UnitEmitter &E, IRBuilder<> &B,
                                       ArrayRef<Value *> Captured) {
  SmallVector<Value *> Out(Captured);
  if (E.Act.hasImages())
    Out.push_back(callRuntime(B, Rt::images_current));
  return Out;
}

/// A function void (context, arena, frame, thread, bound).
static Function *
emitPart(UnitEmitter &E, const Twine &Name, StructType *Context,
         function_ref<void(IRBuilder<> &, ThreadPart &)> Part) {
  Module &M = E.M;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, Ptr, Ptr, Ptr}, false),
      GlobalValue::InternalLinkage, Name, M);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  ThreadPart P;
  for (unsigned N = 0; N < Context->getNumElements(); ++N)
    P.Values.push_back(
        B.CreateLoad(Context->getElementType(N),
                     B.CreateStructGEP(Context, F->getArg(0), N)));
  P.Arena = F->getArg(1);
  P.Frame = F->getArg(2);
  P.Thread = F->getArg(3);
  P.Bound = F->getArg(4);
  Value *Outer = E.Act.hasImages() ? callRuntime(B, Rt::images_enter,
                                                 {P.Values.pop_back_val()})
                                   : nullptr;
  Part(B, P);
  if (Outer)
    callRuntime(B, Rt::images_enter, {Outer});
  B.CreateRetVoid();
  return F;
}

/// A variable, put before Entry, with what threads are given.
static Value *emitContext(IRBuilder<> &B, Instruction *Entry,
                          ArrayRef<Value *> Captured, StructType *&T) {
  SmallVector<Type *> Types;
  for (Value *V : Captured)
    Types.push_back(V->getType());
  T = StructType::get(B.getContext(), Types);
  Value *Context = IRBuilder<>(Entry).CreateAlloca(T, nullptr, "team");
  for (unsigned N = 0; N < Types.size(); ++N)
    B.CreateStore(Captured[N], B.CreateStructGEP(T, Context, N));
  return Context;
}

/// A call of runtime/openmp.c; or of runtime/pool.c, where the plan says that
/// teams are our own (prepare/threads/pool_loops.h).
static Value *startTeam(UnitEmitter &E, IRBuilder<> &B, Team Kind,
                        Function &Part, Value *Context, Value *Earlier) {
  SmallVector<Value *> Args{&Part, Context};
  if (Kind == Team::Reverse)
    Args.push_back(Earlier);
  else if (Kind != Team::Plain)
    Args.push_back(E.RT.releaseFunction());
  constexpr Rt OfOpenMp[] = {Rt::fork_plain, Rt::fork_forward, Rt::fork_reverse,
                             Rt::fork_both},
               OfPool[] = {Rt::pool_fork_plain, Rt::pool_fork_forward,
                           Rt::pool_fork_reverse, Rt::pool_fork_both};
  return callRuntime(
      B, (E.Plan->hasOpenMpTeams() ? OfOpenMp : OfPool)[static_cast<int>(Kind)],
      Args);
}

Value *emitTeam(UnitEmitter &E, IRBuilder<> &B, Instruction *Entry, Team Kind,
                const Twine &Name, ArrayRef<Value *> Captured, Value *Earlier,
                function_ref<void(IRBuilder<> &, ThreadPart &)> Part) {
  StructType *T;
  Value *Context = emitContext(B, Entry, withImages(E, B, Captured), T);
  Function *F = emitPart(E, Name, T, Part);
  E.addTeam(F, Kind == Team::Reverse);
  return E.Act.unit().opensTeams()
             ? startOpenTeam(E, B, Entry, Kind, *F, Context, Earlier)
             : startTeam(E, B, Kind, *F, Context, Earlier);
}

Value *emitThread(UnitEmitter &E, IRBuilder<> &B, Instruction *Entry,
                  const Twine &Name, ArrayRef<Value *> Captured,
                  Function *Release,
                  function_ref<void(IRBuilder<> &, ThreadPart &)> Forward,
                  function_ref<void(IRBuilder<> &, ThreadPart &)> Reverse,
                  function_ref<void(Function *, bool)> Made) {
  StructType *T;
  Value *Context = emitContext(B, Entry, withImages(E, B, Captured), T);
  Value *Parts[2] = {emitPart(E, "thread_" + Name, T, Forward),
                     ConstantPointerNull::get(B.getPtrTy())};
  Made(cast<Function>(Parts[0]), false);
  if (Reverse) {
    Parts[1] = emitPart(E, "thread_reverse_" + Name, T, Reverse);
    Made(cast<Function>(Parts[1]), true);
  }
  return callRuntime(B, Rt::thread_spawn,
                     {Parts[0], Parts[1], Context,
                      B.getInt64(E.M.getDataLayout().getTypeAllocSize(T)),
                      Release ? static_cast<Value *>(Release)
                              : ConstantPointerNull::get(B.getPtrTy())});
}

/// The shadows of what each thread has of its own are zero when it is first
/// in a team of this call of the derivative.
void UnitEmitter::clearInTeams(IRBuilder<> &B,
                               ArrayRef<GlobalVariable *> Shadows) {
  if (Teams.empty())
    return;
  callRuntime(B, Rt::omp_begin);
  for (Function *F : Teams) {
    BasicBlock *Entry = &F->getEntryBlock();
    BasicBlock *Rest = Entry->splitBasicBlock(Entry->begin(), "part");
    BasicBlock *Clear = BasicBlock::Create(M.getContext(), "clear", F, Rest);
    Entry->getTerminator()->eraseFromParent();
    IRBuilder<> TB(Entry);
    Value *First = callRuntime(TB, Rt::omp_first);
    TB.CreateCondBr(TB.CreateIsNull(First), Rest, Clear);
    TB.SetInsertPoint(Clear);
    for (GlobalVariable *S : Shadows)
      clear(TB, *S);
    TB.CreateBr(Rest);
  }
}

/// A region that carries no derivative runs as it is.
void ShadowEmitter::plainFork(CallBase &C, UnitFunction &G) {
  IRBuilder<> B(cloned(C));
  SmallVector<Value *> Args;
  for (Value *A : drop_begin(C.args(), 2))
    Args.push_back(primal(A));
  emitTeam(E, B, entryPoint(), Team::Plain, "team_" + G.Source->getName(), Args,
           nullptr, [&](IRBuilder<> &TB, ThreadPart &P) {
             SmallVector<Value *> Ops{P.Thread, P.Bound};
             Ops.append(P.Values);
             TB.CreateCall(G.Source, Ops);
           });
  replaceCloned(C, nullptr);
}

/// What frees the team of a forward pass.
static FunctionCallee teamFree(UnitEmitter &E) {
  if (E.Act.unit().opensTeams())
    return openTeamFree(E.M, E.RT);
  return runtimeCallee(E.M, Rt::fork_free);
}

/// Args: of the augmented function, but for the arena.
void ForwardSweep::forkCall(CallBase &C, UnitFunction &G,
                            ArrayRef<Value *> Args) {
  IRBuilder<> B(cloned(C));
  bool Kept = E.Plan->of(G).HasWork;
  Value *Team =
      emitTeam(E, B, EntryPoint, Kept ? Team::Forward : Team::Plain,
               "team_augmented_" + G.Source->getName(), Args.drop_front(2),
               nullptr, [&](IRBuilder<> &TB, ThreadPart &P) {
                 if (!Kept)
                   E.RT.startArena(TB, P.Arena);
                 SmallVector<Value *> Ops{P.Thread, P.Bound};
                 Ops.append(P.Values);
                 Ops.push_back(P.Arena);
                 CallInst *R = TB.CreateCall(&E.augmentedOf(G), Ops);
                 if (Kept)
                   TB.CreateStore(TB.CreateExtractValue(R, 0), P.Frame);
                 else
                   E.RT.release(TB, P.Arena);
               });
  if (Kept) {
    store({Item::Tape, &C}, Team, B);
    E.useArena();
    E.RT.deferCall(B, Arena, teamFree(E), Team);
  }
  replaceCloned(C, nullptr);
}

/// Args: of the reverse function, but for the frame; or of what runs both
/// passes, but for the arena.
void ReverseSweep::forkAdjoint(CallBase &C, UnitFunction &G,
                               ArrayRef<Value *> Args) {
  // What is passed by value is one number for all threads: they add up.
  SmallVector<Value *> Captured(Args.drop_front(2));
  size_t NumArgs = Captured.size();
  SmallVector<std::pair<Value *, AllocaInst *>> Sums;
  for (Argument &A : G.F->args())
    if (Act.active(&A))
      E.forLanes([&] {
        AllocaInst *Sum =
            IRBuilder<>(EntryPoint)
                .CreateAlloca(Act.adjointType(&A), nullptr, "sum");
        B.CreateStore(Constant::getNullValue(Sum->getAllocatedType()), Sum);
        Sums.push_back({C.getArgOperand(A.getArgNo()), Sum});
        Captured.push_back(Sum);
      });
  const bool InOneTeam = E.Plan->of(G).Combined;
  emitTeam(
      E, B, EntryPoint, InOneTeam ? Team::Both : Team::Reverse,
      (InOneTeam ? "team_combined_" : "team_reverse_") + G.Source->getName(),
      Captured, InOneTeam ? nullptr : lookup({Item::Tape, &C}),
      [&](IRBuilder<> &TB, ThreadPart &P) {
        SmallVector<Value *> Ops{P.Thread, P.Bound};
        Ops.append(P.Values.begin(),
                   P.Values.begin() + static_cast<ptrdiff_t>(NumArgs));
        Ops.push_back(InOneTeam ? P.Arena
                                : TB.CreateLoad(TB.getPtrTy(), P.Frame));
        CallInst *R = TB.CreateCall(&E.reverseOf(G), Ops);
        for (unsigned N = 0; N < Sums.size(); ++N)
          addToMemory(TB, P.Values[NumArgs + N], TB.CreateExtractValue(R, N),
                      Sums[N].second->getAlign(), Adding::Atomic);
      });
  unsigned N = 0;
  for (Argument &A : G.F->args())
    if (Act.active(&A))
      E.forLanes([&] {
        auto [V, Sum] = Sums[N++];
        addAdjoint(V, B.CreateLoad(Sum->getAllocatedType(), Sum));
      });
}

/// Args: of the tangent function.
void TangentSweep::forkCall(CallBase &C, UnitFunction &G,
                            ArrayRef<Value *> Args) {
  IRBuilder<> B(cloned(C));
  emitTeam(E, B, entryPoint(), Team::Plain,
           "team_tangent_" + G.Source->getName(), Args.drop_front(2), nullptr,
           [&](IRBuilder<> &TB, ThreadPart &P) {
             SmallVector<Value *> Ops{P.Thread, P.Bound};
             Ops.append(P.Values);
             TB.CreateCall(&E.tangentOf(G), Ops);
           });
  replaceCloned(C, nullptr);
}

} // namespace retro
