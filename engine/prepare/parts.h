// A large function in parts of its own.
#ifndef RETRO_PREPARE_PARTS_H
#define RETRO_PREPARE_PARTS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Makes functions of F's regions, of about Size instructions each, that F
/// calls; none if F has fewer than Above instructions, or does what analyses
/// must see in one function (threads, messages, regions of a device). The time
/// of LLVM's passes grows with the square of a block or a function, and a
/// gradient has the primal's values alive from one pass to the other.
llvm::SmallVector<llvm::Function *> cutIntoParts(llvm::Function &F,
                                                 unsigned Above, unsigned Size);

} // namespace retro

#endif
