// What the front end says of memory, noted before it is forgotten.
#ifndef RETRO_PREPARE_WORDS_NOTE_TYPES_H
#define RETRO_PREPARE_WORDS_NOTE_TYPES_H

#include "facts/types/named_types.h"

#include "llvm/IR/Function.h"

namespace retro {

/// Notes at accesses of memory what the front end says is there
/// (facts/types/declared_types.h), and at atomic operations what they count.
void noteTypes(llvm::Function &F, NamedStructs &Structs);

/// Notes what is loaded in a derivative, for the next one: words of which it
/// was not known what they are have been settled.
void noteEmitted(llvm::Function &F);

/// Notes vectors of numbers that the program itself loads and stores, and
/// pointers and numbers that it loads. It is asked only of what the front end
/// emitted: later ones may be LLVM's.
void noteDeclared(llvm::Function &F, bool IsFortran);

/// Notes where the variables of a module have vectors, as their types say, or
/// the destructors that end them.
void noteVectors(llvm::Module &M, NamedStructs &Structs);

} // namespace retro

#endif
