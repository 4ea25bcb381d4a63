// What a plan promises those that emit it.
#ifndef RETRO_PLAN_PLAN_PROMISES_H
#define RETRO_PLAN_PLAN_PROMISES_H

namespace retro {

struct Unit;
class UnitPlan;

/// Ends the compiler where the plans of a unit contradict themselves or leave
/// something open. Without assertions it does nothing.
void checkPlans(const Unit &U, const UnitPlan &Plans);

} // namespace retro

#endif
