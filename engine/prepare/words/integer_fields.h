#ifndef RETRO_PREPARE_WORDS_INTEGER_FIELDS_H
#define RETRO_PREPARE_WORDS_INTEGER_FIELDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Marks accesses of fields of integer type (integer_fields.cpp).
void nameIntegerFields(llvm::Function &F);

} // namespace retro

#endif
