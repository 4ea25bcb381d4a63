// The list of what is done to an emitted function, in order, with the reason of
// each stage. Input and output are the same derivative; without a stage it is
// slower, and never wrong, but for the last one, which the back end asks for.
#include "polish/polish.h"

#include "base/assert.h"
#include "base/stages.h"
#include "base/toggles.h"
#include "ir/simplify.h"
#include "loops/boundary_indices.h"
#include "loops/clamp_split.h"
#include "loops/grids/grids.h"
#include "loops/grids/neighbour_ranges.h"
#include "loops/peeling.h"
#include "polish/carry.h"
#include "polish/idle_loops.h"
#include "polish/long_blocks.h"
#include "polish/nests/outer_lanes.h"
#include "polish/number_addresses.h"
#include "polish/polished_promises.h"
#include "polish/row_checks.h"
#include "polish/scatters/scatters.h"
#include "polish/scatters/strips.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace retro {
namespace {

/// One function on its way through the stages.
struct Polished {
  Function &F;
  FunctionAnalysisManager &FAM;
  const Traits Modes;
  const bool Grids;

  void simplify() { simplifyFunction(F, FAM, isOn(Toggle::unroll)); }
  bool may(Toggle T) const { return applies(T, Modes); }
};

struct PolishStage {
  const char *Name;
  const char *Why;
  bool (*Gate)(const Polished &); ///< null: always
  void (*Run)(Polished &);
};

bool hasGrids(const Polished &P) { return P.Grids; }

/// The order matters, for the reasons that stand beside the stages.
const PolishStage Stages[] = {
    {"forbid-peeling", "nests over grids stay whole until neighbours are read",
     hasGrids, [](Polished &P) { forbidPeeling(P.F, P.FAM); }},
    {"post-opt",
     "LLVM's optimization of what was emitted: variables become "
     "values, which all that follows looks at",
     nullptr,
     [](Polished &P) {
       P.simplify();
       ++counters().post_opt;
     }},
    {"boundary-indices", "clamped and periodic indices get one form", hasGrids,
     [](Polished &P) { normalizeBoundaryIndices(P.F, P.FAM); }},
    {"grid-versions",
     "where arrays may overlap the program compares their ranges", hasGrids,
     [](Polished &P) { versionGrids(P.F, P.FAM); }},
    {"neighbours",
     "a place reads what its neighbours give, which it adds to "
     "them otherwise",
     hasGrids,
     [](Polished &P) {
       counters().neighbours += gatherNeighbours(P.F, P.FAM);
     }},
    {"allow-peeling", "now nests may be split at the boundary", hasGrids,
     [](Polished &P) { allowPeeling(P.F, P.FAM); }},
    {"peel", "the boundary's iterations run by themselves", hasGrids,
     [](Polished &P) {
       peelClampedLoops(P.F, P.FAM);
       P.simplify();
     }},
    {"split", "loops are split where an index begins to be clamped", hasGrids,
     [](Polished &P) {
       if (unsigned N = splitClampedLoops(P.F, P.FAM)) {
         counters().stencil += N;
         P.simplify();
       }
     }},
    {"idle-loops", "what was not chosen hands on no adjoint", nullptr,
     [](Polished &P) { skipIdleLoops(P.F, P.FAM); }},
    // A carried sum hides from the stages behind it which iterations change a
    // place.
    {"carry", "what a stencil adds to its neighbours is summed up in registers",
     [](const Polished &P) { return P.may(Toggle::carry); },
     [](Polished &P) { counters().stencil += carrySums(P.F, P.FAM); }},
    {"strips", "loops that add by way of a list compute in vectors first",
     [](const Polished &P) { return P.may(Toggle::strips); },
     [](Polished &P) { counters().strips += deferAdditions(P.F, P.FAM); }},
    {"scatters",
     "LLVM is told of stores by way of a list whose order does not "
     "count",
     [](const Polished &P) { return P.may(Toggle::scatters); },
     [](Polished &P) { counters().scatters += markScatters(P.F, P.FAM); }},
    {"outer-lanes",
     "what goes down columns does so for some of them at once, along the rows",
     [](const Polished &P) { return P.may(Toggle::outer_lanes); },
     [](Polished &P) {
       counters().outer_lanes += runInOuterLanes(P.F, P.FAM);
     }},
    // What is hidden is so from the stages behind it as well.
    {"row-checks", "LLVM compares arrays by rows where loops count down",
     [](const Polished &P) { return P.may(Toggle::row_checks); },
     [](Polished &P) { counters().row_checks += compareByRow(P.F, P.FAM); }},
    {"long-blocks",
     "LLVM looks for lanes in time that grows with the square of a block",
     nullptr, [](Polished &P) { spareLongBlocks(P.F); }},
    {"number-addresses",
     "the back end without optimization takes numbers for addresses", nullptr,
     [](Polished &P) { keepNumberAddresses(P.F); }},
};

} // namespace

void polish(Function &F, FunctionAnalysisManager &FAM, Traits Modes,
            bool Grids) {
  retroAssert(!F.isDeclaration() && pred_empty(&F.getEntryBlock()), "emit", &F,
              "what was emitted has a body, and no loop begins with it");
  Polished P{F, FAM, Modes, Grids};
  for (const PolishStage &S : Stages)
    if (!S.Gate || S.Gate(P))
      runStage(S.Name, S.Why, F, [&] { S.Run(P); });
  checkPolished(F, FAM, Grids);
}

void forEachPolishStage(function_ref<void(StringRef, StringRef)> Visit) {
  for (const PolishStage &S : Stages)
    Visit(S.Name, S.Why);
}

} // namespace retro
