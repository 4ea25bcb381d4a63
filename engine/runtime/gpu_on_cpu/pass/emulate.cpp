// Makes code for the host of device code: operations of the device, local and
// shared memory. What it leaves no back end for a CPU could take.
#include "emulate.h"
#include "../abi.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace retro::gpu;

namespace {

/// Address spaces, the same numbers for both vendors.
enum : unsigned { SharedSpace = 3, LocalSpace = 5 };

/// What stands for an operation of the device.
struct Substitute {
  enum { Load, Call, Nothing } Kind;
  unsigned Offset = 0; ///< Load: in ThreadContext
  bool IsPointer = false;
  const char *Function = nullptr;
  bool Waits = false;
};

const StringMap<Substitute> &substitutes() {
  static const StringMap<Substitute> Table = {
#define CONTEXT(Name, Field, Component)                                        \
  {Name,                                                                       \
   {Substitute::Load, offsetof(ThreadContext, Field) + 4 * Component, false}},
#define POINTER(Name, Field)                                                   \
  {Name, {Substitute::Load, offsetof(ThreadContext, Field), true}},
#define CALL(Name, Function, Waits)                                            \
  {Name, {Substitute::Call, 0, false, Function, Waits}},
#define NOTHING(Name) {Name, {Substitute::Nothing}},
#include "intrinsics.def"
  };
  return Table;
}

bool isDeviceIntrinsic(const Function &F) {
  return F.getName().starts_with("llvm.nvvm.") ||
         F.getName().starts_with("llvm.amdgcn.");
}

} // namespace

Emulation::Emulation(Module &M, bool Checks)
    : M(M), C(M.getContext()), Checks(Checks),
      IsAMD(M.getTargetTriple().isAMDGPU()) {}

void Emulation::fail(Instruction &At, const Twine &What) {
  Failed = true;
  std::string Place;
  if (const DebugLoc &L = At.getDebugLoc())
    Place = (L->getFilename() + ":" + Twine(L.getLine()) + ": ").str();
  C.emitError(Place + "gpu on cpu: in '" + At.getFunction()->getName() +
              "': " + What);
}

bool Emulation::run() {
  if (!IsAMD && !M.getTargetTriple().isNVPTX()) {
    C.emitError("gpu on cpu: the module is for " + M.getTargetTriple().str() +
                ", not for a GPU");
    return false;
  }
  stripDevice();
  moveLocals();
  rewriteOperations();
  if (Checks)
    checkAccesses();
  layOutShared();
  adoptKernels();
  registerModule();
  return !Failed;
}

/// Removes what means something to the device's back end alone, and attributes
/// that no longer hold once operations have become loads and calls.
void Emulation::stripDevice() {
  for (const char *Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *G = M.getNamedGlobal(Name))
      G->eraseFromParent();
  for (const char *Name : {"nvvm.annotations", "nvvmir.version"})
    if (NamedMDNode *N = M.getNamedMetadata(Name))
      N->eraseFromParent();
  M.setTargetTriple(Triple(sys::getProcessTriple()));
  M.setDataLayout(M.getTargetTriple().computeDataLayout());
  for (GlobalVariable &G : M.globals())
    if (G.hasInitializer() && !G.hasAppendingLinkage() &&
        G.getSection() != "llvm.metadata" && G.getAddressSpace() != SharedSpace)
      Variables.push_back(&G);
  AttributeMask Facts;
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::Speculatable, Attribute::NoSync,
        Attribute::WillReturn, Attribute::NoFree, Attribute::NoRecurse,
        Attribute::NoCallback})
    Facts.addAttribute(K);
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    CallingConv::ID CC = F.getCallingConv();
    if (CC == CallingConv::PTX_Kernel || CC == CallingConv::AMDGPU_KERNEL)
      Kernels.push_back(&F);
    F.removeFnAttrs(Facts);
    for (Attribute A : F.getAttributes().getFnAttrs())
      if (A.isStringAttribute())
        F.removeFnAttr(A.getKindAsString());
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        Call->removeFnAttrs(Facts);
        if (isa<LifetimeIntrinsic>(Call))
          Call->eraseFromParent();
      }
  }
}

/// Moves local variables to the host's stack, in its only address space.
void Emulation::moveLocals() {
  SmallVector<AllocaInst *> Locals;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *A = dyn_cast<AllocaInst>(&I); A && A->getAddressSpace())
        Locals.push_back(A);
  for (AllocaInst *A : Locals) {
    IRBuilder<> B(A);
    AllocaInst *New = B.CreateAlloca(A->getAllocatedType(), 0u,
                                     A->getArraySize(), A->getName());
    New->setAlignment(A->getAlign());
    A->replaceAllUsesWith(B.CreateAddrSpaceCast(New, A->getType()));
    A->eraseFromParent();
  }
}

/// The context of the thread that runs F. It is the same for the whole call.
Value *Emulation::contextOf(Function &F) {
  Value *&Loaded = Contexts[&F];
  if (!Loaded) {
    auto *Current = cast<GlobalVariable>(
        M.getOrInsertGlobal("retro_gpu_context", PointerType::getUnqual(C)));
    Current->setThreadLocalMode(GlobalValue::GeneralDynamicTLSModel);
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    Loaded = B.CreateLoad(B.getPtrTy(), B.CreateThreadLocalAddress(Current),
                          "thread");
  }
  return Loaded;
}

Value *Emulation::fieldAddress(IRBuilder<> &B, Function &F, unsigned Offset) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), contextOf(F), Offset);
}

/// An addition to memory as the engine writes it for the assembler.
static bool isAddition(const CallInst &Call) {
  auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && Asm->getAsmString().starts_with("red.") &&
         Asm->getAsmString().contains(".add.f") && Call.arg_size() == 2;
}

static void rewriteAddition(CallInst &Call) {
  IRBuilder<>(&Call).CreateAtomicRMW(
      AtomicRMWInst::FAdd, Call.getArgOperand(0), Call.getArgOperand(1),
      Align(Call.getArgOperand(1)->getType()->getScalarSizeInBits() / 8),
      AtomicOrdering::Monotonic);
  Call.eraseFromParent();
}

void Emulation::rewriteOperations() {
  for (Function &F : M) {
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      if (!Call)
        continue;
      if (isAddition(*Call))
        rewriteAddition(*Call);
      else if (Call->isInlineAsm())
        fail(I, "inline assembly is not emulated");
      else if (Call->getCalledFunction())
        rewriteCall(*Call);
    }
  }
}

void Emulation::rewriteCall(CallInst &Call) {
  Function &Callee = *Call.getCalledFunction();
  auto It = substitutes().find(Callee.getName());
  if (It == substitutes().end() || !Callee.isDeclaration()) {
    if (isDeviceIntrinsic(Callee))
      fail(Call, "there is no emulation of '" + Callee.getName() + "'");
    return;
  }
  const Substitute &S = It->second;
  IRBuilder<> B(&Call);
  if (S.Kind == Substitute::Load) {
    Value *Loaded = nullptr;
    Value *From = fieldAddress(B, *Call.getFunction(), S.Offset);
    if (S.IsPointer)
      Loaded = B.CreateAddrSpaceCast(B.CreateLoad(B.getPtrTy(), From),
                                     Call.getType());
    else
      Loaded = B.CreateZExtOrTrunc(B.CreateLoad(B.getInt32Ty(), From),
                                   Call.getType());
    Call.replaceAllUsesWith(Loaded);
  } else if (S.Kind == Substitute::Call) {
    SmallVector<Value *> Args;
    SmallVector<Type *> Types;
    for (Value *A : Call.args()) {
      if (A->getType()->isIntegerTy() &&
          A->getType()->getIntegerBitWidth() < 32)
        A = B.CreateZExt(A, B.getInt32Ty());
      else if (A->getType()->isPointerTy())
        A = B.CreateAddrSpaceCast(A, B.getPtrTy());
      Args.push_back(A);
    }
    Args.push_back(site(Call, 0));
    for (Value *A : Args)
      Types.push_back(A->getType());
    bool IsBit = Call.getType()->isIntegerTy(1);
    Type *Result = IsBit ? B.getInt32Ty() : Call.getType();
    FunctionCallee To = M.getOrInsertFunction(
        S.Function, FunctionType::get(Result, Types, false));
    auto *F = cast<Function>(To.getCallee());
    F->addFnAttr(Attribute::NoUnwind);
    if (S.Waits) {
      // No thread may take part at another place than it does in the source.
      F->setConvergent();
      F->addFnAttr(Attribute::NoDuplicate);
      Waiting.insert(F);
    }
    Value *V = B.CreateCall(To, Args);
    Call.replaceAllUsesWith(
        IsBit ? B.CreateICmpNE(V, ConstantInt::get(Result, 0)) : V);
  }
  Call.eraseFromParent();
}

Constant *Emulation::text(StringRef Text) {
  Constant *&Global = Texts[Text];
  if (!Global) {
    Constant *Bytes = ConstantDataArray::getString(C, Text);
    Global = new GlobalVariable(M, Bytes->getType(), true,
                                GlobalValue::PrivateLinkage, Bytes);
  }
  return Global;
}

Constant *Emulation::site(Instruction &I, unsigned Access) {
  IntegerType *Word = Type::getInt32Ty(C);
  const DebugLoc &L = I.getDebugLoc();
  Constant *Fields = ConstantStruct::getAnon(
      {ConstantInt::get(Word, Access),
       ConstantInt::get(Word, L ? L.getLine() : 0),
       text(I.getFunction()->getName()), text(L ? L->getFilename() : "")});
  return new GlobalVariable(M, Fields->getType(), true,
                            GlobalValue::PrivateLinkage, Fields);
}

/// Lays shared variables out one after the other in the block's memory, with
/// gaps that belong to none. `extern` ones all begin behind the last.
void Emulation::layOutShared() {
  SmallVector<GlobalVariable *> Shared;
  for (GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == SharedSpace)
      Shared.push_back(&G);
  const DataLayout &DL = M.getDataLayout();
  constexpr uint64_t Gap = 32;
  DenseMap<GlobalVariable *, uint64_t> Offsets;
  for (GlobalVariable *G : Shared)
    if (!G->isDeclaration() && DL.getTypeAllocSize(G->getValueType())) {
      SharedBytes =
          alignTo(SharedBytes, std::max(G->getAlign().valueOrOne(), Align(16)));
      Offsets[G] = SharedBytes;
      SharedBytes += DL.getTypeAllocSize(G->getValueType()) + Gap;
    }
  SharedBytes = alignTo(SharedBytes, 128);
  for (GlobalVariable *G : Shared) {
    convertUsersOfConstantsToInstructions({G});
    uint64_t Offset = Offsets.contains(G) ? Offsets[G] : SharedBytes;
    DenseMap<Function *, Value *> Addresses;
    for (Use &U : make_early_inc_range(G->uses())) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      if (!I) {
        C.emitError("gpu on cpu: the address of shared variable '" +
                    G->getName() + "' is in a constant");
        Failed = true;
        return;
      }
      Value *&Address = Addresses[I->getFunction()];
      if (!Address) {
        auto *Context = cast<Instruction>(contextOf(*I->getFunction()));
        IRBuilder<> B(Context->getNextNode());
        Value *Base = B.CreateLoad(
            B.getPtrTy(), fieldAddress(B, *I->getFunction(),
                                       offsetof(ThreadContext, Shared)));
        Address = B.CreateAddrSpaceCast(
            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset),
            G->getType(), G->getName());
      }
      U.set(Address);
    }
    G->eraseFromParent();
  }
}
