// The optimization switches of toggles.def as one value, and their counters.
#ifndef RETRO_BASE_TOGGLES_H
#define RETRO_BASE_TOGGLES_H

#include <string>

namespace llvm {
class Module;
}

namespace retro {

struct Toggles {
#define TOGGLE(Field, Option, Default, Heading, Text) bool Field = Default;
#include "base/toggles.def"
#undef TOGGLE

  /// The values given on the command line (-mllvm -retro-<option>=0|1).
  static const Toggles &get();
};

/// How often each toggle's optimization changed something in this module.
struct ToggleCounters {
#define TOGGLE(Field, Option, Default, Heading, Text) unsigned Field = 0;
#include "base/toggles.def"
#undef TOGGLE
};

ToggleCounters &counters();

/// Writes "preopt=1 inline=1 …" into the module as the constant string
/// __retro_applied_toggles, for the harness to print beside each measurement.
void recordAppliedToggles(llvm::Module &M);

/// Options that are not optimizations.
bool printPlanRequested();
bool printShapeRequested();
bool tapeStatisticsRequested();
bool printCountersRequested();
bool runtimeActivityRequested();
/// Do gradients check, when they run, what their plans rest on?
bool checkPlanRequested();
bool splitForced();
/// Where proofs about threads are written to; empty: nowhere.
const std::string &proofFolder();
/// Upper bound on the bytes of one statically sized tape (-retro-tape-budget).
unsigned long long tapeBudget();
/// Bytes of tape above which unmarked loops are checkpointed
/// (-retro-checkpoint-above).
unsigned long long checkpointAbove();
/// Instructions above which a function is differentiated in parts
/// (-retro-parts-above), and how many such a part has.
unsigned partsAbove();
unsigned partSize();

} // namespace retro

#endif
