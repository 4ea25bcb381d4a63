// What Fortran's descriptors say, as constants.
#ifndef RETRO_PREPARE_CALLS_DESCRIPTORS_H
#define RETRO_PREPARE_CALLS_DESCRIPTORS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Replaces loads from headers of Fortran's descriptors by constants, where
/// only one thing is ever stored. Returns whether there were any.
bool foldDescriptors(llvm::Function &F);

} // namespace retro

#endif
