// The host's side of whole launches. Input: what the compiler made of
// kernel<<<…>>>(…). Output: one call of a function, whose registered passes
// launch the kernels that the device's side makes (launch_device.cpp). Without
// it a launch would be a call of which nothing is known. Declared in launch.h.
#include "front/names/runtime.h"
#include "front/registered/launches.h"
#include "launch/launch.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace retro {
namespace {

cl::list<std::string> Kernels(
    "retro-kernels", cl::CommaSeparated,
    cl::desc("Kernels whose launches are differentiated, beside those marked "
             "in the source: mangled names, or all."));

/// Marks functions that are made here; one is deleted if nobody calls it.
constexpr const char *PartMark = "retro-launch-part";
/// A kernel as host code describes it: fields as in engine/runtime/launch.c.
constexpr StringLiteral Launched = nameOf(Named::launched);
enum { NameField, LettersField, PrimalField, FirstHandle, NumHandles = 5 };
constexpr StringLiteral Handles[NumHandles] = {
    derived_kernel::Describe, derived_kernel::Measure,
    derived_kernel::Augmented, derived_kernel::Reverse,
    derived_kernel::Tangent};

/// The row of a call that has to do with launches, or null.
const KnownFunction *launchRow(const Value *V, LaunchPart What) {
  auto *C = dyn_cast<CallBase>(V);
  auto *F = C ? dyn_cast<Function>(C->getCalledOperand()->stripPointerCasts())
              : nullptr;
  if (!F || !F->isDeclaration())
    return nullptr;
  const KnownFunction *Row = lookupKnown(*F);
  return Row && Row->says(What) ? Row : nullptr;
}

/// What tells the vendor's library which kernel a handle stands for: a call, or
/// an entry of a table that the linker puts together.
struct Registering {
  CallInst *Call = nullptr;
  GlobalVariable *Entry = nullptr;
  StringRef Name; ///< the kernel's
};

bool isEntry(const GlobalVariable &G) {
  return G.hasInitializer() && isa<ConstantStruct>(G.getInitializer()) &&
         G.getSection().contains("offload_entries");
}

Registering registrationOf(Constant &Handle) {
  Registering R;
  for (User *U : Handle.users())
    if (const KnownFunction *Row = launchRow(U, LaunchPart::Register)) {
      R.Call = cast<CallInst>(U);
      getConstantStringInfo(
          R.Call->getArgOperand(static_cast<unsigned>(Row->B)), R.Name);
    } else if (isa<ConstantStruct>(U)) {
      for (User *G : U->users())
        if (auto *V = dyn_cast<GlobalVariable>(G); V && isEntry(*V)) {
          R.Entry = V;
          for (Value *Field : V->getInitializer()->operands())
            if (Field != &Handle && Field->getType()->isPointerTy() &&
                R.Name.empty())
              getConstantStringInfo(Field, R.Name);
        }
    }
  return R;
}

/// The function that host code calls to launch a kernel.
struct Stub {
  Function *F;
  Constant *Handle;
  CallBase *Launch; ///< the call of the vendor's library
  StringRef Vendor, Name;
};

std::optional<Stub> stubIn(Function &F) {
  for (Instruction &I : instructions(F)) {
    const KnownFunction *Row = launchRow(&I, LaunchPart::Launch);
    if (!Row)
      continue;
    auto &C = cast<CallBase>(I);
    auto *H = dyn_cast<Constant>(
        C.getArgOperand(static_cast<unsigned>(Row->A))->stripPointerCasts());
    auto *G = dyn_cast_or_null<GlobalVariable>(H);
    if (!H || (H != &F && !(G && G->hasInitializer() &&
                            G->getInitializer()->stripPointerCasts() == &F)))
      continue;
    // Code that is compiled for the host alone registers no kernels.
    StringRef Name = registrationOf(*H).Name;
    return Stub{&F, H, &C, Row->Text, Name.empty() ? F.getName() : Name};
  }
  return std::nullopt;
}

char letterOf(Type *T) {
  return T->isPointerTy()  ? 'p'
         : T->isDoubleTy() ? 'd'
         : T->isFloatTy()  ? 'f'
         : T->isIntegerTy() && T->getIntegerBitWidth() <= 64
             ? static_cast<char>('0' + (T->getIntegerBitWidth() + 7) / 8)
             : '?';
}

/// Why launches of the kernel have no derivative; empty if they have one.
std::string problemOf(const Stub &S) {
  if (!isMarkedKernel(*S.F, S.Name))
    return "it is not marked";
  // The array of the parameters' addresses. A struct has one address, but may
  // be several parameters of the stub.
  auto *Args =
      dyn_cast<AllocaInst>(S.Launch->getArgOperand(5)->stripPointerCasts());
  auto *N = Args ? dyn_cast<ConstantInt>(Args->getArraySize()) : nullptr;
  bool Plain =
      S.F->arg_size() == 0 || (N && N->getZExtValue() == S.F->arg_size());
  for (Argument &A : S.F->args())
    Plain &= letterOf(A.getType()) != '?' && !A.hasByValAttr();
  return Plain ? "" : "it takes a struct by value";
}

/// Makes the function that stands for the launches of one kernel.
class LaunchMaker {
public:
  LaunchMaker(const Stub &S, CallBase &Configure)
      : S(S), M(*S.F->getParent()), C(M.getContext()), B(C),
        Configure(Configure) {}

  /// Makes the function of the configuration and the kernel's parameters.
  Function *make();

private:
  Function *part(const char *Pass, Type *Ret, ArrayRef<Type *> Params);
  GlobalVariable *record();
  Value *addresses(ArrayRef<Value *> Of);
  Function *makeForward(bool Tangent);
  Function *makeReverse();

  Stub S;
  Module &M;
  LLVMContext &C;
  IRBuilder<> B;
  CallBase &Configure;
  SmallVector<Type *> Sizes; ///< of the configuration
  Function *Wrapper = nullptr;
};

Function *LaunchMaker::part(const char *Pass, Type *Ret,
                            ArrayRef<Type *> Params) {
  Function *F = Function::Create(
      FunctionType::get(Ret, Params, false), GlobalValue::InternalLinkage,
      nameOf(Named::launch) + Twine(Pass) + S.Name, M);
  AttrBuilder A(C, S.F->getAttributes().getFnAttrs());
  for (auto K : {Attribute::OptimizeNone, Attribute::NoInline,
                 Attribute::NoUnwind, Attribute::NoRecurse})
    A.removeAttribute(K);
  F->addFnAttrs(A);
  F->addFnAttr(PartMark);
  B.SetInsertPoint(BasicBlock::Create(C, "entry", F));
  return F;
}

GlobalVariable *LaunchMaker::record() {
  std::string Name = (Launched + S.Name).str();
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  std::string Letters;
  for (Argument &A : S.F->args())
    Letters += letterOf(A.getType());
  SmallVector<Constant *> Fields{B.CreateGlobalString(S.Name, "", 0, &M),
                                 B.CreateGlobalString(Letters, "", 0, &M),
                                 S.Handle};
  for (StringRef H : Handles)
    Fields.push_back(new GlobalVariable(
        M, B.getInt8Ty(), false, GlobalValue::InternalLinkage, B.getInt8(0),
        (H + "of_" + S.Name).str()));
  Fields.push_back(ConstantPointerNull::get(B.getPtrTy())); // what is learnt
  Constant *Row = ConstantStruct::getAnon(Fields);
  return new GlobalVariable(M, Row->getType(), false,
                            GlobalValue::InternalLinkage, Row, Name);
}

/// An array of the addresses of values; null for a value that is null.
Value *LaunchMaker::addresses(ArrayRef<Value *> Of) {
  Value *Array = B.CreateAlloca(
      ArrayType::get(B.getPtrTy(), std::max<size_t>(Of.size(), 1)));
  for (unsigned N = 0; N < Of.size(); ++N) {
    Value *At = ConstantPointerNull::get(B.getPtrTy());
    if (Of[N]) {
      At = B.CreateAlloca(Of[N]->getType());
      B.CreateStore(Of[N], At);
    }
    B.CreateStore(At, B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Array, N));
  }
  return Array;
}

Function *LaunchMaker::makeForward(bool Tangent) {
  SmallVector<Type *> Params(Wrapper->getFunctionType()->params());
  for (Argument &A : S.F->args())
    if (A.getType()->isPointerTy() ||
        (Tangent && A.getType()->isFloatingPointTy()))
      Params.push_back(A.getType());
  Type *Ret = Tangent ? B.getVoidTy() : static_cast<Type *>(B.getPtrTy());
  Function *F = part(Tangent ? "tangent_" : "forward_", Ret, Params);
  auto First = static_cast<unsigned>(Sizes.size());
  auto Next = First + static_cast<unsigned>(S.F->arg_size());
  SmallVector<Value *> Primals, Shadows, Args;
  for (Argument &A : S.F->args()) {
    Primals.push_back(F->getArg(First + A.getArgNo()));
    bool Has = A.getType()->isPointerTy() ||
               (Tangent && A.getType()->isFloatingPointTy());
    Shadows.push_back(Has ? F->getArg(Next++) : nullptr);
  }
  for (unsigned N = 0; N < First; ++N)
    Args.push_back(F->getArg(N));
  Args.append({record(), addresses(Primals), addresses(Shadows)});
  SmallVector<Type *> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  std::optional<Rt> Run =
      runtimeNamed(S.Vendor + "_launch_" + (Tangent ? "tangent" : "forward"));
  Value *Tape = B.CreateCall(
      runtimeCallee(M, *Run, FunctionType::get(Ret, Types, false)), Args);
  Tangent ? B.CreateRetVoid() : B.CreateRet(Tape);
  return F;
}

Function *LaunchMaker::makeReverse() {
  SmallVector<Type *> Numbers;
  for (Argument &A : S.F->args())
    if (A.getType()->isFloatingPointTy())
      Numbers.push_back(A.getType());
  Type *Ret = Numbers.empty()
                  ? B.getVoidTy()
                  : static_cast<Type *>(StructType::get(C, Numbers));
  Function *F = part("reverse_", Ret, {B.getPtrTy()});
  Value *Sums = B.CreateAlloca(
      ArrayType::get(B.getDoubleTy(), std::max<size_t>(Numbers.size(), 1)));
  callRuntime(B, *runtimeNamed(S.Vendor + "_launch_reverse"),
              {F->getArg(0), Sums});
  if (Numbers.empty()) {
    B.CreateRetVoid();
    return F;
  }
  Value *All = PoisonValue::get(Ret);
  for (unsigned N = 0; N < Numbers.size(); ++N) {
    Value *G =
        B.CreateLoad(B.getDoubleTy(),
                     B.CreateConstInBoundsGEP1_64(B.getDoubleTy(), Sums, N));
    All = B.CreateInsertValue(All, B.CreateFPCast(G, Numbers[N]), N);
  }
  B.CreateRet(All);
  return F;
}

Function *LaunchMaker::make() {
  for (Value *V : Configure.args())
    Sizes.push_back(V->getType());
  SmallVector<Type *> Params(Sizes);
  for (Argument &A : S.F->args())
    Params.push_back(A.getType());
  Wrapper = part("", B.getVoidTy(), Params);
  SmallVector<Value *> Args;
  for (Argument &A : Wrapper->args())
    Args.push_back(&A);
  CallInst *Push =
      B.CreateCall(Configure.getFunctionType(), Configure.getCalledOperand(),
                   ArrayRef(Args).take_front(Sizes.size()));
  Push->setAttributes(Configure.getAttributes());
  BasicBlock *Launch = BasicBlock::Create(C, "launch", Wrapper);
  BasicBlock *End = BasicBlock::Create(C, "end", Wrapper);
  B.CreateCondBr(B.CreateIsNull(Push), Launch, End);
  B.SetInsertPoint(Launch);
  B.CreateCall(S.F, ArrayRef(Args).drop_front(Sizes.size()));
  B.CreateBr(End);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  setLink(*Wrapper, LaunchForward, makeForward(false));
  setLink(*Wrapper, LaunchReverse, makeReverse());
  setLink(*Wrapper, LaunchTangent, makeForward(true));
  linkOf(*Wrapper, LaunchForward)
      ->addFnAttr(LaunchForward, std::string(Sizes.size(), 'c'));
  appendToCompilerUsed(M, {Wrapper, linkOf(*Wrapper, LaunchForward),
                           linkOf(*Wrapper, LaunchReverse),
                           linkOf(*Wrapper, LaunchTangent)});
  return Wrapper;
}

/// The call that configures the launch that Call makes: the last one before it.
CallBase *configurationOf(CallBase &Call, DominatorTree &DT) {
  BasicBlock *At = Call.getParent();
  auto It = Call.getReverseIterator();
  for (;;) {
    for (; It != At->rend(); ++It)
      if (launchRow(&*It, LaunchPart::Configure))
        return cast<CallBase>(&*It);
    auto *Node = DT.getNode(At);
    if (!Node || !Node->getIDom())
      return nullptr;
    At = Node->getIDom()->getBlock();
    It = At->rbegin();
  }
}

void lowerLaunch(const Stub &S, CallBase &Call, CallBase &Configure,
                 Function *&Wrapper) {
  if (!Wrapper)
    Wrapper = LaunchMaker(S, Configure).make();
  SmallVector<Value *> Args(Configure.args());
  Args.append(Call.arg_begin(), Call.arg_end());
  CallInst *New = CallInst::Create(Wrapper, Args, "", Call.getIterator());
  New->setDebugLoc(Call.getDebugLoc());
  for (CallBase *Old : {&Call, &Configure}) {
    if (!Old->getType()->isVoidTy())
      Old->replaceAllUsesWith(Constant::getNullValue(Old->getType()));
    if (auto *I = dyn_cast<InvokeInst>(Old)) {
      I->getUnwindDest()->removePredecessor(I->getParent());
      BranchInst::Create(I->getNormalDest(), I->getIterator());
    }
    Old->eraseFromParent();
  }
}

/// Registers one more kernel with the vendor's library, as Existing is
/// registered.
void addRegistration(const Registering &Like, Constant &Existing,
                     GlobalVariable &Handle, StringRef Name) {
  Module &M = *Handle.getParent();
  IRBuilder<> B(M.getContext());
  Constant *Text = B.CreateGlobalString(Name, "", 0, &M);
  if (Like.Call) {
    auto *New = cast<CallInst>(Like.Call->clone());
    for (Use &U : New->args()) {
      StringRef Was;
      if (U == &Existing)
        U = &Handle;
      else if (isa<Constant>(U) && U->getType()->isPointerTy() &&
               getConstantStringInfo(U, Was) && Was == Like.Name)
        U = Text;
    }
    New->insertAfter(Like.Call);
    return;
  }
  auto *Row = cast<ConstantStruct>(Like.Entry->getInitializer());
  SmallVector<Constant *> Fields;
  for (Value *V : Row->operands()) {
    StringRef Was;
    auto *Field = cast<Constant>(V);
    if (Field == &Existing)
      Field = &Handle;
    else if (Field->getType()->isPointerTy() &&
             getConstantStringInfo(Field, Was) && Was == Like.Name)
      Field = Text;
    Fields.push_back(Field);
  }
  auto *New = new GlobalVariable(M, Row->getType(), Like.Entry->isConstant(),
                                 Like.Entry->getLinkage(),
                                 ConstantStruct::get(Row->getType(), Fields),
                                 Like.Entry->getName() + "." + Name);
  New->copyAttributesFrom(Like.Entry);
  if (Like.Entry->hasComdat())
    New->setComdat(nullptr);
}

} // namespace

bool isMarkedKernel(const Function &F, StringRef Name) {
  if (is_contained(Kernels, "all") || is_contained(Kernels, Name))
    return true;
  const GlobalVariable *G =
      F.getParent()->getNamedGlobal("llvm.global.annotations");
  auto *All = G && G->hasInitializer()
                  ? dyn_cast<ConstantArray>(G->getInitializer())
                  : nullptr;
  return All && any_of(All->operands(), [&](const Use &U) {
           auto *Row = dyn_cast<ConstantStruct>(U);
           StringRef Text;
           return Row && Row->getOperand(0)->stripPointerCasts() == &F &&
                  getConstantStringInfo(Row->getOperand(1), Text) &&
                  Text == KernelMark;
         });
}

void prepareLaunches(Module &M) {
  if (isGpu(M) || !hasRequests(M))
    return;
  SmallVector<Stub> Stubs;
  for (Function &F : M)
    if (std::optional<Stub> S = stubIn(F); S && !F.hasFnAttribute(PartMark))
      Stubs.push_back(*S);
  for (const Stub &S : Stubs) {
    S.F->addFnAttr(LaunchedKernel, S.Name);
    if (std::string Why = problemOf(S); !Why.empty()) {
      S.F->addFnAttr(LaunchWhy, Why);
      continue;
    }
    Function *Wrapper = nullptr;
    SmallVector<CallBase *> Calls;
    for (Use &U : S.F->uses())
      if (auto *C = dyn_cast<CallBase>(U.getUser());
          C && C->isCallee(&U) && !C->getFunction()->hasFnAttribute(PartMark))
        Calls.push_back(C);
    for (CallBase *C : Calls) {
      DominatorTree DT(*C->getFunction());
      if (CallBase *Configure = configurationOf(*C, DT))
        lowerLaunch(S, *C, *Configure, Wrapper);
    }
  }
}

void finishLaunches(Module &M) {
  if (isGpu(M) || hasRequests(M))
    return;
  SmallVector<Function *> Parts;
  for (Function &F : M)
    if (F.hasFnAttribute(PartMark))
      Parts.push_back(&F);
  if (Parts.empty())
    return;
  removeFromUsedLists(M, [&](Constant *X) {
    return is_contained(Parts, X->stripPointerCasts());
  });
  for (Function *F : Parts) {
    F->clearMetadata();
    F->removeFnAttr(PartMark);
  }
  for (bool More = true; More;) {
    More = false;
    for (Function *&F : Parts) {
      if (!F)
        continue;
      F->removeDeadConstantUsers();
      if (F->use_empty()) {
        F->eraseFromParent();
        F = nullptr;
        More = true;
      }
    }
  }
  SmallVector<GlobalVariable *> Records;
  for (GlobalVariable &G : M.globals())
    if (G.getName().starts_with(Launched))
      Records.push_back(&G);
  for (GlobalVariable *G : Records) {
    SmallVector<GlobalVariable *> OwnHandles;
    for (unsigned N = 0; N < NumHandles; ++N)
      OwnHandles.push_back(cast<GlobalVariable>(
          G->getInitializer()->getOperand(FirstHandle + N)));
    G->removeDeadConstantUsers();
    bool Used = !G->use_empty();
    auto *Primal = cast<Constant>(G->getInitializer()->getOperand(PrimalField));
    Registering Like = registrationOf(*Primal);
    bool Registered = Like.Call || Like.Entry;
    for (unsigned N = 0; Used && Registered && N < OwnHandles.size(); ++N)
      addRegistration(Like, *Primal, *OwnHandles[N],
                      (Handles[N] + Like.Name).str());
    if (!Used)
      G->eraseFromParent();
    for (GlobalVariable *H : OwnHandles)
      if (!Used && H->use_empty())
        H->eraseFromParent();
  }
}

} // namespace retro
