// Registers the engine's own derivatives of launches of kernels, and of calls
// that copy or set a device's memory. Without them a host function that
// launches a kernel would have no derivative.
#include "front/registered/launches.h"

#include "front/known/entry_points.h"

#include "front/known/replaceable.h"
#include "front/names/runtime.h"

#include "base/call_chain.h"

using namespace llvm;

namespace retro {
namespace {

/// Binds the primal's arguments, followed by shadows of those for which
/// Shadowed is true.
CustomFunction bindAll(Function *F, const Function &Primal,
                       function_ref<bool(const Argument &)> Shadowed) {
  CustomFunction Out;
  Out.F = F;
  for (const Argument &A : Primal.args())
    Out.Params.push_back({CustomParam::Primal, A.getArgNo()});
  for (const Argument &A : Primal.args())
    if (Shadowed(A))
      Out.Params.push_back({CustomParam::Shadow, A.getArgNo()});
  return Out;
}

/// Binds a reverse pass that takes only what the forward pass left.
CustomFunction bindReverse(Function *F) {
  CustomFunction Out;
  Out.F = F;
  Out.Params.push_back({CustomParam::Tape});
  return Out;
}

void addLaunch(Function &W, Registration &R) {
  LLVMContext &C = W.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  // The configuration of a launch has no derivative, so that no shadow of it is
  // passed.
  Function *Forward = linkOf(W, LaunchForward);
  auto First = static_cast<unsigned>(
      Forward->getFnAttribute(LaunchForward).getValueAsString().size());
  R.Gradient.emplace();
  R.Gradient->Tape = Ptr;
  R.Gradient->Augmented = bindAll(Forward, W, [&](const Argument &A) {
    return A.getArgNo() >= First && A.getType()->isPointerTy();
  });
  R.Gradient->Augmented.Results = StructType::get(C, ArrayRef<Type *>(Ptr));
  R.Gradient->Augmented.Tape = 0;
  CustomFunction &Reverse = R.Gradient->Derivative;
  Reverse = bindReverse(linkOf(W, LaunchReverse));
  Reverse.Results = dyn_cast<StructType>(Reverse.F->getReturnType());
  for (int N = 0; Reverse.Results &&
                  N < static_cast<int>(Reverse.Results->getNumElements());
       ++N)
    Reverse.Fields.push_back(N);
  R.Derivative.emplace();
  R.Derivative->Derivative =
      bindAll(linkOf(W, LaunchTangent), W, [&](const Argument &A) {
        return A.getArgNo() >= First && !A.getType()->isIntegerTy();
      });
}

/// Registers a call of the device's memory. Its row says which operands are
/// memory of numbers (A and B), and after what the runtime's functions are
/// named (Text).
void addDeviceCall(Function &F, const KnownFunction &Row, Registration &R) {
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Ret = F.getReturnType();
  auto Shadowed = [&](const Argument &A) {
    return static_cast<int>(A.getArgNo()) == Row.A ||
           static_cast<int>(A.getArgNo()) == Row.B;
  };
  SmallVector<Type *> Params(F.getFunctionType()->params());
  for (const Argument &A : F.args())
    if (Shadowed(A))
      Params.push_back(A.getType());
  auto Declared = [&](const char *Pass, Type *Result, ArrayRef<Type *> Types) {
    std::optional<Rt> Of = runtimeNamed(Row.Text + "_" + Pass);
    return cast<Function>(
        runtimeCallee(M, *Of, FunctionType::get(Result, Types, false))
            .getCallee());
  };
  auto *Results = StructType::get(C, {Ptr, Ret});
  R.Gradient.emplace();
  R.Gradient->Tape = Ptr;
  R.Gradient->Augmented =
      bindAll(Declared("forward", Results, Params), F, Shadowed);
  R.Gradient->Augmented.Results = Results;
  R.Gradient->Augmented.Tape = 0;
  R.Gradient->Augmented.Primal = 1;
  R.Gradient->Derivative =
      bindReverse(Declared("reverse", Type::getVoidTy(C), {Ptr}));
  R.Derivative.emplace();
  CustomFunction &T = R.Derivative->Derivative;
  T = bindAll(Declared("tangent", Ret, Params), F, Shadowed);
  T.Results = StructType::get(C, ArrayRef<Type *>(Ret));
  T.Primal = 0;
}

} // namespace

void reportNoDerivative(const CallBase &C, Reporter &R) {
  if (C.isInlineAsm())
    return R.error(Diag::InlineAsm, &C);
  if (C.isIndirectCall())
    return R.error(Diag::IndirectCall, &C);
  if (const GlobalValue *G = replaceableCallee(C))
    return R.error(Diag::Replaceable, &C, {G->getName().str()});
  const Function *F = C.getCalledFunction();
  if (F && (isNamed(F->getName(), Named::fork) ||
            isNamed(F->getName(), Named::thread)))
    return R.error(Diag::Parallel, &C,
                   {"a derivative that is to be differentiated in this mode"});
  const KnownFunction *Row =
      F && F->isDeclaration() ? lookupKnown(*F) : nullptr;
  if (!Row || Row->Kind != KnownKind::Launch || Row->A < 0)
    return R.error(Diag::NoDerivative, &C,
                   {C.getCalledOperand()->getName().str()});
  const Value *Handle =
      C.getArgOperand(static_cast<unsigned>(Row->A))->stripPointerCasts();
  if (auto *G = dyn_cast<GlobalVariable>(Handle); G && G->hasInitializer())
    Handle = G->getInitializer()->stripPointerCasts();
  auto *Stub = dyn_cast<Function>(Handle);
  auto Text = [&](const char *Name) {
    return Stub ? Stub->getFnAttribute(Name).getValueAsString().str() : "";
  };
  std::string Kernel = Text(LaunchedKernel), Why = Text(LaunchWhy);
  R.error(Diag::Launch, &C,
          {Kernel.empty() ? Handle->getName().str() : displayName(Kernel),
           Why.empty() ? "it is launched by " + F->getName().str() : Why});
}

bool hasRequests(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.isDeclaration() && !F.use_empty() &&
           F.getName().contains(conventionPrefix());
  });
}

void readLaunches(Module &M, MapVector<const Function *, Registration> &Out) {
  if (isGpu(M) || !hasRequests(M))
    return;
  SmallVector<std::pair<Function *, const KnownFunction *>> Calls;
  for (Function &F : M) {
    if (linkOf(F, LaunchForward)) {
      Registration &R = Out[&F];
      R.Primal = &F;
      addLaunch(F, R);
    } else if (const KnownFunction *Row =
                   F.isDeclaration() ? lookupKnown(F) : nullptr;
               Row && Row->Kind == KnownKind::Device) {
      Calls.push_back({&F, Row});
    }
  }
  for (auto [F, Row] : Calls) {
    Registration &R = Out[F];
    R.Primal = F;
    addDeviceCall(*F, *Row, R);
  }
}

} // namespace retro
