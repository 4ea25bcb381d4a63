// Structs in registers that come from one of several places.
#ifndef RETRO_PREPARE_LANES_STRUCT_CHOICES_H
#define RETRO_PREPARE_LANES_STRUCT_CHOICES_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Turns each phi, select and freeze of a struct with an integer of a word's
/// size into one of each member. Returns whether there was one.
bool chooseMembers(llvm::Function &F);

} // namespace retro

#endif
