// One block of a launch: its threads, its memory, and what they wait for.
#pragma once
#include "../abi.h"
#include "fiber.h"

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace retro::gpu {

struct Extent {
  uint32_t X = 1, Y = 1, Z = 1;
  uint64_t count() const { return uint64_t(X) * Y * Z; }
};

/// What all blocks of a launch share.
struct Launch {
  const KernelEntry *Kernel;
  void **Arguments;
  Extent Grid, Block;
  uint32_t WarpSize;
  uint32_t SharedBytes; ///< static and dynamic
  uint32_t Number;      ///< of this launch, from 1
};

/// What the lanes of a warp bring to an operation that they do together.
struct WarpOperation {
  /// The result of a lane, from what the lanes in Present brought.
  uint64_t (*Result)(const WarpOperation &, unsigned Lane) = nullptr;
  uint64_t Mask = 0; ///< lanes that must come; 0: those that do
  uint64_t Present = 0;
  uint64_t Value[64];
  uint32_t Operand[64];
};

class Block;

struct Thread {
  ThreadContext Context;
  Block *Owner = nullptr;
  std::unique_ptr<Fiber> Stack;
  enum { Runnable, AtBarrier, AtWarp, Ended } State = Runnable;
  const Site *Where = nullptr; ///< where it waits
  const char *Operation = nullptr;
  // At an operation of a warp: what this lane brings, and what it got.
  uint64_t (*Result)(const WarpOperation &, unsigned) = nullptr;
  uint64_t Mask = 0, Value = 0;
  uint32_t Operand = 0;
  uint64_t Got = 0;
};

class Block {
public:
  /// The memory of a block is used again by the next block of the same host
  /// thread.
  Block() = default;

  void run(const Launch &L, Extent Index);

  /// The running thread waits for all threads of the block. The result is what
  /// Combine makes of their values.
  uint64_t barrier(const Site *Where, uint64_t Value);
  uint64_t warp(const Site *Where, const char *Operation, uint64_t Mask,
                uint64_t Value, uint32_t Operand,
                uint64_t (*Result)(const WarpOperation &, unsigned));

  Thread &current() { return *Running; }
  const Launch &launch() const { return *Current; }
  /// How many barriers were passed. Accesses in different phases are in order.
  uint32_t phase() const { return Phase; }
  uint32_t warpPhase(unsigned Warp) const { return WarpPhases[Warp]; }
  uint32_t globalIndex(const Thread &T) const;
  bool holdsShared(const void *Address, size_t Bytes) const;
  bool holdsImplicit(const void *Address, size_t Bytes) const;
  const char *shared() const { return Shared; }
  /// Of the values at the barrier just passed: their sum, and whether all or
  /// any are set.
  uint64_t Sum = 0;
  bool All = false, Any = false;

  /// Kernel, block and thread, for messages.
  std::string place(const Thread *T) const;

  /// The block that the host's thread works on.
  static thread_local Block *Now;

private:
  void prepare(const Launch &L, Extent Index);
  void setThread(Thread &T, uint32_t Linear);
  void runAlone();
  void runTogether();
  void permute();
  bool release();
  bool releaseWarp(unsigned Warp);
  void divergent();
  static void enter(void *T);

  const Launch *Current = nullptr;
  Extent Index;
  uint32_t Count = 0;
  std::vector<std::unique_ptr<Thread>> Threads;
  std::vector<uint32_t> Order;
  std::vector<uint32_t> WarpPhases;
  Thread *Running = nullptr;
  uint32_t Phase = 0;
  std::vector<char> Room;
  char *Shared = nullptr;
  std::vector<char> Implicit, Dispatch;
  std::mt19937_64 Random;
};

} // namespace retro::gpu
