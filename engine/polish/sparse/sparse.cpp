// Input: a derivative with a parameter whose shadow is no memory. Output: a
// copy of it in which accesses through that parameter are calls of two
// functions of the program, with the offset. A plain load from there would read
// memory that nobody has allocated.
#include "polish/sparse/sparse.h"
#include "ir/inline_call.h"

#include "base/toggles.h"
#include "front/known/known_functions.h"
#include "ir/emit_loop.h"
#include "ir/simplify.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

/// Replaces the accesses through one parameter by calls.
class Accesses {
public:
  Accesses(Function &F, const SparseShadow &S, ArrayRef<Value *> Extra,
           const CallBase &Call, const Request &Req, Reporter &R)
      : F(F), S(S), Extra(Extra), Call(Call), Req(Req), R(R),
        Number(S.Load->getReturnType()) {}
  bool replace(Argument &P);

private:
  bool use(Use &U, Value *Offset);
  bool useOfGep(GetElementPtrInst &G, Value *Offset);
  bool transfer(MemIntrinsic &M, Use &U, Value *Offset);
  bool fail(const Instruction *At) {
    R.error(Diag::SparseAccess, &Call,
            {Req.Target->getName().str(), At->getOpcodeName()});
    return false;
  }
  Value *read(IRBuilder<> &B, Value *Offset);
  void write(IRBuilder<> &B, Value *V, Value *Offset);
  CallInst *callOf(IRBuilder<> &B, Function *Callee, ArrayRef<Value *> First);

  Function &F;
  const SparseShadow &S;
  ArrayRef<Value *> Extra;
  const CallBase &Call; ///< the request
  const Request &Req;
  Reporter &R;
  Type *Number;
  SmallVector<CallInst *> Calls;
};

CallInst *Accesses::callOf(IRBuilder<> &B, Function *Callee,
                           ArrayRef<Value *> First) {
  SmallVector<Value *> Args(First);
  for (Value *V : Extra) {
    Type *T = Callee->getFunctionType()->getParamType(
        static_cast<unsigned>(Args.size()));
    Args.push_back(
        V->getType() != T && T->isIntegerTy() ? B.CreateSExtOrTrunc(V, T) : V);
  }
  CallInst *C = B.CreateCall(Callee, Args);
  C->setCallingConv(Callee->getCallingConv());
  Calls.push_back(C);
  return C;
}

Value *Accesses::read(IRBuilder<> &B, Value *Offset) {
  return callOf(B, S.Load, {Offset});
}

void Accesses::write(IRBuilder<> &B, Value *V, Value *Offset) {
  callOf(B, S.Store, {V, Offset});
}

/// An offset into an object, where no part of the sum overflows.
Value *withoutOverflow(IRBuilder<> &B, Value *V, unsigned Depth = 0) {
  auto *I = dyn_cast<BinaryOperator>(V);
  if (!I || Depth > 4)
    return V;
  switch (I->getOpcode()) {
  case Instruction::Shl:
    if (!isa<ConstantInt>(I->getOperand(1)))
      return V;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul: {
    Value *L = withoutOverflow(B, I->getOperand(0), Depth + 1);
    Value *R = withoutOverflow(B, I->getOperand(1), Depth + 1);
    Value *New = B.CreateBinOp(I->getOpcode(), L, R);
    if (auto *N = dyn_cast<BinaryOperator>(New))
      N->setHasNoSignedWrap();
    return New;
  }
  default:
    return V;
  }
}

bool Accesses::useOfGep(GetElementPtrInst &G, Value *Offset) {
  IRBuilder<> B(&G);
  Value *At = Offset;
  const DataLayout &DL = F.getDataLayout();
  for (auto It = gep_type_begin(G), End = gep_type_end(G); It != End; ++It) {
    Value *Step;
    if (StructType *ST = It.getStructTypeOrNull()) {
      auto N = cast<ConstantInt>(It.getOperand())->getZExtValue();
      Step = B.getInt64(
          DL.getStructLayout(ST)->getElementOffset(static_cast<unsigned>(N)));
    } else {
      // Offsets into an object do not overflow.
      Step = B.CreateNSWMul(
          withoutOverflow(B,
                          B.CreateSExtOrTrunc(It.getOperand(), B.getInt64Ty())),
          B.getInt64(It.getSequentialElementStride(DL).getFixedValue()));
    }
    At = B.CreateNSWAdd(At, Step);
  }
  while (!G.use_empty())
    if (!use(*G.use_begin(), At))
      return false;
  G.eraseFromParent();
  return true;
}

/// Clears memory, or copies it from or to other memory, number by number.
bool Accesses::transfer(MemIntrinsic &M, Use &U, Value *Offset) {
  const DataLayout &DL = F.getDataLayout();
  uint64_t Size = DL.getTypeAllocSize(Number).getFixedValue();
  auto *Set = dyn_cast<MemSetInst>(&M);
  auto *Copy = dyn_cast<MemTransferInst>(&M);
  auto *Byte = Set ? dyn_cast<ConstantInt>(Set->getValue()) : nullptr;
  if (Set ? !Byte || !Byte->isZero() : !Copy)
    return fail(&M);
  bool To = U.getOperandNo() == 0;
  Value *DenseAddress = Copy ? M.getArgOperand(To ? 1 : 0) : nullptr;
  BasicBlock *Head = M.getParent();
  BasicBlock *Tail = Head->splitBasicBlock(M.getIterator(), "sparse.done");
  Head->getTerminator()->eraseFromParent();
  IRBuilder<> B(Head);
  Value *Count = B.CreateUDiv(
      B.CreateZExtOrTrunc(M.getLength(), B.getInt64Ty()), B.getInt64(Size));
  emitLoop(B, Count, [&](Value *I) {
    Value *At = B.CreateNSWAdd(Offset, B.CreateNSWMul(I, B.getInt64(Size)));
    if (!Copy)
      return write(B, Constant::getNullValue(Number), At);
    Value *P = B.CreateGEP(Number, DenseAddress, I);
    if (To)
      write(B, B.CreateAlignedLoad(Number, P, Align(1)), At);
    else
      B.CreateAlignedStore(read(B, At), P, Align(1));
  });
  B.CreateBr(Tail);
  M.eraseFromParent();
  return true;
}

bool Accesses::use(Use &U, Value *Offset) {
  auto *I = cast<Instruction>(U.getUser());
  IRBuilder<> B(I);
  if (auto *G = dyn_cast<GetElementPtrInst>(I))
    return useOfGep(*G, Offset);
  if (auto *L = dyn_cast<LoadInst>(I); L && L->getType() == Number) {
    L->replaceAllUsesWith(read(B, Offset));
    L->eraseFromParent();
    return true;
  }
  if (auto *W = dyn_cast<StoreInst>(I);
      W && W->getValueOperand()->getType() == Number &&
      U.getOperandNo() == StoreInst::getPointerOperandIndex()) {
    write(B, W->getValueOperand(), Offset);
    W->eraseFromParent();
    return true;
  }
  if (auto *M = dyn_cast<MemIntrinsic>(I))
    return transfer(*M, U, Offset);
  if (auto *C = dyn_cast<CallBase>(I)) {
    // Inlining puts the pointer in other places, so the search begins again.
    Function *G = C->getCalledFunction();
    if (G && !G->isDeclaration() && G != &F && inlineCall(*C))
      return true;
  }
  return fail(I);
}

bool Accesses::replace(Argument &P) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  while (!P.use_empty())
    if (!use(*P.use_begin(), B.getInt64(0)))
      return false;
  for (CallInst *C : Calls)
    if (!C->getCalledFunction()->isDeclaration())
      inlineCall(*C);
  return true;
}

/// A copy of F with further parameters.
Function *withParameters(Function &F, ArrayRef<Type *> More) {
  SmallVector<Type *> Params(F.getFunctionType()->params());
  Params.append(More.begin(), More.end());
  Function *W = Function::Create(
      FunctionType::get(F.getReturnType(), Params, false),
      GlobalValue::InternalLinkage, "sparse_" + F.getName(), F.getParent());
  ValueToValueMapTy VM;
  for (Argument &A : F.args())
    VM[&A] = W->getArg(A.getArgNo());
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(W, &F, VM, CloneFunctionChangeType::GlobalChanges, Returns);
  W->setLinkage(GlobalValue::InternalLinkage);
  return W;
}

} // namespace

/// Does nothing read V, not even through a variable?
static bool isUnread(const Value &V) {
  return all_of(V.users(), [&](const User *U) {
    auto *S = dyn_cast<StoreInst>(U);
    auto *Slot = S && S->getValueOperand() == &V
                     ? dyn_cast<AllocaInst>(S->getPointerOperand())
                     : nullptr;
    return Slot && all_of(Slot->users(), [](const User *X) {
             return isa<StoreInst>(X) || (isa<LoadInst>(X) && X->use_empty()) ||
                    cast<Instruction>(X)->isLifetimeStartOrEnd();
           });
  });
}

bool hasSparseShadows(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(F.users(), [](const User *U) {
      auto *C = dyn_cast<CallBase>(U);
      return C && isSparseShadow(*C);
    });
  });
}

void dropSparseShadows(Module &M, bool SomeWait) {
  SmallVector<CallBase *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *C = dyn_cast<CallBase>(&I); C && isSparseShadow(*C))
        Calls.push_back(C);
  for (CallBase *C : Calls) {
    bool Read = !isUnread(*C);
    if (Read && SomeWait)
      continue;
    if (Read)
      Reporter(C).error(Diag::SparseEscape, C);
    C->replaceAllUsesWith(PoisonValue::get(C->getType()));
    if (auto *I = dyn_cast<InvokeInst>(C))
      C = changeToCall(I);
    C->eraseFromParent();
  }
}

Function *makeSparse(const Request &Req, const CallBase &Call, Function &D,
                     SmallVectorImpl<Value *> &Args,
                     FunctionAnalysisManager &FAM, Reporter &R) {
  SmallVector<Type *> More;
  for (const BoundArgument &A : Req.Args)
    for (const SparseShadow &S : A.Sparse)
      for (Value *V : S.Extra)
        More.push_back(V->getType());
  Function *W = withParameters(D, More);
  simplifyFunction(*W, FAM, false);
  unsigned Shadow = static_cast<unsigned>(Req.Args.size());
  unsigned Next = static_cast<unsigned>(D.arg_size());
  for (const BoundArgument &A : Req.Args) {
    for (unsigned L = 0; L < A.Shadows.size(); ++L, ++Shadow) {
      if (A.Sparse.empty() || !A.Sparse[L].Load)
        continue;
      const SparseShadow &S = A.Sparse[L];
      SmallVector<Value *> Extra;
      for (Value *V : S.Extra) {
        Extra.push_back(W->getArg(Next++));
        Args.push_back(V);
      }
      Argument &P = *W->getArg(Shadow);
      W->removeParamAttrs(
          Shadow, AttributeMask(W->getAttributes().getParamAttrs(Shadow)));
      Args[Shadow] = PoisonValue::get(P.getType());
      if (!Accesses(*W, S, Extra, Call, Req, R).replace(P))
        return nullptr;
    }
  }
  // Nobody wants what the primal computes, nor errno.
  for (Instruction &I : instructions(*W))
    if (auto *C = dyn_cast<CallBase>(&I); C && knownCall(*C).isPure()) {
      C->setDoesNotAccessMemory();
      C->setDoesNotThrow();
      C->addFnAttr(Attribute::WillReturn);
    }
  simplifyFunction(*W, FAM, false);
  if (unsigned N = isOn(Toggle::sparse) ? restrictLoops(*W, FAM) : 0) {
    counters().sparse += N;
    simplifyFunction(*W, FAM, false);
  }
  return W;
}

} // namespace retro
