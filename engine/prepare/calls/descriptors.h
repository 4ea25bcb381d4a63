#ifndef RETRO_PREPARE_CALLS_DESCRIPTORS_H
#define RETRO_PREPARE_CALLS_DESCRIPTORS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Replaces what is loaded of the headers of Fortran's descriptors, where only
/// one thing is ever stored there.
bool foldDescriptors(llvm::Function &F);

} // namespace retro

#endif
