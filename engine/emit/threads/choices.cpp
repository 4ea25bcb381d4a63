#include "emit/threads/choices.h"

#include "front/known/known_functions.h"
#include "emit/threads/gpu.h"
#include "base/unit.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace retro {
namespace {

constexpr const char *NumberMark = "retro.number";

bool isChoice(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return true;
  default:
    return false;
  }
}

/// Does the front end say that I accesses a number?
bool accessesNumber(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  auto *T = Tag && Tag->getNumOperands() > 1
                ? dyn_cast<MDNode>(Tag->getOperand(1))
                : nullptr;
  auto *Name =
      T && T->getNumOperands() ? dyn_cast<MDString>(T->getOperand(0)) : nullptr;
  return Name &&
         (Name->getString() == "float" || Name->getString() == "double");
}

/// A number, or the bits of one whichever way V is taken.
bool isNumber(const Value *V) {
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *> Work{V};
  bool Any = false;
  while (!Work.empty()) {
    const Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second || isa<Constant>(X))
      continue;
    auto *L = dyn_cast<LoadInst>(X);
    if (X->getType()->isFloatingPointTy() || (L && accessesNumber(*L)))
      Any = true;
    else if (isa<BitCastInst, PHINode, FreezeInst>(X))
      append_range(Work, cast<Instruction>(X)->operands());
    else if (auto *S = dyn_cast<SelectInst>(X))
      Work.append({S->getTrueValue(), S->getFalseValue()});
    else
      return false;
  }
  return Any;
}

Type *wordOf(Type *T) {
  return IntegerType::get(
      T->getContext(),
      static_cast<unsigned>(T->getPrimitiveSizeInBits().getFixedValue()));
}

Value *bits(IRBuilder<> &B, Value *V) {
  return B.CreateBitCast(V, wordOf(V->getType()));
}

/// How many blocks run.
Value *emitBlocks(IRBuilder<> &B, Module &M) {
  Value *Product = nullptr;
  for (unsigned D = 0; D < 3; ++D) {
    Value *N;
    if (M.getTargetTriple().isAMDGPU()) {
      // The first numbers that code objects since version 5 pass.
      Value *At = B.CreateConstInBoundsGEP1_64(
          B.getInt8Ty(),
          B.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr,
                            ArrayRef<Value *>()),
          4 * D);
      N = B.CreateAlignedLoad(B.getInt32Ty(), At, Align(4));
    } else {
      const Intrinsic::ID Ids[3] = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                    Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                    Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
      N = B.CreateIntrinsic(Ids[D], ArrayRef<Value *>());
    }
    Product = Product ? B.CreateMul(Product, N) : N;
  }
  return Product;
}

/// A function of the module's own, with a body that Fill makes.
Function *helper(Module &M, const Twine &Name, ArrayRef<Type *> Params,
                 function_ref<void(Function &)> Fill) {
  SmallString<32> Buffer;
  StringRef Full = Name.toStringRef(Buffer);
  if (Function *F = M.getFunction(Full))
    return F;
  Function *F = Function::Create(
      FunctionType::get(Type::getVoidTy(M.getContext()), Params, false),
      GlobalValue::InternalLinkage, Full, M);
  F->addFnAttr(Attribute::NoUnwind);
  Fill(*F);
  return F;
}

/// (replaced, place, value's bits, shadow, tangent's bits). A thread holds the
/// shadow while it has put a pattern there that no computation gives.
void fillTake(Function &F, Align A) {
  LLVMContext &C = F.getContext();
  auto *Word = cast<IntegerType>(F.getArg(2)->getType());
  unsigned Bits = Word->getBitWidth();
  auto *Held =
      ConstantInt::get(C, Bits == 64   ? APInt(64, 0x7ff4a5a5a5a5a5a5)
                          : Bits == 32 ? APInt(32, 0x7fa5a5a5)
                                       : APInt(16, 0x7da5).zextOrTrunc(Bits));
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(C, Name, &F);
  };
  BasicBlock *Entry = Block("entry"), *Try = Block("try"),
             *Mine = Block("mine"), *Again = Block("again"),
             *Exit = Block("exit");
  IRBuilder<> B(Entry);
  B.CreateCondBr(F.getArg(0), Try, Exit);
  auto Exchange = [&](Value *V) {
    return B.CreateAtomicRMW(AtomicRMWInst::Xchg, F.getArg(3), V, A,
                             AtomicOrdering::AcquireRelease);
  };
  B.SetInsertPoint(Try);
  Value *Was = Exchange(Held);
  Value *Got = B.CreateICmpNE(Was, Held);
  B.CreateCondBr(Got, Mine, Again);
  B.SetInsertPoint(Mine);
  Value *Still = emitHolds(B, F.getArg(1), F.getArg(2), A);
  Exchange(B.CreateSelect(Still, F.getArg(4), Was));
  B.CreateBr(Again);
  // Threads of a warp that run in step come by here together.
  B.SetInsertPoint(Again);
  B.CreateCondBr(Got, Exit, Try);
  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
}

} // namespace

void markNumbers(Function &F) {
  MDNode *Mark = MDNode::get(F.getContext(), {});
  for (Instruction &I : instructions(F)) {
    auto *A = dyn_cast<AtomicRMWInst>(&I);
    auto *X = dyn_cast<AtomicCmpXchgInst>(&I);
    if ((A && isNumber(A->getValOperand())) ||
        (X &&
         (isNumber(X->getNewValOperand()) || isNumber(X->getCompareOperand()))))
      I.setMetadata(NumberMark, Mark);
  }
}

bool isMarkedNumber(const Instruction &I) { return I.hasMetadata(NumberMark); }

Type *operandType(const AtomicRMWInst &A) {
  LLVMContext &C = A.getContext();
  Type *T = A.getType();
  if (!isMarkedNumber(A) || !T->isIntegerTy())
    return T;
  switch (T->getIntegerBitWidth()) {
  case 64:
    return Type::getDoubleTy(C);
  case 32:
    return Type::getFloatTy(C);
  default:
    return T;
  }
}

bool isCommutingChoice(const AtomicRMWInst &A) {
  return isMarkedNumber(A) && isChoice(A.getOperation()) && A.use_empty() &&
         isGpu(*A.getModule());
}

bool isPlaceOfBlock(const Value &Place) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(&Place));
  return G && isOfBlock(*G);
}

/// Is all that F does with the address to access what is there?
static bool staysKnown(const Value &Address, const Function &F) {
  return all_of(Address.uses(), [&](const Use &X) {
    const User *V = X.getUser();
    auto *I = dyn_cast<Instruction>(V);
    if (I && I->getFunction() != &F)
      return true;
    if (isa<ConstantExpr, GetElementPtrInst, AddrSpaceCastInst>(V))
      return staysKnown(*V, F);
    if (isa<LoadInst>(V))
      return true;
    if (auto *S = dyn_cast<StoreInst>(V))
      return X.getOperandNo() == S->getPointerOperandIndex();
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(V) && X.getOperandNo() == 0;
  });
}

bool isApartInBlock(const AtomicRMWInst &A, const Value &Other) {
  auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(A.getPointerOperand()));
  if (!G || !isOfBlock(*G) || !G->hasLocalLinkage() ||
      !staysKnown(*G, *A.getFunction()))
    return false;
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(&Other, Objects);
  return all_of(Objects, [&](const Value *O) {
    return O != G && isa<Argument, GlobalVariable, LoadInst, AllocaInst>(O);
  });
}

void awaitChoices(Unit &U) {
  bool Any = any_of(U.Functions, [](const auto &UF) {
    return any_of(instructions(*UF->F), [](const Instruction &I) {
      auto *A = dyn_cast<AtomicRMWInst>(&I);
      return A && isCommutingChoice(*A) &&
             !isPlaceOfBlock(*A->getPointerOperand());
    });
  });
  if (!Any || U.DerivMode != Mode::Reverse || U.Split)
    return;
  for (BasicBlock &B : *U.root().F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator())) {
      IRBuilder<> At(Ret);
      emitBlockBarrier(At, U.M);
    }
}

void emitOneBlock(IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(helper(M, "__retro_one_block", {}, [&](Function &F) {
    auto Block = [&](const char *Name) {
      return BasicBlock::Create(M.getContext(), Name, &F);
    };
    BasicBlock *Entry = Block("entry"), *More = Block("more"),
               *One = Block("one");
    IRBuilder<> FB(Entry);
    FB.CreateCondBr(FB.CreateICmpEQ(emitBlocks(FB, M), FB.getInt32(1)), One,
                    More);
    FB.SetInsertPoint(More);
    FB.CreateIntrinsic(Intrinsic::trap, ArrayRef<Value *>());
    FB.CreateUnreachable();
    FB.SetInsertPoint(One);
    FB.CreateRetVoid();
  }));
}

Value *emitReplaced(IRBuilder<> &B, AtomicRMWInst &A, Value *Old, Value *New) {
  Value *Now = buildAtomicRMWValue(A.getOperation(), B, Old, New);
  return B.CreateICmpNE(bits(B, Now), bits(B, Old));
}

Value *emitHolds(IRBuilder<> &B, Value *Place, Value *V, Align A) {
  LoadInst *L = B.CreateAlignedLoad(wordOf(V->getType()), Place, A);
  L->setAtomic(AtomicOrdering::Monotonic);
  return B.CreateICmpEQ(L, bits(B, V));
}

Value *emitTakenPlace(IRBuilder<> &B, Value *Taken, Value *Shadow, Type *Number,
                      Instruction *Entry) {
  IRBuilder<> EB(Entry);
  AllocaInst *Unused = EB.CreateAlloca(Number, nullptr, "lost");
  EB.CreateStore(Constant::getNullValue(Number), Unused);
  if (Shadow->getType() != Unused->getType())
    Shadow = B.CreateAddrSpaceCast(Shadow, Unused->getType());
  return B.CreateSelect(Taken, Shadow, Unused);
}

void emitTakeTangent(IRBuilder<> &B, Value *Replaced, Value *Place, Value *V,
                     Value *Shadow, Value *D, Align A) {
  Value *Args[] = {Replaced, Place, bits(B, V), Shadow, bits(B, D)};
  SmallVector<Type *> Types;
  for (Value *X : Args)
    Types.push_back(X->getType());
  unsigned Spaces[] = {Place->getType()->getPointerAddressSpace(),
                       Shadow->getType()->getPointerAddressSpace()};
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(helper(M,
                      "__retro_take." + Twine(A.value()) + "." +
                          Twine(Types[2]->getIntegerBitWidth()) + "." +
                          Twine(Spaces[0]) + "." + Twine(Spaces[1]),
                      Types, [&](Function &F) { fillTake(F, A); }),
               Args);
}

} // namespace retro
