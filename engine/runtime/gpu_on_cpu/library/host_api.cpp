// The host's side of a device that a CPU stands for: memory, launches, and what
// compiled host code registers, under the names of both vendors. Calls come
// from code that was compiled for a device, and end in this library's memory
// and blocks, so that tests of kernels run where no device is. They are found
// by name, so no header declares them.
#define __host__
#define __device__
#define __align__(n) __attribute__((aligned(n)))
#define RETRO_GPU_BOTH static inline
#include <retrograde/gpu/host_types.h>
#include <retrograde/gpu/vector_types.h>

#include "../../pushed_launches.h"
#include "memory.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace retro::gpu {
struct StreamState {};
struct EventState {
  std::chrono::steady_clock::time_point Time;
};
} // namespace retro::gpu

using namespace retro::gpu;

namespace {

/// What registration tells of addresses in the host's code.
struct HostNames {
  std::unordered_map<const void *, std::string> Kernels, Variables;
};
HostNames &names() {
  static HostNames N;
  return N;
}

thread_local Error Last = Success;
Error result(Error Code) {
  if (Code != Success)
    Last = Code;
  return Code;
}

Error Malloc(void **Address, size_t Bytes) {
  *Address = Bytes ? allocateGlobal(Bytes, false) : nullptr;
  return result(*Address || !Bytes ? Success : ErrorMemoryAllocation);
}
Error MallocManaged(void **Address, size_t Bytes, unsigned) {
  return Malloc(Address, Bytes);
}
Error HostMalloc(void **Address, size_t Bytes, unsigned) {
  return Malloc(Address, Bytes);
}
Error MallocHost(void **Address, size_t Bytes) {
  return Malloc(Address, Bytes);
}
Error Free(void *Address) {
  return result(!Address || freeGlobal(Address, false)
                    ? Success
                    : ErrorInvalidDevicePointer);
}
Error HostFree(void *Address) { return Free(Address); }
Error FreeHost(void *Address) { return Free(Address); }

Error Memcpy(void *To, const void *From, size_t Bytes, MemcpyKind Kind) {
  bool ToDevice = Kind == MemcpyHostToDevice || Kind == MemcpyDeviceToDevice;
  bool FromDevice = Kind == MemcpyDeviceToHost || Kind == MemcpyDeviceToDevice;
  if (Bytes && ((ToDevice && !isGlobal(To, Bytes)) ||
                (FromDevice && !isGlobal(From, Bytes))))
    return result(ErrorInvalidValue);
  std::memmove(To, From, Bytes);
  return Success;
}
Error MemcpyAsync(void *To, const void *From, size_t Bytes, MemcpyKind Kind,
                  Stream) {
  return Memcpy(To, From, Bytes, Kind);
}
Error Memset(void *Address, int Byte, size_t Bytes) {
  if (Bytes && !isGlobal(Address, Bytes))
    return result(ErrorInvalidValue);
  std::memset(Address, Byte, Bytes);
  return Success;
}
Error MemsetAsync(void *Address, int Byte, size_t Bytes, Stream) {
  return Memset(Address, Byte, Bytes);
}
Error MemGetInfo(size_t *Free, size_t *Total) {
  *Total = size_t(16) << 30;
  *Free = *Total - retro_gpu_allocated();
  return Success;
}

const VariableEntry *variableAt(const void *Symbol) {
  auto It = names().Variables.find(Symbol);
  return It == names().Variables.end() ? nullptr : findVariable(It->second);
}
Error MemcpyToSymbol(const void *Symbol, const void *From, size_t Bytes,
                     size_t Offset, MemcpyKind) {
  const VariableEntry *V = variableAt(Symbol);
  if (!V || Offset + Bytes > V->Bytes)
    return result(V ? ErrorInvalidValue : ErrorInvalidSymbol);
  std::memcpy(V->Address + Offset, From, Bytes);
  return Success;
}
Error MemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                       size_t Offset, MemcpyKind) {
  const VariableEntry *V = variableAt(Symbol);
  if (!V || Offset + Bytes > V->Bytes)
    return result(V ? ErrorInvalidValue : ErrorInvalidSymbol);
  std::memcpy(To, V->Address + Offset, Bytes);
  return Success;
}
Error GetSymbolAddress(void **Address, const void *Symbol) {
  const VariableEntry *V = variableAt(Symbol);
  *Address = V ? V->Address : nullptr;
  return result(V ? Success : ErrorInvalidSymbol);
}
Error GetSymbolSize(size_t *Bytes, const void *Symbol) {
  const VariableEntry *V = variableAt(Symbol);
  *Bytes = V ? V->Bytes : 0;
  return result(V ? Success : ErrorInvalidSymbol);
}

Error DeviceSynchronize() { return Success; }
Error DeviceReset() { return Success; }
Error PeekAtLastError() { return Last; }
Error GetLastError() {
  Error Code = Last;
  Last = Success;
  return Code;
}
Error GetDeviceCount(int *Count) { return *Count = 1, Success; }
Error GetDevice(int *Device) { return *Device = 0, Success; }
Error SetDevice(int Device) {
  return result(Device ? ErrorInvalidValue : Success);
}
Error GetDeviceProperties(DeviceProp *P, int) {
  *P = {};
  std::strcpy(P->name, "GPU on the CPU");
  P->totalGlobalMem = size_t(16) << 30;
  P->sharedMemPerBlock = P->sharedMemPerMultiprocessor = 64 << 10;
  P->totalConstMem = 64 << 10;
  P->regsPerBlock = 65536;
  P->warpSize = 32;
  P->maxThreadsPerBlock = 1024;
  for (int D = 0; D < 3; ++D) {
    P->maxThreadsDim[D] = D == 2 ? 64 : 1024;
    P->maxGridSize[D] = D ? 65535 : 2147483647;
  }
  P->multiProcessorCount = int(settings().Workers);
  return Success;
}
Error DeviceSetLimit(int, size_t) { return Success; }
Error StreamCreate(Stream *New) { return *New = new StreamState, Success; }
Error StreamDestroy(Stream Old) { return delete Old, Success; }
Error StreamSynchronize(Stream) { return Success; }
Error EventCreate(Event *New) { return *New = new EventState, Success; }
Error EventDestroy(Event Old) { return delete Old, Success; }
Error EventRecord(Event Mark, Stream) {
  Mark->Time = std::chrono::steady_clock::now();
  return Success;
}
Error EventSynchronize(Event) { return Success; }
Error EventElapsedTime(float *Milliseconds, Event From, Event To) {
  *Milliseconds =
      std::chrono::duration<float, std::milli>(To->Time - From->Time).count();
  return Success;
}

/// The dynamic shared memory of a block: what a kernel gets without asking, and
/// the most that it may ask for.
size_t sharedUnasked(const KernelOf &K) {
  return K.WarpSize == 64 ? 64 << 10 : 48 << 10;
}
size_t sharedAtMost(const KernelOf &K) {
  return K.WarpSize == 64 ? 64 << 10 : 227 << 10;
}
std::mutex SharedAllowedLock;
std::unordered_map<const KernelEntry *, size_t> SharedAllowed;

const KernelOf *kernelAt(const void *Stub) {
  auto It = names().Kernels.find(Stub);
  const KernelOf *K =
      It == names().Kernels.end() ? nullptr : findKernel(It->second);
  if (!K)
    fail(It == names().Kernels.end()
             ? "a launch of a function that no module registered"
             : "no emulated module has the kernel '" + It->second +
                   "': its device code was not made by retro-gpu-on-cpu");
  return K;
}

Error FuncSetAttribute(const void *Stub, int Attribute, int Value) {
  constexpr int MaxDynamicShared = 8; // of both vendors
  const KernelOf *K = kernelAt(Stub);
  if (Attribute != MaxDynamicShared)
    return Success;
  if (Value < 0 || size_t(Value) > sharedAtMost(*K))
    return result(ErrorInvalidValue);
  std::lock_guard<std::mutex> Guard(SharedAllowedLock);
  SharedAllowed[K->Kernel] = size_t(Value);
  return Success;
}

bool mayHaveShared(const KernelOf &K, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(SharedAllowedLock);
  auto It = SharedAllowed.find(K.Kernel);
  return Bytes <= sharedUnasked(K) ||
         (It != SharedAllowed.end() && Bytes <= It->second);
}

Error LaunchKernel(const void *Stub, dim3 Grid, dim3 Block, void **Arguments,
                   size_t SharedBytes, Stream) {
  static std::atomic<uint32_t> Launches{0};
  const KernelOf *K = kernelAt(Stub);
  retro::gpu::Launch L = {K->Kernel,
                          Arguments,
                          {Grid.x, Grid.y, Grid.z},
                          {Block.x, Block.y, Block.z},
                          K->WarpSize,
                          uint32_t(K->Kernel->StaticShared + SharedBytes),
                          ++Launches};
  uint64_t Threads = L.Block.count();
  if (!Threads || Threads > 1024 || !L.Grid.count() || Block.z > 64)
    return result(ErrorInvalidConfiguration);
  if (!mayHaveShared(*K, SharedBytes))
    return result(ErrorInvalidValue);
  runLaunch(L);
  return Success;
}

const char *GetErrorName(Error Code) {
  switch (Code) {
  case Success:
    return "success";
  case ErrorInvalidValue:
    return "invalid value";
  case ErrorMemoryAllocation:
    return "out of memory";
  case ErrorInvalidConfiguration:
    return "invalid configuration";
  case ErrorInvalidSymbol:
    return "invalid symbol";
  case ErrorInvalidDevicePointer:
    return "invalid device pointer";
  case ErrorInvalidMemcpyDirection:
    return "invalid copy direction";
  case ErrorInvalidDeviceFunction:
    return "invalid device function";
  }
  return "unknown error";
}

} // namespace

// The same functions under the names of both vendors.
extern "C" {
#define CALL(Name, Parameters, Arguments)                                      \
  Error cuda##Name Parameters { return Name Arguments; }                       \
  Error hip##Name Parameters { return Name Arguments; }
#include <retrograde/gpu/host_api.def>
#undef CALL

#define VENDOR(Vendor)                                                         \
  const char *Vendor##GetErrorString(Error Code) {                             \
    return GetErrorName(Code);                                                 \
  }                                                                            \
  const char *Vendor##GetErrorName(Error Code) { return GetErrorName(Code); }  \
  unsigned __##Vendor##PushCallConfiguration(dim3 Grid, dim3 Block,            \
                                             size_t SharedBytes, Stream On) {  \
    return push(Grid, Block, SharedBytes, On);                                 \
  }                                                                            \
  Error __##Vendor##PopCallConfiguration(dim3 *Grid, dim3 *Block,              \
                                         size_t *SharedBytes, void *On) {      \
    return pop(Grid, Block, SharedBytes, On);                                  \
  }                                                                            \
  void **__##Vendor##RegisterFatBinary(void *) {                               \
    static void *Handle = nullptr;                                             \
    return &Handle;                                                            \
  }                                                                            \
  void __##Vendor##RegisterFatBinaryEnd(void **) {}                            \
  void __##Vendor##UnregisterFatBinary(void **) {}                             \
  int __##Vendor##RegisterFunction(void **, const void *Stub, char *,          \
                                   const char *Name, int, void *, void *,      \
                                   void *, void *, int *) {                    \
    names().Kernels[Stub] = Name;                                              \
    return 0;                                                                  \
  }                                                                            \
  void __##Vendor##RegisterVar(void **, void *Symbol, char *,                  \
                               const char *Name, int, size_t, int, int) {      \
    names().Variables[Symbol] = Name;                                          \
  }                                                                            \
  void __##Vendor##RegisterManagedVar(void **, void **Pointer, void *,         \
                                      const char *Name, size_t, unsigned) {    \
    names().Variables[Pointer] = Name;                                         \
    if (const VariableEntry *V = findVariable(Name))                           \
      *Pointer = V->Address;                                                   \
  }
VENDOR(cuda)
VENDOR(hip)
#undef VENDOR
} // extern "C"
