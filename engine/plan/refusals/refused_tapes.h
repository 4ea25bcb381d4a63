// Tapes that do not fit where they are to lie.
#ifndef RETRO_PLAN_REFUSALS_REFUSED_TAPES_H
#define RETRO_PLAN_REFUSALS_REFUSED_TAPES_H

namespace retro {

class ActivityAnalysis;
class Reporter;
struct Request;
struct UnitFunction;
class UnitPlan;

/// Reports an error at each loop of the function whose tape, of a length that
/// is known now, is longer than the budget (-retro-tape-budget).
void refuseTapes(const UnitFunction &UF, const UnitPlan &Plan, Reporter &R);

/// Reports an error if the memory that a request of split mode brings for the
/// tape is too small for what the tape begins with.
void refuseMemory(const Request &Req, const ActivityAnalysis &Act,
                  const UnitPlan &Plan, Reporter &R);

} // namespace retro

#endif
