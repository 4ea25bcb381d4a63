// Loads and stores of a tape whose words lie apart by a stride, so that
// neighbouring threads access neighbouring words; and its limit, at which the
// program ends with a sentence instead of writing beyond it. Without the stride
// the threads of a warp would each wait for a memory line of its own.
#include "emit/tape/pool.h"

#include "base/faults.h"
#include "front/names/runtime.h"
#include "ir/emit_loop.h"
#include "ir/end_program.h"

#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace retro {
namespace {

// Fields of the state.
enum { Next, Left, Stride, Size, Thread };

StructType *stateType(LLVMContext &C) {
  Type *P = PointerType::getUnqual(C), *I = Type::getInt64Ty(C);
  return StructType::get(C, {P, I, I, I, I});
}

Value *part(IRBuilder<> &B, Value *State, unsigned N) {
  return B.CreateStructGEP(stateType(B.getContext()), State, N);
}

Value *get(IRBuilder<> &B, Value *State, unsigned N) {
  return B.CreateLoad(stateType(B.getContext())->getElementType(N),
                      part(B, State, N));
}

} // namespace

Value *threadOfLaunch(IRBuilder<> &B) {
  return callRuntime(B, Rt::thread_of_launch);
}
Value *threadsOfLaunch(IRBuilder<> &B) {
  return callRuntime(B, Rt::threads_of_launch);
}

PoolArguments PoolArguments::of(Function &F) {
  auto N = static_cast<unsigned>(F.arg_size());
  return {F.getArg(N - 4), F.getArg(N - 3), F.getArg(N - 2), F.getArg(N - 1)};
}

SmallVector<Type *, 4> PoolArguments::types(LLVMContext &C) {
  Type *I = Type::getInt64Ty(C);
  return {PointerType::getUnqual(C), I, I, I};
}

Value *Pool::stride(IRBuilder<> &B, const PoolArguments &At) {
  Value *N = At.Threads;
  if (isPlanted(Fault::PoolStride))
    N = B.CreateSub(N, B.getInt64(1));
  return B.CreateNUWMul(N, B.getInt64(Word));
}

Value *Pool::first(IRBuilder<> &B, const PoolArguments &At) {
  return B.CreatePtrAdd(At.Memory, B.CreateNUWMul(At.Thread, B.getInt64(Word)));
}

AllocaInst *Pool::open(IRBuilder<> &B, const PoolArguments &At) {
  AllocaInst *A =
      B.CreateAlloca(stateType(B.getContext()), nullptr, "tape.pool");
  Value *Bytes = B.CreateAnd(At.Bytes, B.getInt64(~(Word - 1)));
  B.CreateStore(first(B, At), part(B, A, Next));
  B.CreateStore(Bytes, part(B, A, Left));
  B.CreateStore(stride(B, At), part(B, A, Stride));
  B.CreateStore(Bytes, part(B, A, Size));
  B.CreateStore(At.Thread, part(B, A, Thread));
  return A;
}

Value *Pool::stride(IRBuilder<> &B, Value *State) {
  return get(B, State, Stride);
}

Value *Pool::taken(IRBuilder<> &B, Value *State) {
  return B.CreateSub(get(B, State, Size), get(B, State, Left));
}

/// Ends the program if there are fewer bytes left; goes on in a new block.
void Pool::checkRoom(IRBuilder<> &B, Value *State, Value *Left, Value *Bytes) {
  LLVMContext &C = M.getContext();
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Got = splitHere(B, "pool.got");
  BasicBlock *Full = BasicBlock::Create(C, "pool.full", F, Got);
  B.CreateCondBr(B.CreateICmpULT(Left, Bytes), Full, Got,
                 MDBuilder(C).createBranchWeights(1, 2000));
  B.SetInsertPoint(Full);
  endProgram(B, "the pool is too small for the tape: a thread needs at least ",
             B.CreateAdd(B.CreateSub(get(B, State, Size), Left), Bytes),
             " bytes");
  B.CreateUnreachable();
  B.SetInsertPoint(Got, Got->begin());
}

Value *Pool::take(IRBuilder<> &B, Value *State, Value *Bytes) {
  Bytes = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(Word - 1)),
                      B.getInt64(~(Word - 1)));
  Value *Old = get(B, State, Left);
  checkRoom(B, State, Old, Bytes);
  B.CreateStore(B.CreateSub(Old, Bytes), part(B, State, Left));
  Value *At = get(B, State, Next);
  B.CreateStore(word(B, At, Bytes, get(B, State, Stride)),
                part(B, State, Next));
  return At;
}

uint64_t Pool::pieceBytes(uint64_t Bytes, Align A) {
  // The piece begins at a multiple of a word.
  return alignTo(Bytes + (A.value() > Word ? A.value() - Word : 0), Word);
}

Value *Pool::takePiece(IRBuilder<> &B, Value *State, uint64_t Bytes, Align A) {
  uint64_t Piece = pieceBytes(Bytes, A);
  // From this thread's word to the first one's, and on by the pieces before.
  Value *At = take(B, State, B.getInt64(Piece));
  Value *Shift = B.CreateMul(get(B, State, Thread), B.getInt64(Piece - Word),
                             "", false, true);
  At = B.CreatePtrAdd(At, Shift);
  if (A.value() <= Word)
    return At;
  Value *Over = B.CreateNeg(B.CreatePtrToInt(At, B.getInt64Ty()));
  return B.CreatePtrAdd(At, B.CreateAnd(Over, B.getInt64(A.value() - 1)));
}

uint64_t Pool::bytesOf(Type *T) const {
  uint64_t N = M.getDataLayout().getTypeAllocSize(T).getFixedValue();
  return N <= Word && isPowerOf2_64(N) ? N : alignTo(N, Word);
}

Pool::Fields Pool::layout(ArrayRef<Type *> Types) const {
  Fields L;
  for (Type *T : Types) {
    uint64_t N = bytesOf(T);
    L.Bytes = alignTo(L.Bytes, std::min(std::max<uint64_t>(N, 1), Word));
    L.Offsets.push_back(L.Bytes);
    L.Bytes += N;
  }
  L.Bytes = alignTo(L.Bytes, Word);
  return L;
}

Value *Pool::word(IRBuilder<> &B, Value *Base, Value *Offset, Value *Stride) {
  Value *N = B.CreateLShr(Offset, Log2_64(Word), "", /*isExact=*/true);
  return B.CreatePtrAdd(Base, B.CreateNUWMul(N, Stride));
}

Value *Pool::element(IRBuilder<> &B, Value *Base, Type *T, Value *Index,
                     Value *Stride) const {
  uint64_t N = bytesOf(T);
  if (N >= Word)
    return B.CreatePtrAdd(
        Base,
        B.CreateNUWMul(B.CreateNUWMul(Index, B.getInt64(N / Word)), Stride));
  Value *Offset = B.CreateNUWMul(Index, B.getInt64(N));
  Value *Inside = B.CreateAnd(Offset, B.getInt64(Word - 1));
  Value *Which = B.CreateLShr(Offset, Log2_64(Word));
  return B.CreatePtrAdd(B.CreatePtrAdd(Base, B.CreateNUWMul(Which, Stride)),
                        Inside);
}

Value *Pool::field(IRBuilder<> &B, Value *Base, uint64_t Offset,
                   Value *Stride) const {
  Value *W = B.CreateNUWMul(B.getInt64(Offset / Word), Stride);
  return B.CreatePtrAdd(B.CreatePtrAdd(Base, W), B.getInt64(Offset % Word));
}

/// A value of several words goes through a variable of whole ones.
static AllocaInst *wordsOf(Type *T, uint64_t Bytes, const DataLayout &DL,
                           Instruction *Variables) {
  IRBuilder<> EB(Variables);
  AllocaInst *A = EB.CreateAlloca(
      ArrayType::get(EB.getInt64Ty(), Bytes / Pool::Word), nullptr, "words");
  A->setAlignment(std::max(Align(Pool::Word), DL.getABITypeAlign(T)));
  return A;
}

void Pool::store(IRBuilder<> &B, Value *V, Value *At, Value *Stride,
                 Instruction *Variables,
                 function_ref<void(Instruction *)> Mark) const {
  const DataLayout &DL = M.getDataLayout();
  uint64_t N = bytesOf(V->getType());
  if (N <= Word) {
    Align A = std::min(DL.getABITypeAlign(V->getType()),
                       Align(std::max<uint64_t>(N, 1)));
    return Mark(B.CreateAlignedStore(V, At, A));
  }
  AllocaInst *Whole = wordsOf(V->getType(), N, DL, Variables);
  B.CreateAlignedStore(V, Whole, Whole->getAlign());
  for (uint64_t K = 0; K < N / Word; ++K) {
    Value *W = B.CreateLoad(B.getInt64Ty(),
                            B.CreateConstGEP1_64(B.getInt64Ty(), Whole, K));
    Mark(B.CreateAlignedStore(W, field(B, At, K * Word, Stride), Align(Word)));
  }
}

Value *Pool::load(IRBuilder<> &B, Type *T, Value *At, Value *Stride,
                  Instruction *Variables,
                  function_ref<void(Instruction *)> Mark) const {
  const DataLayout &DL = M.getDataLayout();
  uint64_t N = bytesOf(T);
  if (N <= Word) {
    Align A = std::min(DL.getABITypeAlign(T), Align(std::max<uint64_t>(N, 1)));
    LoadInst *L = B.CreateAlignedLoad(T, At, A);
    Mark(L);
    return L;
  }
  AllocaInst *Whole = wordsOf(T, N, DL, Variables);
  for (uint64_t K = 0; K < N / Word; ++K) {
    LoadInst *W = B.CreateAlignedLoad(
        B.getInt64Ty(), field(B, At, K * Word, Stride), Align(Word));
    Mark(W);
    B.CreateStore(W, B.CreateConstGEP1_64(B.getInt64Ty(), Whole, K));
  }
  return B.CreateAlignedLoad(T, Whole, Whole->getAlign());
}

} // namespace retro
