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

} // namespace RETRO_MODEL
} // namespace retro::suite

#endif // RETROGRADE_SUITES_GPU_H
