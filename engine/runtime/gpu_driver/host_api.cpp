// The functions that compiled host code calls, by those of the driver: memory,
// copies, launches, streams and events. Each makes the device's context current
// first, and returns the driver's status as the code of CUDA's runtime, so that
// a program links and runs without that runtime. Compiled host code calls these
// by name, so no header declares them.
#include "driver.h"
// This has the types that the next one needs.
#include "../pushed_launches.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace retro::gpu;

namespace {

thread_local Error Last = Success;
Error result(int Code) {
  if (Code != Success)
    Last = Error(Code);
  return Error(Code);
}

/// Calls f(driver) while the device's context is current.
template <class F> Error with(F &&Call) {
  Error Code = Success;
  const DriverTable *D = ready(Code);
  return result(D ? Call(*D) : int(Code));
}

Address place(const void *P) { return Address(reinterpret_cast<uintptr_t>(P)); }
void *pointer(Address A) { return reinterpret_cast<void *>(uintptr_t(A)); }

//===----------------------------------------------------------------------===//
// Memory

Error Malloc(void **To, size_t Bytes) {
  *To = nullptr;
  return with([&](const DriverTable &D) {
    Address New = 0;
    const int Code = Bytes ? D.MemAlloc(&New, Bytes) : 0;
    if (!Code && Bytes) {
      countAllocation(New, Bytes);
      *To = pointer(New);
    }
    return Code;
  });
}
Error MallocManaged(void **To, size_t Bytes, unsigned Flags) {
  *To = nullptr;
  return with([&](const DriverTable &D) {
    Address New = 0;
    const int Code = D.MemAllocManaged(&New, Bytes, Flags);
    if (!Code) {
      countAllocation(New, Bytes);
      *To = pointer(New);
    }
    return Code;
  });
}
Error HostMalloc(void **To, size_t Bytes, unsigned Flags) {
  *To = nullptr;
  return with(
      [&](const DriverTable &D) { return D.MemHostAlloc(To, Bytes, Flags); });
}
Error MallocHost(void **To, size_t Bytes) { return HostMalloc(To, Bytes, 0); }

Error Free(void *Old) {
  if (!Old)
    return Success;
  return with([&](const DriverTable &D) {
    const int Code = D.MemFree(place(Old));
    if (!Code)
      countFree(place(Old));
    return Code;
  });
}
Error FreeHost(void *Old) {
  if (!Old)
    return Success;
  return with([&](const DriverTable &D) { return D.MemFreeHost(Old); });
}
Error HostFree(void *Old) { return FreeHost(Old); }

Error Memcpy(void *To, const void *From, size_t Bytes, MemcpyKind Kind) {
  if (!Bytes)
    return Success;
  return with([&](const DriverTable &D) {
    switch (Kind) {
    case MemcpyHostToHost:
      std::memmove(To, From, Bytes);
      return 0;
    case MemcpyHostToDevice:
      return D.MemcpyHtoD(place(To), From, Bytes);
    case MemcpyDeviceToHost:
      return D.MemcpyDtoH(To, place(From), Bytes);
    case MemcpyDeviceToDevice:
      return D.MemcpyDtoD(place(To), place(From), Bytes);
    case MemcpyDefault:
      return D.Memcpy(place(To), place(From), Bytes);
    }
    return int(ErrorInvalidMemcpyDirection);
  });
}
Error MemcpyAsync(void *To, const void *From, size_t Bytes, MemcpyKind,
                  Stream On) {
  if (!Bytes)
    return Success;
  return with([&](const DriverTable &D) {
    return D.MemcpyAsync(place(To), place(From), Bytes, On);
  });
}
Error Memset(void *To, int Byte, size_t Bytes) {
  if (!Bytes)
    return Success;
  return with([&](const DriverTable &D) {
    return D.MemsetD8(place(To), static_cast<unsigned char>(Byte), Bytes);
  });
}
Error MemsetAsync(void *To, int Byte, size_t Bytes, Stream On) {
  if (!Bytes)
    return Success;
  return with([&](const DriverTable &D) {
    return D.MemsetD8Async(place(To), static_cast<unsigned char>(Byte), Bytes,
                           On);
  });
}
Error MemGetInfo(size_t *Free, size_t *Total) {
  return with([&](const DriverTable &D) { return D.MemGetInfo(Free, Total); });
}

/// Finds a part of a variable.
Error part(const void *Symbol, size_t Bytes, size_t Offset, char *&Found) {
  Address Begin = 0;
  size_t Size = 0;
  if (Error Code = variableOf(Symbol, Begin, Size))
    return result(Code);
  if (Offset > Size || Bytes > Size - Offset)
    return result(ErrorInvalidValue);
  Found = static_cast<char *>(pointer(Begin)) + Offset;
  return Success;
}
Error MemcpyToSymbol(const void *Symbol, const void *From, size_t Bytes,
                     size_t Offset, MemcpyKind Kind) {
  char *To = nullptr;
  if (Error Code = part(Symbol, Bytes, Offset, To))
    return Code;
  return Memcpy(To, From, Bytes, Kind);
}
Error MemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                       size_t Offset, MemcpyKind Kind) {
  char *From = nullptr;
  if (Error Code = part(Symbol, Bytes, Offset, From))
    return Code;
  return Memcpy(To, From, Bytes, Kind);
}
Error GetSymbolAddress(void **To, const void *Symbol) {
  char *Found = nullptr;
  const Error Code = part(Symbol, 0, 0, Found);
  *To = Found;
  return Code;
}
Error GetSymbolSize(size_t *Bytes, const void *Symbol) {
  Address Begin = 0;
  *Bytes = 0;
  return result(variableOf(Symbol, Begin, *Bytes));
}

//===----------------------------------------------------------------------===//
// Device, streams, events

Error DeviceSynchronize() {
  return with([](const DriverTable &D) { return D.CtxSynchronize(); });
}
Error DeviceReset() { return result(resetDevice()); }
Error PeekAtLastError() { return Last; }
Error GetLastError() {
  const Error Code = Last;
  Last = Success;
  return Code;
}
Error GetDeviceCount(int *Count) {
  *Count = 0;
  return with([&](const DriverTable &D) { return D.DeviceGetCount(Count); });
}
Error GetDevice(int *Device) {
  *Device = chosenDevice();
  return Success;
}
Error SetDevice(int Device) { return result(chooseDevice(Device)); }

Error GetDeviceProperties(DeviceProp *P, int Number) {
  *P = {};
  return with([&](const DriverTable &D) {
    int Device = 0;
    if (const int Code = D.DeviceGet(&Device, Number))
      return Code;
    const auto attribute = [&](int Which) {
      int Value = 0;
      D.DeviceGetAttribute(&Value, Which, Device);
      return Value;
    };
    D.DeviceTotalMem(&P->totalGlobalMem, Device);
    P->sharedMemPerBlock = size_t(attribute(MaxSharedPerBlock));
    P->sharedMemPerMultiprocessor =
        size_t(attribute(MaxSharedPerMultiprocessor));
    P->totalConstMem = size_t(attribute(TotalConstantMemory));
    P->regsPerBlock = attribute(MaxRegistersPerBlock);
    P->warpSize = attribute(WarpSize);
    P->maxThreadsPerBlock = attribute(MaxThreadsPerBlock);
    for (int Axis = 0; Axis < 3; ++Axis) {
      P->maxThreadsDim[Axis] = attribute(MaxBlockDimX + Axis);
      P->maxGridSize[Axis] = attribute(MaxGridDimX + Axis);
    }
    P->clockRate = attribute(ClockRate);
    P->memoryClockRate = attribute(MemoryClockRate);
    P->major = attribute(ComputeMajor);
    P->minor = attribute(ComputeMinor);
    P->multiProcessorCount = attribute(MultiprocessorCount);
    return D.DeviceGetName(P->name, sizeof P->name - 1, Device);
  });
}
Error DeviceSetLimit(int Limit, size_t Value) {
  return with(
      [&](const DriverTable &D) { return D.CtxSetLimit(Limit, Value); });
}
Error StreamCreate(Stream *New) {
  return with([&](const DriverTable &D) { return D.StreamCreate(New, 0); });
}
Error StreamDestroy(Stream Old) {
  return with([&](const DriverTable &D) { return D.StreamDestroy(Old); });
}
Error StreamSynchronize(Stream On) {
  return with([&](const DriverTable &D) { return D.StreamSynchronize(On); });
}
Error EventCreate(Event *New) {
  return with([&](const DriverTable &D) { return D.EventCreate(New, 0); });
}
Error EventDestroy(Event Old) {
  return with([&](const DriverTable &D) { return D.EventDestroy(Old); });
}
Error EventRecord(Event Mark, Stream On) {
  return with([&](const DriverTable &D) { return D.EventRecord(Mark, On); });
}
Error EventSynchronize(Event Mark) {
  return with([&](const DriverTable &D) { return D.EventSynchronize(Mark); });
}
Error EventElapsedTime(float *Milliseconds, Event From, Event To) {
  return with([&](const DriverTable &D) {
    return D.EventElapsedTime(Milliseconds, From, To);
  });
}

//===----------------------------------------------------------------------===//
// Launches

Error FuncSetAttribute(const void *Stub, int Attribute, int Value) {
  return with([&](const DriverTable &D) {
    Kernel *K = findKernel(Stub);
    Function F = nullptr;
    if (!K)
      return int(ErrorInvalidDeviceFunction);
    if (Error Code = functionOf(*K, F))
      return int(Code);
    return D.FuncSetAttribute(F, Attribute, Value);
  });
}

Error LaunchKernel(const void *Stub, dim3 Grid, dim3 Block, void **Arguments,
                   size_t SharedBytes, Stream On) {
  return with([&](const DriverTable &D) {
    Kernel *K = findKernel(Stub);
    if (!K)
      return int(ErrorInvalidDeviceFunction);
    const uint64_t Threads = uint64_t(Block.x) * Block.y * Block.z;
    if (!Threads || Threads > 1024 || !Grid.x || !Grid.y || !Grid.z)
      return int(ErrorInvalidConfiguration);
    return int(launch(D, *K, Grid, Block, Arguments, SharedBytes, On));
  });
}

const char *text(Error Code, bool Name) {
  if (Code == Success)
    return "no error";
  if (int(Code) == InsufficientDriver)
    return whyMissing().empty() ? "no driver" : whyMissing().c_str();
  switch (Code) {
  case ErrorInvalidConfiguration:
    return "invalid configuration of a launch";
  case ErrorInvalidSymbol:
    return "the device's code has no such variable";
  case ErrorInvalidMemcpyDirection:
    return "invalid direction of a copy";
  case ErrorInvalidDeviceFunction:
    return "the device's code has no such kernel";
  default:
    break;
  }
  const char *Found = nullptr;
  if (const DriverTable *D = loadedDriver())
    (Name ? D->GetErrorName : D->GetErrorString)(Code, &Found);
  return Found ? Found : "unknown error";
}

} // namespace

extern "C" {
#define CALL(Name, Parameters, Arguments)                                      \
  Error cuda##Name Parameters { return Name Arguments; }
#include <retrograde/gpu/host_api.def>
#undef CALL

const char *cudaGetErrorString(Error Code) { return text(Code, false); }
const char *cudaGetErrorName(Error Code) { return text(Code, true); }
unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t SharedBytes,
                                     Stream On) {
  return push(Grid, Block, SharedBytes, On);
}
Error __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *SharedBytes,
                                 void *On) {
  return pop(Grid, Block, SharedBytes, On);
}
} // extern "C"
