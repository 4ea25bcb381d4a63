#ifndef RETRO_PREPARE_WORDS_SELECTED_FIELDS_H
#define RETRO_PREPARE_WORDS_SELECTED_FIELDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Loads and stores of pointers at one of two places become branches
/// (selected_fields.cpp).
bool splitSelectedFields(llvm::Function &F);

} // namespace retro

#endif
