// Functions of the program of which requests get a copy of their own.
#ifndef RETRO_FRONT_REQUESTS_OWN_COPIES_H
#define RETRO_FRONT_REQUESTS_OWN_COPIES_H

#include "llvm/IR/Module.h"

namespace retro {

/// Gives requests copies of the local functions that they name and that the
/// program calls, too, with copies of the local functions that these call. The
/// copies take the names, which messages, derivatives and what is known of
/// mangled names go by; the program's own functions have others until
/// restoreNames. True if there is a copy.
bool makeOwnCopies(llvm::Module &M);
/// How many functions of the program have one and are still there.
unsigned countOwnCopies(const llvm::Module &M);

/// Once the requests are answered: deletes copies that nobody uses any more,
/// and gives the program's functions their names again.
bool restoreNames(llvm::Module &M);

} // namespace retro

#endif
