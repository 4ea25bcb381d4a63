// Shadows that are no memory for the derivative of what they are given with.
#ifndef RETRO_FACTS_LOSSES_SHADOW_TYPES_H
#define RETRO_FACTS_LOSSES_SHADOW_TYPES_H

#include "front/requests/request.h"

namespace retro {

/// An error where a shadow is declared with numbers of another type than the
/// parameter or the primal argument; a warning where an argument seems to stand
/// in the place of another one's shadow.
void checkShadowTypes(const Request &Req, Reporter &R);

} // namespace retro

#endif
