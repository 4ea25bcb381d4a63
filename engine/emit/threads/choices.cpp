// The parts of atomic maxima and minima that both passes emit: whether a
// thread's value replaced another, and whether its place still holds it. Of
// several threads that replaced one value only the last one has an adjoint.
#include "emit/threads/choices.h"

#include "front/names/runtime.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace retro {
namespace {

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

void emitOneBlock(IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(helper(M, nameOf(Named::one_block), {}, [&](Function &F) {
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
                      nameOf(Named::take) + Twine(A.value()) + "." +
                          Twine(Types[2]->getIntegerBitWidth()) + "." +
                          Twine(Spaces[0]) + "." + Twine(Spaces[1]),
                      Types, [&](Function &F) { fillTake(F, A); }),
               Args);
}

} // namespace retro
