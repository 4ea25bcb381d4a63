// What is said of a derivative before its code is looked at: by the module, by
// the request, and by the unit that is made for it. The optimizations that
// apply are found by it (applies() in base/toggles.h).
#ifndef RETRO_FRONT_REQUESTS_TRAITS_H
#define RETRO_FRONT_REQUESTS_TRAITS_H

#include "base/toggles.h"

namespace llvm {
class Module;
}

namespace retro {

struct Request;
struct Unit;

Traits traitsOf(const llvm::Module &M);
Traits traitsOf(const Request &Req);
Traits traitsOf(const Unit &U);

} // namespace retro

#endif
