// Blocks of thousands of instructions, as straight-line code gives them.
#ifndef RETRO_POLISH_LONG_BLOCKS_H
#define RETRO_POLISH_LONG_BLOCKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// If most of F is long blocks of formulas, notes that nobody shall look for
/// lanes in it: LLVM's search takes time that grows with the square of a block.
/// Returns how many there are.
unsigned spareLongBlocks(llvm::Function &F);

/// Has F such a note?
bool isSparedLanes(const llvm::Function &F);

} // namespace retro

#endif
