// Input: a call of qsort, bsearch or a relative with the program's comparison.
// Output: a call that finds the order, and a loop that moves the elements by
// it. The loop has a derivative like any other; the library's sort has none.
#include "prepare/calls/sorting.h"

#include "front/names/runtime.h"
#include "ir/canonical_functions.h"
#include "ir/emit_loop.h"
#include "ir/heap.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

Value *operand(CallBase &C, int N) {
  return C.getArgOperand(static_cast<unsigned>(N));
}

/// The address of element Index of an array. Where Size is a constant it is an
/// address of elements of that size.
Value *element(IRBuilder<> &B, Value *Base, Value *Index, Value *Size) {
  if (auto *K = dyn_cast<ConstantInt>(Size))
    return B.CreateGEP(ArrayType::get(B.getInt8Ty(), K->getZExtValue()), Base,
                       Index);
  return B.CreatePtrAdd(Base, B.CreateMul(Index, Size));
}

Value *allocate(IRBuilder<> &B, Value *Bytes) {
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(mallocOf(M), Bytes);
}

void release(IRBuilder<> &B, Value *P) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(freeOf(M), P);
}

/// The function that finds the order, with the operands of the sort. The
/// library sorts copies of the elements that carry their numbers behind the
/// part that the callback looks at; the result is an array of these numbers.
Function *orderFunction(Module &M, Function &Canonical, KnownCall K) {
  std::string Name = nameOf(Named::order, libraryName(Canonical));
  if (Function *F = M.getFunction(Name))
    return F;
  FunctionType *T = Canonical.getFunctionType();
  Function *F = Function::Create(T, GlobalValue::InternalLinkage, Name, M);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  auto Arg = [&](int N) { return F->getArg(static_cast<unsigned>(N)); };
  Value *Base = Arg(K.Row->A);
  Value *Count = B.CreateZExtOrTrunc(Arg(K.Row->B), B.getInt64Ty());
  Value *Size = B.CreateZExtOrTrunc(Arg(K.Row->C), B.getInt64Ty());
  auto RoundUp = [&](Value *V, uint64_t To) {
    return B.CreateAnd(B.CreateAdd(V, B.getInt64(To - 1)),
                       B.getInt64(~(To - 1)));
  };
  Value *Behind = RoundUp(Size, 8);
  Value *Step = RoundUp(B.CreateAdd(Behind, B.getInt64(8)), 16);
  Value *Copies = allocate(B, B.CreateMul(Count, Step));
  Value *Order = allocate(B, B.CreateMul(Count, B.getInt64(8)));
  auto Record = [&](Value *I) {
    return B.CreatePtrAdd(Copies, B.CreateMul(I, Step));
  };
  emitLoop(B, Count, [&](Value *I) {
    B.CreateMemCpy(Record(I), MaybeAlign(),
                   B.CreatePtrAdd(Base, B.CreateMul(I, Size)), MaybeAlign(),
                   Size);
    B.CreateStore(I, B.CreatePtrAdd(Record(I), Behind));
  });
  SmallVector<Value *> Args;
  for (Argument &A : F->args())
    Args.push_back(&A);
  Args[static_cast<size_t>(K.Row->A)] = Copies;
  Args[static_cast<size_t>(K.Row->C)] =
      B.CreateZExtOrTrunc(Step, Arg(K.Row->C)->getType());
  B.CreateCall(conventionsOf(Canonical), Args);
  emitLoop(B, Count, [&](Value *I) {
    Value *N = B.CreateLoad(B.getInt64Ty(), B.CreatePtrAdd(Record(I), Behind));
    B.CreateStore(N, B.CreateGEP(B.getInt64Ty(), Order, I));
  });
  release(B, Copies);
  B.CreateRet(Order);
  return F;
}

/// The canonical function with a library function's parameters.
Function *sameParameters(CallBase &C, Type *Result) {
  auto *F =
      dyn_cast<Function>(C.getCalledOperand()->stripPointerCastsAndAliases());
  if (!F || isa<InvokeInst>(C) || F->getFunctionType() != C.getFunctionType())
    return nullptr;
  FunctionType *T =
      FunctionType::get(Result, F->getFunctionType()->params(), false);
  return canonicalFunction(*F->getParent(), F->getName(), T, F->getName());
}

/// C, as a call of G.
CallInst *callAs(IRBuilder<> &B, const CallBase &C, Function &G) {
  SmallVector<Value *> Args(C.args());
  CallInst *New = B.CreateCall(&G, Args);
  New->setDebugLoc(C.getDebugLoc());
  return New;
}

} // namespace

bool canonicalizeSort(CallBase &C, KnownCall K) {
  Function *G = sameParameters(C, PointerType::getUnqual(C.getContext()));
  if (!G)
    return false;
  IRBuilder<> B(&C);
  Value *Base = operand(C, K.Row->A);
  Value *Count = B.CreateZExtOrTrunc(operand(C, K.Row->B), B.getInt64Ty());
  Value *Size = B.CreateZExtOrTrunc(operand(C, K.Row->C), B.getInt64Ty());
  CallInst *Order = callAs(B, C, *G);
  Value *Bytes = B.CreateMul(Count, Size);
  Value *Old = allocate(B, Bytes);
  B.CreateMemCpy(Old, MaybeAlign(), Base, MaybeAlign(), Bytes);
  emitLoop(B, Count, [&](Value *I) {
    Value *From =
        B.CreateLoad(B.getInt64Ty(), B.CreateGEP(B.getInt64Ty(), Order, I));
    B.CreateMemCpy(element(B, Base, I, Size), MaybeAlign(),
                   element(B, Old, From, Size), MaybeAlign(), Size);
  });
  release(B, Old);
  release(B, Order);
  C.eraseFromParent();
  return true;
}

void expandSort(CallBase &C, KnownCall K) {
  C.setCalledFunction(orderFunction(*C.getModule(), *C.getCalledFunction(), K));
}

bool canonicalizeSearch(CallBase &C, KnownCall K) {
  Function *G = sameParameters(C, Type::getInt64Ty(C.getContext()));
  if (!G)
    return false;
  IRBuilder<> B(&C);
  CallInst *Index = callAs(B, C, *G);
  Value *Size = B.CreateZExtOrTrunc(operand(C, K.Row->C), B.getInt64Ty());
  Value *Found = element(B, operand(C, K.Row->A), Index, Size);
  Value *None = B.CreateICmpSLT(Index, B.getInt64(0));
  C.replaceAllUsesWith(
      B.CreateSelect(None, ConstantPointerNull::get(B.getPtrTy()), Found));
  C.eraseFromParent();
  return true;
}

void expandSearch(CallBase &C, KnownCall K) {
  IRBuilder<> B(&C);
  SmallVector<Value *> Args(C.args());
  Value *Found = B.CreateCall(conventionsOf(*C.getCalledFunction()), Args);
  auto Number = [&](Value *P) { return B.CreatePtrToInt(P, B.getInt64Ty()); };
  Value *Bytes = B.CreateSub(Number(Found), Number(operand(C, K.Row->A)));
  Value *Size = B.CreateZExtOrTrunc(operand(C, K.Row->C), B.getInt64Ty());
  Value *Index = B.CreateSDiv(Bytes, Size);
  C.replaceAllUsesWith(
      B.CreateSelect(B.CreateIsNull(Found), B.getInt64(-1ULL), Index));
  C.eraseFromParent();
}

} // namespace retro
