// Code of teams that the next derivative can be made of: the calls of OpenMP's
// runtime that a compiler would emit, with loops over threads in the open.
// Calls of our own runtime would have no derivative.
#include "emit/threads/open_team.h"

#include "emit/common/unit_emitter.h"
#include "front/names/foreign.h"
#include "front/names/runtime.h"
#include "ir/end_program.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

/// What a thread keeps for the reverse pass. All of them are one array; the
/// first says how many there are, and whose turns they take.
enum { Arena, Frame, Threads, Turns };

StructType *memberType(LLVMContext &C, Runtime &RT) {
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {RT.arenaType(), Ptr, I64, I64, I64});
}

/// Where the call comes from, as OpenMP's library wants to know: nowhere.
Constant *placeOf(Module &M) {
  constexpr StringLiteral Name = nameOf(Named::team_place);
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  LLVMContext &C = M.getContext();
  Constant *Text = ConstantDataArray::getString(C, ";unknown;unknown;0;0;;");
  auto *Source =
      new GlobalVariable(M, Text->getType(), true, GlobalValue::PrivateLinkage,
                         Text, nameOf(Named::team_source));
  Type *I32 = Type::getInt32Ty(C);
  auto Number = [&](uint64_t N) { return ConstantInt::get(I32, N); };
  Constant *Place = ConstantStruct::getAnon(
      {Number(0), Number(2), Number(0), Number(22), Source});
  return new GlobalVariable(M, Place->getType(), true,
                            GlobalValue::PrivateLinkage, Place, Name);
}

/// What one thread runs: void (thread, bound, context, kept).
class ThreadBody {
public:
  ThreadBody(Team Kind, Function &Part, Runtime &RT)
      : M(*Part.getParent()), RT(RT), Part(Part), B(M.getContext()),
        Member(memberType(M.getContext(), RT)), Kind(Kind) {}

  Function *emit();

private:
  Value *field(Value *Of, unsigned N) {
    return B.CreateStructGEP(Member, Of, N);
  }
  Value *own();
  Value *allocate();
  Value *find();

  Module &M;
  Runtime &RT;
  Function &Part;
  Function *F = nullptr;
  Value *Taken = nullptr; ///< the turns that the team takes
  IRBuilder<> B;
  StructType *Member;
  Team Kind;
};

Function *ThreadBody::emit() {
  Type *Ptr = B.getPtrTy();
  F = Function::Create(
      FunctionType::get(B.getVoidTy(), {Ptr, Ptr, Ptr, Ptr}, false),
      GlobalValue::InternalLinkage, Part.getName() + ".thread", M);
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
  Value *Mine = Kind == Team::Forward   ? allocate()
                : Kind == Team::Reverse ? find()
                                        : own();
  if (Kind == Team::Forward || Kind == Team::Both)
    RT.startArena(B, field(Mine, Arena));
  Value *Outer = Taken ? callRuntime(B, Rt::open_enter, {Taken}) : nullptr;
  B.CreateCall(&Part, {F->getArg(2), field(Mine, Arena), field(Mine, Frame),
                       F->getArg(0), F->getArg(1)});
  if (Outer)
    callRuntime(B, Rt::open_leave, {Outer});
  if (Kind == Team::Both)
    RT.release(B, field(Mine, Arena));
  B.CreateRetVoid();
  return F;
}

/// Nothing is kept.
Value *ThreadBody::own() { return B.CreateAlloca(Member); }

/// The first thread gets memory for all; kept is the place of its address.
Value *ThreadBody::allocate() {
  LLVMContext &C = M.getContext();
  Type *Ptr = B.getPtrTy(), *I64 = B.getInt64Ty();
  BasicBlock *First = BasicBlock::Create(C, "first", F);
  BasicBlock *All = BasicBlock::Create(C, "all", F);
  Value *Number = callForeign(B, Foreign::omp_get_thread_num, {});
  B.CreateCondBr(B.CreateIsNull(Number), First, All);
  B.SetInsertPoint(First);
  Value *N =
      B.CreateZExt(callForeign(B, Foreign::omp_get_num_threads, {}), I64);
  const uint64_t Bytes = M.getDataLayout().getTypeAllocSize(Member);
  Value *Memory =
      callForeign(B, Foreign::malloc, {B.CreateMul(N, B.getInt64(Bytes))});
  RT.storeInteger(B, N, field(Memory, Threads));
  RT.storeInteger(B, callRuntime(B, Rt::open_turns), field(Memory, Turns));
  B.CreateStore(Memory, F->getArg(3));
  B.CreateBr(All);
  B.SetInsertPoint(All);
  emitOpenBarrier(B);
  Value *Team = B.CreateLoad(Ptr, F->getArg(3));
  Taken = RT.loadInteger(B, field(Team, Turns));
  return B.CreateGEP(Member, Team, Number);
}

/// The thread of this number had it in the forward pass; kept is the team.
Value *ThreadBody::find() {
  LLVMContext &C = M.getContext();
  Value *Team = F->getArg(3);
  BasicBlock *Fewer = BasicBlock::Create(C, "fewer", F);
  BasicBlock *Same = BasicBlock::Create(C, "same", F);
  Value *Had = RT.loadInteger(B, field(Team, Threads));
  Value *Has = callForeign(B, Foreign::omp_get_num_threads, {});
  B.CreateCondBr(B.CreateICmpEQ(B.CreateZExt(Has, B.getInt64Ty()), Had), Same,
                 Fewer);
  B.SetInsertPoint(Fewer);
  endProgram(B, "the reverse pass needs a team of ", Had,
             " threads, as the forward pass had, and gets another one");
  B.CreateUnreachable();
  B.SetInsertPoint(Same);
  Taken = RT.loadInteger(B, field(Team, Turns));
  return B.CreateGEP(Member, Team,
                     callForeign(B, Foreign::omp_get_thread_num, {}));
}

} // namespace

void emitOpenBarrier(IRBuilder<> &B) {
  Constant *Place = placeOf(*B.GetInsertBlock()->getModule());
  Value *Thread = callForeign(B, Foreign::__kmpc_global_thread_num, {Place});
  callForeign(B, Foreign::__kmpc_barrier, {Place, Thread});
}

void emitOpenSequential(IRBuilder<> &B, Value *Place, bool End) {
  Value *Thread = callForeign(B, Foreign::__kmpc_global_thread_num, {Place});
  callForeign(B,
              End ? Foreign::__kmpc_end_serialized_parallel
                  : Foreign::__kmpc_serialized_parallel,
              {Place, Thread});
}

Value *startOpenTeam(UnitEmitter &E, IRBuilder<> &B, Instruction *Entry,
                     Team Kind, Function &Part, Value *Context,
                     Value *Earlier) {
  Module &M = E.M;
  Runtime &RT = E.RT;
  Type *Ptr = B.getPtrTy(), *I32 = B.getInt32Ty();
  Constant *Place = placeOf(M);
  Value *Kept = ConstantPointerNull::get(B.getPtrTy());
  if (Kind == Team::Forward)
    Kept = IRBuilder<>(Entry).CreateAlloca(Ptr, nullptr, "team.kept");
  if (Kind == Team::Reverse) {
    Kept = Earlier;
    StructType *Member = memberType(M.getContext(), RT);
    Value *Had = RT.loadInteger(B, B.CreateStructGEP(Member, Earlier, Threads));
    callForeign(B, Foreign::__kmpc_push_num_threads,
                {Place,
                 callForeign(B, Foreign::__kmpc_global_thread_num, {Place}),
                 B.CreateTrunc(Had, I32)});
  }
  FunctionCallee Fork = foreignCallee(M, Foreign::__kmpc_fork_call);
  Function *Body = ThreadBody(Kind, Part, RT).emit();
  E.addFunction(Body);
  B.CreateCall(Fork, {Place, B.getInt32(2), Body, Context, Kept});
  return Kind == Team::Forward ? B.CreateLoad(Ptr, Kept) : nullptr;
}

Function *openTeamFree(Module &M, Runtime &RT) {
  constexpr StringLiteral Name = nameOf(Named::free_open_team);
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  IRBuilder<> B(C);
  Type *Ptr = B.getPtrTy(), *I64 = B.getInt64Ty();
  Function *F =
      Function::Create(FunctionType::get(B.getVoidTy(), {Ptr, I64, I64}, false),
                       GlobalValue::InternalLinkage, Name, M);
  StructType *Member = memberType(C, RT);
  BasicBlock *First = BasicBlock::Create(C, "entry", F);
  BasicBlock *Loop = BasicBlock::Create(C, "threads", F);
  BasicBlock *Out = BasicBlock::Create(C, "out", F);
  B.SetInsertPoint(First);
  Value *Team = F->getArg(0);
  Value *Had = RT.loadInteger(B, B.CreateStructGEP(Member, Team, Threads));
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *N = B.CreatePHI(I64, 2);
  N->addIncoming(B.getInt64(0), First);
  BasicBlock *Body = BasicBlock::Create(C, "thread", F, Out);
  // The shadow of a team says that it has none.
  B.CreateCondBr(B.CreateICmpULT(N, Had), Body, Out);
  B.SetInsertPoint(Body);
  B.CreateCall(RT.releaseFunction(),
               B.CreateStructGEP(Member, B.CreateGEP(Member, Team, N), Arena));
  N->addIncoming(B.CreateAdd(N, B.getInt64(1)), Body);
  B.CreateBr(Loop);
  B.SetInsertPoint(Out);
  callRuntime(B, Rt::open_free,
              {RT.loadInteger(B, B.CreateStructGEP(Member, Team, Turns))});
  callForeign(B, Foreign::free, {Team});
  B.CreateRetVoid();
  return F;
}

} // namespace retro
