// The emulated GPU's own interface: what a test chooses and asks. The same can
// be chosen by environment variables (docs/gpu-tests.md).
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum RetroGpuOrder {
  RETRO_GPU_FORWARD = 0,
  RETRO_GPU_REVERSE = 1,
  RETRO_GPU_RANDOM = 2
};

/// The order in which blocks, and threads of a block between two barriers,
/// run from now on.
void retro_gpu_set_order(enum RetroGpuOrder Order, uint64_t Seed);

/// How many threads of the host run blocks. 1: one after the other.
void retro_gpu_set_workers(unsigned Count);

/// Are two accesses of one place by two threads, of which one writes and one
/// is not atomic, an error where no barrier is between them?
void retro_gpu_set_race_check(int Wanted);

/// Called instead of abort() with the text of an error. It must not return to
/// the kernel: it ends the program, or throws no further than the launch.
void retro_gpu_set_error_handler(void (*Handler)(const char *Text));

/// Bytes that cudaMalloc gave out and cudaFree did not get back.
uint64_t retro_gpu_allocated(void);

/// Bytes device code allocated itself (malloc) and did not free.
uint64_t retro_gpu_device_heap(void);

#ifdef __cplusplus
}
#endif
