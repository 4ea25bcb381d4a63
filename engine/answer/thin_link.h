// Thin links, which optimize modules one by one. Each module knows only what it
// registers itself.
#ifndef RETRO_ANSWER_THIN_LINK_H
#define RETRO_ANSWER_THIN_LINK_H

#include "front/registered/registrations.h"

namespace retro {

/// Notes what a module registers and defines, as the modules of a thin link
/// pass by. It is an error if one module registers a function whose calls
/// another one may have inlined, and any module requests a derivative.
void noteThinModule(llvm::Module &M, const Registrations &R, bool Requests);

} // namespace retro

#endif
