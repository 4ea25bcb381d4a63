// Copies of words that are numbers at one time and pointers at another, as in
// the storage of a std::function or of a small buffer. The shadow of a number
// is zero in the forward pass, and that of a pointer is not: so the forward
// pass sees which a word is, and notes it for the reverse pass.
#ifndef RETRO_EMIT_CALLS_EITHER_WORDS_H
#define RETRO_EMIT_CALLS_EITHER_WORDS_H

#include "facts/activity/transfer_layout.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// May a word be the address of something, or its shadow? Hardly any number
/// may. Number: the type of what it is if it is no address.
llvm::Value *mayBeAddress(llvm::IRBuilder<> &B, llvm::Value *Word,
                          llvm::Type *Number);

/// Zeroes the word at Ptr if it may be the address of a shadow (IfAddress), or
/// only if it may not be one.
void zeroWord(llvm::IRBuilder<> &B, llvm::Value *Ptr, llvm::Type *Number,
              bool IfAddress);

/// What the forward pass noted of the words of one copy, asked word by word in
/// the order of forEachWord.
class NotedKinds {
public:
  /// Kinds: a bit a word, or the address of a byte a word.
  NotedKinds(llvm::Value *Kinds, llvm::Instruction *EntryPoint)
      : Kinds(Kinds), EntryPoint(EntryPoint) {}
  /// Starts anew.
  void restart(llvm::IRBuilder<> &B);
  /// Is the next word a number?
  llvm::Value *isNumber(llvm::IRBuilder<> &B);

private:
  llvm::Value *Kinds;
  llvm::Instruction *EntryPoint;
  llvm::AllocaInst *Next = nullptr; ///< the address of the next byte
  unsigned Word = 0;
};

} // namespace retro

#endif
