// Thin links: modules are optimized one by one, and each knows only what is
// registered in itself.
#ifndef RETRO_ANSWER_THIN_LINK_H
#define RETRO_ANSWER_THIN_LINK_H

#include "front/registered/registrations.h"

namespace retro {

/// Notes what a module registers and defines, while the modules of a thin link
/// pass by: a function that is registered in one, and whose calls another may
/// have inlined, is an error if a derivative is requested anywhere.
void noteThinModule(llvm::Module &M, const Registrations &R, bool Requests);

} // namespace retro

#endif
