// Calls that read numbers of a text into memory of the program.
#ifndef RETRO_PREPARE_CALLS_SCANNED_NUMBERS_H
#define RETRO_PREPARE_CALLS_SCANNED_NUMBERS_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Lets such a call read into variables, and stores them. Returns whether it
/// could.
bool settleScanned(llvm::CallBase &C);

} // namespace retro

#endif
