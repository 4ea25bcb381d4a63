// Input: a derivative with a parameter whose shadow is no memory. Output: a
// copy of it in which accesses through that parameter are calls of two
// functions of the program, with the offset. A plain load from there would read
// memory that nobody has allocated.
#include "polish/sparse/sparse.h"
#include "ir/inline_call.h"
#include "polish/sparse/sparse_loops.h"

#include "base/assert.h"
#include "base/toggles.h"
#include "front/known/known_functions.h"
#include "ir/emit_loop.h"
#include "ir/end_program.h"
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

/// Does nothing happen from B on, but that its function returns?
bool onlyReturns(const BasicBlock &B) {
  const Instruction &First = *B.getFirstNonPHIOrDbg();
  if (auto *Br = dyn_cast<BranchInst>(&First))
    return Br->isUnconditional() && Br->getSuccessor(0) != &B &&
           isa<ReturnInst>(Br->getSuccessor(0)->getFirstNonPHIOrDbg());
  return isa<ReturnInst>(First);
}

/// What is called in the place of the function that takes derivatives: it asks
/// as that one does first if there is anything to do, and if so calls a copy,
/// which stays a call. What that does, which may be to grow a container, and to
/// throw, shall not hide what loops do of which it is a part.
Function *withEffectApart(Function &Store, FunctionAnalysisManager &FAM) {
  if (Store.isDeclaration() || !Store.getReturnType()->isVoidTy())
    return &Store;
  ValueToValueMapTy ToCopy, ToFirst;
  Function *Copy = CloneFunction(&Store, ToCopy);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  Copy->removeFnAttr(Attribute::AlwaysInline);
  Copy->addFnAttr(Attribute::NoInline);
  simplifyFunction(*Copy, FAM, false);
  auto *Br = dyn_cast<BranchInst>(Copy->getEntryBlock().getTerminator());
  auto Done = [&](unsigned N) { return onlyReturns(*Br->getSuccessor(N)); };
  if (!Br || !Br->isConditional() || Done(0) == Done(1) ||
      any_of(Copy->getEntryBlock(),
             [](const Instruction &I) { return I.mayHaveSideEffects(); })) {
    FAM.clear(*Copy, Copy->getName());
    Copy->eraseFromParent();
    return &Store;
  }
  Function *First = CloneFunction(Copy, ToFirst);
  First->removeFnAttr(Attribute::NoInline);
  Br = cast<BranchInst>(First->getEntryBlock().getTerminator());
  BasicBlock *Effect = BasicBlock::Create(First->getContext(), "effect", First);
  IRBuilder<> B(Effect);
  SmallVector<Value *> Args(make_pointer_range(First->args()));
  B.CreateCall(Copy, Args)->setCallingConv(Copy->getCallingConv());
  B.CreateRetVoid();
  const unsigned Side = Done(0) ? 1 : 0;
  Br->getSuccessor(Side)->removePredecessor(Br->getParent());
  Br->setSuccessor(Side, Effect);
  removeUnreachableBlocks(*First);
  return First;
}

/// Replaces the accesses through one parameter by calls.
class Accesses {
public:
  Accesses(Function &F, const SparseShadow &S, ArrayRef<Value *> Extra,
           const CallBase &Call, const Request &Req,
           FunctionAnalysisManager &FAM, Reporter &R)
      : F(F), S(S), Extra(Extra), Call(Call), Req(Req), R(R),
        Number(S.Load->getReturnType()), Store(withEffectApart(*S.Store, FAM)) {
  }
  bool replace(Argument &P);

private:
  bool use(Use &U, Value *Offset);
  bool useOfGep(GetElementPtrInst &G, Value *Offset);
  bool useOfChoice(Instruction &I, Use &U, Value *Offset);
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
  Function *Store; ///< what is called to write
  SmallVector<CallInst *> Calls;
  /// Phis and selects of addresses: those of offsets.
  DenseMap<Instruction *, Instruction *> Choices;
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
  callOf(B, Store, {V, Offset});
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

/// One of several addresses has one of several offsets. Those that are not
/// known yet are found as further uses.
bool Accesses::useOfChoice(Instruction &I, Use &U, Value *Offset) {
  auto [It, New] = Choices.try_emplace(&I, nullptr);
  if (New) {
    Instruction *Chosen = I.clone();
    Chosen->mutateType(Offset->getType());
    for (Use &Operand : Chosen->operands())
      if (Operand->getType()->isPointerTy())
        Operand.set(PoisonValue::get(Offset->getType()));
    Chosen->dropUnknownNonDebugMetadata();
    Chosen->insertBefore(I.getIterator());
    It->second = Chosen;
  }
  Instruction *Chosen = It->second;
  Chosen->setOperand(U.getOperandNo(), Offset);
  U.set(PoisonValue::get(I.getType()));
  while (!I.use_empty())
    if (!use(*I.use_begin(), Chosen))
      return false;
  return true;
}

bool Accesses::use(Use &U, Value *Offset) {
  auto *I = cast<Instruction>(U.getUser());
  IRBuilder<> B(I);
  if (isa<PHINode, SelectInst>(I))
    return useOfChoice(*I, U, Offset);
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
  for (auto [Old, New] : Choices) {
    // It may also be an address of other memory.
    if (any_of(Old->operands(), [](const Value *V) {
          return V->getType()->isPointerTy() && !isa<PoisonValue>(V);
        }))
      return fail(Old);
    Old->eraseFromParent();
  }
  for (CallInst *C : Calls)
    if (!C->getCalledFunction()->isDeclaration())
      inlineCall(*C);
  if (Store != S.Store && Store->use_empty())
    Store->eraseFromParent();
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
    // Another file may call what returns it, and nobody here does.
    const bool Returned = C->getFunction()->use_empty() &&
                          all_of(C->users(), IsaPred<ReturnInst>);
    if (Read && Returned) {
      IRBuilder<> B(C);
      endProgram(B, "the result of __enzyme_todense is no memory, and has left "
                    "the file where it was made");
    } else if (Read)
      Reporter(C).error(Diag::SparseEscape, C);
    C->replaceAllUsesWith(PoisonValue::get(C->getType()));
    if (auto *I = dyn_cast<InvokeInst>(C))
      C = changeToCall(I);
    C->eraseFromParent();
  }
}

/// A derivative as it becomes sparse: its parameters, and what they are given.
struct Places {
  Function &W;
  SmallVectorImpl<Value *> &Args;
  unsigned Next; ///< the parameter for the next argument of the two functions
};

/// Replaces the accesses through parameter N by calls of S's functions.
static bool replaceParameter(Places &At, unsigned N, const SparseShadow &S,
                             const CallBase &Call, const Request &Req,
                             FunctionAnalysisManager &FAM, Reporter &R) {
  SmallVector<Value *> Extra;
  for (Value *V : S.Extra) {
    Extra.push_back(At.W.getArg(At.Next++));
    At.Args.push_back(V);
  }
  Argument &P = *At.W.getArg(N);
  At.W.removeParamAttrs(N,
                        AttributeMask(At.W.getAttributes().getParamAttrs(N)));
  At.Args[N] = PoisonValue::get(P.getType());
  return Accesses(At.W, S, Extra, Call, Req, FAM, R).replace(P);
}

Function *makeSparse(const Request &Req, const CallBase &Call, Function &D,
                     SmallVectorImpl<Value *> &Args,
                     FunctionAnalysisManager &FAM, Reporter &R) {
  // Each argument, then the shadows of each.
  std::vector<std::pair<unsigned, const SparseShadow *>> Sparse;
  unsigned Shadow = static_cast<unsigned>(Req.Args.size());
  for (unsigned N = 0; N < Req.Args.size(); ++N) {
    const BoundArgument &A = Req.Args[N];
    if (A.Whole.Load)
      Sparse.push_back({N, &A.Whole});
    for (unsigned L = 0; L < A.Shadows.size(); ++L, ++Shadow)
      if (!A.Sparse.empty() && A.Sparse[L].Load)
        Sparse.push_back({Shadow, &A.Sparse[L]});
  }
  SmallVector<Type *> More;
  for (auto [N, S] : Sparse)
    for (Value *V : S->Extra)
      More.push_back(V->getType());
  Function *W = withParameters(D, More);
  simplifyFunction(*W, FAM, false);
  Places At{*W, Args, static_cast<unsigned>(D.arg_size())};
  for (auto [N, S] : Sparse)
    if (!replaceParameter(At, N, *S, Call, Req, FAM, R))
      return nullptr;
  retroAssert(At.Next == W->arg_size() && Args.size() == W->arg_size(),
              "sparse", W,
              "each argument of the two functions has a parameter");
  for (auto [N, S] : Sparse)
    retroAssert(W->getArg(N)->use_empty(), "sparse", W,
                "no access is left through a shadow that is no memory");
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
