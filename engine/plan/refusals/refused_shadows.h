// Addresses and variables that have no shadow, though a pass asks for one.
#ifndef RETRO_PLAN_REFUSALS_REFUSED_SHADOWS_H
#define RETRO_PLAN_REFUSALS_REFUSED_SHADOWS_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace retro {

class ActivityAnalysis;
class Reporter;
struct UnitFunction;
class UnitPlan;

/// Is the shadow of I, which is shadowed, the same operation on the shadows of
/// its operands?
bool isRepeatedOnShadows(const llvm::Instruction &I);

/// Reports an error if I leads to memory with derivatives and no pass knows to
/// where in the shadow.
void refuseShadow(const llvm::Instruction &I, const ActivityAnalysis &Act,
                  Reporter &R);

/// Reports an error at a variable that the unit reaches and whose shadow a
/// derivative could not set to zero when it begins.
void refuseVariables(const ActivityAnalysis &Act, const UnitPlan &Plan,
                     Reporter &R);

} // namespace retro

#endif
