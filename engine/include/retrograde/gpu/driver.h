// What the runtime over NVIDIA's driver (libretro_cuda.a) tells beyond the
// host's functions: whether there is a driver, what the device is, how long
// kernels took and what they use.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Null when kernels can run; else a sentence that says what is missing.
const char *retro_cuda_missing(void);

struct RetroCudaDevice {
  char name[256];
  int driver_version; ///< as CUDA counts: 13000 is 13.0
  int major, minor;   ///< compute capability
  int multiprocessors;
  int clock_khz, memory_clock_khz;
  uint64_t memory_bytes;
};
/// 0, or the number of an error.
int retro_cuda_device(struct RetroCudaDevice *to);

/// What was seen of one kernel.
struct RetroCudaKernel {
  const char *name; ///< mangled
  uint64_t launches;
  double milliseconds; ///< of all launches together, between events
  int registers, local_bytes, shared_bytes;
  int binary_version;         ///< 90: code for sm_90
  int ptx_version;            ///< 80: of PTX 8.0
  unsigned grid[3], block[3]; ///< of the last launch
  uint64_t dynamic_shared_bytes;
};

/// Forgets what was measured; from now on each launch stands between two
/// events (1), or none does (0).
void retro_cuda_measure(int wanted);
/// Waits for the device, writes at most `room` kernels and returns how many
/// there are.
size_t retro_cuda_kernels(struct RetroCudaKernel *to, size_t room);
/// The time of all kernels, in seconds. Waits for the device.
double retro_cuda_kernel_seconds(void);

/// Copies at most `room` bytes of a variable of the device's code, by its name
/// there, and returns how many; 0 if no code that is loaded has it.
size_t retro_cuda_read(const char *name, void *to, size_t room);

/// Bytes that cudaMalloc and its relatives gave out and did not get back, and
/// the largest such sum since retro_cuda_measure().
uint64_t retro_cuda_allocated(void);
uint64_t retro_cuda_peak(void);

#ifdef __cplusplus
}
#endif
