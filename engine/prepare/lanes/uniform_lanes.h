// Masks that choose between numbers: each of their lanes has all bits, or none.
#ifndef RETRO_PREPARE_LANES_UNIFORM_LANES_H
#define RETRO_PREPARE_LANES_UNIFORM_LANES_H

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace retro {

/// Are all bits of each lane of Bits bits of Mask the same?
bool hasUniformLanes(const llvm::Value *Mask, unsigned Bits,
                     const llvm::DataLayout &DL);

} // namespace retro

#endif
