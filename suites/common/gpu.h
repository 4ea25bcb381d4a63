//===- gpu.h - Device memory and errors of either vendor --------*- C++ -*-===//
//
// For the host side of a suite's kernels, compiled as CUDA and as HIP.
//
//===----------------------------------------------------------------------===//
#ifndef RETROGRADE_SUITES_GPU_H
#define RETROGRADE_SUITES_GPU_H

#include "kernel.h"

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#define RETRO_GPU(name) hip##name
#else
#include <cuda_runtime.h>
#define RETRO_GPU(name) cuda##name
#endif

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace retro::suite {
inline namespace RETRO_MODEL {

/// Ends the program unless the call of the runtime succeeded.
inline void check(RETRO_GPU(Error_t) error) {
  if (error == RETRO_GPU(Success))
    return;
  std::fprintf(stderr, "GPU: %s\n", RETRO_GPU(GetErrorString)(error));
  std::abort();
}

/// Waits for the kernels launched so far.
inline void finish_kernels() {
  check(RETRO_GPU(GetLastError)());
  check(RETRO_GPU(DeviceSynchronize)());
}

/// Entries in the device's memory.
template <class T> class OnDevice {
public:
  explicit OnDevice(std::size_t count) : count(count) {
    check(RETRO_GPU(Malloc)(reinterpret_cast<void **>(&entries),
                            count * sizeof(T)));
  }
  /// A copy of the host's.
  OnDevice(const T *from, std::size_t count) : OnDevice(count) { put(from); }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
  ~OnDevice() { (void)RETRO_GPU(Free)(entries); }

  T *data() const { return entries; }
  void put(const T *from) {
    check(RETRO_GPU(Memcpy)(entries, from, count * sizeof(T),
                            RETRO_GPU(MemcpyHostToDevice)));
  }
  void get(T *to) const {
    check(RETRO_GPU(Memcpy)(to, entries, count * sizeof(T),
                            RETRO_GPU(MemcpyDeviceToHost)));
  }

private:
  std::size_t count;
  T *entries = nullptr;
};

/// Memory for the tapes of the threads of a launch: so many bytes for each.
struct TapePool {
  void *memory;
  unsigned long long bytes;
};

/// Notes the bytes of the thread with the longest tape.
__device__ inline void note_tape(unsigned long long *most,
                                 unsigned long long bytes) {
  if (bytes > __atomic_load_n(most, __ATOMIC_RELAXED))
    atomicMax(most, bytes);
}

/// What tapes may take of the device's memory. Tests choose so little that
/// there are several launches.
inline unsigned long long pool_budget() {
#ifdef RETRO_POOL_BYTES
  return RETRO_POOL_BYTES;
#else
  std::size_t free, total;
  check(RETRO_GPU(MemGetInfo)(&free, &total));
  return free / 4;
#endif
}

/// How many of `blocks` blocks of so many threads are launched at a time, so
/// that their tapes fit.
inline std::size_t blocks_at_once(unsigned long long bytes, std::size_t blocks,
                                  std::size_t threads) {
  const std::size_t fit =
      bytes ? static_cast<std::size_t>(pool_budget() / (bytes * threads))
            : blocks;
  return fit < 1 ? 1 : fit < blocks ? fit : blocks;
}

} // namespace RETRO_MODEL
} // namespace retro::suite

#endif // RETROGRADE_SUITES_GPU_H
