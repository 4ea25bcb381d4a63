// Checks what instrumented gradients (-retro-check-plan) claim of their plans.
// Without it a wrong claim would show as a wrong number at best, and on a
// device as one that comes and goes. Gradients call them by name, so no header
// declares them.
#include "memory.h"
#include "state.h"

#include <mutex>
#include <unordered_map>

using namespace retro::gpu;

namespace {

/// Who added to a word of shadow memory last, and when.
struct Addition {
  uint32_t Thread = 0, Block = 0, Phase = 0;
  bool IsPlain = false;
};

struct Additions {
  std::mutex Lock;
  uint32_t Launch = 0;
  std::unordered_map<uintptr_t, Addition> Words;
};

} // namespace

extern "C" {

/// Notes that `Bytes` of shadow memory are added to. plain: without atomic
/// operations.
void retro_gpu_check_exclusive(const char *Place, const void *Address,
                               uint64_t Bytes, int Plain, const Site *) {
  static Additions All;
  Block &B = *Block::Now;
  Addition Now;
  Now.Thread = B.globalIndex(B.current());
  Now.Block = Now.Thread / uint32_t(B.launch().Block.count());
  Now.Phase = B.phase();
  Now.IsPlain = Plain;
  uintptr_t Space =
      B.holdsShared(Address, 1) ? uintptr_t(Now.Block + 1) << 48 : 0;
  std::lock_guard<std::mutex> Guard(All.Lock);
  if (All.Launch != B.launch().Number) {
    All.Words.clear();
    All.Launch = B.launch().Number;
  }
  for (uint64_t At = 0; At < Bytes; At += 4) {
    auto [It, New] =
        All.Words.try_emplace((uintptr_t(Address) + At) ^ Space, Now);
    Addition &Last = It->second;
    if (!New && Last.Thread != Now.Thread && (Last.IsPlain || Now.IsPlain) &&
        (Last.Block != Now.Block || Last.Phase == Now.Phase))
      fail(std::string(Place) +
           ": plan check: what is read here another thread reads too: both "
           "add to its shadow, and not atomically: " +
           B.place(&B.current()));
    Last = Now;
  }
}

void retro_gpu_check_reload(const char *Place, int Differs, uint64_t, uint64_t,
                            const Site *) {
  if (Differs)
    fail(std::string(Place) +
         ": plan check: what is read here has been overwritten when the "
         "reverse pass reads it again: " +
         Block::Now->place(&Block::Now->current()));
}
}
