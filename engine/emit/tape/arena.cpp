// The functions of the tape's arena, emitted into the module: growth by chunks,
// frees that wait, the tape of split mode. For the derivative of a derivative
// each piece is an object of its own (runtime/objects.c). Without it values of
// which nobody knows the number before they are computed could not be kept.
#include "emit/tape/arena.h"
#include "base/unit.h"
#include "front/names/runtime.h"
#include "ir/heap.h"

#include "base/toggles.h"
#include "front/known/known_functions.h"
#include "front/requests/traits.h"
#include "ir/end_program.h"

#include "prepare/words/note_types.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

// Fields of the arena.
enum { Top, End, Chunks, Deferred, NextSize, Used, NumFields };

/// A first chunk of this size lies on the stack.
constexpr uint64_t StackChunk = 2048;
/// Of a tape that starts on the heap: of split mode, of a thread.
constexpr uint64_t SplitChunk = 1024;
constexpr uint64_t FirstHeapChunk = 64 * 1024;
/// Of a thread of a GPU: all threads share a heap of 8 MB, where nobody asked
/// for more.
constexpr uint64_t FirstDeviceChunk = 1024;
constexpr uint64_t LargestStep = 64 * 1024 * 1024;

uint64_t firstHeapChunk(const Module &M) {
  return isGpu(M) ? FirstDeviceChunk : FirstHeapChunk;
}

Value *field(IRBuilder<> &B, StructType *T, Value *Arena, unsigned F) {
  return B.CreateStructGEP(T, Arena, F);
}

/// Says that a word is an integer: the tape is differentiated too.
void markInteger(Instruction *I) {
  MDBuilder MDB(I->getContext());
  MDNode *Long = MDB.createTBAAScalarTypeNode(
      "long", MDB.createTBAAScalarTypeNode(
                  "omnipotent char", MDB.createTBAARoot("Simple C++ TBAA")));
  I->setMetadata(LLVMContext::MD_tbaa,
                 MDB.createTBAAStructTagNode(Long, Long, 0));
}

bool reusesChunks(Module &M) {
  return applies(Toggle::tape_reuse, traitsOf(M));
}

FunctionCallee takeOf(Module &M) {
  if (!reusesChunks(M))
    return mallocOf(M);
  ++counters().tape_reuse;
  return runtimeCallee(M, Rt::tape_take);
}

FunctionCallee giveOf(Module &M) {
  return reusesChunks(M) ? runtimeCallee(M, Rt::tape_give) : freeOf(M);
}

} // namespace

StructType *Runtime::arenaType() {
  LLVMContext &C = M.getContext();
  Type *P = PointerType::getUnqual(C), *I = Type::getInt64Ty(C);
  return StructType::get(C, {P, P, P, P, I, I});
}

/// A call of runtime/objects.c.
Value *Runtime::object(IRBuilder<> &B, Rt F, ArrayRef<Value *> Args) {
  CallInst *C = callRuntime(B, F, Args);
  C->setDoesNotThrow();
  return C;
}

Value *Runtime::loadInteger(IRBuilder<> &B, Value *At) {
  LoadInst *L = B.CreateLoad(B.getInt64Ty(), At);
  markInteger(L);
  return L;
}

void Runtime::storeInteger(IRBuilder<> &B, Value *N, Value *At) {
  markInteger(B.CreateStore(N, At));
}

Function *Runtime::function(StringRef Name, FunctionType *T,
                            function_ref<void(Function &)> Body) {
  if (Function *F = M.getFunction(Name))
    return F;
  Function *F = Function::Create(T, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoUnwind);
  BasicBlock::Create(M.getContext(), "entry", F);
  Body(*F);
  noteEmitted(*F);
  return F;
}

void Runtime::retire(Module &M) {
  for (GlobalObject &G : M.global_objects())
    for (Named Kind : {Named::tape, Named::defer, Named::free, Named::shadow})
      if (G.hasLocalLinkage() && isNamed(G.getName(), Kind))
        G.setName(EarlierPrefix + G.getName());
}

AllocaInst *Runtime::createArena(IRBuilder<> &B, bool OnStack) {
  StructType *T = arenaType();
  AllocaInst *A = B.CreateAlloca(T, nullptr, "tape");
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  Value *Begin = Null, *Limit = Null;
  if (OnStack) {
    AllocaInst *Chunk = B.CreateAlloca(
        ArrayType::get(B.getInt8Ty(), StackChunk), nullptr, "tape.first");
    Chunk->setAlignment(Align(16));
    Begin = Chunk;
    Limit = B.CreatePtrAdd(Chunk, B.getInt64(StackChunk));
    ++counters().tape_stack;
  }
  initialize(B, A, Begin, Limit, firstHeapChunk(M));
  return A;
}

void Runtime::startArena(IRBuilder<> &B, Value *Arena) {
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  initialize(B, Arena, Null, Null, SplitChunk);
}

void Runtime::initialize(IRBuilder<> &B, Value *A, Value *Begin, Value *Limit,
                         uint64_t FirstChunk) {
  if (Objects) {
    object(B, Rt::object_open, {A, Begin, Limit, B.getInt64(FirstChunk)});
    return;
  }
  StructType *T = arenaType();
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  B.CreateStore(Begin, field(B, T, A, Top));
  B.CreateStore(Limit, field(B, T, A, End));
  B.CreateStore(Null, field(B, T, A, Chunks));
  B.CreateStore(Null, field(B, T, A, Deferred));
  B.CreateStore(B.getInt64(FirstChunk), field(B, T, A, NextSize));
  B.CreateStore(B.getInt64(0), field(B, T, A, Used));
}

// The tape of split mode: the arena, the address of the frame or of the first
// of a list of values, and the place of the next address of that list.
constexpr uint64_t FrameAt = 48, PlaceAt = 56;

Value *Runtime::openTape(IRBuilder<> &B, Value *Memory,
                         std::optional<uint64_t> Allocated) {
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  if (!Allocated) {
    Value *Tape = B.CreateCall(mallocOf(M), B.getInt64(TapeHeaderBytes));
    initialize(B, Tape, Null, Null, SplitChunk);
    return Tape;
  }
  // Memory of the caller may be aligned by eight only.
  Value *At = B.CreateSub(
      B.getInt64(TapeHeaderBytes),
      B.CreateAnd(B.CreatePtrToInt(Memory, B.getInt64Ty()), B.getInt64(15)));
  initialize(B, Memory, B.CreatePtrAdd(Memory, At),
             B.CreatePtrAdd(Memory, B.getInt64(*Allocated)), firstHeapChunk(M));
  return Memory;
}

void Runtime::keepFrame(IRBuilder<> &B, Value *Tape, Value *Frame) {
  B.CreateStore(Frame, B.CreatePtrAdd(Tape, B.getInt64(FrameAt)));
}

Value *Runtime::frameOf(IRBuilder<> &B, Value *Tape) {
  return B.CreateLoad(B.getPtrTy(), B.CreatePtrAdd(Tape, B.getInt64(FrameAt)));
}

void Runtime::rewind(IRBuilder<> &B, Value *Tape) {
  B.CreateStore(B.CreatePtrAdd(Tape, B.getInt64(FrameAt)),
                B.CreatePtrAdd(Tape, B.getInt64(PlaceAt)));
}

void Runtime::append(IRBuilder<> &B, Value *Tape, Value *V) {
  StructType *Node = StructType::get(B.getPtrTy(), V->getType());
  Value *New =
      allocate(B, Tape, B.getInt64(M.getDataLayout().getTypeAllocSize(Node)));
  B.CreateStore(V, B.CreateStructGEP(Node, New, 1));
  Value *Place = B.CreatePtrAdd(Tape, B.getInt64(PlaceAt));
  B.CreateStore(New, B.CreateLoad(B.getPtrTy(), Place));
  B.CreateStore(New, Place);
}

Value *Runtime::next(IRBuilder<> &B, Value *Tape, Type *T) {
  StructType *Node = StructType::get(B.getPtrTy(), T);
  Value *Place = B.CreatePtrAdd(Tape, B.getInt64(PlaceAt));
  Value *At = B.CreateLoad(B.getPtrTy(), B.CreateLoad(B.getPtrTy(), Place));
  B.CreateStore(At, Place);
  return B.CreateLoad(T, B.CreateStructGEP(Node, At, 1));
}

void Runtime::closeTape(IRBuilder<> &B, Value *Tape, bool CallersMemory) {
  release(B, Tape);
  if (!CallersMemory)
    B.CreateCall(freeOf(M), Tape);
}

/// ptr grow(arena, bytes, whose): a new chunk, at least twice the last one,
/// linked in front of the list; returns the requested memory at its start. On
/// the host `whose` ends the sentence where there is no memory.
Function *Runtime::growFunction() {
  LLVMContext &C = M.getContext();
  Type *P = PointerType::getUnqual(C), *I = Type::getInt64Ty(C);
  return function(
      nameOf(Named::tape_grow),
      isGpu(M) ? FunctionType::get(P, {P, I}, false)
               : FunctionType::get(P, {P, I, P}, false),
      [&](Function &F) {
        F.addFnAttr(Attribute::Cold);
        StructType *T = arenaType();
        IRBuilder<> B(&F.getEntryBlock());
        Value *Arena = F.getArg(0), *Bytes = F.getArg(1);
        Value *Wanted = B.CreateLoad(I, field(B, T, Arena, NextSize));
        Value *Need = B.CreateAdd(Bytes, B.getInt64(16));
        Value *Size =
            B.CreateSelect(B.CreateICmpUGT(Need, Wanted), Need, Wanted);
        Value *Chunk = B.CreateCall(takeOf(M), Size);
        BasicBlock *Fail = BasicBlock::Create(C, "fail", &F);
        BasicBlock *Ok = BasicBlock::Create(C, "ok", &F);
        B.CreateCondBr(B.CreateIsNull(Chunk), Fail, Ok);
        B.SetInsertPoint(Fail);
        if (isGpu(M))
          endProgram(B, "the device's heap has no memory for more tape: "
                        "raise its limit (cudaLimitMallocHeapSize)");
        else
          endProgram(B, "there is no memory for ", Size, F.getArg(2));
        B.CreateUnreachable();
        B.SetInsertPoint(Ok);
        Value *Head = field(B, T, Arena, Chunks);
        B.CreateStore(B.CreateLoad(P, Head), Chunk);
        B.CreateStore(Chunk, Head);
        Value *Twice = B.CreateShl(Wanted, 1);
        Value *Next = B.CreateSelect(
            B.CreateICmpULT(Wanted, B.getInt64(LargestStep)), Twice, Wanted);
        B.CreateStore(Next, field(B, T, Arena, NextSize));
        Value *Begin = B.CreatePtrAdd(Chunk, B.getInt64(16));
        // A chunk of just one object leaves the current chunk in use.
        Value *Room = B.CreateICmpUGT(Size, Need);
        BasicBlock *Use = BasicBlock::Create(C, "use", &F);
        BasicBlock *Out = BasicBlock::Create(C, "out", &F);
        B.CreateCondBr(Room, Use, Out);
        B.SetInsertPoint(Use);
        B.CreateStore(B.CreatePtrAdd(Begin, Bytes), field(B, T, Arena, Top));
        B.CreateStore(B.CreatePtrAdd(Chunk, Size), field(B, T, Arena, End));
        B.CreateBr(Out);
        B.SetInsertPoint(Out);
        B.CreateRet(Begin);
      });
}

/// void release(arena): runs the deferred frees, then frees the chunks.
Function *Runtime::releaseFunction() {
  LLVMContext &C = M.getContext();
  Type *P = PointerType::getUnqual(C), *I = Type::getInt64Ty(C);
  Type *Void = Type::getVoidTy(C);
  if (Objects)
    return cast<Function>(runtimeCallee(M, Rt::object_free).getCallee());
  return function(
      nameOf(Named::tape_release), FunctionType::get(Void, {P}, false),
      [&](Function &F) {
        StructType *T = arenaType();
        Value *Arena = F.getArg(0);
        StructType *Node = StructType::get(C, {P, P, P, I, I});
        BasicBlock *Loop1 = BasicBlock::Create(C, "deferred", &F);
        BasicBlock *Body1 = BasicBlock::Create(C, "deferred.body", &F);
        BasicBlock *Loop2 = BasicBlock::Create(C, "chunks", &F);
        BasicBlock *Body2 = BasicBlock::Create(C, "chunks.body", &F);
        BasicBlock *Out = BasicBlock::Create(C, "out", &F);
        IRBuilder<> B(&F.getEntryBlock());
        Value *D0 = B.CreateLoad(P, field(B, T, Arena, Deferred));
        Value *C0 = B.CreateLoad(P, field(B, T, Arena, Chunks));
        B.CreateBr(Loop1);
        B.SetInsertPoint(Loop1);
        PHINode *D = B.CreatePHI(P, 2);
        D->addIncoming(D0, &F.getEntryBlock());
        B.CreateCondBr(B.CreateIsNull(D), Loop2, Body1);
        B.SetInsertPoint(Body1);
        Value *Next = B.CreateLoad(P, field(B, Node, D, 0));
        Value *Ptr = B.CreateLoad(P, field(B, Node, D, 1));
        Value *Fn = B.CreateLoad(P, field(B, Node, D, 2));
        LoadInst *X = B.CreateLoad(I, field(B, Node, D, 3));
        LoadInst *Y = B.CreateLoad(I, field(B, Node, D, 4));
        markInteger(X);
        markInteger(Y);
        CallInst *Free = B.CreateCall(FunctionType::get(Void, {P, I, I}, false),
                                      Fn, {Ptr, X, Y});
        Free->addFnAttr(Attribute::get(C, DeferredCall));
        D->addIncoming(Next, B.GetInsertBlock());
        B.CreateBr(Loop1);
        B.SetInsertPoint(Loop2);
        PHINode *K = B.CreatePHI(P, 2);
        K->addIncoming(C0, Loop1);
        B.CreateCondBr(B.CreateIsNull(K), Out, Body2);
        B.SetInsertPoint(Body2);
        Value *NextK = B.CreateLoad(P, K);
        B.CreateCall(giveOf(M), K);
        K->addIncoming(NextK, Body2);
        B.CreateBr(Loop2);
        B.SetInsertPoint(Out);
        B.CreateRetVoid();
      });
}

void Runtime::noteTapeBytes(IRBuilder<> &B, Value *Bytes) {
  if (!tapeStatisticsRequested())
    return;
  GlobalVariable *G = M.getNamedGlobal(nameOf(Named::tape_bytes));
  if (!G)
    G = new GlobalVariable(M, B.getInt64Ty(), false,
                           GlobalValue::WeakAnyLinkage, B.getInt64(0),
                           nameOf(Named::tape_bytes));
  G->setLinkage(GlobalValue::WeakAnyLinkage);
  if (!G->hasInitializer())
    G->setInitializer(B.getInt64(0));
  Value *Most = B.CreateLoad(B.getInt64Ty(), G);
  B.CreateStore(B.CreateBinaryIntrinsic(Intrinsic::umax, Bytes, Most), G);
}

void Runtime::release(IRBuilder<> &B, Value *Arena) {
  if (Objects) {
    if (tapeStatisticsRequested())
      noteTapeBytes(B, object(B, Rt::object_used, Arena));
    B.CreateCall(releaseFunction(), Arena);
    return;
  }
  StructType *T = arenaType();
  if (tapeStatisticsRequested())
    noteTapeBytes(B, B.CreateLoad(B.getInt64Ty(), field(B, T, Arena, Used)));
  // Nothing to free is the common case of small tapes: tested in line.
  Value *Bits = B.CreateOr(
      B.CreatePtrToInt(B.CreateLoad(B.getPtrTy(), field(B, T, Arena, Chunks)),
                       B.getInt64Ty()),
      B.CreatePtrToInt(B.CreateLoad(B.getPtrTy(), field(B, T, Arena, Deferred)),
                       B.getInt64Ty()));
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Free = BasicBlock::Create(M.getContext(), "tape.free", F);
  BasicBlock *Done = BasicBlock::Create(M.getContext(), "tape.done", F);
  B.CreateCondBr(B.CreateICmpEQ(Bits, B.getInt64(0)), Done, Free);
  B.SetInsertPoint(Free);
  B.CreateCall(releaseFunction(), Arena);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
}

TapeMark Runtime::mark(IRBuilder<> &B, Value *Arena) {
  if (Objects)
    return {object(B, Rt::object_top, Arena), object(B, Rt::object_end, Arena)};
  StructType *T = arenaType();
  return {B.CreateLoad(B.getPtrTy(), field(B, T, Arena, Top)),
          B.CreateLoad(B.getPtrTy(), field(B, T, Arena, End))};
}

void Runtime::goBack(IRBuilder<> &B, Value *Arena, TapeMark To) {
  if (Objects) {
    object(B, Rt::object_back, {Arena, To.Top, To.End});
    return;
  }
  StructType *T = arenaType();
  Value *TopPtr = field(B, T, Arena, Top);
  Value *Same = B.CreateICmpEQ(
      B.CreateLoad(B.getPtrTy(), field(B, T, Arena, End)), To.End);
  B.CreateStore(
      B.CreateSelect(Same, To.Top, B.CreateLoad(B.getPtrTy(), TopPtr)), TopPtr);
}

Value *Runtime::grow(IRBuilder<> &B, Value *Arena, Value *Bytes, StringRef Of) {
  Function *F = growFunction();
  if (isGpu(M))
    return B.CreateCall(F, {Arena, Bytes});
  std::string Whose = " bytes more of the tape" +
                      (Of.empty() ? "" : " of " + Of.str()) +
                      "; docs/checkpointing.md says how to keep less";
  return B.CreateCall(F, {Arena, Bytes, emitString(B, Whose)});
}

Value *Runtime::allocate(IRBuilder<> &B, Value *Arena, Value *Bytes,
                         StringRef Of, bool Single) {
  if (Objects) {
    auto *New = cast<CallInst>(object(B, Rt::object_new, {Arena, Bytes}));
    New->addRetAttr(Attribute::NoAlias);
    New->addRetAttr(Attribute::getWithAlignment(M.getContext(), Align(16)));
    return New;
  }
  StructType *T = arenaType();
  Value *N = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(15)),
                         B.getInt64(~uint64_t(15)));
  if (tapeStatisticsRequested()) {
    Value *U = field(B, T, Arena, Used);
    B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), U), Bytes), U);
  }
  if (Single) {
    // Zero as the wanted size: a chunk for this object alone.
    B.CreateStore(B.getInt64(0), field(B, T, Arena, NextSize));
    return grow(B, Arena, N, Of);
  }
  Value *TopPtr = field(B, T, Arena, Top);
  Value *Old = B.CreateLoad(B.getPtrTy(), TopPtr);
  Value *Limit = B.CreateLoad(B.getPtrTy(), field(B, T, Arena, End));
  Value *Left = B.CreateSub(B.CreatePtrToInt(Limit, B.getInt64Ty()),
                            B.CreatePtrToInt(Old, B.getInt64Ty()));
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *From = B.GetInsertBlock();
  // The code after the insertion point moves to the block that follows.
  BasicBlock *Done;
  if (B.GetInsertPoint() == From->end()) {
    Done = BasicBlock::Create(M.getContext(), "tape.got", F);
  } else {
    Done = From->splitBasicBlock(B.GetInsertPoint(), "tape.got");
    From->getTerminator()->eraseFromParent();
  }
  BasicBlock *Grow = BasicBlock::Create(M.getContext(), "tape.grow", F, Done);
  BasicBlock *Fits = BasicBlock::Create(M.getContext(), "tape.fits", F, Done);
  B.SetInsertPoint(From);
  B.CreateCondBr(B.CreateICmpUGE(Left, N), Fits, Grow,
                 MDBuilder(M.getContext()).createBranchWeights(2000, 1));
  B.SetInsertPoint(Fits);
  B.CreateStore(B.CreatePtrAdd(Old, N), TopPtr);
  B.CreateBr(Done);
  B.SetInsertPoint(Grow);
  Value *New = grow(B, Arena, N, Of);
  B.CreateBr(Done);
  B.SetInsertPoint(Done, Done->begin());
  PHINode *P = B.CreatePHI(B.getPtrTy(), 2, "tape.mem");
  P->addIncoming(Old, Fits);
  P->addIncoming(New, Grow);
  return P;
}

Function *Runtime::deferFunction() {
  LLVMContext &C = M.getContext();
  Type *P = PointerType::getUnqual(C), *I = Type::getInt64Ty(C);
  return function(nameOf(Named::defer_free),
                  FunctionType::get(Type::getVoidTy(C), {P, P, P, I, I}, false),
                  [&](Function &F) {
                    StructType *T = arenaType();
                    StructType *Node = StructType::get(C, {P, P, P, I, I});
                    IRBuilder<> B(&F.getEntryBlock());
                    BasicBlock *Do = BasicBlock::Create(C, "do", &F);
                    BasicBlock *Out = BasicBlock::Create(C, "out", &F);
                    B.CreateCondBr(B.CreateIsNull(F.getArg(1)), Out, Do);
                    B.SetInsertPoint(Do);
                    Value *Arena = F.getArg(0);
                    Value *N = allocate(B, Arena, B.getInt64(48));
                    Value *Head = field(B, T, Arena, Deferred);
                    B.CreateStore(B.CreateLoad(P, Head), field(B, Node, N, 0));
                    for (unsigned K = 1; K < 5; ++K)
                      if (Instruction *S =
                              B.CreateStore(F.getArg(K), field(B, Node, N, K));
                          K > 2)
                        markInteger(S);
                    B.CreateStore(N, Head);
                    B.CreateBr(Out);
                    B.SetInsertPoint(Out);
                    B.CreateRetVoid();
                  });
}

void Runtime::defer(IRBuilder<> &B, Value *Arena, Value *Of, Value *Free,
                    Value *X, Value *Y) {
  if (Objects)
    object(B, Rt::object_defer, {Arena, Of, Free, X, Y});
  else
    B.CreateCall(deferFunction(), {Arena, Of, Free, X, Y});
}

void Runtime::deferCall(IRBuilder<> &B, Value *Arena, FunctionCallee Free,
                        Value *Of) {
  defer(B, Arena, Of, Free.getCallee(), B.getInt64(0), B.getInt64(0));
}

/// void thunk(ptr, i64, i64): the deallocation function, given the memory and
/// the other operands that it takes, in order (sized deletes have some).
Function *Runtime::thunkFor(const CallBase &Call, unsigned Which) {
  LLVMContext &C = M.getContext();
  Type *P = PointerType::getUnqual(C), *I = Type::getInt64Ty(C);
  auto *Callee = cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return function(nameOf(Named::free, Callee->getName()),
                  FunctionType::get(Type::getVoidTy(C), {P, I, I}, false),
                  [&](Function &F) {
                    IRBuilder<> B(&F.getEntryBlock());
                    SmallVector<Value *> Args;
                    unsigned Next = 1;
                    for (unsigned K = 0; K < Call.arg_size() && K < 3; ++K) {
                      Value *A = F.getArg(K == Which ? 0 : Next++);
                      Type *Want = Call.getArgOperand(K)->getType();
                      if (Want->isPointerTy() && !A->getType()->isPointerTy())
                        A = B.CreateIntToPtr(A, Want);
                      else if (Want->isIntegerTy() && A->getType() != Want)
                        A = B.CreateZExtOrTrunc(A, Want);
                      Args.push_back(A);
                    }
                    B.CreateCall(Callee->getFunctionType(), Callee, Args);
                    B.CreateRetVoid();
                  });
}

void Runtime::deferFree(IRBuilder<> &B, Value *Arena, const CallBase &Call,
                        unsigned Which, Value *Ptr) {
  Value *Extra[2] = {B.getInt64(0), B.getInt64(0)};
  unsigned Next = 0;
  for (unsigned K = 0; K < Call.arg_size() && K < 3; ++K) {
    if (K == Which)
      continue;
    Value *A = Call.getArgOperand(K);
    Value *&E = Extra[Next++];
    if (A->getType()->isPointerTy())
      E = B.CreatePtrToInt(A, B.getInt64Ty());
    else if (A->getType()->isIntegerTy())
      E = B.CreateZExtOrTrunc(A, B.getInt64Ty());
  }
  defer(B, Arena, Ptr, thunkFor(Call, Which), Extra[0], Extra[1]);
}

} // namespace retro
