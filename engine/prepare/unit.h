// The end of a unit.
#ifndef RETRO_PREPARE_UNIT_H
#define RETRO_PREPARE_UNIT_H

#include "base/unit.h"

namespace retro {

struct Request;

/// What the request says of all that is made for it: also of a plan that is
/// made to be looked at, which else is another derivative's.
void configure(Unit &U, const Request &Req);

/// Deletes the unit's clones.
void discardUnit(Unit &U);

} // namespace retro

#endif
