// Intrinsics of NVIDIA's and AMD's processors that are made of operations with
// derivatives.
#ifndef RETRO_PREPARE_TARGETS_DEVICE_INTRINSICS_H
#define RETRO_PREPARE_TARGETS_DEVICE_INTRINSICS_H

#include "llvm/IR/InstrTypes.h"

namespace retro {

/// Replaces an operation of a GPU by known ones. Returns whether it could.
bool lowerDeviceIntrinsic(llvm::CallBase &C);

} // namespace retro

#endif
