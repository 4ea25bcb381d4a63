// Input: toggles.def and the command line. Output: whether an optimization is
// on, and whether it applies to a derivative of certain traits. Without it
// each optimization would have a list of its own of what it does not live
// with.
#include "base/toggles.h"
#include "base/faults.h"
#include "retro_version.h"

#include "llvm/ADT/bit.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {
namespace {

#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Text)   \
  cl::opt<bool> opt_##Field("retro-" Option, cl::init(Default), cl::desc(Text));
#include "base/toggles.def"

cl::opt<bool> Plain(
    "retro-plain", cl::init(false), cl::Hidden,
    cl::desc("Every optimization off that is not switched on by name: for a "
             "test of one, which no other is to change."));
cl::opt<bool> Version("retro-version", cl::init(false), cl::ValueDisallowed,
                      cl::desc("Print which version of the plugin this is."),
                      cl::callback([](const bool &) {
                        outs() << "retrograde " RETRO_VERSION
                                  ", for LLVM " LLVM_VERSION_STRING "\n";
                        outs().flush();
                      }));
cl::opt<bool> PrintPlan("retro-print-plan", cl::init(false),
                        cl::desc("Print every plan before it is emitted."));
cl::opt<bool> PrintShape("retro-print-shape", cl::init(false),
                         cl::desc("Print what memory is found to hold."));
cl::opt<bool> TapeStats(
    "retro-tape-stats", cl::init(false),
    cl::desc(
        "Keep the largest tape of a call, in bytes, in __retro_tape_bytes."));
cl::opt<bool> PrintCounters("retro-print-counters", cl::init(false),
                            cl::desc("Print what each toggle did."));
cl::opt<bool> RuntimeActivity(
    "retro-runtime-activity", cl::init(false),
    cl::desc("Let every request find out when it runs which memory is "
             "constant: where the shadow pointer is the primal pointer."));
cl::opt<bool> SettleConstants(
    "retro-settle-constants", cl::init(true),
    cl::desc("Where memory that a request marks constant cannot be told from "
             "other memory, find out when the derivative runs which it is; "
             "off: refuse it."));
cl::opt<bool> StrongZero(
    "retro-strong-zero", cl::init(false),
    cl::desc("Let an adjoint or tangent of zero give zero in every request, "
             "whatever it is multiplied with (enzyme_strong_zero)."));
cl::opt<bool> TrustConst(
    "retro-trust-const", cl::init(false),
    cl::desc("Memory that a request marks constant carries no derivative, "
             "whatever the function stores there."));
cl::opt<bool> CheckPlan(
    "retro-check-plan", cl::init(false),
    cl::desc("Make gradients that check, when they run, what their plans rest "
             "on: repeated loads, and that inactive values are inactive."));
cl::opt<std::string> WriteProofs(
    "retro-write-proofs", cl::value_desc("folder"),
    cl::desc("Write every question about threads that the solver is asked, "
             "with its answer, into this folder as SMT-LIB2."));
cl::opt<bool> ForceSplit(
    "retro-force-split", cl::init(false), cl::Hidden,
    cl::desc("Answer requests of a gradient by the two functions of split "
             "mode, one after the other: a test of that mode."));
cl::opt<Fault> Planted(
    "retro-plant", cl::init(Fault::None), cl::Hidden,
    cl::desc("Make wrong derivatives on purpose: a test of what finds them."),
    cl::values(
#define FAULT(Field, Name, Text) clEnumValN(Fault::Field, Name, Text),
#include "base/faults.def"
#undef FAULT
        clEnumValN(Fault::None, "none", "Nothing goes wrong.")));
cl::opt<unsigned long long>
    TapeBudget("retro-tape-budget", cl::init(1ull << 40),
               cl::desc("Largest tape in bytes that may be laid out."));
cl::opt<unsigned long long> CheckpointAbove(
    "retro-checkpoint-above", cl::init(1ull << 30),
    cl::desc("Bytes of tape above which a loop that nobody marked is "
             "checkpointed, if its state is local."));
cl::opt<unsigned> PartsAbove(
    "retro-parts-above", cl::init(12000),
    cl::desc("Instructions above which a function is differentiated in parts, "
             "so that the time to compile it grows with its size alone."));
cl::opt<unsigned> PartSize("retro-part-size", cl::init(1000), cl::Hidden,
                           cl::desc("Instructions of such a part."));

const cl::opt<bool> *const Switches[] = {
#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Text)   \
  &opt_##Field,
#define PART(Field, Of, Phase, Needs, NotWith, Text) &opt_##Of,
#include "base/toggles.def"
};

/// What a row of the table needs: switches, and traits.
struct Needed {
  uint64_t On = 0;
  Traits With;

  template <typename... T> constexpr explicit Needed(T... Each) {
    (add(Each), ...);
  }
  constexpr void add(Toggle T) { On |= uint64_t(1) << unsigned(T); }
  constexpr void add(Trait T) { With.set(T); }
};
static_assert(std::size(Switches) <= 64, "a bit each");

struct Condition {
  Needed Needs;
  Traits NotWith;
};

const Condition &conditionOf(Toggle T) {
  using enum Toggle;
  using enum Trait;
  static constexpr Condition Rows[] = {
#define NEEDS(...) Needed(__VA_ARGS__)
#define NOT_WITH(...) Traits{__VA_ARGS__}
#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Text)   \
  {Needs, NotWith},
#define PART(Field, Of, Phase, Needs, NotWith, Text) {Needs, NotWith},
#include "base/toggles.def"
  };
  return Rows[unsigned(T)];
}

} // namespace

bool isOn(Toggle T) {
  const cl::opt<bool> &O = *Switches[unsigned(T)];
  return O && (!Plain || O.getNumOccurrences());
}

bool applies(Toggle T, Traits Of) {
  const Condition &C = conditionOf(T);
  for (uint64_t Left = C.Needs.On; Left; Left &= Left - 1)
    if (!isOn(Toggle(countr_zero(Left))))
      return false;
  return isOn(T) && Of.hasAll(C.Needs.With) && !Of.hasAny(C.NotWith);
}

ToggleCounters &counters() {
  // Of each thread: modules may be compiled by several at a time.
  static thread_local ToggleCounters C;
  return C;
}

bool isPlanted(Fault F) { return Planted == F; }
bool printPlanRequested() { return PrintPlan; }
bool printShapeRequested() { return PrintShape; }
bool tapeStatisticsRequested() { return TapeStats; }
bool runtimeActivityRequested() { return RuntimeActivity; }

bool constantsSettled() { return SettleConstants; }
bool strongZeroRequested() { return StrongZero; }
bool constTrusted() { return TrustConst; }
bool checkPlanRequested() { return CheckPlan; }
const std::string &proofFolder() { return WriteProofs.getValue(); }
bool splitForced() { return ForceSplit; }
bool printCountersRequested() { return PrintCounters; }
unsigned long long tapeBudget() { return TapeBudget; }
unsigned long long checkpointAbove() { return CheckpointAbove; }
unsigned partsAbove() { return PartsAbove; }
unsigned partSize() { return std::max(16u, PartSize.getValue()); }

} // namespace retro
