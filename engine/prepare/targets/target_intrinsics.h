// Operations of x86 vector registers, which clang leaves as intrinsics. As
// known operations they have derivatives.
#ifndef RETRO_PREPARE_TARGETS_TARGET_INTRINSICS_H
#define RETRO_PREPARE_TARGETS_TARGET_INTRINSICS_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Replaces an operation of x86 vector registers by known ones. Returns whether
/// it could.
bool lowerTargetIntrinsic(llvm::CallBase &C);

/// Makes loads and stores of some lanes of a register those of single numbers,
/// with a branch for each lane where the mask is not known. Returns whether
/// anything changed: blocks, too.
bool separateMaskedLanes(llvm::Function &F);

} // namespace retro

#endif
