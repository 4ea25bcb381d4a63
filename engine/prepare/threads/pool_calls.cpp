// Input: a module as the front end wrote it. Output: a serial form beside each
// algorithm of oneTBB that runs the program's functions. The algorithm makes a
// tree of tasks, each with a virtual function, hands them to the library and
// waits: of what runs then its code says nothing. But the tasks' own members
// say it, which only calls of templates at the start of the pipeline do: a
// loop's body is what start_for::run_body calls. What the serial form runs is
// one of the orders that the library itself may choose, the one of a single
// thread that is never asked to share. What is not found as it is described
// here has no serial form, so that its derivative is refused where it hands
// tasks over.
#include "prepare/threads/pool_calls.h"

#include "front/known/operands.h"
#include "front/known/stand_in_links.h"
#include "front/names/foreign.h"
#include "prepare/threads/pool_loops.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace retro {

Function *memberLike(Function &F, StringRef Member, StringRef Other) {
  StringRef Name = F.getName();
  const size_t At = Name.rfind(Member);
  if (At == StringRef::npos)
    return nullptr;
  const std::string Begin = (Name.take_front(At) + Other).str();
  for (Function &G : *F.getParent())
    if (G.getName().starts_with(Begin) && !G.isDeclaration())
      return &G;
  return nullptr;
}

namespace {

/// From a function to its serial form, and the mark of such a form.
constexpr const char *SerialLink = "retro.serial";
constexpr const char *SerialMark = "retro-serial";
/// The place of tbb::detail::d1::task::execute among its virtual functions,
/// behind two destructors, and that of delegate_base::operator().
constexpr unsigned ExecuteAt = 2, DelegateAt = 0;

/// The first call in F of a function of this kind.
CallBase *callOf(Function &F, NameKind K) {
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = C->getCalledFunction(); G && isA(G->getName(), K))
        return C;
  return nullptr;
}

/// The calls in F, in the order of its blocks, but for those of the compiler.
SmallVector<CallBase *> callsIn(Function &F) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I)) {
      Function *G = C->getCalledFunction();
      if (!G ||
          !(G->isIntrinsic() || isA(G->getName(), NameKind::CheckOfSanitizer)))
        Calls.push_back(C);
    }
  return Calls;
}

/// The parameter of its function that a value at the start of the pipeline is:
/// loaded from the variable to which it was stored.
Argument *parameterOf(Value *V) { return dyn_cast<Argument>(originOf(V)); }

/// The virtual function at a place, of the class whose constructor this is. The
/// constructor of a base class is called before the class's own table is
/// stored.
Function *virtualOf(Function &Constructor, unsigned Place) {
  const DataLayout &DL = Constructor.getDataLayout();
  Function *Found = nullptr;
  for (Instruction &I : instructions(Constructor)) {
    auto *S = dyn_cast<StoreInst>(&I);
    auto *C = S ? dyn_cast<Constant>(S->getValueOperand()) : nullptr;
    if (!C || !C->getType()->isPointerTy())
      continue;
    APInt Offset(DL.getIndexTypeSizeInBits(C->getType()), 0);
    auto *Table = dyn_cast<GlobalVariable>(
        C->stripAndAccumulateConstantOffsets(DL, Offset, true));
    if (!Table || !Table->hasInitializer() ||
        !isA(Table->getName(), NameKind::VirtualTable))
      continue;
    Offset += Place * DL.getPointerSize();
    Constant *Entry = ConstantFoldLoadFromConst(Table->getInitializer(),
                                                C->getType(), Offset, DL);
    Found = Entry ? dyn_cast<Function>(Entry->stripPointerCasts()) : nullptr;
  }
  return Found && !Found->isDeclaration() ? Found : nullptr;
}

/// The virtual function of the object that a call constructs, by itself or in
/// small_object_allocator::new_object.
Function *virtualOfNew(CallBase &New, unsigned Place) {
  Function *G = New.getCalledFunction();
  if (!G || G->isDeclaration())
    return nullptr;
  if (Function *F = virtualOf(*G, Place))
    return F;
  for (CallBase *C : callsIn(*G))
    if (Function *H = C->getCalledFunction(); H && !H->isDeclaration())
      if (Function *F = virtualOf(*H, Place))
        return F;
  return nullptr;
}

/// How a task calls the function object to which it has a reference: the first
/// call whose last operand, or callee, is loaded from a field. Null if there is
/// none, or if the object takes arguments.
CallBase *objectCall(Function &Member) {
  auto IsField = [](Value *V) {
    auto *L = dyn_cast<LoadInst>(V);
    return L && isa<GEPOperator>(L->getPointerOperand());
  };
  for (CallBase *C : callsIn(Member)) {
    const unsigned N = C->arg_size();
    const bool Sret = N > 0 && C->paramHasAttr(0, Attribute::StructRet);
    if (N == 0 ? IsField(C->getCalledOperand())
               : N == 1u + Sret && IsField(C->getArgOperand(N - 1)))
      return C;
  }
  return nullptr;
}

/// The serial form of one function in the making. Members that write it return
/// false where they do not find what they look for.
class SerialForm {
public:
  explicit SerialForm(Function &F) : F(F), B(F.getContext()) {}
  Function *make();

private:
  bool write();
  bool writeRange(Function *Body);
  bool writeObject();
  bool writeInvoked();
  bool writeSame(NameKind K);
  bool invokeOne(Function &Member, Value *Object);
  bool invokeThree(CallBase &New);
  bool sameCall(CallBase &To);
  CallInst *callObject(Function &Member, Argument *Object);
  bool ret(CallInst *R);
  /// The parameter of the serial form that is V in F.
  Argument *own(Value *V) const {
    Argument *A = parameterOf(V);
    return A ? G->getArg(A->getArgNo()) : nullptr;
  }

  Function &F;
  Function *G = nullptr;
  IRBuilder<> B;
  /// What has been handed on: all has to be, and no object twice.
  SmallPtrSet<Argument *, 8> Passed;
};

/// Calls what a task's member calls, on an object that the serial form is
/// given. Null if that is not known.
CallInst *SerialForm::callObject(Function &Member, Argument *Object) {
  CallBase *C = objectCall(Member);
  if (!C || !Object)
    return nullptr;
  SmallVector<Value *> Args;
  if (C->arg_size() > 1) {
    if (!G->hasStructRetAttr())
      return nullptr;
    Args.push_back(G->getArg(0));
  }
  Value *Callee = C->getCalledOperand();
  if (C->arg_size() == 0)
    Callee = Object; // a reference to a function
  else if (isa<Function>(Callee))
    Args.push_back(Object);
  else
    return nullptr;
  CallInst *R = B.CreateCall(C->getFunctionType(), Callee, Args);
  R->setAttributes(C->getAttributes());
  R->setCallingConv(C->getCallingConv());
  return R;
}

/// Returns what R does, if F returns a value.
bool SerialForm::ret(CallInst *R) {
  if (G->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else if (R && R->getType() == G->getReturnType())
    B.CreateRet(R);
  else
    return false;
  return true;
}

/// Calls To's callee as F does, but for contexts of F's own, which the serial
/// form of the callee has no use for.
bool SerialForm::sameCall(CallBase &To) {
  SmallVector<Value *> Args;
  for (Value *V : To.args()) {
    Argument *A = own(V);
    if (A ? !Passed.insert(A).second : !isa<AllocaInst>(V))
      return false;
    Args.push_back(A ? static_cast<Value *>(A)
                     : Constant::getNullValue(V->getType()));
  }
  B.CreateCall(To.getFunctionType(), To.getCalledOperand(), Args);
  return true;
}

/// A range and a body: if (!range.empty()) body(range).
bool SerialForm::writeRange(Function *Body) {
  CallBase *Empty = nullptr;
  for (CallBase *C : callsIn(F))
    if (!Empty && C->arg_size() == 1 && C->getType()->isIntegerTy(1) &&
        own(C->getArgOperand(0)) == G->getArg(0) && C->getCalledFunction())
      Empty = C;
  Type *Ptr = B.getPtrTy();
  if (!Empty || !Body || Body->isVarArg() || Body->hasStructRetAttr() ||
      Body->getFunctionType()->params() != ArrayRef<Type *>({Ptr, Ptr}))
    return false;
  CallInst *IsEmpty = B.CreateCall(Empty->getFunctionType(),
                                   Empty->getCalledOperand(), G->getArg(0));
  IsEmpty->setAttributes(Empty->getAttributes());
  BasicBlock *Run = BasicBlock::Create(F.getContext(), "run", G),
             *End = BasicBlock::Create(F.getContext(), "end", G);
  B.CreateCondBr(IsEmpty, End, Run);
  B.SetInsertPoint(Run);
  B.CreateCall(Body, {G->getArg(1), G->getArg(0)})
      ->setCallingConv(Body->getCallingConv());
  B.CreateBr(End);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  if (isA(F.getName(), NameKind::PoolFor))
    makeTeamForm(*G, *IsEmpty, *Body);
  return true;
}

/// An object that an arena runs: the call of the object.
bool SerialForm::writeObject() {
  for (CallBase *C : callsIn(F))
    if (C->arg_size() == 2)
      if (Function *Member = virtualOfNew(*C, DelegateAt))
        if (CallInst *R = callObject(*Member, own(C->getArgOperand(1))))
          return ret(R);
  return false;
}

bool SerialForm::invokeOne(Function &Member, Value *Object) {
  Argument *A = own(Object);
  return callObject(Member, A) && Passed.insert(A).second;
}

/// The task that runs three objects of more: it calls the first itself, and
/// its constructor makes tasks of the others.
bool SerialForm::invokeThree(CallBase &New) {
  Function *Member = virtualOfNew(New, ExecuteAt);
  SmallVector<Function *> Members{Member};
  for (CallBase *C : callsIn(*New.getCalledFunction()))
    if (Function *H = C->getCalledFunction(); H && virtualOf(*H, ExecuteAt))
      for (CallBase *D : callsIn(*H))
        if (Function *Other = virtualOfNew(*D, ExecuteAt))
          if (D->arg_size() == 3 && Other != Member)
            Members.push_back(Other);
  if (Members.size() != 3 || New.arg_size() < 4)
    return false;
  for (unsigned N = 0; N < 3; ++N)
    if (!invokeOne(*Members[N], New.getArgOperand(N + 1)))
      return false;
  return true;
}

/// Objects behind the two contexts: a task for each, or one for three of them
/// and a call for the rest.
bool SerialForm::writeInvoked() {
  for (CallBase *C : callsIn(F)) {
    Function *Callee = C->getCalledFunction();
    Function *Member = virtualOfNew(*C, ExecuteAt);
    if (Callee && isA(Callee->getName(), NameKind::PoolInvokes)
            ? !sameCall(*C)
            : Member &&
                  !(C->arg_size() == 3 ? invokeOne(*Member, C->getArgOperand(1))
                                       : invokeThree(*C)))
      return false;
  }
  B.CreateRetVoid();
  return all_of(drop_begin(G->args(), 2),
                [&](Argument &A) { return Passed.contains(&A); });
}

/// What a loop runs for a part of its range.
Function *bodyOfLoop(Function &F) {
  Function *Member = memberLike(F, "3runE", "8run_bodyE");
  SmallVector<CallBase *> Calls;
  if (Member)
    Calls = callsIn(*Member);
  return Calls.size() == 1 ? Calls[0]->getCalledFunction() : nullptr;
}

/// What a scan runs for a part of its range when it knows all that is before
/// it: what its final task gives its range, which another call returns.
Function *bodyOfScan(Function &F) {
  for (CallBase *New : callsIn(F))
    if (Function *Member = virtualOfNew(*New, ExecuteAt))
      for (CallBase *C : callsIn(*Member))
        if (C->arg_size() == 2 && isa<CallBase>(C->getArgOperand(1)))
          return C->getCalledFunction();
  return nullptr;
}

/// Writes the serial form of a function that makes a context, and hands all
/// that it is given on to another function.
bool SerialForm::writeSame(NameKind K) {
  CallBase *Same = callOf(F, K);
  if (!Same || !sameCall(*Same) || Passed.size() != G->arg_size())
    return false;
  B.CreateRetVoid();
  return true;
}

bool makesTasks(Function &F) {
  return any_of(callsIn(F), [](CallBase *C) {
    return virtualOfNew(*C, ExecuteAt) != nullptr;
  });
}

bool SerialForm::write() {
  StringRef Name = F.getName();
  if (isA(Name, NameKind::PoolRuns))
    return writeObject();
  if (isA(Name, NameKind::PoolStops))
    return ret(nullptr); // nobody else runs
  if (!F.getReturnType()->isVoidTy())
    return false;
  if (isA(Name, NameKind::PoolInvokes))
    return makesTasks(F) ? writeInvoked() : writeSame(NameKind::PoolInvokes);
  if (callOf(F, NameKind::PoolWaits))
    return writeRange(isA(Name, NameKind::PoolScans) ? bodyOfScan(F)
                                                     : bodyOfLoop(F));
  CallBase *Same = callOf(F, NameKind::PoolLoops);
  return Same && callOf(*Same->getCalledFunction(), NameKind::PoolWaits) &&
         writeSame(NameKind::PoolLoops);
}

Function *SerialForm::make() {
  if (F.isVarArg() ||
      any_of(F.args(), [](Argument &A) { return !A.getType()->isPointerTy(); }))
    return nullptr;
  G = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                       F.getName() + ".serial", F.getParent());
  G->copyAttributesFrom(&F);
  G->setVisibility(GlobalValue::DefaultVisibility);
  G->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", G));
  if (write())
    return G;
  G->deleteBody();
  G->eraseFromParent();
  return nullptr;
}

/// Does a check of a sanitizer report what it has found here?
bool isReport(const BasicBlock &BB) {
  return isa<UnreachableInst>(BB.getTerminator()) ||
         any_of(BB, [](const Instruction &I) {
           auto *C = dyn_cast<CallBase>(&I);
           return C && callsA(*C, NameKind::CheckOfSanitizer);
         });
}

/// The branch that decides whether At is reached, and which of its ways leads
/// there.
std::pair<BranchInst *, unsigned> wayTo(BasicBlock &At,
                                        const DominatorTree &DT) {
  for (const DomTreeNode *N = DT.getNode(&At)->getIDom(); N; N = N->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(N->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    for (unsigned Way = 0; Way < 2; ++Way)
      if (DT.dominates({Branch->getParent(), Branch->getSuccessor(Way)}, &At) &&
          !isReport(*Branch->getSuccessor(1 - Way)))
        return {Branch, Way};
  }
  return {nullptr, 0};
}

/// A copy of a function of libstdc++ that has a way for few elements, on which
/// it makes no tasks: the copy goes that way with many as well.
Function *onWayForFew(Function &F) {
  CallBase *Begins = callOf(F, NameKind::PoolBegins);
  if (!Begins || !wayTo(*Begins->getParent(), DominatorTree(F)).first)
    return nullptr;
  ValueToValueMapTy VM;
  Function *G = CloneFunction(&F, VM);
  auto [Branch, Way] =
      wayTo(*cast<CallBase>(VM.lookup(Begins))->getParent(), DominatorTree(*G));
  Branch->setCondition(ConstantInt::getBool(F.getContext(), Way != 0));
  G->setName(F.getName() + ".serial");
  G->setLinkage(GlobalValue::InternalLinkage);
  G->setComdat(nullptr);
  G->setVisibility(GlobalValue::DefaultVisibility);
  return G;
}

bool isAlgorithm(StringRef Name) {
  return isA(Name, NameKind::PoolLoops) || isA(Name, NameKind::PoolScans) ||
         isA(Name, NameKind::PoolInvokes) || isA(Name, NameKind::PoolRuns) ||
         isA(Name, NameKind::PoolStops);
}

} // namespace

SmallVector<Function *> makeSerialForms(Module &M) {
  SmallVector<Function *> Found;
  for (Function &F : M)
    if (!F.isDeclaration() && !serialForm(F) &&
        (isAlgorithm(F.getName()) || isA(F.getName(), NameKind::PoolOrSerial)))
      Found.push_back(&F);
  SmallVector<Function *> Made;
  for (Function *F : Found) {
    Function *G =
        isAlgorithm(F->getName()) ? SerialForm(*F).make() : onWayForFew(*F);
    if (!G)
      continue;
    for (auto A : {Attribute::NoInline, Attribute::OptimizeNone})
      G->removeFnAttr(A);
    // What calls another serial form is no algorithm of its own.
    const bool Wraps = isA(F->getName(), NameKind::PoolRuns) ||
                       isA(F->getName(), NameKind::PoolStops) ||
                       callOf(*G, NameKind::PoolLoops) ||
                       callOf(*G, NameKind::PoolInvokes);
    G->addFnAttr(SerialMark, Wraps ? "wraps" : "");
    setLink(*F, SerialLink, G);
    Made.push_back(F);
    Made.push_back(G);
    if (Function *Team = teamFormOf(*G)) {
      Team->addFnAttr(SerialMark, "team");
      Made.push_back(Team);
    }
  }
  return Made;
}

Function *serialForm(const Function &F) { return linkOf(F, SerialLink); }

bool isSerialForm(const Function &F) { return F.hasFnAttribute(SerialMark); }

void remarkPool(const CallBase &Call, const Function &In) {
  StringRef Form =
      Call.getCalledFunction()->getFnAttribute(SerialMark).getValueAsString();
  if (Form == "wraps")
    return;
  DebugLoc At = Call.getDebugLoc();
  while (At && At.getInlinedAt())
    At = At.getInlinedAt();
  OptimizationRemarkEmitter ORE(&In);
  if (Form == "team")
    ORE.emit(OptimizationRemark("retro", "TeamLoop", DiagnosticLocation(At),
                                &In.front())
             << "the derivative runs this parallel loop in a team of threads");
  else
    ORE.emit(OptimizationRemarkMissed("retro", "SerialAlgorithm",
                                      DiagnosticLocation(At), &In.front())
             << "the derivative runs this parallel algorithm on the thread "
                "that calls it");
}

void dropSerialForms(Module &M) {
  SmallVector<Function *> Serial;
  for (Function &F : M) {
    setLink(F, SerialLink, nullptr);
    if (isSerialForm(F))
      Serial.push_back(&F);
  }
  removeFromUsedLists(M, [&](Constant *C) {
    return is_contained(Serial, C->stripPointerCasts());
  });
  for (Function *F : Serial)
    dropTeamForm(*F);
  for (Function *F : Serial)
    if (F->use_empty())
      F->eraseFromParent();
}

} // namespace retro
