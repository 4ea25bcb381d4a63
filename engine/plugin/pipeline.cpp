// From the requests of a module to their answers: each is parsed, derived
// (derivation.cpp, which is the line from unit to code) and replaced by a call,
// those that others depend on first. What is done for the module as a whole
// stands before and behind that. Without it the requests would stay calls of
// functions that nobody defines.
#include "plugin/pipeline.h"

#include "answer/catch_handler.h"
#include "answer/embedded_runtime.h"
#include "answer/kernel_form.h"
#include "answer/rows_in_lanes.h"
#include "answer/splice.h"
#include "base/stages.h"
#include "base/toggles.h"
#include "checkpoint/checkpoint.h"
#include "emit/tape/arena.h"
#include "emit/tape/dynamic_shared.h"
#include "emit/words/memory_adjoint.h"
#include "facts/losses/shadow_types.h"
#include "facts/threads/device_races.h"
#include "formats/requests.h"
#include "front/known/replaceable.h"
#include "front/registered/models.h"
#include "front/registered/sayings.h"
#include "front/requests/bind.h"
#include "front/requests/deferral.h"
#include "front/requests/own_copies.h"
#include "front/requests/request.h"
#include "front/requests/sparse_arguments.h"
#include "front/requests/traits.h"
#include "front/requests/wrappers.h"
#include "ir/canonical_functions.h"
#include "ir/simplify.h"
#include "launch/launch.h"
#include "loops/peeling.h"
#include "plugin/applied_toggles.h"
#include "plugin/complaints.h"
#include "plugin/derivation.h"
#include "plugin/device_code.h"
#include "plugin/link_again.h"
#include "plugin/print_stages.h"
#include "polish/device_memory.h"
#include "polish/sparse/sparse.h"
#include "prepare/calls/stand_in.h"
#include "prepare/coroutines.h"
#include "prepare/memory/container_heads.h"
#include "prepare/memory/memory_resources.h"
#include "prepare/threads/locals_aside.h"
#include "prepare/threads/tasks.h"
#include "prepare/words/note_types.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

class Pipeline {
public:
  Pipeline(Module &M, ModuleAnalysisManager &MAM, Requests Which,
           bool Vectorizes)
      : M(M), MAM(MAM), Which(Which), Vectorizes(Vectorizes),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()),
        Binder(FAM), Registered(M), Steps(Registered),
        Line(M, MAM, FAM, Registered) {}

  bool run();

private:
  void noteDerived(Function &Target, bool Forward);
  bool isDerivedAgain(const Request &Req) const;
  void resolveIn(Function &F);
  void dropUnlessRegistered(ArrayRef<Function *> Users);
  void answerRequests(ArrayRef<Function *> Users);
  void resolve(CallBase &Call);
  void answer(CallBase &Call);
  /// The traits of all that is derived in the module.
  Traits traits() const;
  bool showRegistered();
  void finish();

  Module &M;
  ModuleAnalysisManager &MAM;
  Requests Which;
  bool Vectorizes; ///< LLVM does, after this
  FunctionAnalysisManager &FAM;
  ForwardSplits Forward;
  FunctionBinder Binder;
  Registrations Registered;
  Checkpoints Steps;
  Deriver Line;
  bool HasSparse = false; ///< there are sparse shadows in the module
  /// What is derived in forward mode, what in other modes; with all that either
  /// may run.
  SmallPtrSet<const Function *, 16> DerivedForward, DerivedElse;
  SmallPtrSet<Function *, 16> Visited;
};

Traits Pipeline::traits() const {
  return traitsOf(M)
      .set(Trait::Sparse, HasSparse)
      .set(Trait::BeforeLink, !meetsAll(Which))
      .set(Trait::Vectorized, Vectorizes);
}

void Pipeline::resolve(CallBase &Call) {
  if (!meetsAll(Which) && waitsForLink(Call))
    return;
  // Only the request reads the markers. They may be undefined in the program,
  // which links all the same if nothing reads them.
  SmallVector<WeakTrackingVH> Operands(Call.args());
  answer(Call);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
}

void Pipeline::answer(CallBase &Site) {
  Handler Catches(Site);
  CallBase &Call = Catches.request();
  Reporter R(&Call);
  std::optional<Request> Req = parseRequest(Call, Forward, R);
  if (Req)
    checkShadowTypes(*Req, R);
  if (R.failed())
    return dropRequest(Call);
  if (Req && Req->Kind == Entry::VirtualReverse)
    return spliceDirect(*Req, R);
  if (Req) {
    Function *Original = Req->Target;
    Req->Target = Binder.bind(*Req, traits() | traitsOf(*Req));
    R.standsFor(*Req->Target, *Original);
    Function *Bound = Req->Target;
    noteDerived(*Bound, isForwardPass(Req->Kind));
    if (Steps.isNested(*Bound))
      Line.checkState(*Req, R);
    Req->Target = R.failed() ? nullptr : Steps.prepare(*Req, R);
    if (!Req->Target)
      return dropRequest(Call);
    if (Req->Target == Bound)
      Req->Target = Steps.prepareUnmarked(*Req, traits() | traitsOf(*Req),
                                          {MAM, FAM, Registered});
    if (Req->Target != Bound)
      R.standsFor(*Req->Target, *Original);
    // Requests in the target come first.
    resolveIn(*Req->Target);
    for (Function *Adjoint : Steps.takeRequesters())
      resolveIn(*Adjoint);
  }
  if (Req && Req->Kind == Entry::Autodiff)
    Req->BothPasses = splitForced();
  if (Req && Req->Kind == Entry::Batch)
    return spliceDirect(*Req, R);
  Derivative D =
      Req ? Line.derive(*Req, isDerivedAgain(*Req), R) : Derivative();
  if (isGpu(M)) {
    markAnswered(*Call.getFunction());
    markDerived(*Call.getFunction());
  }
  if (D.Crowded)
    giveAllRegisters(*Call.getFunction());
  if (D || (Req && Req->Kind == Entry::PoolSize && !R.failed()))
    spliceRequest(*Req, D, FAM, R);
  else
    dropRequest(Call);
}

void Pipeline::noteDerived(Function &Target, bool Forward) {
  auto &Seen = Forward ? DerivedForward : DerivedElse;
  SmallVector<Function *> Work{&Target};
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    if (!Seen.insert(F).second)
      continue;
    for (Instruction &I : instructions(*F))
      for (Value *V : I.operands())
        if (auto *G = dyn_cast<Function>(V->stripPointerCastsAndAliases()))
          Work.push_back(G);
  }
}

/// Will this derivative be differentiated itself, in a way that is possible? A
/// reverse pass in threads cannot be reversed again.
bool Pipeline::isDerivedAgain(const Request &Req) const {
  const Function *In = Req.Call ? Req.Call->getFunction() : nullptr;
  return Req.mode() == Mode::Forward
             ? DerivedForward.contains(In) || DerivedElse.contains(In)
             : DerivedForward.contains(In) && !DerivedElse.contains(In);
}

void Pipeline::resolveIn(Function &F) {
  if (F.isDeclaration() || !Visited.insert(&F).second)
    return;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = C->getCalledFunction(); G && !isRequest(*C))
        resolveIn(*G);
  if (applies(Toggle::gather, traits()))
    counters().gather += gatherRequests(F, MAM, FAM, Registered);
  for (CallBase *C : requestsIn(F))
    resolve(*C);
}

/// Lets calls of registered functions be calls of them again, once all requests
/// that can be answered are.
bool Pipeline::showRegistered() {
  const bool Heads = dropHeads(M), Tasks = releaseTasks(M);
  bool Changed = Heads || Tasks;
  if (Which == Requests::BeforeThinLink)
    markForThinLink(Registered);
  if (Which == Requests::BeforeLink || Which == Requests::BeforeThinLink)
    return parkRegistered(M) || Changed;
  if (Which == Requests::Settled &&
      any_of(M, [](Function &F) { return hasRequests(F); }))
    return true;
  Changed |= dropSayings(M);
  Changed |= restoreRegistered(M, Which == Requests::AfterThinLink);
  if (isOn(Toggle::preopt))
    inlineRegistered(Registered, FAM);
  return Changed;
}

/// What is done for the module when all requests are answered.
void Pipeline::finish() {
  dropCheckpointMarks(M);
  dropCanonicalFunctions(M);
  dropModels(M);
  restoreMemoryResources(M);
  showRegistered();
  finishLaunches(M);
  {
    Stage T("runtime", "Linking the runtime");
    linkRuntimes(M);
  }
  finishDeviceCode(M);
  recordAppliedToggles(M);
  printCounters();
}

/// Drops all requests if what the program registers is not valid.
void Pipeline::dropUnlessRegistered(ArrayRef<Function *> Users) {
  CallBase &First = *requestsIn(*Users[0])[0];
  bool Valid = reportProblems(Registered, First);
  if (isAfterLink(Which))
    Valid &= reportInlined(Registered, First);
  if (!Valid)
    for (Function *F : Users)
      for (CallBase *C : requestsIn(*F))
        dropRequest(*C);
}

/// A wrapper is answered last: that its target is unknown is an error only if
/// no caller knows it.
void Pipeline::answerRequests(ArrayRef<Function *> Users) {
  for (Function *F : Users)
    if (!F->isDiscardableIfUnused() || !isRequestWrapper(*F))
      resolveIn(*F);
  dropRequestWrappers(M, FAM);
  for (Function &F : M)
    if (isRequestWrapper(F))
      resolveIn(F);
}

bool Pipeline::run() {
  inlineRequestWrappers(M, FAM);
  if (hasSparseShadows(M))
    bringSparseShadows(M, FAM);
  Binder.noteRequests(M);
  SmallVector<Function *> Users;
  Forward = forwardSplitsIn(M);
  HasSparse = hasSparseShadows(M);
  Line.setCommon(traits());
  for (Function &F : M)
    if (hasRequests(F))
      Users.push_back(&F);
  for (Function *F : Users)
    for (CallBase *C : requestsIn(*F))
      if (Function *Target = targetOf(*C))
        noteDerived(*Target, isForwardPass(entryOf(*C)));
  if (Users.empty()) {
    bool Changed = meetsAll(Which) && dropCheckpointMarks(M);
    Changed |= showRegistered();
    finishLaunches(M);
    return Changed;
  }
  counters() = {}; // of this module alone
  counters().own_copy = countOwnCopies(M);
  if (isAfterLink(Which))
    linkAgainIfStripped(M);
  KnownLink Link(M, isAfterLink(Which));
  uniteDynamicShared(M);
  LocalsAside Aside(M);
  Runtime::retire(M);
  {
    Stage T("models", "Linking models of library functions");
    linkModels(M);
  }
  hideRegistered(M, Registered);
  dropUnlessRegistered(Users);
  answerRequests(Users);
  if (HasSparse) {
    releaseKept(M);
    dropSparseShadows(M, !meetsAll(Which));
  }
  finish();
  return true;
}

/// Optimizes loops that waited for differentiation as if they had not waited.
bool continuePeeling(Module &M, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration() && allowPeeling(F, FAM)) {
      simplifyFunction(F, FAM, true);
      Changed = true;
    }
  return Changed;
}

} // namespace

PreservedAnalyses RetrogradePass::run(Module &M, ModuleAnalysisManager &MAM) {
  printStagesIfAsked();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = answerFormatRequests(M, !meetsAll(Which));
  if (Changed)
    FAM.clear();
  Changed |= any_of(M, [](Function &F) { return hasRequests(F); }) &&
             splitCoroutines(M, MAM);
  Changed |= defineSayings(M);
  Changed |= Pipeline(M, MAM, Which, Vectorizes).run();
  if (Changed && isGpu(M))
    dropEmptyResults(M);
  if (none_of(M, [](Function &F) { return hasRequests(F); }))
    Changed |= restoreNames(M);
  // A new function may lie where a deleted one was, for which results are
  // cached.
  if (Changed)
    FAM.clear();
  Changed |= continuePeeling(M, FAM);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace retro
