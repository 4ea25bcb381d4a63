// Finds accesses of one place by two threads that nothing orders. Each word of
// memory that a launch touches remembers who wrote and who read it last.
// Without it a race that the order of a CPU hides would go unnoticed. Declared
// in memory.h.
#include "memory.h"

#include <mutex>
#include <unordered_map>

using namespace retro::gpu;

namespace {

/// Who accessed a word, and when. Accesses in different phases of one block, or
/// of one warp, are in order.
struct Moment {
  uint32_t Thread = 0; ///< 1 + its number in the grid; 0: nobody
  uint32_t Block = 0, Warp = 0, Phase = 0, WarpPhase = 0;
  uint8_t Bytes = 0; ///< of the word
  bool IsAtomic = false;
  bool IsSwap = false; ///< if what is there is what was expected
  const Site *Where = nullptr;
};

struct Word {
  Moment Written, Read;
  bool SeveralRead = false; ///< Read is the last of several threads
};

/// The words of a launch, which knows none of an earlier one.
struct Cells {
  std::mutex Lock;
  uint32_t Launch = 0;
  std::unordered_map<uintptr_t, Word> Words;
};
constexpr size_t Parts = 64;
Cells &cellsOf(uintptr_t Key) {
  static Cells All[Parts];
  return All[Key / 16 % Parts];
}

bool inOrder(const Moment &A, const Moment &B) {
  if (!A.Thread || A.Thread == B.Thread)
    return true;
  if (A.Block != B.Block)
    return false;
  return A.Phase != B.Phase || (A.Warp == B.Warp && A.WarpPhase != B.WarpPhase);
}

/// A loop that compares and swaps begins with a read, which may be out of date:
/// the comparison finds out.
bool isFirstLook(const Moment &A, const Moment &B) {
  return (A.IsSwap && !B.IsAtomic && !(B.Where->Access & Write)) ||
         (B.IsSwap && !A.IsAtomic && !(A.Where->Access & Write));
}

bool collide(const Moment &A, const Moment &B) {
  if (A.Thread && isFirstLook(A, B))
    return false;
  return (A.Bytes & B.Bytes) && !(A.IsAtomic && B.IsAtomic) && !inOrder(A, B);
}

[[noreturn]] void race(const Moment &Before, const char *What, const Site *S,
                       const void *Address) {
  char Hex[32];
  std::snprintf(Hex, sizeof Hex, "%p", Address);
  const Block &B = *Block::Now;
  uint64_t PerBlock = B.launch().Block.count();
  fail("race: " + std::string(S->Access & Write ? "write" : "read") + " at " +
       Hex + " in '" + S->Function + "'" + inWords(S) + ", which thread " +
       std::to_string((Before.Thread - 1) % PerBlock) + " of block " +
       std::to_string((Before.Thread - 1) / PerBlock) + " " + What +
       inWords(Before.Where) +
       " with no barrier between: " + B.place(&Block::Now->current()));
}

} // namespace

void retro::gpu::checkRace(const void *Address, uint64_t Bytes, const Site *S) {
  Block &B = *Block::Now;
  const Thread &T = B.current();
  Moment Now;
  Now.Thread = B.globalIndex(T) + 1;
  Now.Block = B.globalIndex(T) / uint32_t(B.launch().Block.count());
  Now.Warp = T.Context.Warp;
  Now.Phase = B.phase();
  Now.WarpPhase = B.warpPhase(Now.Warp);
  Now.IsAtomic = S->Access & Atomic;
  Now.IsSwap = S->Access & Swap;
  Now.Where = S;
  auto Begin = reinterpret_cast<uintptr_t>(Address), End = Begin + Bytes;
  // Shared memory of two blocks may have one address at different times.
  uintptr_t Space =
      B.holdsShared(Address, 1) ? uintptr_t(Now.Block + 1) << 48 : 0;
  for (uintptr_t W = Begin & ~uintptr_t(3); W < End; W += 4) {
    Now.Bytes = 0;
    for (unsigned I = 0; I < 4; ++I)
      if (W + I >= Begin && W + I < End)
        Now.Bytes |= uint8_t(1 << I);
    Cells &C = cellsOf(W);
    std::lock_guard<std::mutex> G(C.Lock);
    if (C.Launch != B.launch().Number) {
      C.Words.clear();
      C.Launch = B.launch().Number;
    }
    Word &At = C.Words[W ^ Space];
    if (collide(At.Written, Now))
      race(At.Written, "wrote", S, Address);
    if (S->Access & Write) {
      if (collide(At.Read, Now) ||
          (At.SeveralRead && At.Read.Phase == Now.Phase &&
           At.Read.Thread == Now.Thread && !Now.IsAtomic))
        race(At.Read, "and others read", S, Address);
      At.Written = Now;
    }
    if (S->Access & Read) {
      At.SeveralRead = At.Read.Thread && At.Read.Thread != Now.Thread &&
                       !inOrder(At.Read, Now);
      At.Read = Now;
    }
  }
}

void retro::gpu::forgetRaces(const void *Address, uint64_t Bytes) {
  auto Begin = reinterpret_cast<uintptr_t>(Address);
  for (uintptr_t W = Begin & ~uintptr_t(3); W < Begin + Bytes; W += 4) {
    Cells &C = cellsOf(W);
    std::lock_guard<std::mutex> G(C.Lock);
    C.Words.erase(W);
  }
}
