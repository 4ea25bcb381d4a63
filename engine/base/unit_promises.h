// What prepare promises of a unit, and what all analyses rely on.
#ifndef RETRO_BASE_UNIT_PROMISES_H
#define RETRO_BASE_UNIT_PROMISES_H

namespace retro {

struct Unit;

/// Ends the compiler where the unit is not in its normal form. Without
/// assertions it does nothing.
void checkUnit(Unit &U);

} // namespace retro

#endif
