// Bit operations on numbers, by lanes.
#ifndef RETRO_PREPARE_LANES_LANE_MASKS_H
#define RETRO_PREPARE_LANES_LANE_MASKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Turns masks that change the signs of lanes, or drop lanes, into operations
/// on numbers.
void lowerLaneMasks(llvm::Function &F);

} // namespace retro

#endif
