// The driver's interface, without the SDK's header, and what the sources of
// this runtime share: context.cpp (the driver and its context), modules.cpp
// (device code and its kernels), measure.cpp (launches and their times).
// host_api.cpp is what compiled host code calls.
#pragma once
#include <retrograde/gpu/driver.h>

#define __host__
#define __device__
#define __align__(n) __attribute__((aligned(n)))
#define RETRO_GPU_BOTH static inline
#include <retrograde/gpu/host_types.h>
#include <retrograde/gpu/vector_types.h>

#include <cstdint>
#include <string>

namespace retro::gpu {

struct ContextState;
struct DriverModuleState;
struct FunctionState;
using Context = ContextState *;
using DriverModule = DriverModuleState *;
using Function = FunctionState *;
using Address = unsigned long long;

/// Numbers of the driver's interface.
enum DeviceAttribute {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxGridDimX = 5,
  MaxSharedPerBlock = 8,
  TotalConstantMemory = 9,
  WarpSize = 10,
  MaxRegistersPerBlock = 12,
  ClockRate = 13,
  MultiprocessorCount = 16,
  MemoryClockRate = 36,
  ComputeMajor = 75,
  ComputeMinor = 76,
  MaxSharedPerMultiprocessor = 81,
};
enum FunctionAttribute {
  FunctionShared = 1,
  FunctionLocal = 3,
  FunctionRegisters = 4,
  FunctionPtx = 5,
  FunctionBinary = 6,
};
enum JitOption { JitErrorLog = 5, JitErrorLogBytes = 6 };
enum DriverCode {
  DriverSuccess = 0,
  DriverNoDevice = 100,
  DriverNotFound = 500,
};
/// An error of the host's interface for which the driver has none.
constexpr int InsufficientDriver = 35;

/// The driver's functions, by DriverTable fields.
struct DriverTable {
#define DRIVER(Field, Symbol, Parameters) int(*Field) Parameters;
#include "driver.def"
#undef DRIVER
};

/// Loads the driver once. Null if it is missing; whyMissing() says why.
const DriverTable *loadedDriver();
const std::string &whyMissing();

/// The driver, after the device's context has become the thread's. Null if that
/// fails; Code says why.
const DriverTable *ready(Error &Code);
int chosenDevice();
Error chooseDevice(int Number);
/// Ends the device's context, with everything in it.
Error resetDevice();

/// The kernel that belongs to an address of the host's code.
struct Kernel;
Kernel *findKernel(const void *Stub);
/// The kernel's function in the device's context. Loads the module first, if
/// need be.
Error functionOf(Kernel &K, Function &Found);
const std::string &nameOf(const Kernel &K);
/// The place of a variable in the device's memory.
Error variableOf(const void *Symbol, Address &Found, size_t &Bytes);
/// Forgets modules that were loaded, and events.
void forgetModules();
void forgetEvents();

/// Launches a kernel, between two events if launches are measured.
Error launch(const DriverTable &D, Kernel &K, dim3 Grid, dim3 Block,
             void **Arguments, size_t SharedBytes, Stream On);
/// Counts the device's memory in use.
void countAllocation(Address New, size_t Bytes);
void countFree(Address Old);

} // namespace retro::gpu
