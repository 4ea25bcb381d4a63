// Runs the threads of a block on the CPU, one after the other as fibers, from
// barrier to barrier, and gives them the block's shared memory. Without the
// fibers a thread could not stop in the middle of a function, at a barrier,
// while others run.
#include "block.h"
#include "state.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace retro::gpu;

thread_local ThreadContext *retro_gpu_context = nullptr;
thread_local Block *Block::Now = nullptr;

namespace {

Extent unflatten(uint64_t I, Extent E) {
  return {uint32_t(I % E.X), uint32_t(I / E.X % E.Y), uint32_t(I / E.X / E.Y)};
}

template <typename T> void put(std::vector<char> &Bytes, size_t At, T Value) {
  std::memcpy(Bytes.data() + At, &Value, sizeof Value);
}

} // namespace

void Block::setThread(Thread &T, uint32_t Linear) {
  const Launch &L = *Current;
  Extent I = unflatten(Linear, L.Block);
  T.Owner = this;
  T.State = Thread::Runnable;
  ThreadContext &C = T.Context;
  C = {{I.X, I.Y, I.Z},
       {Index.X, Index.Y, Index.Z},
       {L.Block.X, L.Block.Y, L.Block.Z},
       {L.Grid.X, L.Grid.Y, L.Grid.Z},
       Linear % L.WarpSize,
       Linear / L.WarpSize,
       (Count + L.WarpSize - 1) / L.WarpSize,
       L.WarpSize,
       L.SharedBytes - L.Kernel->StaticShared,
       Shared,
       Implicit.data(),
       Dispatch.data()};
}

void Block::prepare(const Launch &L, Extent At) {
  Current = &L;
  Index = At;
  Count = uint32_t(L.Block.count());
  Phase = 0;
  WarpPhases.assign((Count + L.WarpSize - 1) / L.WarpSize, 0);
  // What a block leaves in shared memory must not be known to the next one. All
  // bits set is no number in any format.
  constexpr size_t Line = 128;
  Room.resize(L.SharedBytes + Line);
  std::memset(Room.data(), 0xff, Room.size());
  auto Begin = reinterpret_cast<uintptr_t>(Room.data());
  Shared = Room.data() + (Line - Begin % Line) % Line;
  // amdgcn: the implicit arguments of code object version 5, and the packet.
  Implicit.assign(256, 0);
  Dispatch.assign(64, 0);
  const uint32_t Grid[3] = {L.Grid.X, L.Grid.Y, L.Grid.Z};
  const uint32_t Size[3] = {L.Block.X, L.Block.Y, L.Block.Z};
  for (int D = 0; D < 3; ++D) {
    put<uint32_t>(Implicit, 4 * D, Grid[D]);
    put<uint16_t>(Implicit, 12 + 2 * D, uint16_t(Size[D]));
    put<uint16_t>(Dispatch, 4 + 2 * D, uint16_t(Size[D]));
    put<uint32_t>(Dispatch, 12 + 4 * D, Grid[D] * Size[D]);
  }
  put<uint16_t>(Implicit, 64, 3);
  put<uint32_t>(Implicit, 120, L.SharedBytes - L.Kernel->StaticShared);
  Order.resize(Count);
  Random.seed(settings().Seed * 1000003 + L.Number * 10007 + Index.X +
              Index.Y * 101 + Index.Z * 10103);
}

/// Chooses the order in which threads run up to the next barrier.
void Block::permute() {
  std::iota(Order.begin(), Order.end(), 0);
  if (settings().ThreadOrder == Order::Reverse)
    std::reverse(Order.begin(), Order.end());
  else if (settings().ThreadOrder == Order::Random)
    std::shuffle(Order.begin(), Order.end(), Random);
}

void Block::run(const Launch &L, Extent At) {
  prepare(L, At);
  Block *Before = Now;
  Now = this;
  if (L.Kernel->Waits)
    runTogether();
  else
    runAlone();
  retro_gpu_context = nullptr;
  Now = Before;
}

/// Runs threads that do not wait for each other: one after the other, on the
/// host's stack.
void Block::runAlone() {
  if (Threads.empty())
    Threads.push_back(std::make_unique<Thread>());
  Thread &T = *Threads[0];
  Running = &T;
  retro_gpu_context = &T.Context;
  permute();
  for (uint32_t I : Order) {
    setThread(T, I);
    Current->Kernel->Run(Current->Arguments);
  }
}

void Block::enter(void *Argument) {
  auto &T = *static_cast<Thread *>(Argument);
  T.Owner->Current->Kernel->Run(T.Owner->Current->Arguments);
  T.State = Thread::Ended;
  T.Stack->yield();
}

/// Lets each thread run until it waits. When none can go on, all pass what all
/// of them have reached.
void Block::runTogether() {
  while (Threads.size() < Count)
    Threads.push_back(std::make_unique<Thread>());
  for (uint32_t I = 0; I < Count; ++I) {
    Thread &T = *Threads[I];
    setThread(T, I);
    if (!T.Stack)
      T.Stack = std::make_unique<Fiber>(settings().StackBytes);
    T.Stack->start(enter, &T);
  }
  do {
    permute();
    for (uint32_t I : Order) {
      Thread &T = *Threads[I];
      if (T.State != Thread::Runnable)
        continue;
      Running = &T;
      retro_gpu_context = &T.Context;
      T.Stack->resume();
    }
  } while (release());
}

/// Lets threads go on that can. False if all have ended.
bool Block::release() {
  bool Goes = false;
  for (unsigned W = 0; W < WarpPhases.size(); ++W)
    Goes |= releaseWarp(W);
  if (Goes)
    return true;
  Thread *First = nullptr;
  uint32_t Ended = 0;
  for (uint32_t I = 0; I < Count; ++I) {
    Thread &T = *Threads[I];
    if (T.State == Thread::Ended) {
      ++Ended;
      continue;
    }
    if (T.State == Thread::AtWarp || (First && T.Where != First->Where))
      divergent();
    if (!First)
      First = &T;
  }
  if (!First)
    return false;
  if (Ended && !settings().EndedMayMiss)
    divergent();
  Sum = 0;
  All = true;
  Any = false;
  for (uint32_t I = 0; I < Count; ++I) {
    Thread &T = *Threads[I];
    if (T.State != Thread::AtBarrier)
      continue;
    Sum += T.Value != 0;
    All &= T.Value != 0;
    Any |= T.Value != 0;
    T.State = Thread::Runnable;
  }
  ++Phase;
  return true;
}

/// Completes operations of one warp that all lanes have reached for which they
/// wait.
bool Block::releaseWarp(unsigned Warp) {
  const unsigned Size = Current->WarpSize, Base = Warp * Size;
  const unsigned Lanes = std::min(Size, Count - Base);
  bool Goes = false;
  for (unsigned L = 0; L < Lanes; ++L) {
    Thread &First = *Threads[Base + L];
    if (First.State != Thread::AtWarp)
      continue;
    WarpOperation Op;
    Op.Result = First.Result;
    Op.Mask = First.Mask;
    for (unsigned K = 0; K < Lanes; ++K) {
      Thread &T = *Threads[Base + K];
      bool Joins =
          T.State == Thread::AtWarp && T.Result == First.Result &&
          T.Mask == First.Mask &&
          (First.Mask ? (First.Mask >> K & 1) : T.Where == First.Where);
      if (!Joins)
        continue;
      Op.Present |= uint64_t(1) << K;
      Op.Value[K] = T.Value;
      Op.Operand[K] = T.Operand;
    }
    uint64_t Exist = Lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << Lanes) - 1;
    if (settings().EndedMayMiss)
      for (unsigned K = 0; K < Lanes; ++K)
        if (Threads[Base + K]->State == Thread::Ended)
          Exist &= ~(uint64_t(1) << K);
    if (Op.Present == 0 || (Op.Mask & Exist & ~Op.Present))
      continue; // not all have come
    for (unsigned K = 0; K < Lanes; ++K)
      if (Op.Present >> K & 1) {
        Thread &T = *Threads[Base + K];
        T.Got = Op.Result(Op, K);
        T.State = Thread::Runnable;
      }
    Goes = true;
  }
  WarpPhases[Warp] += Goes;
  return Goes;
}

uint64_t Block::barrier(const Site *Where, uint64_t Value) {
  Thread &T = *Running;
  T.State = Thread::AtBarrier;
  T.Where = Where;
  T.Operation = "__syncthreads()";
  T.Value = Value;
  T.Stack->yield();
  return Sum;
}

uint64_t Block::warp(const Site *Where, const char *Operation, uint64_t Mask,
                     uint64_t Value, uint32_t Operand,
                     uint64_t (*Result)(const WarpOperation &, unsigned)) {
  Thread &T = *Running;
  T.State = Thread::AtWarp;
  T.Where = Where;
  T.Operation = Operation;
  T.Mask = Mask;
  T.Value = Value;
  T.Operand = Operand;
  T.Result = Result;
  T.Stack->yield();
  return T.Got;
}

uint32_t Block::globalIndex(const Thread &T) const {
  const ThreadContext &C = T.Context;
  const Launch &L = *Current;
  uint64_t B =
      C.BlockIdx[0] +
      uint64_t(L.Grid.X) * (C.BlockIdx[1] + uint64_t(L.Grid.Y) * C.BlockIdx[2]);
  uint64_t I = C.ThreadIdx[0] +
               uint64_t(L.Block.X) *
                   (C.ThreadIdx[1] + uint64_t(L.Block.Y) * C.ThreadIdx[2]);
  return uint32_t(B * L.Block.count() + I);
}

bool Block::holdsShared(const void *Address, size_t Bytes) const {
  auto *A = static_cast<const char *>(Address);
  return A >= Shared && A + Bytes <= Shared + Current->SharedBytes;
}

bool Block::holdsImplicit(const void *Address, size_t Bytes) const {
  auto *A = static_cast<const char *>(Address);
  auto in = [&](const std::vector<char> &V) {
    return A >= V.data() && A + Bytes <= V.data() + V.size();
  };
  return in(Implicit) || in(Dispatch);
}

std::string Block::place(const Thread *T) const {
  const uint32_t B[3] = {Index.X, Index.Y, Index.Z};
  return "kernel '" + std::string(Current->Kernel->Name) + "', block " +
         inWords(B) + (T ? ", thread " + inWords(T->Context.ThreadIdx) : "");
}

/// Reports that threads wait at different places, or for threads that never
/// come.
void Block::divergent() {
  struct Group {
    const Site *Where;
    const char *Operation;
    std::vector<const Thread *> Threads;
  };
  std::vector<Group> Groups;
  for (uint32_t I = 0; I < Count; ++I) {
    const Thread &T = *Threads[I];
    bool Ended = T.State == Thread::Ended;
    const Site *Where = Ended ? nullptr : T.Where;
    auto G = std::find_if(Groups.begin(), Groups.end(),
                          [&](const Group &G) { return G.Where == Where; });
    if (G == Groups.end()) {
      Groups.push_back({Where, Ended ? nullptr : T.Operation, {}});
      G = Groups.end() - 1;
    }
    G->Threads.push_back(&T);
  }
  std::string Text =
      "a barrier or warp operation that not all threads reach: " +
      place(nullptr);
  for (const Group &G : Groups) {
    Text += "\n  " + std::to_string(G.Threads.size()) + " threads, " +
            inWords(G.Threads.front()->Context.ThreadIdx) + " to " +
            inWords(G.Threads.back()->Context.ThreadIdx) + ", ";
    Text += G.Operation
                ? "wait at " + std::string(G.Operation) + inWords(G.Where)
                : "have ended";
  }
  fail(Text);
}
