// Words that hold a number at one time and an integer, which is computed with,
// at another: members of a union.
#ifndef RETRO_PREPARE_MEMORY_INTEGER_WORDS_H
#define RETRO_PREPARE_MEMORY_INTEGER_WORDS_H

#include "facts/activity/activity.h"

namespace retro {

/// The integers of a unit that are read from words of 8 bytes where the unit
/// keeps active numbers, too. Whether a word is a number when it is read, the
/// running program tells: its shadow says so.
class IntegerWords {
public:
  IntegerWords(Unit &U, const MemoryShape &Shape, const ActivityAnalysis &Act);

  bool any() const { return !Reads.empty(); }
  /// May what lies at Ptr be copied to where such an integer is read?
  bool isNoted(const llvm::Value *Ptr) const;
  /// Has the unit note what is written to such words, and ask before what is
  /// computed of an integer goes on. The functions that were changed.
  llvm::SmallPtrSet<llvm::Function *, 4> insertNotes() const;

private:
  bool isRead(const llvm::LoadInst &L) const;
  bool isTold(unsigned Class) const;
  bool holdsNumber(const llvm::Value *Ptr) const;
  bool storesInteger() const;
  bool findNoted();
  bool canNote(const llvm::Instruction &I) const;
  void note(llvm::StoreInst &S) const;
  void note(llvm::CallBase &C) const;
  llvm::CallInst *call(llvm::IRBuilderBase &B, llvm::StringRef Name,
                       llvm::ArrayRef<llvm::Value *> Args,
                       llvm::Type *Result) const;
  llvm::Value *ask(llvm::LoadInst &L) const;

  Unit &U;
  const MemoryShape &Shape;
  const ActivityAnalysis &Act;
  llvm::SmallVector<llvm::LoadInst *> Reads;
  llvm::SmallDenseSet<unsigned, 8> Noted; ///< classes
};

} // namespace retro

#endif
