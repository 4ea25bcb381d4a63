// The optimization switches of toggles.def: which of them apply to a
// derivative, and how often each did something.
#ifndef RETRO_BASE_TOGGLES_H
#define RETRO_BASE_TOGGLES_H

#include <initializer_list>
#include <string>

namespace retro {

/// What is said of a derivative before any of its code is looked at.
enum class Trait : unsigned {
#define TRAIT(Name, Text) Name,
#include "base/toggles.def"
};

class Traits {
public:
  constexpr Traits() = default;
  constexpr Traits(std::initializer_list<Trait> Of) {
    for (Trait T : Of)
      set(T);
  }
  constexpr Traits &set(Trait T, bool If = true) {
    Bits |= unsigned(If) << unsigned(T);
    return *this;
  }
  constexpr bool hasAll(Traits Of) const { return !(Of.Bits & ~Bits); }
  constexpr bool hasAny(Traits Of) const { return Of.Bits & Bits; }
  constexpr Traits operator|(Traits Of) const {
    Of.Bits |= Bits;
    return Of;
  }

private:
  unsigned Bits = 0;
};

/// The switches, and parts of what they switch.
enum class Toggle : unsigned {
#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Text)   \
  Field,
#define PART(Field, Of, Phase, Needs, NotWith, Text) Field,
#include "base/toggles.def"
};

/// Is it switched on (-mllvm -retro-<option>=0|1)?
bool isOn(Toggle T);
/// Is it on, with all that it needs, and does it live with a derivative of
/// these traits?
bool applies(Toggle T, Traits Of);

/// How often each toggle's optimization changed something in this module.
struct ToggleCounters {
#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Text)   \
  unsigned Field = 0;
#include "base/toggles.def"
};

ToggleCounters &counters();

/// Options that are not optimizations.
bool printPlanRequested();
bool printShapeRequested();
bool tapeStatisticsRequested();
bool printCountersRequested();
bool runtimeActivityRequested();
/// May derivatives find out by themselves, where a class of memory has constant
/// parts and others, which is which (-retro-settle-constants)?
bool constantsSettled();
bool strongZeroRequested();
/// Does memory that is marked constant carry no derivative, whatever is stored?
bool constTrusted();
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
