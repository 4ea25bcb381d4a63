// Pointers at one of a few places.
#ifndef RETRO_PREPARE_WORDS_SELECTED_FIELDS_H
#define RETRO_PREPARE_WORDS_SELECTED_FIELDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Turns loads and stores of pointers at one of a few places into branches.
bool splitSelectedFields(llvm::Function &F);

} // namespace retro

#endif
