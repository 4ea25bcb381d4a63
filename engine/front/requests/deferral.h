// Link-time optimization: which requests wait for the bodies of other
// translation units.
#ifndef RETRO_FRONT_REQUESTS_DEFERRAL_H
#define RETRO_FRONT_REQUESTS_DEFERRAL_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Does the requested derivative depend on functions whose bodies this module
/// does not have, and that the link may bring?
bool waitsForLink(const llvm::CallBase &Request);

} // namespace retro

#endif
