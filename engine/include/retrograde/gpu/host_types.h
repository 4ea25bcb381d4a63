// Types of the host's functions, under names of neither vendor.
#pragma once
#include <stddef.h>

namespace retro::gpu {

enum Error : int {
  Success = 0,
  ErrorInvalidValue = 1,
  ErrorMemoryAllocation = 2,
  ErrorInvalidConfiguration = 9,
  ErrorInvalidSymbol = 13,
  ErrorInvalidDevicePointer = 17,
  ErrorInvalidMemcpyDirection = 21,
  ErrorInvalidDeviceFunction = 98,
};

enum MemcpyKind {
  MemcpyHostToHost = 0,
  MemcpyHostToDevice = 1,
  MemcpyDeviceToHost = 2,
  MemcpyDeviceToDevice = 3,
  MemcpyDefault = 4,
};

struct StreamState;
struct EventState;
using Stream = StreamState *;
using Event = EventState *;

struct DeviceProp {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  size_t sharedMemPerMultiprocessor;
  size_t totalConstMem;
  int regsPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  int memoryClockRate;
  int major;
  int minor;
  int multiProcessorCount;
};

} // namespace retro::gpu
