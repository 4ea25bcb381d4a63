// Global memory: buffers with their bounds, and a check of every access.
// Kernels come here before they load or store, and end with a sentence if the
// place is in no buffer. On a device such an access may go unseen, and a test
// of a derivative would pass by what happened to lie there.
#include "memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>

using namespace retro::gpu;

namespace {

struct Buffer {
  size_t Bytes;
  bool ByDevice;
  void *Block;
};

/// The buffers, shared by the host's threads that run blocks.
struct Memory {
  std::shared_mutex Lock;
  std::map<const char *, Buffer> Buffers;
  uint64_t Version = 1; ///< changes when a buffer goes
  uint64_t HostBytes = 0, DeviceBytes = 0;
};
Memory &memory() {
  static Memory M;
  return M;
}

/// The buffers this host thread used last.
struct Remembered {
  const char *Low = nullptr, *High = nullptr;
  uint64_t Version = 0;
};
thread_local Remembered Cache[16];

constexpr size_t Margin = 256; ///< of no buffer, before and after each

bool onHostStack(const void *Address, size_t Bytes) {
  static thread_local const char *Low = nullptr, *High = nullptr;
  if (!Low) {
    pthread_attr_t A;
    void *Base;
    size_t Size;
    if (pthread_getattr_np(pthread_self(), &A))
      return false;
    pthread_attr_getstack(&A, &Base, &Size);
    pthread_attr_destroy(&A);
    Low = static_cast<const char *>(Base);
    High = Low + Size;
  }
  auto *P = static_cast<const char *>(Address);
  return P >= Low && P + Bytes <= High;
}

std::string describe(uint32_t Access) {
  return Access & Atomic ? "atomic update" : Access & Write ? "write" : "read";
}

std::string nearest(const char *Address) {
  Memory &M = memory();
  std::shared_lock<std::shared_mutex> G(M.Lock);
  auto It = M.Buffers.upper_bound(Address);
  if (It == M.Buffers.begin())
    return "";
  --It;
  size_t Offset = size_t(Address - It->first);
  if (Offset > It->second.Bytes + (64 << 10))
    return "";
  return "; the buffer before it has " + std::to_string(It->second.Bytes) +
         " bytes, and this is byte " + std::to_string(Offset);
}

[[noreturn]] void outOfBounds(const void *Address, size_t Bytes, const Site *S,
                              const std::string &Why) {
  char Hex[32];
  std::snprintf(Hex, sizeof Hex, "%p", Address);
  fail("out of bounds: " + describe(S->Access) + " of " +
       std::to_string(Bytes) + " bytes at " + Hex + " in '" + S->Function +
       "'" + inWords(S) + Why + ": " +
       Block::Now->place(&Block::Now->current()));
}

} // namespace

void *retro::gpu::allocateGlobal(size_t Bytes, bool ByDevice) {
  void *Block = nullptr;
  size_t Whole = (Bytes + 255) / 256 * 256 + 2 * Margin;
  if (posix_memalign(&Block, 256, Whole))
    return nullptr;
  // Memory that is read before it is written holds no number.
  std::memset(Block, 0xff, Whole);
  char *Address = static_cast<char *>(Block) + Margin;
  Memory &M = memory();
  std::unique_lock<std::shared_mutex> G(M.Lock);
  M.Buffers[Address] = {Bytes, ByDevice, Block};
  (ByDevice ? M.DeviceBytes : M.HostBytes) += Bytes;
  return Address;
}

bool retro::gpu::freeGlobal(void *Address, bool ByDevice) {
  Memory &M = memory();
  std::unique_lock<std::shared_mutex> G(M.Lock);
  auto It = M.Buffers.find(static_cast<const char *>(Address));
  if (It == M.Buffers.end() || It->second.ByDevice != ByDevice)
    return false;
  (ByDevice ? M.DeviceBytes : M.HostBytes) -= It->second.Bytes;
  if (ByDevice && settings().Races)
    forgetRaces(Address, It->second.Bytes);
  std::free(It->second.Block);
  M.Buffers.erase(It);
  ++M.Version;
  return true;
}

void retro::gpu::rememberVariable(const VariableEntry &V) {
  Memory &M = memory();
  std::unique_lock<std::shared_mutex> G(M.Lock);
  M.Buffers[V.Address] = {V.Bytes, true, nullptr};
}

bool retro::gpu::isGlobal(const void *Address, size_t Bytes) {
  auto *P = static_cast<const char *>(Address);
  Memory &M = memory();
  std::shared_lock<std::shared_mutex> G(M.Lock);
  Remembered &R = Cache[reinterpret_cast<uintptr_t>(P) >> 12 & 15];
  if (R.Version == M.Version && P >= R.Low && P + Bytes <= R.High)
    return true;
  auto It = M.Buffers.upper_bound(P);
  if (It == M.Buffers.begin())
    return false;
  --It;
  if (P + Bytes > It->first + It->second.Bytes)
    return false;
  R = {It->first, It->first + It->second.Bytes, M.Version};
  return true;
}

uint64_t retro_gpu_allocated() { return memory().HostBytes; }
uint64_t retro_gpu_device_heap() { return memory().DeviceBytes; }

extern "C" {

void retro_gpu_access(const void *Address, uint64_t Bytes, const Site *S) {
  if (!Bytes)
    return;
  Block &B = *Block::Now;
  if (B.holdsShared(Address, Bytes) || isGlobal(Address, Bytes)) {
    if (settings().Races)
      checkRace(Address, Bytes, S);
    return;
  }
  const Thread &T = B.current();
  bool OnOwnStack = B.launch().Kernel->Waits ? T.Stack->holds(Address, Bytes)
                                             : onHostStack(Address, Bytes);
  if (!OnOwnStack && !B.holdsImplicit(Address, Bytes))
    outOfBounds(Address, Bytes, S, nearest(static_cast<const char *>(Address)));
}

void retro_gpu_access_object(const void *Address, uint64_t Bytes, const Site *S,
                             const void *Object, uint64_t Size,
                             const char *Name) {
  auto *P = static_cast<const char *>(Address);
  auto *O = static_cast<const char *>(Object);
  if (Bytes && (P < O || P + Bytes > O + Size))
    outOfBounds(Address, Bytes, S,
                ", byte " + std::to_string(P - O) + " of '" + Name +
                    "', which has " + std::to_string(Size) + " bytes");
}

} // extern "C"
