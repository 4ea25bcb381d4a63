// Input: the target of a request. Output: a unit, with a private copy of the
// target and of each function that it calls and that is not inlined. This file
// chooses what is inlined, which copy a call goes to, and how indirect calls
// become direct; the stages that change one copy are in stages.cpp.
#include "prepare/prepare.h"
#include "ir/inline_call.h"
#include "prepare/preparer.h"

#include "base/call_chain.h"
#include "base/toggles.h"
#include "facts/activity/activity.h"
#include "facts/parallel/forks.h"
#include "front/known/exceptions.h"
#include "front/known/known_functions.h"
#include "front/known/replaceable.h"
#include "front/names/foreign.h"
#include "front/registered/models.h"
#include "ir/end_program.h"
#include "ir/simplify.h"
#include "prepare/calls/optional_calls.h"
#include "prepare/calls/stand_in.h"
#include "prepare/calls/variadic.h"
#include "prepare/exceptions/exceptions.h"
#include "prepare/lanes/lane_masks.h"
#include "prepare/memory/memory_resources.h"
#include "prepare/memory/stack_memory.h"
#include "prepare/parts.h"
#include "prepare/threads/hoist.h"
#include "prepare/threads/number_marks.h"
#include "prepare/threads/pool_calls.h"
#include "prepare/threads/pool_loops.h"
#include "prepare/threads/reductions.h"
#include "prepare/threads/regions.h"
#include "prepare/threads/tasks.h"
#include "prepare/threads/thread_states.h"
#include "prepare/trampolines.h"
#include "prepare/words/integer_fields.h"
#include "prepare/words/mantissas.h"
#include "prepare/words/pointer_arithmetic.h"
#include "prepare/words/selected_fields.h"
#include "prepare/words/wide_integers.h"
#include "prepare/words/wide_words.h"
#include "prepare/wrong_promises.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace retro {

namespace {

cl::opt<unsigned> InlineBudget(
    "retro-inline-budget", cl::init(20000), cl::Hidden,
    cl::desc("Instructions of a function from which nothing is inlined in it "
             "to be differentiated."));
cl::opt<unsigned> InlineFreely(
    "retro-inline-freely", cl::init(8000), cl::Hidden,
    cl::desc("Instructions of a function from which what is large and called "
             "at several places is not inlined in it to be differentiated."));
/// From how many instructions on a function is large.
constexpr size_t LargeCallee = 200;
/// When a unit has this many clones, further calls share one clone of a
/// function.
constexpr unsigned CloneBudget = 100;
/// An indirect call with more possible targets is not resolved.
constexpr unsigned TargetBudget = 48;

bool hasBody(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage();
}

/// The function whose body a direct call runs, looked up through aliases and
/// stand-ins. Null where a rule derives the call.
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
  if (Function *Serial = serialForm(*F)) {
    Function *Team = U.DerivedAgain || isTeamRegion(*Call.getFunction())
                         ? nullptr
                         : teamForm(*Serial);
    return Team ? Team : Serial;
  }
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

/// Is it of the runtime, or made for it of a checkpointed loop?
bool isForRuntime(const Function &F) {
  return isRuntime(F) || F.getName().contains(StepsSuffix);
}

/// Do Call and F pass structs alike? Front ends say on both sides what is
/// returned through memory, and what is passed by value there: as pointers they
/// have one type. Calls that the engine made say nothing.
bool passesAlike(const CallBase &Call, const Function &F) {
  auto Alike = [&](const Argument &A, Attribute::AttrKind K) {
    return A.hasAttribute(K) == Call.paramHasAttr(A.getArgNo(), K);
  };
  return isOfFlang(*F.getParent()) || all_of(F.args(), [&](const Argument &A) {
           return Alike(A, Attribute::StructRet) && Alike(A, Attribute::ByVal);
         });
}

/// The functions with a body or a model, or mathematical functions of a
/// library, that an indirect call of this type may enter. The runtime's own
/// calls may also enter functions that were given to the runtime. No task of
/// the unit has a thread of its own (tasks.h).
SmallVector<Function *> addressTakenTargets(const Unit &U,
                                            const VirtualTables &Tables,
                                            const CallBase &Call) {
  SmallVector<Function *> Out;
  const bool IsDeferred = Call.hasFnAttr(DeferredCall);
  for (Function &F : U.M)
    if ((hasBody(F) || isMath(F) || modelOf(F)) &&
        F.getFunctionType() == Call.getFunctionType() &&
        !isA(F.getName(), NameKind::ThreadOfTask) &&
        (IsDeferred || passesAlike(Call, F)) &&
        !F.getName().ends_with(".primal") && (IsDeferred || !isForRuntime(F)) &&
        Tables.mayCall(Call, F) && U.Registered.hasAddressTaken(F, IsDeferred))
      Out.push_back(&F);
  return Out;
}

/// A function that does nothing but call F. Its derivative is that of a call of
/// F, which a rule may give.
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

/// The functions that an indirect call of the unit may enter.
SmallVector<Function *> Preparer::targetsOf(const CallBase &Call) {
  SmallVector<Function *> Out = addressTakenTargets(U, Tables, Call);
  erase_if(Out, [&](const Function *F) { return Elsewhere.contains(F); });
  return Out;
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
    else if (C->isIndirectCall()) {
      Out.append(targetsOf(*C));
      Out.append(trampolineTargets(*C, [](Function &) { return true; }));
    }
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

/// Is F called in more than one place? Those of functions that the request does
/// not reach do not count: what is derived must not depend on them.
bool Preparer::isCalledOften(Function &F) {
  if (CallSites.empty()) {
    SmallSetVector<Function *, 16> Reached;
    Reached.insert(U.Functions.front()->Source);
    for (size_t N = 0; N < Reached.size(); ++N)
      for (Function *G : calleesOf(*Reached[N])) {
        ++CallSites[G];
        Reached.insert(G);
      }
  }
  return CallSites.lookup(&F) > 1;
}

/// The calls in UF of functions that are inlined; Models says whether models of
/// library functions are among them.
SmallVector<std::pair<CallBase *, Function *>>
Preparer::inlinableCalls(UnitFunction &UF, bool Models) {
  const bool All = may(Toggle::inlining);
  SmallVector<std::pair<CallBase *, Function *>> Calls;
  DenseMap<Function *, bool> Inlinable; // which is a walk through the callee
  auto IsInlinable = [&](Function &G) {
    auto [It, New] = Inlinable.try_emplace(&G);
    if (New)
      It->second =
          isInlineViable(G).isSuccess() && !asksForTables(G) &&
          (isModel(G) ? Models : All && !isRecursive(G) && !G.isVarArg());
    return It->second;
  };
  for (Instruction &I : instructions(*UF.F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = calledBody(U, *C);
          G && !U.find(G) && !isFork(*C) && !isSpawn(*C) && IsInlinable(*G))
        Calls.push_back({C, G});
  return Calls;
}

/// The function that a call of G, which reads '...', enters: one that has a
/// name for each argument. Null where there is none.
Function *Preparer::namedFor(Function &G, const CallBase &Call) {
  SmallVector<Type *> Types;
  for (unsigned N = 0; N < Call.arg_size(); ++N)
    Types.push_back(Call.isByValArgument(N) ? Call.getParamByValType(N)
                                            : Call.getArgOperand(N)->getType());
  auto [Found, New] = Named.try_emplace({&G, Types});
  if (!New)
    return Found->second;
  Function *To = nameParameters(G, Call);
  if (!To)
    return nullptr;
  Function *Original = U.Hoisted.lookup(&G);
  U.Hoisted[To] = Original ? Original : &G;
  Found->second = To;
  // Its own calls enter it, too, or others of G's: else it is no recursion.
  nameVariadic(*To);
  Recursive[To] = isRecursive(G);
  return To;
}

void Preparer::nameVariadic(Function &F) {
  lowerListCopies(F);
  SmallVector<std::pair<CallBase *, Function *>> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = calledBody(U, *C); G && !U.find(G) && readsVariadic(*G))
        Calls.push_back({C, G});
  for (auto [C, G] : Calls)
    if (Function *To = readsActive(*G, *C) ? nullptr : namedFor(*G, *C))
      callNamed(*C, *To);
}

void Preparer::completeTasks(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *C = dyn_cast<CallBase>(&I);
    Function *G = C ? calledBody(U, *C) : nullptr;
    if (!G || U.find(G) || !startsTask(*G))
      continue;
    Function *&To = Tasks[G];
    if (!To) {
      To = runTask(*G);
      U.Hoisted[To] = G;
    }
    C->setCalledFunction(To);
  }
}

bool Preparer::hasInlinableModels(UnitFunction &UF) {
  return UF.F->getInstructionCount() <= InlineBudget &&
         any_of(inlinableCalls(UF, true),
                [](const auto &Call) { return isModel(*Call.second); });
}

bool Preparer::inlineCalls(UnitFunction &UF, bool Models) {
  lowerMemoryResources(*UF.F, U.DerivMode == Mode::Forward);
  if (inlinableCalls(UF, Models).empty())
    return false;
  // The inliner puts what a function and its caller catch into one frame.
  if (!raiseExceptions(*UF.F))
    R.error(Diag::Internal, nullptr,
            {UF.Source->getName().str(), "marks of exceptions"});
  auto Lower = make_scope_exit([&] {
    handlersOf(*UF.F);
    U.FAM.invalidate(*UF.F, PreservedAnalyses::none());
  });
  bool Changed = false;
  // What models call waits for the next round of stages, in which it is known
  // what they are called with.
  for (bool Again = true; Again; Models = false) {
    Again = false;
    // To count the instructions is to walk through them: once a round, and not
    // for each call, of which there are as many as instructions.
    size_t Size = UF.F->getInstructionCount();
    for (auto [C, G] : inlinableCalls(UF, Models)) {
      if (Size > InlineBudget)
        return Changed;
      if (Size > InlineFreely && G->getInstructionCount() > LargeCallee &&
          isCalledOften(*G))
        continue; // much code would be there again
      C->setCalledOperand(G);
      if (isSerialForm(*G))
        remarkPool(*C, *UF.Source);
      const size_t Added = G->getInstructionCount();
      if (!inlineCall(*C))
        continue;
      Size += Added;
      Again = Changed = true;
      ++counters().inlining;
    }
    // Before the calls that came with it are inlined.
    lowerMemoryResources(*UF.F, U.DerivMode == Mode::Forward);
  }
  return Changed;
}

/// Is F of the unit, or does its target lead to it? Frames of other hosts say
/// nothing of those that the unit's trampolines have.
bool Preparer::mayBeOfUnit(Function &F) {
  Function &Target = *U.Functions.front()->Source;
  return U.find(&F) || &F == &Target || reaches(Target, F);
}

/// Turns each indirect call into a chain of guarded direct calls. The guards
/// are complete but for functions of other translation units, which end the
/// program.
bool Preparer::promoteIndirectCalls(Function &F) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I); C && C->isIndirectCall())
      Calls.push_back(C);
  bool Changed = false;
  for (CallBase *C : Calls) {
    SmallVector<Function *> Targets = targetsOf(*C);
    SmallVector<Function *> Nested =
        trampolineTargets(*C, [&](Function &F) { return mayBeOfUnit(F); });
    const size_t Number = Targets.size() + Nested.size();
    const bool MayEnterNone =
        C->hasFnAttr(DeferredCall) || (!asksException(*C) && isOptional(*C));
    if ((!Number && !MayEnterNone) || Number > TargetBudget)
      continue;
    for (Function *G : Targets) {
      CallBase &Direct = promoteCallWithIfThenElse(*C, G);
      (void)Direct;
    }
    for (Function *G : Nested)
      callByRecord(cast<CallInst>(*C), *G);
    Changed = true;
    if (asksException(*C))
      continue;
    // The last branch runs for functions that are not in this module.
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
/// caller, and the objects that the pointers lead to. If empty, they share
/// nothing: what a resource gives is as different as what is kept there.
static SmallVector<const Value *> entryOf(const Function &Callee,
                                          const CallBase &Call) {
  if (isOfResource(Callee))
    return {};
  SmallVector<const Value *> Key{Call.getFunction(), &Callee};
  for (const Value *A : Call.args()) {
    if (containsFloat(A->getType()))
      return {};
    if (A->getType()->isPointerTy())
      Key.push_back(getUnderlyingObject(A));
  }
  return Key;
}

UnitFunction &Preparer::instanceFor(UnitFunction &Caller, Function &Callee,
                                    const CallBase &Call) {
  const bool Rec = isRecursive(Callee);
  auto One =
      U.Functions.size() > CloneBudget ? Shared.find(&Callee) : Shared.end();
  std::shared_ptr<DenseMap<Function *, Function *>> Family;
  if (Rec) {
    auto Key = entryOf(Callee, Call);
    if (Caller.Family && reaches(Callee, *Caller.Source))
      Family = Caller.Family;
    else if (auto Earlier = Entries.find(Key); Earlier != Entries.end())
      Family = Earlier->second;
    else if (One != Shared.end())
      Family = One->second->Family;
    else
      Family = std::make_shared<DenseMap<Function *, Function *>>();
    if (!Key.empty())
      Entries[Key] = Family;
    auto It = Family->find(&Callee);
    if (It != Family->end())
      return *U.find(It->second);
  } else if (One != Shared.end()) {
    return *One->second;
  }
  UnitFunction &New = U.add(cloneOf(Callee), &Callee);
  New.Recursive = Rec;
  New.Family = Family;
  if (Family)
    (*Family)[&Callee] = New.F;
  Shared[&Callee] = &New;
  return New;
}

/// Hoists out of parallel regions before these are part of the unit.
bool Preparer::hoistFromRegions(UnitFunction &UF) {
  if (!may(Toggle::omp_hoist))
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
    bool IsOurCopy = U.Hoisted.count(Source);
    Function *Original = IsOurCopy ? U.Hoisted.lookup(Source) : Source;
    SmallVector<Function *> New;
    Function *Region = hoistFromRegion(*C, IsOurCopy, U.FAM, New);
    if (!Region)
      continue;
    Changed = true;
    // Values in the place of references let further loops show as invariant.
    simplifyFunction(*Region, U.FAM, may(Toggle::unroll));
    if (IsOurCopy)
      U.Hoisted.erase(Source);
    U.Hoisted[Region] = Original;
    for (Function *F : New)
      U.Hoisted[F] = Original;
  }
  return Changed;
}

/// Leaves out arguments that a variadic function does not read, as a chosen
/// overload with an ellipsis does not: derivatives have the named ones alone.
static CallBase *dropUnread(CallBase *C, const Function &G) {
  auto *Call = dyn_cast<CallInst>(C);
  if (!G.isVarArg() || C->arg_size() == G.arg_size() || !Call ||
      readsVariadic(G))
    return C;
  SmallVector<Value *> Named(drop_end(C->args(), C->arg_size() - G.arg_size()));
  auto *New = CallInst::Create(C->getFunctionType(), C->getCalledOperand(),
                               Named, C->getName(), C->getIterator());
  AttributeList A = C->getAttributes();
  SmallVector<AttributeSet> OfNamed;
  for (unsigned N = 0; N < Named.size(); ++N)
    OfNamed.push_back(A.getParamAttrs(N));
  New->setAttributes(AttributeList::get(C->getContext(), A.getFnAttrs(),
                                        A.getRetAttrs(), OfNamed));
  New->setCallingConv(C->getCallingConv());
  New->copyMetadata(*C);
  C->replaceAllUsesWith(New);
  C->eraseFromParent();
  return New;
}

void Preparer::retargetCalls(UnitFunction &UF) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(*UF.F))
    if (auto *C = dyn_cast<CallBase>(&I))
      Calls.push_back(C);
  for (CallBase *C : Calls)
    if (Function *G = calledBody(U, *C); G && !U.find(G)) {
      C = dropUnread(C, *G);
      C->setCalledFunction(instanceFor(UF, *G, *C).F);
      // The clone copies parameters by value from the caller's memory, which a
      // tail call must not read.
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
  Elsewhere = threadsElsewhere(U.M, Target, [&](Function &F) {
    const auto &Callees = calleesOf(F);
    return SmallVector<Function *>(Callees.begin(), Callees.end());
  });
  Callees.clear();
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
    // The root is entered from outside alone. Recursive calls go to clones of
    // their own.
    Root.Recursive = false;
  }
  for (size_t I = 0; I < U.Functions.size() && !R.failed(); ++I)
    process(*U.Functions[I]);
  dropPrepared();
  finish();
}

void prepareUnit(Unit &U, Function &Target, Reporter &R) {
  Preparer(U, R).run(Target);
}

} // namespace retro
