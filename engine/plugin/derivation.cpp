// A request's target becomes a unit, facts are found, all is planned, code is
// emitted and made fast, and each step is verified: the stages follow each
// other here alone. Without this file a request would have no derivative.
#include "plugin/derivation.h"

#include "base/stages.h"
#include "base/toggles.h"
#include "emit/common/unit_emitter.h"
#include "emit/emitted_promises.h"
#include "facts/loops/checkpoint_state.h"
#include "facts/losses/losses.h"
#include "facts/losses/warnings.h"
#include "launch/launch.h"
#include "plan/refusals/refusals.h"
#include "plugin/complaints.h"
#include "polish/device_memory.h"
#include "polish/equal_functions.h"
#include "polish/near_use.h"
#include "polish/polish.h"
#include "prepare/clones/shared_clones.h"
#include "prepare/loops/preaccumulate.h"
#include "prepare/memory/whole_words.h"
#include "prepare/prepare.h"
#include "prepare/threads/locals_aside.h"
#include "prepare/unit.h"
#include "prepare/words/note_types.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {
namespace {

/// The number that F returns at once, if it does nothing else.
std::optional<uint64_t> onlyResult(Function &F) {
  auto *Ret = dyn_cast<ReturnInst>(&F.getEntryBlock().front());
  auto *N = Ret ? dyn_cast<ConstantInt>(Ret->getReturnValue()) : nullptr;
  return N ? std::optional(N->getZExtValue()) : std::nullopt;
}

/// Verifies an emitted function. Clang does not.
bool isSound(const Function &F, StringRef Since, Reporter &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (!verifyFunction(F, &OS))
    return true;
  R.error(Diag::Internal, nullptr, {F.getName().str(), (Since + Text).str()});
  return false;
}

/// Deletes what was emitted before an error was found.
void erase(const std::vector<Function *> &New) {
  for (Function *F : New) {
    F->dropAllReferences();
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
  }
  for (Function *F : New)
    F->eraseFromParent();
}

/// The plan as text. In forward mode that of the whole unit is all of it.
void print(const Request &Req, const Unit &U, const UnitPlan &Plan) {
  if (Req.isSecondVersion())
    errs() << "for arguments that are apart:\n";
  if (U.DerivMode == Mode::Reverse)
    for (auto &F : U.Functions)
      errs() << printPlan(*F, Plan.of(*F));
  errs() << printPlan(U, Plan);
}

/// Verifies what polish made.
bool areSound(const std::vector<Function *> &New, Reporter &R) {
  Stage T("verify", "Verify what was emitted");
  return all_of(New, [&](Function *F) {
    return isSound(*F,
                   "after it was optimized (-retro-verify-each says by which "
                   "stage): ",
                   R);
  });
}

} // namespace

/// How kernels add to shadows depends on how they call the derivative, which
/// no other request can share then.
bool Deriver::isForOneSite(const Request &Req) const {
  return isGpu(M) && Req.mode() == Mode::Reverse && !Req.isSplit() &&
         Req.Kind != Entry::PoolSize && isOn(Toggle::race_proofs);
}

/// What the request and the module say of all that is made for the request.
void Deriver::configureUnit(Unit &U, const Request &Req, const Goal &G) const {
  configure(U, Req);
  U.Pool = Req.BothPasses ? PoolWish::None : Req.Pool;
  U.SharedParts = G.SharedParts;
  U.SizeOnly = G.SizeOnly;
  U.KeepAccumulations = Common.hasAll({Trait::Sparse});
  U.DerivedAgain = G.DerivedAgain;
  U.Site = isForOneSite(Req) ? &Req : nullptr;
}

/// Fills the unit. Loops that became functions with a gradient of their own
/// get that gradient.
void Deriver::prepare(Unit &U, const Request &Req, Reporter &R) {
  {
    Stage T("prepare", "Copies of the primal's functions, and calls of them");
    prepareUnit(U, *Req.Target, R);
    if (!R.failed())
      shareClones(U, Req.activities(), !Req.ConstReturn);
    if (!R.failed())
      copyWholeWords(U, Req.activities(), !Req.ConstReturn);
  }
  for (const PreaccumulatedLoop &L : U.Preaccumulated)
    if (!R.failed())
      if (Derivative D = derive(tangentRequest(L), false, R))
        complete(L, *D.Whole);
}

bool Deriver::isValid(const std::vector<Function *> &New, Reporter &R) const {
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

Derivative Deriver::emitAs(const Request &Req, const ActivityAnalysis &Act,
                           const UnitPlan &Plan, std::vector<Function *> &New,
                           Reporter &R) const {
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
  if (!R.failed())
    checkEmitted(U, New);
  return D;
}

/// From the unit to the derivative: facts, plan, emission.
Derivative Deriver::emit(const Request &Req, Unit &U,
                         std::vector<Function *> &New, SecondVersion &Second,
                         Reporter &R) const {
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
  if (!R.failed() && !Req.isSecondVersion())
    warnOfZeros(Req, Act);
  if (!R.failed())
    checkCheckpointedLoops(Act, R);
  UnitPlan Plan(Act);
  if (R.failed())
    return {};
  const bool Reverse = U.DerivMode == Mode::Reverse;
  {
    Stage T("plan", "Plan of the derivative");
    if (Reverse)
      Plan.run();
    else
      Plan.runForward();
  }
  if (printPlanRequested())
    print(Req, U, Plan);
  if (Reverse) {
    checkPool(Req, Plan, R);
    Second.Weight = tapeWeight(U, Plan);
  }
  if (!R.failed())
    reportRefusals(Req, Act, Plan, R);
  if (R.failed() || (Req.isSecondVersion() && Second.Weight >= Req.Lighter))
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

/// Makes the emitted functions fast.
void Deriver::optimize(std::vector<Function *> &New, Traits Modes, bool Grids,
                       Derivative &D) {
  {
    Stage T("merge", "Emitted functions with the same code become one");
    mergeEqual(New, {D.Whole, D.Augmented, D.Second, D.Measure}, FAM);
  }
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

/// May the request get two gradients, of which the program chooses one?
bool Deriver::hasVersions(const Request &Req, const Unit &U) const {
  return applies(Toggle::argument_ranges, traits(U)) &&
         Req.Kind == Entry::Autodiff && Req.Call && !Req.isSecondVersion();
}

/// Makes the second gradient, for arguments that do not overlap, if it needs
/// less of a tape. The result runs one of the two.
void Deriver::addVersion(const Request &Req, bool Again,
                         const SecondVersion &Second, Derivative &D) {
  Request Apart = Req;
  Apart.Apart = Second.Question.Arguments;
  Apart.Bounded = Second.Question.Numbers;
  Apart.Lighter = Second.Weight;
  Reporter Quiet(Req.Call);
  Quiet.silence();
  Derivative ForApart = derive(Apart, Again, Quiet);
  if (!ForApart) {
    Second.Question.Asks->eraseFromParent();
    return;
  }
  D.Whole = chooseGradient(Second.Question, *ForApart.Whole, *D.Whole);
  ++counters().argument_ranges;
}

Derivative Deriver::derive(const Request &Req, bool Again, Reporter &R) {
  const Goal G(Req, Again);
  // Requests that the engine makes itself are not remembered: their target is
  // deleted.
  const bool Shared = !isForOneSite(Req) && Req.Call && !Req.isSecondVersion();
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
    addVersion(Req, Again, Second, Result);
  if (Shared)
    Derivatives[G] = Result;
  return Result;
}

void Deriver::checkState(const Request &Req, Reporter &R) {
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

} // namespace retro
