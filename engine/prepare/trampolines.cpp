// Input: a function that makes trampolines, which is code on the stack that
// enters a function with the frame of its host as one more argument. Output:
// the same, with a record behind that code: a mark, the function, the frame.
// An indirect call reads the record instead of running the code, so that the
// frame, and with it the shadow of the frame, are arguments like others. The
// code stays, for whatever is called that is not differentiated runs it.
#include "prepare/trampolines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace retro {

/// The most that the code of a trampoline takes, and where its record begins.
constexpr uint64_t RecordAt = 64, Word = sizeof(uint64_t);
constexpr const char *MarkName = "retro.trampoline";

/// What a record begins with. No other memory has this address in it, so that
/// the code of a function, and a trampoline that was made where nothing is
/// differentiated, are told apart from one with a record.
static GlobalVariable *mark(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(MarkName))
    return G;
  Type *T = Type::getInt8Ty(M.getContext());
  return new GlobalVariable(M, T, /*isConstant=*/true,
                            GlobalValue::InternalLinkage,
                            ConstantInt::get(T, 1), MarkName);
}

/// Is a trampoline's address that of its code?
static bool isPlainAddress(const Module &M) {
  return M.getTargetTriple().isX86_64() || M.getTargetTriple().isAArch64();
}

static bool isNest(const Argument &A) { return A.hasNestAttr(); }

static Value *field(IRBuilder<> &B, Value *Trampoline, uint64_t Number) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Trampoline,
                                      RecordAt + Number * Word);
}

/// A variable with room for the record in the place of one for code alone.
static AllocaInst *withRoom(AllocaInst &Code) {
  IRBuilder<> B(&Code);
  Type *Bytes = ArrayType::get(B.getInt8Ty(), RecordAt);
  AllocaInst *New = B.CreateAlloca(
      StructType::get(Bytes, B.getPtrTy(), B.getPtrTy(), B.getPtrTy()));
  New->setAlignment(std::max(Code.getAlign(), Align(16)));
  New->takeName(&Code);
  Code.replaceAllUsesWith(New);
  Code.eraseFromParent();
  return New;
}

static bool hasRoom(const AllocaInst &A) {
  auto *S = dyn_cast<StructType>(A.getAllocatedType());
  return S && S->getNumElements() == 4;
}

/// The variable that has the code, if it is one of F's of constant size.
static AllocaInst *codeOf(const IntrinsicInst &Init, const DataLayout &DL) {
  auto *A = dyn_cast<AllocaInst>(Init.getArgOperand(0)->stripPointerCasts());
  std::optional<TypeSize> Size = A ? A->getAllocationSize(DL) : std::nullopt;
  if (!Size || (!hasRoom(*A) && Size->getFixedValue() > RecordAt))
    return nullptr;
  return A;
}

bool recordTrampolines(Function &F) {
  if (!isPlainAddress(*F.getParent()))
    return false;
  SmallVector<IntrinsicInst *> Inits, Adjusts;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<IntrinsicInst>(&I)) {
      if (C->getIntrinsicID() == Intrinsic::init_trampoline)
        Inits.push_back(C);
      else if (C->getIntrinsicID() == Intrinsic::adjust_trampoline)
        Adjusts.push_back(C);
    }
  bool Changed = false;
  for (IntrinsicInst *Init : Inits) {
    AllocaInst *Code = codeOf(*Init, F.getDataLayout());
    if (!Code || hasRoom(*Code))
      continue;
    AllocaInst *New = withRoom(*Code);
    IRBuilder<> B(Init->getNextNode());
    B.SetCurrentDebugLocation(Init->getDebugLoc());
    B.CreateStore(mark(*F.getParent()), field(B, New, 0));
    B.CreateStore(Init->getArgOperand(1)->stripPointerCasts(),
                  field(B, New, 1));
    B.CreateStore(Init->getArgOperand(2), field(B, New, 2));
    Changed = true;
  }
  for (IntrinsicInst *A : Adjusts)
    if (auto *Code = dyn_cast<AllocaInst>(A->getArgOperand(0));
        Code && hasRoom(*Code)) {
      A->replaceAllUsesWith(Code);
      A->eraseFromParent();
    }
  return Changed;
}

/// Does a function of which IsMade holds make a trampoline for F?
static bool entersByTrampoline(const Function &F,
                               function_ref<bool(Function &)> IsMade) {
  return any_of(F.users(), [&](const User *U) {
    auto *C = dyn_cast<IntrinsicInst>(U);
    return C && C->getIntrinsicID() == Intrinsic::init_trampoline &&
           C->getArgOperand(1) == &F &&
           IsMade(*const_cast<Function *>(C->getFunction()));
  });
}

/// Would a call of this type be one of F, if it had the frame as well?
static bool isOfType(const Function &F, const FunctionType &Call) {
  if (F.arg_size() != Call.getNumParams() + 1 || F.isVarArg() ||
      Call.isVarArg() || F.getReturnType() != Call.getReturnType())
    return false;
  unsigned N = 0;
  for (const Argument &A : F.args())
    if (!isNest(A) &&
        (N == Call.getNumParams() || A.getType() != Call.getParamType(N++)))
      return false;
  return N == Call.getNumParams();
}

SmallVector<Function *>
trampolineTargets(const CallBase &C, function_ref<bool(Function &)> IsMade) {
  SmallVector<Function *> Out;
  const Module &M = *C.getModule();
  if (!isa<CallInst>(C) || !isPlainAddress(M))
    return Out;
  for (const Function &F : M)
    if (!F.isDeclaration() && any_of(F.args(), isNest) &&
        isOfType(F, *C.getFunctionType()) && entersByTrampoline(F, IsMade))
      Out.push_back(const_cast<Function *>(&F));
  return Out;
}

void callByRecord(CallInst &C, Function &G) {
  IRBuilder<> B(&C);
  Value *Code = C.getCalledOperand();
  Value *Mark = B.CreateLoad(B.getPtrTy(), field(B, Code, 0));
  Value *IsRecord = B.CreateICmpEQ(Mark, mark(*C.getModule()));
  Value *Entered = B.CreateLoad(B.getPtrTy(), field(B, Code, 1));
  Value *IsG = B.CreateLogicalAnd(IsRecord, B.CreateICmpEQ(Entered, &G));
  Instruction *Then, *Else;
  SplitBlockAndInsertIfThenElse(IsG, &C, &Then, &Else);
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(C.getDebugLoc());
  SmallVector<Value *> Args;
  SmallVector<AttributeSet> OfArgs;
  const AttributeList Given = C.getAttributes();
  unsigned N = 0;
  for (const Argument &A : G.args()) {
    if (isNest(A)) {
      Args.push_back(B.CreateLoad(B.getPtrTy(), field(B, Code, 2)));
      OfArgs.push_back(G.getAttributes().getParamAttrs(A.getArgNo()));
      continue;
    }
    Args.push_back(C.getArgOperand(N));
    OfArgs.push_back(Given.getParamAttrs(N++));
  }
  CallInst *Direct = B.CreateCall(&G, Args);
  Direct->setCallingConv(C.getCallingConv());
  Direct->setAttributes(AttributeList::get(C.getContext(), Given.getFnAttrs(),
                                           Given.getRetAttrs(), OfArgs));
  if (isa<FPMathOperator>(&C))
    Direct->copyFastMathFlags(&C);
  C.moveBefore(Else->getIterator());
  if (C.getType()->isVoidTy())
    return;
  BasicBlock *Tail = Then->getSuccessor(0);
  PHINode *Result = PHINode::Create(C.getType(), 2, "", Tail->begin());
  C.replaceAllUsesWith(Result);
  Result->addIncoming(Direct, Then->getParent());
  Result->addIncoming(&C, Else->getParent());
}

} // namespace retro
