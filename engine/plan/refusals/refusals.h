// What a unit asks for and no derivative can be written of, once its plan says
// what each pass does. All that is refused is refused before there is code:
// what emission finds missing is a defect of the engine.
#ifndef RETRO_PLAN_REFUSALS_REFUSALS_H
#define RETRO_PLAN_REFUSALS_REFUSALS_H

namespace retro {

class ActivityAnalysis;
class Reporter;
struct Request;
class UnitPlan;

/// Reports an error at each such place of the unit that Req asks for, in the
/// order in which the passes would come to them.
void reportRefusals(const Request &Req, const ActivityAnalysis &Act,
                    const UnitPlan &Plan, Reporter &R);

} // namespace retro

#endif
