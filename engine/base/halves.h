// Words that LLVM puts together of halves of different words: an integer of 4
// bytes is put where another member of a union had a word, and the other half
// is what was left there. No such word is an address.

#ifndef RETRO_BASE_HALVES_H
#define RETRO_BASE_HALVES_H

namespace llvm {
class Value;
}

namespace retro {

/// Is the lower half of Word of another word than the upper one, or of none?
bool isOfTwoWords(const llvm::Value *Word);

/// Is Word no more than one half of a word, or an integer of such a size?
bool isHalf(const llvm::Value *Word);

} // namespace retro

#endif
