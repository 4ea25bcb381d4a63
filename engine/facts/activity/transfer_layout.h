// What a copy or fill of memory moves: which words are numbers, whose adjoints
// move, and which are pointers, whose shadows move.
#ifndef RETRO_FACTS_ACTIVITY_TRANSFER_LAYOUT_H
#define RETRO_FACTS_ACTIVITY_TRANSFER_LAYOUT_H

#include "facts/activity/activity.h"

namespace retro {

/// Words of one type behind each other, as in an array.
struct Run {
  int64_t Offset;
  llvm::Type *T;
  int64_t Repeat = 1;
};

/// From one element of an array of T to the next: more than what is stored of
/// an 80-bit number.
inline int64_t stepOf(llvm::Type *T, const llvm::DataLayout &DL) {
  return static_cast<int64_t>(DL.getTypeAllocSize(T).getFixedValue());
}

/// What a transfer moves: runs, and again after each period.
struct TransferLayout {
  int64_t Period = 0; ///< 0: the runs are all there is
  llvm::SmallVector<Run> Numbers, Pointers;
  /// Numbers or pointers, which only the running program knows. T is what they
  /// are if they are numbers.
  llvm::SmallVector<Run> Either;
  /// Numbers lie wherever the reverse pass has noted them (noted_places.h):
  /// there are no runs.
  bool Noted = false;
};

/// So many words of one type are moved without a loop.
inline constexpr int64_t MostUnrolled = 16;

/// The layout of what a copy or fill writes, if it is known.
std::optional<TransferLayout> transferLayout(const ActivityAnalysis &Act,
                                             const llvm::CallBase &C);

/// The same of a transfer that is emitted: one without a layout is refused
/// (plan/refusals).
TransferLayout plannedLayout(const ActivityAnalysis &Act,
                             const llvm::CallBase &C);

/// The same without what the reverse pass notes.
std::optional<TransferLayout> knownLayout(const ActivityAnalysis &Act,
                                          const llvm::CallBase &C);

/// Does a copy move words that may be numbers or pointers, so that the forward
/// pass has to note what they are?
bool movesEither(const ActivityAnalysis &Act, const llvm::CallBase &C);

/// Does a store or copy write numbers of half a word where a pointer may have
/// been, whose shadow may be there still?
bool writesHalves(const ActivityAnalysis &Act, const llvm::Instruction &I);

/// Are these so few, at known places, that a bit of a 64-bit integer for each
/// will do?
bool fitsMask(const TransferLayout &L);

/// What a store writes to the shadow of its place, beside adjoints.
enum class ShadowStore {
  Nothing,
  Pointer, ///< the shadow of the pointer that it stores, or null
  Number,  ///< the integer that it stores
};
ShadowStore shadowStored(const ActivityAnalysis &Act, const llvm::StoreInst &S);

/// Can a caller see what is written at Ptr? Of a local object none can, though
/// memory from outside may be like it in all else.
bool isVisibleOutside(const MemoryShape &Shape, const llvm::Value *Ptr);

/// Does a copy of active numbers move what is no part of the arrays that are
/// indexed around it, so that nothing is known of it?
bool copiesBesideNumbers(const ActivityAnalysis &Act, const llvm::CallBase &C);

} // namespace retro

#endif
