#include "prepare/prepare.h"
#include "ir/inline_call.h"
#include "prepare/preparer.h"

#include "base/toggles.h"
#include "facts/activity/activity.h"
#include "facts/parallel/forks.h"
#include "front/known/exceptions.h"
#include "front/known/known_functions.h"
#include "front/known/replaceable.h"
#include "front/registered/models.h"
#include "front/requests/request.h"
#include "ir/end_program.h"
#include "ir/simplify.h"
#include "prepare/calls/stand_in.h"
#include "prepare/exceptions.h"
#include "prepare/parts.h"
#include "prepare/stack_memory.h"
#include "prepare/threads/hoist.h"
#include "prepare/threads/locals_aside.h"
#include "prepare/threads/number_marks.h"
#include "prepare/threads/reductions.h"
#include "prepare/threads/regions.h"
#include "prepare/words/integer_fields.h"
#include "prepare/words/lane_masks.h"
#include "prepare/words/lanes.h"
#include "prepare/words/mantissas.h"
#include "prepare/words/pointer_arithmetic.h"
#include "prepare/words/selected_fields.h"
#include "prepare/words/wide_integers.h"
#include "prepare/words/wide_words.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <map>

using namespace llvm;

namespace retro {

namespace {

cl::opt<unsigned> InlineBudget(
    "retro-inline-budget", cl::init(20000), cl::Hidden,
    cl::desc("Instructions of a function from which nothing is inlined in it "
             "to be differentiated."));
/// With this many clones, further calls share one clone of a function.
constexpr unsigned CloneBudget = 400;
/// An indirect call with more possible targets is not resolved.
constexpr unsigned TargetBudget = 48;

bool hasBody(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage();
}

/// The function whose body a direct call runs, seen through aliases and
/// stand-ins; null where a rule derives the call.
Function *calledBody(const Unit &U, const CallBase &Call) {
  Value *V = Call.getCalledOperand()->stripPointerCastsAndAliases();
  auto *F = dyn_cast<Function>(V);
  const bool DeadEnd = Call.doesNotReturn() && !isCaught(Call);
  if (!F || F->isIntrinsic() || DeadEnd || lookupInactiveBody(*F) ||
      isTapeMemory(*F) || F->getFunctionType() != Call.getFunctionType())
    return nullptr;
  F = primalOf(*F);
  if (Function *Model = modelOf(*F))
    return Model;
  if (!replaceableCallee(Call) && !F->isDeclaration() &&
      (hasBody(*F) || !lookupKnown(*F)) &&
      !U.Registered.isOpaque(*F, U.DerivMode, U.Split) &&
      !isRegisteredElsewhere(*F, U.Registered))
    return F;
  return nullptr;
}

bool isMath(const Function &F) {
  const KnownFunction *Row = lookupKnown(F);
  return Row && Row->Kind == KnownKind::Math;
}

/// Which functions may be entered by an indirect call of this type, with a body
/// or mathematical ones of a library: of the runtime's, and those it was given,
/// by its own calls alone.
SmallVector<Function *> addressTakenTargets(const Unit &U,
                                            const CallBase &Call) {
  SmallVector<Function *> Out;
  const bool Own = Call.hasFnAttr(DeferredCall);
  for (Function &F : U.M)
    if ((hasBody(F) || isMath(F)) &&
        F.getFunctionType() == Call.getFunctionType() &&
        !F.getName().ends_with(".primal") && (Own || !isRuntime(F)) &&
        U.Registered.hasAddressTaken(F, Own))
      Out.push_back(&F);
  return Out;
}

/// A function that only calls F: the derivative of F itself is that of a call.
Function *callerOf(Function &F) {
  Function *W =
      Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                       F.getName(), F.getParent());
  W->copyAttributesFrom(&F);
  W->removeFnAttr(RegisteredAttribute);
  W->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", W));
  SmallVector<Value *> Args;
  for (Argument &A : W->args())
    Args.push_back(&A);
  CallInst *C = B.CreateCall(standInOf(F), Args);
  C->setAttributes(F.getAttributes().removeFnAttributes(F.getContext()));
  C->setCallingConv(F.getCallingConv());
  if (C->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(C);
  return W;
}

} // namespace

Function *Preparer::cloneOf(Function &Source) {
  ValueToValueMapTy VM;
  Function *C = CloneFunction(&Source, VM);
  C->setName(Source.getName() + ".primal");
  Function *Region = U.Hoisted.lookup(&Source);
  R.setSource(*C, Region ? *Region : Source);
  C->setLinkage(GlobalValue::InternalLinkage);
  C->setComdat(nullptr);
  C->setVisibility(GlobalValue::DefaultVisibility);
  C->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  for (auto A : {Attribute::OptimizeNone, Attribute::NoInline,
                 Attribute::AlwaysInline, Attribute::OptimizeForSize,
                 Attribute::MinSize, Attribute::NoReturn, Attribute::Memory})
    C->removeFnAttr(A);
  C->removeFnAttr(RegisteredAttribute);
  lowerIndirectBranches(*C, Source, VM);
  handlersOf(*C);
  lowerByValue(*C);
  setLocalsAside(*C);
  return C;
}

/// A computed goto becomes a chain of comparisons of the address with the
/// labels of the user's function, which tables of labels hold.
void Preparer::lowerIndirectBranches(Function &F, Function &Source,
                                     const ValueToValueMapTy &VM) {
  DenseMap<BasicBlock *, BasicBlock *> SourceOf;
  for (BasicBlock &B : Source)
    SourceOf[cast<BasicBlock>(VM.lookup(&B))] = &B;
  for (auto [Clone, Original] : SourceOf)
    if (Clone->hasAddressTaken())
      BlockAddress::get(Clone)->replaceAllUsesWith(BlockAddress::get(Original));
  SmallVector<IndirectBrInst *> Branches;
  for (BasicBlock &B : F)
    if (auto *I = dyn_cast<IndirectBrInst>(B.getTerminator()))
      Branches.push_back(I);
  // The addresses of a function that is gone are all the same.
  if (!Branches.empty())
    appendToCompilerUsed(*F.getParent(), &Source);
  for (IndirectBrInst *I : Branches) {
    BasicBlock *From = I->getParent();
    SmallVector<BasicBlock *> Dests;
    for (unsigned D = 0; D < I->getNumDestinations(); ++D)
      if (!is_contained(Dests, I->getDestination(D)))
        Dests.push_back(I->getDestination(D));
    Value *Addr = I->getAddress();
    DebugLoc Loc = I->getDebugLoc();
    // Each destination keeps one edge from one block of the chain.
    BasicBlock *Chain = From;
    I->eraseFromParent();
    for (size_t D = 0; D < Dests.size(); ++D) {
      for (PHINode &P : Dests[D]->phis())
        for (int K = static_cast<int>(P.getNumIncomingValues()) - 1, Kept = 0;
             K >= 0; --K)
          if (P.getIncomingBlock(static_cast<unsigned>(K)) == From && Kept++)
            P.removeIncomingValue(static_cast<unsigned>(K), false);
      Dests[D]->replacePhiUsesWith(From, Chain);
      IRBuilder<> B(Chain);
      B.SetCurrentDebugLocation(Loc);
      if (D + 1 == Dests.size()) {
        B.CreateBr(Dests[D]);
        break;
      }
      BasicBlock *Next =
          BasicBlock::Create(F.getContext(), "label", &F, Chain->getNextNode());
      Value *Label = BlockAddress::get(SourceOf[Dests[D]]);
      B.CreateCondBr(B.CreateICmpEQ(Addr, Label), Dests[D], Next);
      Chain = Next;
    }
  }
}

/// A parameter passed by value is a local variable of the clone: callers pass
/// the address of the original.
void Preparer::lowerByValue(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  for (Argument &A : F.args()) {
    if (A.hasByValAttr()) {
      Type *Ty = A.getParamByValType();
      AllocaInst *Copy = B.CreateAlloca(Ty, nullptr, A.getName() + ".value");
      Align Al = A.getParamAlign().value_or(DL.getPrefTypeAlign(Ty));
      Copy->setAlignment(Al);
      A.replaceAllUsesWith(Copy);
      B.CreateMemCpy(Copy, Al, &A, Al, DL.getTypeAllocSize(Ty).getFixedValue());
    }
    for (auto K : {Attribute::ByVal, Attribute::StructRet, Attribute::InReg,
                   Attribute::Nest, Attribute::Returned})
      A.removeAttr(K);
  }
}

/// Exceptions become control flow.
void Preparer::handlersOf(Function &F) {
  for (BasicBlock &B : F)
    if (auto *I = dyn_cast<InvokeInst>(B.getTerminator());
        I && keepsHandlers(F))
      U.CatchesExceptions |= returnsFrom(*I->getUnwindDest());
  lowerExceptions(F);
}

const SmallVectorImpl<Function *> &Preparer::calleesOf(Function &F) {
  auto [It, New] = Callees.try_emplace(&F);
  if (!New)
    return It->second;
  SmallVector<Function *> Out;
  for (Instruction &I : instructions(F)) {
    auto *C = dyn_cast<CallBase>(&I);
    if (!C)
      continue;
    if (Function *G = calledBody(U, *C))
      Out.push_back(G);
    else if (C->isIndirectCall())
      Out.append(addressTakenTargets(U, *C));
  }
  return Callees[&F] = Out;
}

bool Preparer::reaches(Function &From, Function &To) {
  SmallPtrSet<Function *, 16> Seen;
  SmallVector<Function *> Work{&From};
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    const auto &Callees = calleesOf(*F);
    SmallVector<Function *> Next(Callees.begin(), Callees.end());
    for (Function *G : Next) {
      if (G == &To)
        return true;
      if (Seen.insert(G).second)
        Work.push_back(G);
    }
  }
  return false;
}

bool Preparer::isRecursive(Function &F) {
  auto It = Recursive.find(&F);
  if (It != Recursive.end())
    return It->second;
  return Recursive[&F] = reaches(F, F);
}

/// The calls in UF of functions that are taken in, models among them or not.
SmallVector<std::pair<CallBase *, Function *>>
Preparer::inlinableCalls(UnitFunction &UF, bool Models) {
  const bool All = T.inlining && T.preopt;
  SmallVector<std::pair<CallBase *, Function *>> Calls;
  for (Instruction &I : instructions(*UF.F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = calledBody(U, *C);
          G && !U.find(G) && !isFork(*C) && !isSpawn(*C) &&
          isInlineViable(*G).isSuccess() &&
          (isModel(*G) ? Models : All && !isRecursive(*G) && !G->isVarArg()))
        Calls.push_back({C, G});
  return Calls;
}

bool Preparer::inlineCalls(UnitFunction &UF) {
  if (inlinableCalls(UF, true).empty())
    return false;
  // The inliner brings together what a frame and its caller's catch.
  if (!raiseExceptions(*UF.F))
    R.error(Diag::Internal, nullptr,
            {UF.Source->getName().str(), "marks of exceptions"});
  auto Lower = make_scope_exit([&] {
    handlersOf(*UF.F);
    U.FAM.invalidate(*UF.F, PreservedAnalyses::none());
  });
  bool Changed = false;
  // What models call is decided when it is known what they are called with.
  bool Models = true;
  for (bool Again = true; Again; Models = false) {
    Again = false;
    for (auto [C, G] : inlinableCalls(UF, Models)) {
      if (UF.F->getInstructionCount() > InlineBudget)
        return Changed;
      C->setCalledOperand(G);
      if (!inlineCall(*C))
        continue;
      Again = Changed = true;
      ++counters().inlining;
    }
  }
  return Changed;
}

/// Turns each indirect call into a chain of guarded direct calls. Guards are
/// complete but for functions of other translation units: those end the
/// program.
bool Preparer::promoteIndirectCalls(Function &F, bool Last) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I); C && C->isIndirectCall())
      Calls.push_back(C);
  if (!Last)
    return false;
  bool Changed = false;
  for (CallBase *C : Calls) {
    SmallVector<Function *> Targets = addressTakenTargets(U, *C);
    if ((Targets.empty() && !C->hasFnAttr(DeferredCall)) ||
        Targets.size() > TargetBudget)
      continue;
    for (Function *G : Targets) {
      CallBase &Direct = promoteCallWithIfThenElse(*C, G);
      (void)Direct;
    }
    Changed = true;
    if (asksException(*C))
      continue;
    // What is left runs for a function that is not in this module.
    IRBuilder<> B(C);
    std::string At;
    if (const DebugLoc &D = C->getDebugLoc())
      At = (D->getFilename() + ":" + Twine(D.getLine()) + ": ").str();
    endProgram(B, At + "a function that is called by its address is not in "
                       "this translation unit, and has no derivative here");
    changeToUnreachable(C);
  }
  return Changed;
}

/// What calls of a recursive function must agree in to share its clones: the
/// caller and the objects that pointers lead to. Empty: they share nothing.
static SmallVector<const Value *> entryOf(const Function &Callee,
                                          const CallBase &Call) {
  SmallVector<const Value *> Key{Call.getFunction(), &Callee};
  for (const Value *A : Call.args()) {
    if (containsFloatType(A->getType()))
      return {};
    if (A->getType()->isPointerTy())
      Key.push_back(getUnderlyingObject(A));
  }
  return Key;
}

UnitFunction &Preparer::instanceFor(UnitFunction &Caller, Function &Callee,
                                    const CallBase &Call) {
  bool Rec = isRecursive(Callee);
  std::shared_ptr<DenseMap<Function *, Function *>> Family;
  if (Rec) {
    auto Key = entryOf(Callee, Call);
    if (Caller.Family && reaches(Callee, *Caller.Source))
      Family = Caller.Family;
    else if (auto Known = Entries.find(Key); Known != Entries.end())
      Family = Known->second;
    else
      Family = std::make_shared<DenseMap<Function *, Function *>>();
    if (!Key.empty())
      Entries[Key] = Family;
    auto It = Family->find(&Callee);
    if (It != Family->end())
      return *U.find(It->second);
  } else if (U.Functions.size() > CloneBudget) {
    auto It = Shared.find(&Callee);
    if (It != Shared.end())
      return *It->second;
  }
  UnitFunction &New = U.add(cloneOf(Callee), &Callee);
  New.Recursive = Rec;
  New.Family = Family;
  if (Family)
    (*Family)[&Callee] = New.F;
  Shared[&Callee] = &New;
  return New;
}

/// Regions are changed before they are a part of the unit.
bool Preparer::hoistFromRegions(UnitFunction &UF) {
  if (!T.omp_hoist || !T.preopt)
    return false;
  SmallVector<CallBase *> Forks;
  for (Instruction &I : instructions(*UF.F))
    if (auto *C = dyn_cast<CallBase>(&I); C && isFork(*C))
      Forks.push_back(C);
  bool Changed = false;
  for (CallBase *C : Forks) {
    Function *Source = C->getCalledFunction();
    if (!Source || U.find(Source))
      continue;
    bool Own = U.Hoisted.count(Source);
    Function *Original = Own ? U.Hoisted.lookup(Source) : Source;
    SmallVector<Function *> New;
    Function *Region = hoistFromRegion(*C, Own, U.FAM, New);
    if (!Region)
      continue;
    Changed = true;
    // With values in the place of references, loops may show as invariant.
    simplifyFunction(*Region, U.FAM, T.unroll);
    if (Own)
      U.Hoisted.erase(Source);
    U.Hoisted[Region] = Original;
    for (Function *F : New)
      U.Hoisted[F] = Original;
  }
  return Changed;
}

void Preparer::retargetCalls(UnitFunction &UF) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(*UF.F))
    if (auto *C = dyn_cast<CallBase>(&I))
      Calls.push_back(C);
  for (CallBase *C : Calls)
    if (Function *G = calledBody(U, *C); G && !U.find(G)) {
      C->setCalledFunction(instanceFor(UF, *G, *C).F);
      // By-value copies are made in the clone, which reads the caller's memory
      // for that: a tail call must not.
      if (auto *Call = dyn_cast<CallInst>(C); Call && Call->hasByValArgument())
        Call->setTailCallKind(CallInst::TCK_None);
      for (unsigned N = 0; N < C->arg_size(); ++N)
        for (auto K : {Attribute::ByVal, Attribute::StructRet, Attribute::InReg,
                       Attribute::Nest, Attribute::Returned})
          C->removeParamAttr(N, K);
      C->removeFnAttr(Attribute::NoInline);
    }
}

void Preparer::run(Function &Target) {
  Function *Caller = U.Registered.isOpaque(Target, U.DerivMode, U.Split)
                         ? callerOf(Target)
                         : nullptr;
  if (!Caller && isReplaceable(Target))
    return R.error(Diag::Replaceable, nullptr, {Target.getName().str()});
  UnitFunction &Root = U.add(cloneOf(Caller ? *Caller : Target), &Target);
  if (Caller) {
    R.setSource(*Root.F, Target);
    Caller->eraseFromParent();
  }
  Root.Root = !U.Split;
  Root.Seeded = U.Split;
  for (unsigned N : U.Separate)
    Root.F->addParamAttr(N, Attribute::NoAlias);
  if (isRecursive(Target)) {
    // The root is a clone of its own: the recursion has separate clones.
    Root.Recursive = false;
  }
  for (size_t I = 0; I < U.Functions.size() && !R.failed(); ++I)
    process(*U.Functions[I]);
  finish();
}

void prepareUnit(Unit &U, Function &Target, Reporter &R) {
  Preparer(U, R).run(Target);
}

} // namespace retro
