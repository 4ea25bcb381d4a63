// The end of a unit.
#ifndef RETRO_PREPARE_UNIT_H
#define RETRO_PREPARE_UNIT_H

#include "base/unit.h"

namespace retro {

/// Deletes the unit's clones.
void discardUnit(Unit &U);

} // namespace retro

#endif
