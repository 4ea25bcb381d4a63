// What the program declares as an integer is no number.
#ifndef RETRO_PREPARE_WORDS_INTEGER_FIELDS_H
#define RETRO_PREPARE_WORDS_INTEGER_FIELDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Marks accesses of fields of integer type.
void nameIntegerFields(llvm::Function &F);

} // namespace retro

#endif
