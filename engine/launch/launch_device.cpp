// The device's side of whole launches, declared in launch.h. Input: a kernel
// that the source marks. Output: the kernels below, without which the host
// would have nothing to launch in the reverse pass.
//
// Of a kernel K(parameters) are made
//   __retro_describe_K(out)      the bytes of tape that a thread needs, if
//                                that is known, whether dynamic shared memory
//                                may have a shadow (S, else -), and what each
//                                parameter is
//   __retro_measure_K(parameters, out)
//                                the bytes that the thread with the longest
//                                tape needs in this launch
//   __retro_augmented_K(parameters, a shadow of each pointer, place)
//   __retro_reverse_K(the same, adjoints)
//   __retro_tangent_K(the same; numbers have a tangent)
// place: the sizes of block and grid, the tape of all threads, how much of it
// is a thread's, how many threads there are, and the bytes of dynamic shared
// memory that the primal was given (a tangent takes these alone); adjoints:
// where those of numbers passed by value add up, as double. A pointer whose
// shadow is the pointer itself is of memory without derivatives.
#include "base/toggles.h"
#include "emit/words/memory_adjoint.h"
#include "facts/memory/memory_shape.h"
#include "facts/parallel/device.h"
#include "facts/writes/global_shadows.h"
#include "front/known/entry_points.h"
#include "front/names/runtime.h"
#include "ir/device_code.h"
#include "launch/launch.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// Prefixes of the device function of which a kernel's derivatives are made,
/// and of the description of its parameters.
constexpr StringLiteral Body = nameOf(Named::kernel),
                        Types = nameOf(Named::types);

/// One character that says what a parameter is, on which both sides agree: a
/// pointer (p), double (d), float (f), an integer by its bytes; else '?'.
char letterOf(const Argument &A) {
  Type *T = A.getType();
  if (A.hasByValAttr() || A.hasByRefAttr())
    return '?';
  if (T->isPointerTy())
    return 'p';
  if (T->isDoubleTy())
    return 'd';
  if (T->isFloatTy())
    return 'f';
  if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
    return static_cast<char>('0' + (T->getIntegerBitWidth() + 7) / 8);
  return '?';
}

class KernelMaker {
public:
  explicit KernelMaker(Function &K)
      : K(K), M(*K.getParent()), C(M.getContext()), B(C) {}

  void make();

private:
  Function *makeTarget();
  Function *kernel(StringRef Prefix, ArrayRef<Type *> Params);
  Value *marker(StringRef Name);
  Value *threadNumber(Function &F, unsigned First);
  Value *index(unsigned D, bool Block);
  Value *request(Entry Kind, Type *Result, ArrayRef<Value *> Args);
  void operands(Function &F, Value *Shared, SmallVectorImpl<Value *> &Args,
                bool Tangents);
  SmallVector<Value *> sizeOptions();
  void makeDescribe();
  void makeMeasure();
  void makePass(StringRef Prefix, bool Reverse);
  void makeTangent();

  Function &K;
  Module &M;
  LLVMContext &C;
  IRBuilder<> B;
  Function *Target = nullptr;
};

/// Makes a device function of the kernel, with generic pointers. Parameters of
/// kernels of amdgcn are pointers of an address space.
Function *KernelMaker::makeTarget() {
  SmallVector<Type *> Params;
  for (Argument &A : K.args())
    Params.push_back(A.getType()->isPointerTy() ? B.getPtrTy() : A.getType());
  Function *F = Function::Create(
      FunctionType::get(B.getVoidTy(), Params, false),
      GlobalValue::InternalLinkage, (Body + K.getName()).str(), M);
  ValueToValueMapTy VM;
  SmallVector<Instruction *> Casts;
  for (Argument &A : K.args()) {
    Argument *N = F->getArg(A.getArgNo());
    N->setName(A.getName());
    VM[&A] = N;
    if (A.getType() == N->getType())
      continue;
    Casts.push_back(new AddrSpaceCastInst(N, A.getType()));
    VM[&A] = Casts.back();
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(F, &K, VM, CloneFunctionChangeType::GlobalChanges, Returns);
  for (Instruction *X : Casts) {
    X->insertBefore(F->getEntryBlock().begin());
    for (User *U : make_early_inc_range(X->users()))
      if (auto *S = dyn_cast<StoreInst>(U); S && S->getValueOperand() == X)
        S->setOperand(0, X->getOperand(0));
      else if (auto *Back = dyn_cast<AddrSpaceCastInst>(U);
               Back && Back->getType() == B.getPtrTy()) {
        Back->replaceAllUsesWith(X->getOperand(0));
        Back->eraseFromParent();
      }
    if (X->use_empty())
      X->eraseFromParent();
  }
  F->setCallingConv(CallingConv::C);
  F->setLinkage(GlobalValue::InternalLinkage);
  F->setVisibility(GlobalValue::DefaultVisibility);
  F->setComdat(nullptr);
  F->setAttributes(K.getAttributes());
  for (Argument &A : F->args())
    F->removeParamAttrs(A.getArgNo(), AttributeFuncs::typeIncompatible(
                                          A.getType(), AttributeSet()));
  F->addFnAttr(KernelMark);
  return F;
}

Function *KernelMaker::kernel(StringRef Prefix, ArrayRef<Type *> Params) {
  Function *F =
      Function::Create(FunctionType::get(B.getVoidTy(), Params, false),
                       K.getLinkage(), (Prefix + K.getName()).str(), M);
  F->setCallingConv(K.getCallingConv());
  F->setVisibility(K.getVisibility());
  F->addFnAttrs(AttrBuilder(C, K.getAttributes().getFnAttrs()));
  F->removeFnAttr(Attribute::NoUnwind);
  F->removeFnAttr(KernelMark);
  B.SetInsertPoint(BasicBlock::Create(C, "entry", F));
  return F;
}

Value *KernelMaker::marker(StringRef Name) {
  std::string Full = ("enzyme_" + Name).str();
  GlobalVariable *G = M.getNamedGlobal(Full);
  if (!G)
    G = new GlobalVariable(M, B.getInt32Ty(), false,
                           GlobalValue::ExternalLinkage, nullptr, Full, nullptr,
                           GlobalValue::NotThreadLocal,
                           M.getDataLayout().getDefaultGlobalsAddressSpace());
  return B.CreateLoad(B.getInt32Ty(), G);
}

/// Emits a request, which is answered like one in the source.
Value *KernelMaker::request(Entry Kind, Type *Result, ArrayRef<Value *> Args) {
  SmallVector<Value *> All{Target};
  All.append(Args.begin(), Args.end());
  FunctionType *T = FunctionType::get(Result, {B.getPtrTy()}, true);
  std::string Name = (nameOf(Kind) + "_of_" + K.getName()).str();
  CallInst *Call = B.CreateCall(M.getOrInsertFunction(Name, T), All);
  Call->setConvergent();
  if (DISubprogram *SP = K.getSubprogram())
    if (DISubprogram *Caller = Call->getFunction()->getSubprogram())
      Call->setDebugLoc(DILocation::get(C, SP->getLine(), 0, Caller));
  return Call;
}

/// The index of the thread or the block in direction D.
Value *KernelMaker::index(unsigned D, bool Block) {
  static constexpr Intrinsic::ID Ids[2][2][3] = {
      {{Intrinsic::nvvm_read_ptx_sreg_tid_x,
        Intrinsic::nvvm_read_ptx_sreg_tid_y,
        Intrinsic::nvvm_read_ptx_sreg_tid_z},
       {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
        Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
        Intrinsic::nvvm_read_ptx_sreg_ctaid_z}},
      {{Intrinsic::amdgcn_workitem_id_x, Intrinsic::amdgcn_workitem_id_y,
        Intrinsic::amdgcn_workitem_id_z},
       {Intrinsic::amdgcn_workgroup_id_x, Intrinsic::amdgcn_workgroup_id_y,
        Intrinsic::amdgcn_workgroup_id_z}}};
  return B.CreateZExt(
      B.CreateIntrinsic(Ids[M.getTargetTriple().isAMDGPU()][Block][D],
                        ArrayRef<Value *>()),
      B.getInt64Ty());
}

/// The number of the thread in the launch. F's parameters from First on are the
/// sizes of the block, then two of the grid.
Value *KernelMaker::threadNumber(Function &F, unsigned First) {
  auto Size = [&](unsigned N) {
    return B.CreateZExt(F.getArg(First + N), B.getInt64Ty());
  };
  Value *N = B.CreateMul(index(2, true), Size(4));
  N = B.CreateMul(B.CreateAdd(N, index(1, true)), Size(3));
  N = B.CreateAdd(N, index(0, true));
  N = B.CreateAdd(B.CreateMul(N, Size(2)), index(2, false));
  N = B.CreateAdd(B.CreateMul(N, Size(1)), index(1, false));
  return B.CreateAdd(B.CreateMul(N, Size(0)), index(0, false));
}

/// Collects the operands of a request, from F's parameters.
void KernelMaker::operands(Function &F, Value *Shared,
                           SmallVectorImpl<Value *> &Args, bool Tangents) {
  Args.push_back(marker("runtime_activity"));
  Args.append({marker("shared_bytes"), Shared});
  unsigned Shadow = static_cast<unsigned>(Target->arg_size());
  for (Argument &A : Target->args()) {
    bool Number = A.getType()->isFloatingPointTy();
    bool Dup = A.getType()->isPointerTy() || (Number && Tangents);
    Args.push_back(marker(Dup ? "dup" : Number ? "out" : "const"));
    Args.push_back(F.getArg(A.getArgNo()));
    if (Dup)
      Args.push_back(F.getArg(Shadow++));
  }
}

/// The options of requests that ask for sizes alone and run no derivative.
SmallVector<Value *> KernelMaker::sizeOptions() {
  return {marker("runtime_activity"), marker("allocated_fitting"),
          marker("pool_wished"), marker("shared_bytes"), B.getInt64(0)};
}

void KernelMaker::makeDescribe() {
  Function *F = kernel(derived_kernel::Describe, {B.getPtrTy()});
  SmallVector<Value *> Args = sizeOptions();
  for (Argument &A : Target->args())
    Args.push_back(marker(A.getType()->isPointerTy()         ? "dup"
                          : A.getType()->isFloatingPointTy() ? "out"
                                                             : "const"));
  B.CreateStore(request(Entry::AugmentSize, B.getInt64Ty(), Args),
                F->getArg(0));
  // The characters are known when the request is answered; the array has room
  // for them.
  auto *T = ArrayType::get(B.getInt8Ty(), K.arg_size() + 2);
  auto *G = new GlobalVariable(
      M, T, false, GlobalValue::ExternalLinkage, nullptr,
      (Types + K.getName()).str(), nullptr, GlobalValue::NotThreadLocal,
      M.getDataLayout().getDefaultGlobalsAddressSpace());
  for (unsigned N = 0; N < K.arg_size() + 2; ++N)
    B.CreateStore(
        B.CreateLoad(B.getInt8Ty(), B.CreateConstInBoundsGEP2_64(T, G, 0, N)),
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), F->getArg(0), 8 + N));
  B.CreateRetVoid();
}

void KernelMaker::makeMeasure() {
  SmallVector<Type *> Params(Target->getFunctionType()->params());
  Params.push_back(B.getPtrTy());
  Function *F = kernel(derived_kernel::Measure, Params);
  SmallVector<Value *> Args = sizeOptions();
  for (Argument &A : Target->args()) {
    bool Pointer = A.getType()->isPointerTy();
    Value *V = F->getArg(A.getArgNo());
    Args.append({marker(Pointer                            ? "dup"
                        : A.getType()->isFloatingPointTy() ? "out"
                                                           : "const"),
                 V});
    if (Pointer)
      Args.push_back(V); // no shadow is read
  }
  Value *Bytes = request(Entry::PoolSize, B.getInt64Ty(), Args);
  Value *Most = F->getArg(static_cast<unsigned>(Params.size()) - 1);
  // Few threads need more than all threads before them.
  LoadInst *SoFar = B.CreateAlignedLoad(B.getInt64Ty(), Most, Align(8));
  SoFar->setAtomic(AtomicOrdering::Monotonic);
  BasicBlock *More = BasicBlock::Create(C, "more", F);
  BasicBlock *Done = BasicBlock::Create(C, "done", F);
  B.CreateCondBr(B.CreateICmpUGT(Bytes, SoFar), More, Done);
  B.SetInsertPoint(More);
  B.CreateAtomicRMW(AtomicRMWInst::UMax, Most, Bytes, Align(8),
                    AtomicOrdering::Monotonic);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
}

void KernelMaker::makePass(StringRef Prefix, bool Reverse) {
  SmallVector<Type *> Params(Target->getFunctionType()->params());
  SmallVector<Type *> Numbers;
  for (Argument &A : Target->args())
    if (A.getType()->isPointerTy())
      Params.push_back(A.getType());
    else if (A.getType()->isFloatingPointTy())
      Numbers.push_back(A.getType());
  unsigned Place = static_cast<unsigned>(Params.size());
  Params.append(5, B.getInt32Ty());
  Params.append({B.getPtrTy(), B.getInt64Ty(), B.getInt64Ty(), B.getInt64Ty()});
  if (Reverse)
    Params.push_back(B.getPtrTy());
  Function *F = kernel(Prefix, Params);
  SmallVector<Value *> Args{marker("allocated_fitting")};
  operands(*F, F->getArg(Place + 8), Args, false);
  Args.append({marker("pool_of_launch"), F->getArg(Place + 5),
               F->getArg(Place + 6), threadNumber(*F, Place),
               F->getArg(Place + 7)});
  if (!Reverse) {
    request(Entry::AugmentFwd, B.getVoidTy(), Args);
    B.CreateRetVoid();
    return;
  }
  Type *Result = Numbers.empty() ? B.getVoidTy() : StructType::get(C, Numbers);
  Value *Adjoints = request(Entry::Reverse, Result, Args);
  for (unsigned N = 0; N < Numbers.size(); ++N) {
    Value *At =
        B.CreateConstInBoundsGEP1_64(B.getDoubleTy(), F->getArg(Place + 9), N);
    Value *G =
        B.CreateFPCast(B.CreateExtractValue(Adjoints, N), B.getDoubleTy());
    if (isOn(Toggle::warp_sums)) {
      addAsWarp(B, At, G);
      ++counters().warp_sums;
    } else {
      fitAtomic(*B.CreateAtomicRMW(AtomicRMWInst::FAdd, At, G, Align(8),
                                   AtomicOrdering::Monotonic));
    }
  }
  B.CreateRetVoid();
}

void KernelMaker::makeTangent() {
  SmallVector<Type *> Params(Target->getFunctionType()->params());
  for (Argument &A : Target->args())
    if (!A.getType()->isIntegerTy())
      Params.push_back(A.getType());
  Params.push_back(B.getInt64Ty());
  Function *F = kernel(derived_kernel::Tangent, Params);
  SmallVector<Value *> Args;
  operands(*F, F->getArg(static_cast<unsigned>(Params.size()) - 1), Args, true);
  request(Entry::Fwddiff, B.getVoidTy(), Args);
  B.CreateRetVoid();
}

void KernelMaker::make() {
  if (any_of(K.args(), [](const Argument &A) { return letterOf(A) == '?'; }))
    return; // the host's side says so
  Target = makeTarget();
  makeDescribe();
  makeMeasure();
  makePass(derived_kernel::Augmented, false);
  makePass(derived_kernel::Reverse, true);
  makeTangent();
}

/// What memory that a parameter points to holds: numbers of one type (D, F),
/// nothing of interest (N), pointers (P), else M.
char contentsOf(const MemoryShape &Shape, const Argument &A) {
  const MemoryClass &C = Shape.classOf(&A);
  Type *T = nullptr;
  for (const Cell &X : C.Cells) {
    if (X.Kind == CellKind::Pointer)
      return 'P';
    if (X.Kind != CellKind::Float)
      continue;
    if (T && T != X.FloatTy)
      return 'M';
    T = X.FloatTy;
  }
  if (!T)
    return 'N';
  // An integer beside numbers is no copy of a number.
  for (const Cell &X : C.Cells)
    if (X.Kind == CellKind::Int && none_of(C.Cells, [&](const Cell &Y) {
          return Y.Kind == CellKind::Float && Y.Offset < X.Offset + X.Size &&
                 X.Offset < Y.Offset + Y.Size;
        }))
      return 'M';
  return T->isDoubleTy() ? 'D' : T->isFloatTy() ? 'F' : 'M';
}

/// May dynamic shared memory have a shadow? It may not if it holds integers
/// alone. Whether the shadow fits is looked at when the kernel runs.
bool sharesNumbers(const Unit &U, const MemoryShape &Shape) {
  return any_of(U.M.globals(), [&](GlobalVariable &G) {
    if (!isDynamicShared(G) || !mentions(U, &G))
      return false;
    const MemoryClass &C = Shape.classOf(&G);
    return C.Cells.empty() || any_of(C.Cells, [](const Cell &X) {
             return X.Kind != CellKind::Int;
           });
  });
}

} // namespace

void prepareKernels(Module &M) {
  SmallVector<Function *> Marked;
  for (Function &F : M) {
    CallingConv::ID CC = F.getCallingConv();
    if (!F.isDeclaration() &&
        (CC == CallingConv::PTX_Kernel || CC == CallingConv::AMDGPU_KERNEL) &&
        isMarkedKernel(F, F.getName()) &&
        !M.getFunction((derived_kernel::Describe + F.getName()).str()))
      Marked.push_back(&F);
  }
  for (Function *K : Marked)
    KernelMaker(*K).make();
}

void describeParameters(Function &Target, Unit &U, const MemoryShape &Shape) {
  StringRef Name = Target.getName();
  if (!Target.hasFnAttribute(KernelMark) || !Name.consume_front(Body))
    return;
  GlobalVariable *G = Target.getParent()->getNamedGlobal((Types + Name).str());
  if (!G)
    return;
  std::string Text = sharesNumbers(U, Shape) ? "S" : "-";
  for (const Argument &A : U.root().F->args())
    Text += A.getType()->isPointerTy() ? contentsOf(Shape, A) : letterOf(A);
  G->setInitializer(ConstantDataArray::getString(G->getContext(), Text));
  G->setConstant(true);
  G->setLinkage(GlobalValue::InternalLinkage);
}

} // namespace retro
