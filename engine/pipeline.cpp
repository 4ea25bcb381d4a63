// The straight line from requests to derivatives.
#include "pipeline.h"

#include "analyses/losses.h"
#include "front/request.h"
#include "toggles.h"
#include "transforms/emit.h"
#include "transforms/prepare.h"
#include "transforms/splice.h"
#include "transforms/stencil.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace retro {
namespace {

class Pipeline {
public:
  Pipeline(Module &M, ModuleAnalysisManager &MAM)
      : M(M), MAM(MAM),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()) {
  }

  bool run();

private:
  void resolveIn(Function &F);
  void resolve(CallBase &Call);
  Function *derive(const Request &Req, Reporter &R);
  bool isValid(const std::vector<Function *> &New, Reporter &R);

  using Key = std::tuple<Function *, Mode, std::vector<Activity>, bool, bool>;
  Module &M;
  ModuleAnalysisManager &MAM;
  FunctionAnalysisManager &FAM;
  std::map<Key, Function *> Known;
  SmallPtrSet<Function *, 16> Visited;
};

/// The emitted functions are checked here: clang does not.
bool Pipeline::isValid(const std::vector<Function *> &New, Reporter &R) {
  for (Function *F : New) {
    std::string Text;
    raw_string_ostream OS(Text);
    if (verifyFunction(*F, &OS)) {
      R.error(Diag::Internal, nullptr, {F->getName().str(), Text});
      return false;
    }
  }
  return true;
}

Function *Pipeline::derive(const Request &Req, Reporter &R) {
  Key K{Req.Target, Req.DerivMode, Req.activities(), Req.PrimalReturn,
        Req.ConstReturn};
  auto It = Known.find(K);
  if (It != Known.end())
    return It->second;
  Unit U(M, MAM, FAM, Req.DerivMode);
  prepareUnit(U, *Req.Target, R);
  Function *Result = nullptr;
  std::vector<Function *> New;
  if (!R.failed()) {
    MemoryShape Shape(U);
    Shape.run(Req.activities());
    ActivityAnalysis Act(U, Shape, R);
    Act.run(Req.activities(), !Req.ConstReturn);
    if (!R.failed())
      reportLosses(Act, R);
    UnitPlan Plan(Act);
    if (!R.failed() && Req.DerivMode == Mode::Reverse) {
      Plan.run();
      if (printPlanRequested())
        for (auto &F : U.Functions)
          errs() << printPlan(*F, Plan.of(*F));
    }
    if (!R.failed()) {
      UnitEmitter E(Act, &Plan, R);
      Result = Req.DerivMode == Mode::Reverse ? E.emitGradient(Req)
                                              : E.emitTangent(Req);
      New = E.NewFunctions;
      if (R.failed() || !isValid(New, R))
        Result = nullptr;
    }
  }
  if (!Result) {
    for (Function *F : New) {
      F->dropAllReferences();
      F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    }
    for (Function *F : New)
      F->eraseFromParent();
    discardUnit(U);
    return nullptr;
  }
  discardUnit(U);
  if (Toggles::get().post_opt)
    for (Function *F : New) {
      simplifyFunction(*F, FAM, Toggles::get().unroll);
      ++counters().post_opt;
      if (Toggles::get().stencil)
        counters().stencil += carrySums(*F, FAM);
    }
  return Known[K] = Result;
}

void Pipeline::resolve(CallBase &Call) {
  Reporter R(&Call);
  // What the target itself requests comes first.
  if (Function *T = targetOf(Call))
    resolveIn(*T);
  std::optional<Request> Req = parseRequest(Call, R);
  Function *D = Req ? derive(*Req, R) : nullptr;
  if (D)
    spliceRequest(*Req, *D, R);
  else
    dropRequest(Call);
}

void Pipeline::resolveIn(Function &F) {
  if (F.isDeclaration() || !Visited.insert(&F).second)
    return;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = C->getCalledFunction(); G && !isRequest(*C))
        resolveIn(*G);
  for (CallBase *C : requestsIn(F))
    resolve(*C);
}

bool Pipeline::run() {
  SmallVector<Function *> Users;
  for (Function &F : M)
    if (!requestsIn(F).empty())
      Users.push_back(&F);
  for (Function *F : Users)
    resolveIn(*F);
  if (Users.empty())
    return false;
  recordAppliedToggles(M);
  if (printCountersRequested()) {
    const ToggleCounters &C = counters();
#define TOGGLE(Field, Option, Default, Heading, Text)                          \
  errs() << "retro-counter " Option " " << C.Field << "\n";
#include "toggles.def"
#undef TOGGLE
  }
  return true;
}

} // namespace

PreservedAnalyses RetrogradePass::run(Module &M, ModuleAnalysisManager &MAM) {
  return Pipeline(M, MAM).run() ? PreservedAnalyses::none()
                                : PreservedAnalyses::all();
}

} // namespace retro
