// Cuts large functions into parts.
#ifndef RETRO_PREPARE_PARTS_H
#define RETRO_PREPARE_PARTS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Makes functions of about Size instructions each out of regions of F, and has
/// F call them. Does nothing if F has fewer than Above instructions, or does
/// what analyses must see in one function (threads, messages, regions of a
/// device). Without this, LLVM's passes would take time that grows with the
/// square of a block or a function, and a gradient would keep all of the
/// primal's values alive from one pass to the other.
llvm::SmallVector<llvm::Function *> cutIntoParts(llvm::Function &F,
                                                 unsigned Above, unsigned Size);

} // namespace retro

#endif
