// Launches kernels and measures them. Each launch is between two events of its
// stream, and the time between these is the kernel's. Without events only the
// host could be timed, which does not wait for a kernel. Declared in driver.h.
#include "driver.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

using namespace retro::gpu;

namespace {

struct Pending {
  const Kernel *Of;
  Event From, To;
};

struct Measurements {
  std::mutex Lock;
  bool Wanted = false;
  std::vector<Pending> Open;
  std::vector<Event> Unused;
  std::map<const Kernel *, RetroCudaKernel> Kernels;
  std::unordered_map<Address, size_t> Sizes;
  uint64_t Allocated = 0, Peak = 0;
};
Measurements &measurements() {
  static Measurements *M = new Measurements;
  return *M;
}

int takeEvent(const DriverTable &D, Measurements &M, Event &Out) {
  if (M.Unused.empty())
    return D.EventCreate(&Out, 0);
  Out = M.Unused.back();
  M.Unused.pop_back();
  return DriverSuccess;
}

void note(const DriverTable &D, RetroCudaKernel &K, Function F, dim3 Grid,
          dim3 Block, size_t SharedBytes) {
  const auto attribute = [&](int Which) {
    int Value = 0;
    D.FuncGetAttribute(&Value, Which, F);
    return Value;
  };
  if (!K.launches++) {
    K.registers = attribute(FunctionRegisters);
    K.local_bytes = attribute(FunctionLocal);
    K.shared_bytes = attribute(FunctionShared);
    K.binary_version = attribute(FunctionBinary);
    K.ptx_version = attribute(FunctionPtx);
  }
  const unsigned Of[2][3] = {{Grid.x, Grid.y, Grid.z},
                             {Block.x, Block.y, Block.z}};
  std::copy(Of[0], Of[0] + 3, K.grid);
  std::copy(Of[1], Of[1] + 3, K.block);
  K.dynamic_shared_bytes = SharedBytes;
}

/// Waits for the device, and adds up the times of what has run.
void settle(Measurements &M) {
  Error Code = Success;
  const DriverTable *D = M.Open.empty() ? nullptr : ready(Code);
  if (!D)
    return;
  // If a kernel failed, no time counts. The caller sees the error where it
  // synchronizes.
  const bool Finished = !D->CtxSynchronize();
  for (const Pending &P : M.Open) {
    float Milliseconds = 0;
    if (Finished && !D->EventElapsedTime(&Milliseconds, P.From, P.To))
      M.Kernels[P.Of].milliseconds += double(Milliseconds);
    M.Unused.push_back(P.From);
    M.Unused.push_back(P.To);
  }
  M.Open.clear();
}

} // namespace

Error retro::gpu::launch(const DriverTable &D, Kernel &K, dim3 Grid, dim3 Block,
                         void **Arguments, size_t SharedBytes, Stream On) {
  Function F = nullptr;
  if (Error Code = functionOf(K, F))
    return Code;
  const auto run = [&] {
    return D.LaunchKernel(F, Grid.x, Grid.y, Grid.z, Block.x, Block.y, Block.z,
                          unsigned(SharedBytes), On, Arguments, nullptr);
  };
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  if (!M.Wanted)
    return Error(run());
  // Events of many launches are kept until their times are asked for.
  if (M.Open.size() >= 4096)
    settle(M);
  Pending P = {&K, nullptr, nullptr};
  int Failed = takeEvent(D, M, P.From);
  if (!Failed)
    Failed = takeEvent(D, M, P.To);
  if (!Failed)
    Failed = D.EventRecord(P.From, On);
  if (!Failed)
    Failed = run();
  if (!Failed)
    Failed = D.EventRecord(P.To, On);
  if (Failed) {
    for (Event E : {P.From, P.To})
      if (E)
        M.Unused.push_back(E);
    return Error(Failed);
  }
  M.Open.push_back(P);
  RetroCudaKernel &Seen = M.Kernels[&K];
  Seen.name = nameOf(K).c_str();
  note(D, Seen, F, Grid, Block, SharedBytes);
  return Success;
}

void retro::gpu::forgetEvents() {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  M.Open.clear();
  M.Unused.clear();
  M.Sizes.clear();
  M.Allocated = 0;
}

void retro::gpu::countAllocation(Address New, size_t Bytes) {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  M.Sizes[New] = Bytes;
  M.Allocated += Bytes;
  M.Peak = std::max(M.Peak, M.Allocated);
}

void retro::gpu::countFree(Address Old) {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  auto It = M.Sizes.find(Old);
  if (It == M.Sizes.end())
    return;
  M.Allocated -= It->second;
  M.Sizes.erase(It);
}

extern "C" {

void retro_cuda_measure(int Wanted) {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  settle(M);
  M.Kernels.clear();
  M.Peak = M.Allocated;
  M.Wanted = Wanted != 0;
}

size_t retro_cuda_kernels(RetroCudaKernel *To, size_t Room) {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  settle(M);
  size_t Next = 0;
  for (const auto &[Of, K] : M.Kernels)
    if (Next < Room)
      To[Next++] = K;
  return M.Kernels.size();
}

double retro_cuda_kernel_seconds(void) {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  settle(M);
  double Sum = 0;
  for (const auto &[Of, K] : M.Kernels)
    Sum += K.milliseconds;
  return 1e-3 * Sum;
}

uint64_t retro_cuda_allocated(void) {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  return M.Allocated;
}

uint64_t retro_cuda_peak(void) {
  Measurements &M = measurements();
  std::lock_guard Guard(M.Lock);
  return M.Peak;
}

} // extern "C"
