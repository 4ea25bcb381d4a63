#ifndef RETRO_PREPARE_WORDS_LANE_MASKS_H
#define RETRO_PREPARE_WORDS_LANE_MASKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Lanes that a constant mask negates or drops (lane_masks.cpp).
void lowerLaneMasks(llvm::Function &F);

} // namespace retro

#endif
