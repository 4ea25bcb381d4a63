// The straight line from requests to derivatives: each request is parsed, its
// unit prepared, analyzed, planned and emitted, and the call replaced. What
// runs when is decided here and in the two lists of stages, and nowhere else.
#include "plugin/pipeline.h"

#include "answer/catch_handler.h"
#include "answer/embedded_runtime.h"
#include "answer/kernel_form.h"
#include "answer/rows_in_lanes.h"
#include "answer/splice.h"
#include "base/stages.h"
#include "base/toggles.h"
#include "checkpoint/checkpoint.h"
#include "emit/common/unit_emitter.h"
#include "emit/tape/dynamic_shared.h"
#include "emit/words/memory_adjoint.h"
#include "facts/loops/checkpoint_state.h"
#include "facts/losses/losses.h"
#include "facts/losses/shadow_types.h"
#include "facts/losses/warnings.h"
#include "facts/threads/device_races.h"
#include "front/known/replaceable.h"
#include "front/registered/models.h"
#include "front/registered/sayings.h"
#include "front/requests/bind.h"
#include "front/requests/deferral.h"
#include "front/requests/request.h"
#include "front/requests/traits.h"
#include "front/requests/wrappers.h"
#include "ir/simplify.h"
#include "launch/launch.h"
#include "loops/peeling.h"
#include "plugin/applied_toggles.h"
#include "plugin/complaints.h"
#include "plugin/device_code.h"
#include "plugin/goal.h"
#include "plugin/link_again.h"
#include "plugin/print_stages.h"
#include "polish/device_memory.h"
#include "polish/near_use.h"
#include "polish/polish.h"
#include "polish/sparse/sparse.h"
#include "prepare/calls/library_calls.h"
#include "prepare/calls/stand_in.h"
#include "prepare/coroutines.h"
#include "prepare/loops/preaccumulate.h"
#include "prepare/memory/container_heads.h"
#include "prepare/memory/memory_resources.h"
#include "prepare/memory/whole_words.h"
#include "prepare/prepare.h"
#include "prepare/threads/locals_aside.h"
#include "prepare/unit.h"
#include "prepare/words/note_types.h"
#include "ranges/argument_ranges.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace retro {
namespace {

/// The number that F returns at once, if it does nothing else.
std::optional<uint64_t> onlyResult(Function &F) {
  auto *Ret = dyn_cast<ReturnInst>(&F.getEntryBlock().front());
  auto *N = Ret ? dyn_cast<ConstantInt>(Ret->getReturnValue()) : nullptr;
  return N ? std::optional(N->getZExtValue()) : std::nullopt;
}

/// What a second version of a gradient, for arguments that do not overlap,
/// needs to know of the first one.
struct SecondVersion {
  ApartQuestion Question; ///< which version may run?
  unsigned Fields = 0;    ///< of the first version's tape
};

class Pipeline {
public:
  Pipeline(Module &M, ModuleAnalysisManager &MAM, Requests Which,
           bool Vectorizes)
      : M(M), MAM(MAM), Which(Which), Vectorizes(Vectorizes),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()),
        Binder(FAM), Registered(M), Steps(Registered) {}

  bool run();

private:
  void noteDerived(Function &Target, bool Forward);
  bool isDerivedAgain(const Request &Req) const;
  void resolveIn(Function &F);
  void resolve(CallBase &Call);
  void answer(CallBase &Call);
  void checkState(const Request &Req, Reporter &R);
  Derivative derive(const Request &Req, Reporter &R);
  bool isForOneSite(const Request &Req) const;
  void configureUnit(Unit &U, const Request &Req, const Goal &G) const;
  void prepare(Unit &U, const Request &Req, Reporter &R);
  void optimize(const std::vector<Function *> &New, Traits Modes, bool Grids,
                Derivative &D);
  Derivative emit(const Request &Req, Unit &U, std::vector<Function *> &New,
                  SecondVersion &Second, Reporter &R);
  Derivative emitAs(const Request &Req, ActivityAnalysis &Act,
                    const UnitPlan &Plan, std::vector<Function *> &New,
                    Reporter &R);
  /// Of all that is derived in the module, and of what U is derived for.
  Traits traits() const;
  Traits traits(const Unit &U) const { return traits() | traitsOf(U); }
  bool hasVersions(const Request &Req, const Unit &U) const;
  void addVersion(const Request &Req, const SecondVersion &Second,
                  Derivative &D);
  bool showRegistered();
  bool isValid(const std::vector<Function *> &New, Reporter &R);

  Module &M;
  ModuleAnalysisManager &MAM;
  Requests Which;
  bool Vectorizes; ///< LLVM does, after this
  FunctionAnalysisManager &FAM;
  ForwardSplits Forward;
  FunctionBinder Binder;
  Registrations Registered;
  Checkpoints Steps;
  bool HasSparse = false; ///< there are sparse shadows in the module
  /// What is derived in forward mode, what in other modes; with all that either
  /// may run.
  SmallPtrSet<const Function *, 16> DerivedForward, DerivedElse;
  std::map<Goal, Derivative> Derivatives;
  SmallPtrSet<Function *, 16> Visited;
};

/// Verifies an emitted function. Clang does not.
static bool isSound(const Function &F, StringRef Since, Reporter &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (!verifyFunction(F, &OS))
    return true;
  R.error(Diag::Internal, nullptr, {F.getName().str(), (Since + Text).str()});
  return false;
}

bool Pipeline::isValid(const std::vector<Function *> &New, Reporter &R) {
  Stage T("verify", "Verify what was emitted");
  for (Function *F : New) {
    putLocalsBack(*F);
    // There may be a barrier in it. If there is none, the optimizer finds that
    // out.
    if (isGpu(M))
      F->setConvergent();
    if (!isSound(*F, "", R))
      return false;
  }
  return true;
}

/// From the unit to the derivative: facts, plan, emission.
Derivative Pipeline::emit(const Request &Req, Unit &U,
                          std::vector<Function *> &New, SecondVersion &Second,
                          Reporter &R) {
  MemoryShape Shape(U);
  {
    Stage T("shape", "What memory holds");
    Shape.run(Req.activities());
  }
  describeParameters(*Req.Target, U, Shape);
  ActivityAnalysis Act(U, Shape, R);
  {
    Stage T("activity", "Activity analysis");
    Act.run(Req.activities(), !Req.ConstReturn);
  }
  if (printShapeRequested())
    errs() << Shape.print();
  if (!R.failed()) {
    Stage T("losses", "What cannot be differentiated");
    reportLosses(Act, R);
  }
  if (!R.failed() && Req.Apart.empty())
    warnOfZeros(Req, Act);
  if (!R.failed())
    checkCheckpointedLoops(Act, R);
  UnitPlan Plan(Act);
  if (R.failed())
    return {};
  if (U.DerivMode == Mode::Reverse) {
    {
      Stage T("plan", "Plan of the reverse pass");
      Plan.run();
    }
    if (printPlanRequested() && !Req.Apart.empty())
      errs() << "for arguments that are apart:\n";
    if (printPlanRequested())
      for (auto &F : U.Functions)
        errs() << printPlan(*F, Plan.of(*F));
    if (printPlanRequested())
      errs() << printPlan(U, Plan.pool());
    checkPool(Req, Plan, R);
    Second.Fields = tapeFields(U, Plan);
  }
  if (R.failed() || (!Req.Apart.empty() && Second.Fields >= Req.FewerFields))
    return {};
  Derivative D = emitAs(Req, Act, Plan, New, R);
  if (R.failed() || !isValid(New, R))
    return {};
  for (Function *F : New)
    noteEmitted(*F);
  if (hasVersions(Req, U))
    Second.Question = askWhetherApart(U, Plan, Req);
  return D;
}

/// May the request get two gradients, of which the program chooses one?
bool Pipeline::hasVersions(const Request &Req, const Unit &U) const {
  return applies(Toggle::argument_ranges, traits(U)) &&
         Req.Kind == Entry::Autodiff && Req.Call && Req.Apart.empty();
}

Traits Pipeline::traits() const {
  return traitsOf(M)
      .set(Trait::Sparse, HasSparse)
      .set(Trait::BeforeLink, !meetsAll(Which))
      .set(Trait::Vectorized, Vectorizes);
}

/// Makes the second gradient, for arguments that do not overlap, if it needs
/// less of a tape. The result runs one of the two.
void Pipeline::addVersion(const Request &Req, const SecondVersion &Second,
                          Derivative &D) {
  Request Apart = Req;
  Apart.Apart = Second.Question.Arguments;
  Apart.FewerFields = Second.Fields;
  Reporter Quiet(Req.Call);
  Quiet.silence();
  Derivative ForApart = derive(Apart, Quiet);
  if (!ForApart) {
    Second.Question.Asks->eraseFromParent();
    return;
  }
  D.Whole = chooseGradient(Second.Question, *ForApart.Whole, *D.Whole);
  ++counters().argument_ranges;
}

Derivative Pipeline::emitAs(const Request &Req, ActivityAnalysis &Act,
                            const UnitPlan &Plan, std::vector<Function *> &New,
                            Reporter &R) {
  Stage T("emit", "Emission");
  const Unit &U = Act.unit();
  UnitEmitter E(Act, &Plan, R);
  Derivative D;
  if (U.DerivMode == Mode::Forward && U.Split)
    D = E.emitForwardSplit(Req);
  else if (U.DerivMode == Mode::Forward)
    D.Whole = E.emitTangent(Req);
  else if (U.SizeOnly)
    D.Measure = E.pooled() ? E.emitMeasure() : nullptr;
  else if (U.Split)
    D = E.emitSplit(Req);
  else
    D.Whole = E.emitGradient(Req);
  D.Pooled = E.pooled();
  D.SharedParts = E.sharedParts();
  D.SharedAlign = E.sharedAlign();
  if (U.Split && D.Pooled && !R.failed())
    D.Measure = E.emitMeasure();
  New = E.newFunctions();
  return D;
}

/// How kernels add to shadows depends on how they call the derivative, which
/// no other request can share then.
bool Pipeline::isForOneSite(const Request &Req) const {
  return isGpu(M) && Req.mode() == Mode::Reverse && !Req.isSplit() &&
         Req.Kind != Entry::PoolSize && isOn(Toggle::race_proofs);
}

/// What the request and the module say of all that is made for the request.
void Pipeline::configureUnit(Unit &U, const Request &Req, const Goal &G) const {
  configure(U, Req);
  U.Pool = Req.BothPasses ? PoolWish::None : Req.Pool;
  U.SharedParts = G.SharedParts;
  U.SizeOnly = G.SizeOnly;
  U.KeepAccumulations = HasSparse;
  U.DerivedAgain = G.DerivedAgain;
  U.Site = isForOneSite(Req) ? &Req : nullptr;
}

/// Fills the unit. Loops that became functions with a gradient of their own
/// get that gradient.
void Pipeline::prepare(Unit &U, const Request &Req, Reporter &R) {
  {
    Stage T("prepare", "Copies of the primal's functions, and calls of them");
    prepareUnit(U, *Req.Target, R);
    if (!R.failed())
      copyWholeWords(U, Req.activities(), !Req.ConstReturn);
  }
  for (const PreaccumulatedLoop &L : U.Preaccumulated)
    if (!R.failed())
      if (Derivative D = derive(tangentRequest(L), R))
        complete(L, *D.Whole);
}

/// Deletes what was emitted before an error was found.
static void erase(const std::vector<Function *> &New) {
  for (Function *F : New) {
    F->dropAllReferences();
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
  }
  for (Function *F : New)
    F->eraseFromParent();
}

/// Makes the emitted functions fast.
void Pipeline::optimize(const std::vector<Function *> &New, Traits Modes,
                        bool Grids, Derivative &D) {
  if (applies(Toggle::post_opt, Modes))
    for (Function *F : New)
      polish(*F, FAM, Modes, Grids);
  if (isGpu(M))
    for (Function *F : New)
      markDerived(*F);
  if (applies(Toggle::near_use, Modes))
    for (Function *F : New)
      runStage("near-use", "a device's registers do not suffice", *F, [&] {
        unsigned Done = recomputeNearUses(*F);
        counters().near_use += Done;
        D.Crowded |= Done && F == D.Whole;
      });
}

/// Verifies what polish made.
static bool areSound(const std::vector<Function *> &New, Reporter &R) {
  Stage T("verify", "Verify what was emitted");
  return all_of(New, [&](Function *F) {
    return isSound(*F,
                   "after it was optimized (-retro-verify-each says by which "
                   "stage): ",
                   R);
  });
}

Derivative Pipeline::derive(const Request &Req, Reporter &R) {
  const Goal G(Req, isDerivedAgain(Req));
  // Requests that the engine makes itself are not remembered: their target is
  // deleted.
  const bool Shared = !isForOneSite(Req) && Req.Call && Req.Apart.empty();
  if (auto It = Derivatives.find(G); Shared && It != Derivatives.end())
    return It->second;
  Unit U(M, MAM, FAM, Req.mode(), Registered);
  configureUnit(U, Req, G);
  prepare(U, Req, R);
  std::vector<Function *> New;
  SecondVersion Second;
  Derivative Result;
  if (!R.failed())
    Result = emit(Req, U, New, Second, R);
  if (!Result)
    erase(New);
  const bool Grids = U.Grids;
  const Traits Modes = traits(U);
  discardUnit(U);
  if (!Result)
    return {};
  optimize(New, Modes, Grids, Result);
  if (!areSound(New, R))
    return {};
  if (Result.Pooled && Result.Measure)
    Result.TapeBytes =
        onlyResult(*Result.Measure).value_or(Derivative::Unknown);
  if (Second.Question)
    addVersion(Req, Second, Result);
  if (Shared)
    Derivatives[G] = Result;
  return Result;
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

/// Checks the state of a step that contains a checkpointed loop, while all of
/// its code can still be seen.
void Pipeline::checkState(const Request &Req, Reporter &R) {
  Unit U(M, MAM, FAM, Req.mode(), Registered);
  U.configure(Req.Width, false, false);
  prepareUnit(U, *Req.Target, R);
  if (!R.failed()) {
    MemoryShape Shape(U);
    Shape.run(Req.activities());
    ActivityAnalysis Act(U, Shape, R);
    Act.run(Req.activities(), true);
    checkCheckpointState(Act, R);
  }
  discardUnit(U);
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
    Req->Target = Binder.bind(*Req);
    R.standsFor(*Req->Target, *Original);
    Function *Bound = Req->Target;
    noteDerived(*Bound, isForwardPass(Req->Kind));
    if (Steps.isNested(*Bound))
      checkState(*Req, R);
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
  Derivative D = Req ? derive(*Req, R) : Derivative();
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
  bool Changed = dropHeads(M);
  if (Which == Requests::BeforeThinLink)
    markForThinLink(Registered);
  if (Which == Requests::BeforeLink || Which == Requests::BeforeThinLink)
    return parkRegistered(M) || Changed;
  if (Which == Requests::Settled &&
      any_of(M, [](Function &F) { return !requestsIn(F).empty(); }))
    return true;
  Changed |= dropSayings(M);
  Changed |= restoreRegistered(M, Which == Requests::AfterThinLink);
  if (isOn(Toggle::preopt))
    inlineRegistered(Registered, FAM);
  return Changed;
}

bool Pipeline::run() {
  inlineRequestWrappers(M, FAM);
  SmallVector<Function *> Users;
  Forward = forwardSplitsIn(M);
  HasSparse = hasSparseShadows(M);
  for (Function &F : M)
    if (!requestsIn(F).empty())
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
  bool Valid = reportProblems(Registered, *requestsIn(*Users[0])[0]);
  if (isAfterLink(Which))
    Valid &= reportInlined(Registered, *requestsIn(*Users[0])[0]);
  if (!Valid)
    for (Function *F : Users)
      for (CallBase *C : requestsIn(*F))
        dropRequest(*C);
  // A wrapper is answered last: that its target is unknown is an error only if
  // no caller knows it.
  for (Function *F : Users)
    if (!F->isDiscardableIfUnused() || !isRequestWrapper(*F))
      resolveIn(*F);
  dropRequestWrappers(M, FAM);
  for (Function &F : M)
    if (isRequestWrapper(F))
      resolveIn(F);
  if (HasSparse) {
    releaseKept(M);
    dropSparseShadows(M, !meetsAll(Which));
  }
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
  bool Changed =
      any_of(M, [](Function &F) { return !requestsIn(F).empty(); }) &&
      splitCoroutines(M, MAM);
  Changed |= defineSayings(M);
  Changed |= Pipeline(M, MAM, Which, Vectorizes).run();
  if (Changed && isGpu(M))
    dropEmptyResults(M);
  // A new function may lie where a deleted one was, for which results are
  // cached.
  if (Changed)
    FAM.clear();
  Changed |= continuePeeling(M, FAM);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace retro
