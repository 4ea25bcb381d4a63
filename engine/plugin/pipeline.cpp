// The straight line from requests to derivatives.
#include "plugin/pipeline.h"

#include "answer/catch_handler.h"
#include "answer/embedded_runtime.h"
#include "answer/kernel_form.h"
#include "answer/rows_in_lanes.h"
#include "answer/splice.h"
#include "base/stages.h"
#include "base/toggles.h"
#include "checkpoint/checkpoint.h"
#include "emit/common/emit.h"
#include "emit/tape/dynamic_shared.h"
#include "emit/words/memory_adjoint.h"
#include "facts/loops/checkpoint_state.h"
#include "facts/losses/losses.h"
#include "facts/losses/shadow_types.h"
#include "facts/losses/warnings.h"
#include "facts/threads/device_races.h"
#include "front/known/replaceable.h"
#include "front/registered/models.h"
#include "front/requests/bind.h"
#include "front/requests/deferral.h"
#include "front/requests/request.h"
#include "front/requests/traits.h"
#include "front/requests/wrappers.h"
#include "ir/simplify.h"
#include "launch/launch.h"
#include "loops/peeling.h"
#include "plugin/complaints.h"
#include "plugin/link_again.h"
#include "plugin/print_stages.h"
#include "polish/near_use.h"
#include "polish/polish.h"
#include "polish/sparse/sparse.h"
#include "prepare/calls/library_calls.h"
#include "prepare/calls/stand_in.h"
#include "prepare/coroutines.h"
#include "prepare/loops/preaccumulate.h"
#include "prepare/prepare.h"
#include "prepare/threads/locals_aside.h"
#include "prepare/unit.h"
#include "ranges/argument_ranges.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace retro {
namespace {

/// The number that a function of no effect returns at once.
std::optional<uint64_t> onlyResult(Function &F) {
  auto *Ret = dyn_cast<ReturnInst>(&F.getEntryBlock().front());
  auto *N = Ret ? dyn_cast<ConstantInt>(Ret->getReturnValue()) : nullptr;
  return N ? std::optional(N->getZExtValue()) : std::nullopt;
}

/// A gradient for arguments that are apart, beside the one for all.
struct Versions {
  ApartQuestion Asked;
  unsigned Fields = 0; ///< of the tape of the one for all
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
  Derivative emit(const Request &Req, Unit &U, std::vector<Function *> &New,
                  Versions &Both, Reporter &R);
  Derivative emitAs(const Request &Req, ActivityAnalysis &Act,
                    const UnitPlan &Plan, std::vector<Function *> &New,
                    Reporter &R);
  /// Of all that is derived in the module, and of what U is derived for.
  Traits traits() const;
  Traits traits(const Unit &U) const { return traits() | traitsOf(U); }
  bool hasVersions(const Request &Req, const Unit &U) const;
  void addVersion(const Request &Req, const Versions &Both, Derivative &D);
  bool showRegistered();
  bool isValid(const std::vector<Function *> &New, Reporter &R);

  /// What requests must agree in to share code.
  using Key = std::tuple<Function *, Mode, std::vector<Activity>, bool, bool,
                         unsigned, bool, bool, std::optional<uint64_t>, bool,
                         std::vector<unsigned>, PoolWish, bool, bool, bool>;
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
  /// What is derived in forward mode, and in others; and all that it may run.
  SmallPtrSet<const Function *, 16> DerivedForward, DerivedElse;
  std::map<Key, Derivative> Known;
  SmallPtrSet<Function *, 16> Visited;
};

/// The emitted functions are checked here: clang does not.
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
    // There may be a barrier in it; if not, the optimizer finds out.
    if (isGpu(M))
      F->setConvergent();
    if (!isSound(*F, "", R))
      return false;
  }
  return true;
}

/// The straight line: facts, plan, emission.
Derivative Pipeline::emit(const Request &Req, Unit &U,
                          std::vector<Function *> &New, Versions &Both,
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
    Both.Fields = tapeFields(U, Plan);
  }
  if (R.failed() || (!Req.Apart.empty() && Both.Fields >= Req.FewerFields))
    return {};
  Derivative D = emitAs(Req, Act, Plan, New, R);
  if (R.failed() || !isValid(New, R))
    return {};
  if (hasVersions(Req, U))
    Both.Asked = askWhetherApart(U, Plan, Req);
  return D;
}

/// May there be two gradients?
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

/// The gradient that runs one of two, if that for arguments that are apart
/// needs less of a tape.
void Pipeline::addVersion(const Request &Req, const Versions &Both,
                          Derivative &D) {
  Request Apart = Req;
  Apart.Apart = Both.Asked.Arguments;
  Apart.FewerFields = Both.Fields;
  Reporter Quiet(Req.Call);
  Quiet.silence();
  Derivative Less = derive(Apart, Quiet);
  if (!Less) {
    Both.Asked.Asks->eraseFromParent();
    return;
  }
  D.Whole = chooseGradient(Both.Asked, *Less.Whole, *D.Whole);
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
  New = E.NewFunctions;
  return D;
}

Derivative Pipeline::derive(const Request &Req, Reporter &R) {
  const bool SizeOnly = Req.Kind == Entry::PoolSize && !Req.isSplit();
  // How kernels add to shadows depends on how they call the derivative.
  const bool OneSite = isGpu(M) && Req.mode() == Mode::Reverse &&
                       !Req.isSplit() && isOn(Toggle::race_proofs) && !SizeOnly;
  const bool DerivedAgain = isDerivedAgain(Req);
  Key K{Req.Target,       Req.mode(),
        Req.activities(), Req.PrimalReturn,
        Req.ConstReturn,  Req.Width,
        Req.isSplit(),    Req.RuntimeActivity,
        Req.Allocated,    Req.NoFree,
        Req.sparseArgs(), Req.Pool,
        SizeOnly,         Req.SharedBytes != nullptr,
        DerivedAgain};
  // What the engine asks itself for is asked once, of a function that goes.
  const bool Shared = !OneSite && Req.Call && Req.Apart.empty();
  auto It = Shared ? Known.find(K) : Known.end();
  if (It != Known.end())
    return It->second;
  Unit U(M, MAM, FAM, Req.mode(), Registered);
  configure(U, Req);
  U.Pool = Req.BothPasses ? PoolWish::None : Req.Pool;
  U.SharedParts = Req.SharedBytes;
  U.SizeOnly = SizeOnly;
  U.KeepAccumulations = HasSparse;
  U.DerivedAgain = DerivedAgain;
  U.Site = OneSite ? &Req : nullptr;
  {
    Stage T("prepare", "Copies of the primal's functions, and calls of them");
    prepareUnit(U, *Req.Target, R);
  }
  for (const PreaccumulatedLoop &L : U.Preaccumulated)
    if (!R.failed())
      if (Derivative D = derive(tangentRequest(L), R))
        complete(L, *D.Whole);
  std::vector<Function *> New;
  Versions Both;
  Derivative Result;
  if (!R.failed())
    Result = emit(Req, U, New, Both, R);
  if (!Result) {
    for (Function *F : New) {
      F->dropAllReferences();
      F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    }
    for (Function *F : New)
      F->eraseFromParent();
    discardUnit(U);
    return {};
  }
  const bool Grids = U.Grids;
  const Traits Here = traits(U);
  discardUnit(U);
  if (applies(Toggle::post_opt, Here))
    for (Function *F : New)
      polish(*F, FAM, Here, Grids);
  if (applies(Toggle::near_use, Here))
    for (Function *F : New)
      runStage("near-use", "a device's registers do not suffice", *F, [&] {
        unsigned Done = recomputeNearUses(*F);
        counters().near_use += Done;
        Result.Crowded |= Done && F == Result.Whole;
      });
  {
    Stage T("verify", "Verify what was emitted");
    for (Function *F : New)
      if (!isSound(*F,
                   "after it was optimized (-retro-verify-each says by "
                   "which stage): ",
                   R))
        return {};
  }
  if (Result.Pooled && Result.Measure)
    Result.TapeBytes =
        onlyResult(*Result.Measure).value_or(Derivative::Unknown);
  if (Both.Asked)
    addVersion(Req, Both, Result);
  if (Shared)
    Known[K] = Result;
  return Result;
}

void Pipeline::resolve(CallBase &Call) {
  if (!meetsAll(Which) && waitsForLink(Call))
    return;
  // Markers are read for nothing but the request: where they are not defined,
  // the program links all the same.
  SmallVector<WeakTrackingVH> Operands(Call.args());
  answer(Call);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
}

/// A step with a checkpointed loop in it, while all of its code can be seen.
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
  if (Req) {
    Function *Original = Req->Target;
    Req->Target = Binder.bind(*Req);
    R.standsFor(*Req->Target, *Original);
    Function *Bound = Req->Target;
    noteDerived(*Bound, Req->Kind == Entry::Fwddiff);
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
    // What the target itself requests comes first.
    resolveIn(*Req->Target);
    for (Function *Adjoint : Steps.takeRequesters())
      resolveIn(*Adjoint);
  }
  if (Req && Req->Kind == Entry::Autodiff)
    Req->BothPasses = splitForced();
  if (Req && (Req->Kind == Entry::Batch || Req->Kind == Entry::VirtualReverse))
    return spliceDirect(*Req, R);
  Derivative D = Req ? derive(*Req, R) : Derivative();
  if (isGpu(M))
    markAnswered(*Call.getFunction());
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

/// Is a derivative made of this one that can be made? The reverse of a reverse
/// pass in threads cannot.
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

/// Calls of registered functions are calls of them again, when all requests
/// that can be met are.
bool Pipeline::showRegistered() {
  if (Which == Requests::BeforeThinLink)
    markForThinLink(Registered);
  if (Which == Requests::BeforeLink || Which == Requests::BeforeThinLink)
    return parkRegistered(M);
  if (Which == Requests::Settled &&
      any_of(M, [](Function &F) { return !requestsIn(F).empty(); }))
    return true;
  bool Changed = restoreRegistered(M, Which == Requests::AfterThinLink);
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
        noteDerived(*Target, entryOf(*C) == Entry::Fwddiff);
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
  // What only callers can tell is an error if there is no caller that does.
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
  showRegistered();
  finishLaunches(M);
  {
    Stage T("runtime", "Linking the runtime");
    linkRuntimes(M);
  }
  recordAppliedToggles(M);
  if (printCountersRequested()) {
    const ToggleCounters &C = counters();
#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Text)   \
  errs() << "retro-counter " Option " " << C.Field << "\n";
#include "base/toggles.def"
  }
  return true;
}

/// What has waited for differentiation is optimized as if it had not.
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
  Changed |= Pipeline(M, MAM, Which, Vectorizes).run();
  if (Changed && isGpu(M))
    dropEmptyResults(M);
  // A new function may be where one was that is gone.
  if (Changed)
    FAM.clear();
  Changed |= continuePeeling(M, FAM);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace retro
