// The list of what is done to each function of a unit, in order, with the
// reason of each stage, and then what is done to the whole unit. The order
// matters: a stage reads the form that those before it made. Without it
// emission would meet code for which there is no rule.
#include "prepare/stages.h"

#include "base/stages.h"
#include "front/known/known_functions.h"
#include "front/registered/models.h"
#include "front/registered/sayings.h"
#include "ir/simplify.h"
#include "loops/boundary_indices.h"
#include "loops/clamp_split.h"
#include "loops/grids/grids.h"
#include "loops/grids/neighbour_ranges.h"
#include "loops/peeling.h"
#include "prepare/calls/known_calls.h"
#include "prepare/calls/library_calls.h"
#include "prepare/calls/specialize.h"
#include "prepare/calls/stand_in.h"
#include "prepare/canonical.h"
#include "prepare/exceptions/returned_exceptions.h"
#include "prepare/lanes/lane_masks.h"
#include "prepare/lanes/lane_moves.h"
#include "prepare/lanes/lanes.h"
#include "prepare/lanes/struct_choices.h"
#include "prepare/loops/array_versions.h"
#include "prepare/loops/contract.h"
#include "prepare/loops/guarded_values.h"
#include "prepare/loops/places_apart.h"
#include "prepare/loops/preaccumulate.h"
#include "prepare/loops/reload.h"
#include "prepare/loops/two_versions.h"
#include "prepare/memory/container_heads.h"
#include "prepare/memory/stack_memory.h"
#include "prepare/parts.h"
#include "prepare/preparer.h"
#include "prepare/targets/strict_floats.h"
#include "prepare/targets/target_intrinsics.h"
#include "prepare/threads/atomics.h"
#include "prepare/threads/number_marks.h"
#include "prepare/threads/parameters.h"
#include "prepare/threads/reductions.h"
#include "prepare/threads/regions.h"
#include "prepare/trampolines.h"
#include "prepare/words/integer_choices.h"
#include "prepare/words/integer_fields.h"
#include "prepare/words/mantissas.h"
#include "prepare/words/note_types.h"
#include "prepare/words/pointer_arithmetic.h"
#include "prepare/words/selected_fields.h"
#include "prepare/words/wide_integers.h"
#include "prepare/words/wide_words.h"
#include "prepare/wrong_promises.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace retro {

/// May nests over grids stay whole? The reverse pass then treats all of the
/// grid alike, and is split at the boundary after it was emitted.
bool Preparer::canKeepGrids() const { return may(Toggle::neighbours); }

bool Preparer::keepsGrids(UnitFunction &UF) {
  if (!isPeelingForbidden(*UF.F, U.FAM))
    return false;
  guardNests(*UF.F, U.FAM);
  normalizeBoundaryIndices(*UF.F, U.FAM);
  if (readsNeighbours(*UF.F, U.FAM))
    return U.Grids = true;
  allowPeeling(*UF.F, U.FAM);
  simplifyFunction(*UF.F, U.FAM, may(Toggle::unroll));
  return false;
}

/// Cuts a large function into parts that it calls. A recursive one would be cut
/// again in each clone, and a part into all of itself.
void Preparer::cut(UnitFunction &UF) {
  if (isGpu(U.M) || U.KeepAccumulations || UF.Family ||
      Parts.contains(UF.Source) || isRecursive(*UF.Source))
    return;
  Function *Original = U.Hoisted.lookup(UF.Source);
  for (Function *Part : cutIntoParts(*UF.F, partsAbove(), partSize())) {
    Part->setName(UF.Source->getName() + ".part");
    Part->addFnAttr(Attribute::NoInline);
    U.Hoisted[Part] = Original ? Original : UF.Source;
    Parts.insert(Part);
  }
}

namespace {

/// How often functions are inlined: each simplification may turn indirect calls
/// into direct ones, and what a model calls waits for the next round.
constexpr unsigned InlineRounds = 12;

/// One function on its way through the stages.
struct Prepared {
  Preparer &P;
  UnitFunction &UF;
  bool WholeGrids = false; ///< its nests over grids are kept whole

  Function &F() { return *UF.F; }
  FunctionAnalysisManager &FAM() { return P.U.FAM; }
  void simplify() { simplifyFunction(F(), FAM(), P.may(Toggle::unroll)); }
};

struct PrepareStage {
  const char *Name;
  const char *Why;
  bool (*Gate)(const Prepared &); ///< null: always
  void (*Run)(Prepared &);
};

/// Does the program keep a vector in a variable? That hides its lanes from
/// SROA.
bool isVectorVariable(const Instruction &I) {
  auto *A = dyn_cast<AllocaInst>(&I);
  return A && A->getAllocatedType()->isVectorTy();
}

void simplifyOrSplit(Prepared &X) {
  if (X.P.may(Toggle::preopt)) {
    X.simplify();
    ++counters().preopt;
  } else if (any_of(instructions(X.F()), isVectorVariable)) {
    // Inlining has changed the blocks.
    X.FAM().invalidate(X.F(), PreservedAnalyses::none());
    X.FAM().invalidate(X.F(),
                       SROAPass(SROAOptions::PreserveCFG).run(X.F(), X.FAM()));
  }
}

bool isOptimized(const Prepared &X) { return X.P.may(Toggle::preopt); }

void computeGuarded(Prepared &X) { computeGuardedValues(X.F(), X.FAM()); }

void chooseMembersSingly(Prepared &X) {
  if (chooseMembers(X.F()))
    X.FAM().invalidate(X.F(), PreservedAnalyses::none());
}

const PrepareStage First[] = {
    {"keep-nests", "nests over grids stay whole, or are peeled like others",
     nullptr,
     [](Prepared &X) {
       if (X.P.canKeepGrids())
         keepNests(X.F(), X.FAM());
       else
         allowPeeling(X.F(), X.FAM());
     }},
    {"tables", "a model that looks for a type calls what is known of each",
     [](const Prepared &X) { return asksForTables(*X.UF.F); },
     [](Prepared &X) { specializeModels(X.F(), X.FAM()); }},
};

/// Stages that are repeated as long as the simplification makes calls direct.
const PrepareStage Round[] = {
    {"hide-registered", "functions with derivatives of their own stay calls",
     nullptr, [](Prepared &X) { hideRegisteredCalls(X.F()); }},
    {"sum-atomically", "reduction clauses become additions", nullptr,
     [](Prepared &X) { sumAtomically(X.F()); }},
    {"variadic", "functions with '...' get a parameter for each argument",
     nullptr, [](Prepared &X) { X.P.nameVariadic(X.F()); }},
    {"tasks", "std::async completes its task before it returns", nullptr,
     [](Prepared &X) { X.P.completeTasks(X.F()); }},
    {"inline", "what is inlined needs no tape of its own", nullptr,
     [](Prepared &X) { X.P.inlineCalls(X.UF, /*Models=*/true); }},
    {"tags-of-inlined",
     "what tells the variables of a procedure apart does so in one call",
     nullptr,
     [](Prepared &X) { dropTagsOfInlined(X.F(), X.UF.Source->getName()); }},
    {"strict-floats", "arithmetic under a rounding mode has the same rules",
     nullptr, [](Prepared &X) { relaxStrictFloats(X.F()); }},
    {"regions", "regions of threads are calls before they are simplified",
     nullptr, [](Prepared &X) { lowerForks(X.F()); }},
    {"library-calls", "calls of libraries get one form", nullptr,
     [](Prepared &X) { canonicalizeLibraryCalls(X.F()); }},
    {"masked-lanes", "lanes that a mask chooses are loaded and stored singly",
     nullptr,
     [](Prepared &X) {
       if (separateMaskedLanes(X.F()))
         X.FAM().invalidate(X.F(), PreservedAnalyses::none());
     }},
    {"integer-fields",
     "fields of integers are marked while addresses are those "
     "of structs",
     nullptr, [](Prepared &X) { nameIntegerFields(X.F()); }},
    {"note-types",
     "what addresses say of memory is noted before the "
     "simplification forgets it",
     nullptr,
     [](Prepared &X) {
       NamedStructs Structs(*X.F().getParent());
       noteTypes(X.F(), Structs);
     }},
    {"specialize", "models are made special to their calls", nullptr,
     [](Prepared &X) { specializeModels(X.F(), X.FAM()); }},
    {"atomic-updates", "loops that compare and swap become one operation",
     nullptr, [](Prepared &X) { nameAtomicUpdates(X.F(), X.FAM()); }},
    {"pre-opt", "LLVM's simplification: less is computed, so less is kept",
     nullptr, simplifyOrSplit},
};

const PrepareStage Last[] = {
    // LLVM makes calls of a trampoline direct, but does not know that they read
    // a record.
    {"trampolines", "what enters an internal procedure has a record of it",
     nullptr, [](Prepared &X) { recordTrampolines(X.F()); }},
    {"iterations", "series get longer with each order of derivative", nullptr,
     [](Prepared &X) { growIterations(X.F()); }},
    {"lane-masks", "signs that a mask changes, before lanes are followed",
     nullptr, [](Prepared &X) { lowerLaneMasks(X.F()); }},
    // This comes before stages after which one part of the function would have
    // the vector, and another one the lane.
    {"byte-lanes", "bytes that are moved in vectors are moved as words",
     nullptr, [](Prepared &X) { moveBytesAsWords(X.F()); }},
    {"struct-choices", "members of structs in registers are chosen singly",
     nullptr, chooseMembersSingly},
    {"lanes", "words in lanes of vectors travel by themselves", nullptr,
     [](Prepared &X) { followLanes(X.F()); }},
    {"guarded-values", "indices are sums also behind a loop that may not run",
     isOptimized, computeGuarded},
    {"grids", "stencils are recognized", nullptr,
     [](Prepared &X) {
       X.WholeGrids = X.P.canKeepGrids() && X.P.keepsGrids(X.UF);
       if (X.WholeGrids)
         versionPrimalGrids(X.F(), X.FAM());
     }},
    {"contract", "arrays whose elements are computed again are not kept",
     [](const Prepared &X) { return X.P.may(Toggle::contract); },
     [](Prepared &X) {
       if (unsigned N = contractArrays(X.F(), X.FAM())) {
         counters().contract += N;
         X.simplify();
       }
     }},
    // Registered derivatives have one lane, and kernels of a device have no
    // tape for them.
    {"preaccumulate", "loops of few inputs are derived forward",
     [](const Prepared &X) {
       // What is multiplied with a Jacobian is not guarded.
       return X.P.may(Toggle::preaccumulate) && !X.P.U.StrongZero;
     },
     [](Prepared &X) {
       counters().preaccumulate += preaccumulateLoops(X.P.U, X.UF);
     }},
    {"clamped-loops", "loops are split where an index begins to be clamped",
     [](const Prepared &X) {
       return X.P.may(Toggle::clamped_loops) && !X.WholeGrids;
     },
     [](Prepared &X) {
       if (unsigned N = splitClampedLoops(X.F(), X.FAM())) {
         counters().stencil += N;
         X.simplify();
       }
     }},
    {"guarded-values-again", "simplification has taken them apart again",
     isOptimized, computeGuarded},
    {"reload", "what a stencil carries from place to place is loaded again",
     [](const Prepared &X) { return X.P.may(Toggle::reload); },
     [](Prepared &X) { counters().stencil += reloadCarried(X.F(), X.FAM()); }},
    {"two-versions",
     "loops that may run in order do where the program finds "
     "that ranges are apart",
     [](const Prepared &X) { return X.P.may(Toggle::two_versions); },
     [](Prepared &X) { versionLoops(X.F(), X.FAM()); }},
    {"array-versions",
     "arrays that a nest reads are kept as a whole where the program finds "
     "that "
     "it does not overwrite them",
     [](const Prepared &X) { return X.P.may(Toggle::nest_versions); },
     [](Prepared &X) { versionForArrays(X.F(), X.FAM()); }},
    {"places-apart", "sums in places of one array stay in registers",
     isOptimized,
     [](Prepared &X) {
       markPlacesApart(X.F(), X.FAM(),
                       X.UF.Root ? X.P.U.Bounded : NumberBounds());
     }},
    {"parts", "a large function calls what it is cut into", nullptr,
     [](Prepared &X) { X.P.cut(X.UF); }},
    {"regions-again", "what was inlined last has regions, too", nullptr,
     [](Prepared &X) { lowerForks(X.F()); }},
    {"library-calls-again", "and calls of libraries", nullptr,
     [](Prepared &X) { canonicalizeLibraryCalls(X.F()); }},
    {"integer-choices", "the largest of the bits of numbers has a derivative",
     nullptr, [](Prepared &X) { lowerIntegerChoices(X.F()); }},
    {"wide-integers",
     "numbers that are moved as one integer are moved one by "
     "one",
     nullptr, [](Prepared &X) { splitWideIntegers(X.F()); }},
    {"lane-masks-again", "and what simplification has made of masks", nullptr,
     [](Prepared &X) { lowerLaneMasks(X.F()); }},
    {"lanes-again", "the parts of wide integers may be lanes", nullptr,
     [](Prepared &X) { followLanes(X.F()); }},
    {"selected-fields", "a pointer from one of two fields becomes a branch",
     nullptr, [](Prepared &X) { splitSelectedFields(X.F()); }},
    {"mantissas", "numbers taken apart by bit operations", nullptr,
     [](Prepared &X) { lowerMantissas(X.F()); }},
    {"struct-choices-again", "and those that simplification has made", nullptr,
     chooseMembersSingly},
    {"joined-words", "words that are loaded in halves are loaded whole",
     nullptr, [](Prepared &X) { joinWords(X.F()); }},
    {"wide-words", "numbers moved as narrower integers are moved as numbers",
     nullptr, [](Prepared &X) { widenWords(X.F()); }},
    {"pointer-arithmetic", "addresses computed with integers are offsets",
     nullptr, [](Prepared &X) { followPointerArithmetic(X.F()); }},
    {"choose-pointers", "what is stored at one of two places", nullptr,
     [](Prepared &X) { choosePointers(X.F()); }},
    {"heads", "nodes that containers hold themselves are told apart", nullptr,
     [](Prepared &X) { lowerHeads(X.F()); }},
    {"known-calls", "calls with no adjoint of their own become ones that have",
     nullptr, [](Prepared &X) { lowerCalls(X.F()); }},
    {"define-poison", "a copy of undefined words has no derivative", nullptr,
     [](Prepared &X) { definePoison(X.F()); }},
};

/// What the other clones of a function, which copy one that has been prepared,
/// have done to them as well.
const PrepareStage Each[] = {
    {"retarget", "calls go to clones of the unit: these are next", nullptr,
     [](Prepared &X) { X.P.retargetCalls(X.UF); }},
};

/// A stage of the whole unit.
struct UnitStage {
  const char *Name;
  const char *Why;
  void (*Run)(Preparer &);
};

/// Runs Change for each function, until one is refused.
template <typename T> void eachFunction(Preparer &P, T Change) {
  for (auto &UF : P.U.Functions)
    if (!P.R.failed())
      Change(*UF);
}

const UnitStage Whole[] = {
    {"moved-lanes",
     "what else is loaded and stored where vectors of words are "
     "moved says what they are: all functions are looked at",
     [](Preparer &P) {
       if (!P.R.failed())
         followMovedLanes(P.U);
     }},
    {"atomics", "atomic operations whose order matters are done in turns",
     [](Preparer &P) { lowerAtomics(P.U); }},
    {"parameters",
     "which functions several threads run, and whose parameters "
     "are apart then",
     [](Preparer &P) {
       findConcurrent(P.U);
       separateParameters(P.U);
     }},
    {"returned-exceptions",
     "functions return where exceptions leave them to handlers of the unit",
     [](Preparer &P) { returnExceptions(P.U); }},
    {"stack-memory", "memory of the stack that may be gone becomes the heap's",
     [](Preparer &P) {
       eachFunction(P, [&](UnitFunction &UF) {
         lowerStackMemory(*UF.F, P.U.DerivMode == Mode::Forward);
       });
     }},
    {"control-flow",
     "one return, and loops with a counter: what can be "
     "reversed",
     [](Preparer &P) {
       eachFunction(P, [&](UnitFunction &UF) {
         canonicalizeControlFlow(UF, P.U.FAM, P.R);
       });
     }},
    {"await-choices", "threads wait before the first looks who won",
     [](Preparer &P) { awaitChoices(P.U); }},
};

void runAll(ArrayRef<PrepareStage> Stages, Prepared &X) {
  for (const PrepareStage &S : Stages)
    if (!S.Gate || S.Gate(X))
      runStage(S.Name, S.Why, X.F(), [&] { S.Run(X); });
}

/// Are there more calls to inline? This is asked after the simplification,
/// which may have turned an indirect call into a direct one.
bool hasMoreToInline(Prepared &X) {
  bool Again = X.P.hoistFromRegions(X.UF);
  // Models are inlined by the next round alone: it would inline what they call,
  // too, before it is known what that is called with.
  Again |= X.P.inlineCalls(X.UF, /*Models=*/false) ||
           X.P.hasInlinableModels(X.UF) || X.P.promoteIndirectCalls(X.F());
  if (Again)
    X.FAM().invalidate(X.F(), PreservedAnalyses::none());
  return Again;
}

} // namespace

void Preparer::process(UnitFunction &UF) {
  Prepared X{*this, UF};
  if (!copyPrepared(UF)) {
    runAll(First, X);
    for (unsigned N = 1;; ++N) {
      runAll(Round, X);
      if (N == InlineRounds || !hasMoreToInline(X))
        break;
    }
    // What is not inlined in so many rounds is called all the same.
    if (promoteIndirectCalls(X.F()))
      X.FAM().invalidate(X.F(), PreservedAnalyses::none());
    runAll(Last, X);
    keepPrepared(UF);
  }
  runAll(Each, X);
}

void Preparer::finish() {
  for (const UnitStage &S : Whole) {
    {
      Stage T(S.Name, S.Why);
      S.Run(*this);
    }
    if (!R.failed())
      for (auto &UF : U.Functions)
        leaveStage(S.Name, *UF->F);
  }
}

void forEachPrepareStage(function_ref<void(StringRef, StringRef)> Visit) {
  for (ArrayRef<PrepareStage> Stages :
       {ArrayRef<PrepareStage>(First), ArrayRef<PrepareStage>(Round),
        ArrayRef<PrepareStage>(Last), ArrayRef<PrepareStage>(Each)})
    for (const PrepareStage &S : Stages)
      Visit(S.Name, S.Why);
  for (const UnitStage &S : Whole)
    Visit(S.Name, S.Why);
}

} // namespace retro
