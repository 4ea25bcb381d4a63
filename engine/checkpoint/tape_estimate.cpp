// Estimates the size of the tape of each loop, from a plan that is made for
// that and thrown away. An estimate that is too small lets a program run out of
// memory; one too large makes it compute steps twice.
#include "checkpoint/tape_estimate.h"

#include "base/toggles.h"
#include "facts/loops/checkpoint_state.h"
#include "facts/losses/losses.h"
#include "plan/planner.h"
#include "prepare/memory/whole_words.h"
#include "prepare/prepare.h"
#include "prepare/unit.h"

#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace retro {
namespace {

/// Calls in calls are followed to this depth.
constexpr unsigned MostCalls = 4;

class Estimator {
public:
  Estimator(Unit &U, const UnitPlan &Plan) : U(U), Plan(Plan) {}
  TapeEstimate run();

private:
  uint64_t sizeOf(Type *T) const {
    return U.M.getDataLayout().getTypeAllocSize(T).getFixedValue();
  }
  uint64_t sizeOf(const LoopTape::Field &X, unsigned Depth) const;
  uint64_t sizeOfCall(const UnitFunction &G, unsigned Depth) const;
  void add(UnitFunction &F, const BasicBlock *Header, const LoopTape &T,
           TapeEstimate &Out) const;
  void add(UnitFunction &F, const ArrayRange &R, TapeEstimate &Out) const;

  Unit &U;
  const UnitPlan &Plan;
};

/// A rough size of a call's tape.
uint64_t Estimator::sizeOfCall(const UnitFunction &G, unsigned Depth) const {
  uint64_t Sum = 0;
  const FunctionPlan &P = Plan.of(G);
  for (auto &[I, S] : P.Cached)
    if (S.Where == Storage::Frame)
      Sum += sizeOf(S.Ty);
  for (auto &[H, T] : P.Tapes)
    for (const LoopTape::Field &X : T.Fields) {
      uint64_t Trips = AssumedTrips;
      for (size_t N = 1; N < std::min<size_t>(X.Nest.size(), 3); ++N)
        Trips *= AssumedTrips;
      Sum += Trips * sizeOf(X, Depth);
    }
  for (auto &[First, R] : P.Copies) {
    uint64_t Bytes = R.Size;
    for (auto &[Header, Step] : R.Loops)
      Bytes *= Step ? AssumedTrips : 1;
    Sum += Bytes;
  }
  return Sum;
}

uint64_t Estimator::sizeOf(const LoopTape::Field &X, unsigned Depth) const {
  auto *C = X.What.K == Item::Tape ? dyn_cast<CallBase>(X.What.V) : nullptr;
  UnitFunction *G = C && Depth < MostCalls ? U.callee(*C) : nullptr;
  return sizeOf(X.Ty) + (G ? sizeOfCall(*G, Depth + 1) : 0);
}

static unsigned labelOf(const Loop *L) {
  auto N = getOptionalIntLoopAttribute(L, LoopLabel);
  return N ? static_cast<unsigned>(*N) : NoLabel;
}

/// A copy of an array, which each iteration around the nest makes.
void Estimator::add(UnitFunction &F, const ArrayRange &R,
                    TapeEstimate &Out) const {
  const Loop *Nest = F.LI.getLoopFor(R.Nest), *Top = Nest->getOutermostLoop();
  if (Nest == Top || labelOf(Top) == NoLabel)
    return;
  TapeTerm Term{R.Size, {}};
  for (const Loop *X = Nest->getParentLoop(); X != Top; X = X->getParentLoop())
    Term.Inner.push_back(labelOf(X));
  for (auto &[Header, Step] : R.Loops)
    if (Step)
      Term.Inner.push_back(labelOf(F.LI.getLoopFor(Header)));
  Out[labelOf(Top)].push_back(std::move(Term));
}

void Estimator::add(UnitFunction &F, const BasicBlock *Header,
                    const LoopTape &T, TapeEstimate &Out) const {
  const Loop *L = F.LI.getLoopFor(Header), *Top = L->getOutermostLoop();
  if (labelOf(Top) == NoLabel)
    return;
  std::vector<TapeTerm> &Terms = Out[labelOf(Top)];
  TapeTerm Record;
  for (const Loop *X = L; X != Top; X = X->getParentLoop())
    Record.Inner.push_back(labelOf(X));
  // Each record points to the one before.
  Record.Bytes =
      T.Indexed ? 0 : sizeOf(PointerType::getUnqual(U.M.getContext()));
  for (const LoopTape::Field &X : T.Fields) {
    if (!T.Indexed) {
      Record.Bytes += sizeOf(X, 0);
      continue;
    }
    TapeTerm Term{sizeOf(X, 0), {}};
    // A nest within the loop has a new array in each iteration.
    bool Each = L != Top;
    for (const Loop *O = L->getParentLoop(); O && O != Top;
         O = O->getParentLoop())
      Term.Inner.push_back(labelOf(O));
    for (const BasicBlock *H : X.Nest)
      if (const Loop *N = F.LI.getLoopFor(H); N == Top)
        Each = true;
      else
        Term.Inner.push_back(labelOf(N));
    if (Each)
      Terms.push_back(std::move(Term));
  }
  if (Record.Bytes)
    Terms.push_back(std::move(Record));
}

TapeEstimate Estimator::run() {
  TapeEstimate Out;
  UnitFunction &F = U.root();
  for (auto &[H, T] : Plan.of(F).Tapes)
    add(F, H, T, Out);
  for (auto &[First, R] : Plan.of(F).Copies)
    add(F, R, Out);
  return Out;
}

} // namespace

std::optional<TapeEstimate> estimateTape(const Request &Req,
                                         const Surroundings &S) {
  const ToggleCounters Before = counters();
  Unit U(*Req.Target->getParent(), S.MAM, S.FAM, Req.mode(), S.Registered);
  configure(U, Req);
  Reporter Quiet(Req.Call);
  Quiet.silence();
  prepareUnit(U, *Req.Target, Quiet);
  if (!Quiet.failed())
    copyWholeWords(U, Req.activities(), !Req.ConstReturn);
  std::optional<TapeEstimate> Out;
  if (!Quiet.failed()) {
    MemoryShape Shape(U);
    Shape.run(Req.activities());
    ActivityAnalysis Act(U, Shape, Quiet);
    Act.run(Req.activities(), !Req.ConstReturn);
    if (!Quiet.failed())
      reportLosses(Act, Quiet);
    if (!Quiet.failed())
      checkCheckpointedLoops(Act, Quiet);
    UnitPlan Plan(Act);
    // A step's memory would be compared with that of another call.
    if (!Quiet.failed() && !U.SettlesConstants) {
      Plan.run();
      Out = Estimator(U, Plan).run();
    }
  }
  discardUnit(U);
  counters() = Before;
  return Out;
}

} // namespace retro
