// Marks, of the two versions of a nest, the one for arrays that overlap.
#ifndef RETRO_LOOPS_OVERLAP_MARKS_H
#define RETRO_LOOPS_OVERLAP_MARKS_H

namespace llvm {
class Loop;
}

namespace retro {

/// The metadata of that version's loops.
inline constexpr const char Overlapping[] = "retro.overlapping";

/// Is the loop of the version for arrays that overlap?
bool mayOverlap(const llvm::Loop &L);

} // namespace retro

#endif
