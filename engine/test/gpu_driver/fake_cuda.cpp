// A libcuda.so.1 for tests: writes every call down, is strict about handles,
// contexts and sizes, fails where it is told to, and runs kernels on the CPU:
// those of the device code that this library is linked with.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

// The library that runs kernels on the CPU, by its host's functions.
struct Size3 {
  unsigned X, Y, Z;
};
extern "C" {
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaMemset(void *, int, size_t);
int cudaLaunchKernel(const void *, Size3, Size3, void **, size_t, void *);
int cudaGetSymbolAddress(void **, const void *);
int cudaGetSymbolSize(size_t *, const void *);
int __cudaRegisterFunction(void **, const void *, char *, const char *, int,
                           void *, void *, void *, void *, int *);
void __cudaRegisterVar(void **, void *, char *, const char *, int, size_t, int,
                       int);
}

namespace {

using Address = unsigned long long;
enum { InvalidValue = 1, InvalidContext = 201, NotFound = 500 };

struct Fake {
  std::mutex Lock;
  std::string Log;
  std::map<std::string, int> Failures; ///< by symbol: the next call fails
  std::map<Address, std::pair<size_t, int>> Allocations; ///< bytes, number
  std::set<std::string> Names;                           ///< keys of handles
  std::map<void *, double> Events;                       ///< milliseconds
  double Clock = 0;
  int Allocated = 0, Contexts = 0;
  char Context = 0, Module = 0;
};
Fake &fake() {
  static Fake *F = new Fake;
  return *F;
}
thread_local void *Current = nullptr;

/// "a2+16" for the 17th byte of the second allocation.
std::string inWords(Address A) {
  Fake &F = fake();
  auto It = F.Allocations.upper_bound(A);
  if (It == F.Allocations.begin())
    return "host";
  --It;
  if (A >= It->first + It->second.first)
    return "host";
  std::string Text = "a" + std::to_string(It->second.second);
  if (A != It->first)
    Text += "+" + std::to_string(A - It->first);
  return Text;
}
bool inside(Address A, size_t Bytes) {
  auto It = fake().Allocations.upper_bound(A);
  if (It == fake().Allocations.begin())
    return false;
  --It;
  return A + Bytes <= It->first + It->second.first;
}

std::string join() { return ""; }
template <class First, class... Rest>
std::string join(const First &F, const Rest &...R) {
  if constexpr (std::is_arithmetic_v<First>)
    return " " + std::to_string(F) + join(R...);
  else
    return " " + std::string(F) + join(R...);
}

/// Writes the call down; the code of the failure that was asked for, or 0.
template <class... Words> int note(const char *Symbol, const Words &...W) {
  Fake &F = fake();
  std::lock_guard Guard(F.Lock);
  F.Log += Symbol + join(W...) + "\n";
  auto It = F.Failures.find(Symbol);
  if (It == F.Failures.end())
    return 0;
  const int Code = It->second;
  F.Failures.erase(It);
  return Code;
}
/// The same, for calls that need a context in the thread.
template <class... Words> int enter(const char *Symbol, const Words &...W) {
  const int Code = note(Symbol, W...);
  return !Code && Current != &fake().Context ? int(InvalidContext) : Code;
}

int devices() {
  const char *Text = std::getenv("FAKE_CUDA_DEVICES");
  return Text ? std::atoi(Text) : 1;
}

int allocate(Address *New, size_t Bytes) {
  Fake &F = fake();
  void *P = nullptr;
  if (cudaMalloc(&P, Bytes))
    return 2;
  *New = reinterpret_cast<uintptr_t>(P);
  F.Allocations[*New] = {Bytes, ++F.Allocated};
  return 0;
}
void *pointer(Address A) { return reinterpret_cast<void *>(uintptr_t(A)); }

} // namespace

extern "C" {

// What a test asks and tells.
const char *fake_cuda_log() { return fake().Log.c_str(); }
void fake_cuda_clear() { fake().Log.clear(); }
void fake_cuda_fail(const char *Symbol, int Code) {
  fake().Failures[Symbol] = Code;
}
size_t fake_cuda_allocations() { return fake().Allocations.size(); }

int cuInit(unsigned Flags) { return note("cuInit", Flags); }
int cuDriverGetVersion(int *Version) {
  *Version = 13000;
  return note("cuDriverGetVersion");
}
int cuGetErrorName(int Code, const char **Text) {
  static thread_local std::string Name;
  Name = "FAKE_" + std::to_string(Code);
  *Text = Name.c_str();
  return 0;
}
int cuGetErrorString(int Code, const char **Text) {
  static thread_local std::string Name;
  Name = "fake error " + std::to_string(Code);
  *Text = Name.c_str();
  return 0;
}
int cuDeviceGetCount(int *Count) {
  *Count = devices();
  return note("cuDeviceGetCount");
}
int cuDeviceGet(int *Device, int Number) {
  *Device = 40 + Number;
  const int Code = note("cuDeviceGet", Number);
  return !Code && (Number < 0 || Number >= devices()) ? 101 : Code;
}
int cuDeviceGetName(char *Text, int Room, int Device) {
  std::snprintf(Text, size_t(Room), "Fake GPU %d", Device);
  return 0;
}
int cuDeviceGetAttribute(int *Value, int Attribute, int) {
  *Value = 1000 + Attribute;
  if (Attribute == 75)
    *Value = 9;
  if (Attribute == 76)
    *Value = 0;
  return 0;
}
int cuDeviceTotalMem_v2(size_t *Bytes, int) {
  *Bytes = size_t(1) << 33;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **New, int Device) {
  *New = &fake().Context;
  ++fake().Contexts;
  return note("cuDevicePrimaryCtxRetain", Device);
}
int cuDevicePrimaryCtxReset_v2(int Device) {
  Current = nullptr;
  return note("cuDevicePrimaryCtxReset_v2", Device);
}
int cuCtxSetCurrent(void *Of) {
  Current = Of;
  return note("cuCtxSetCurrent");
}
int cuCtxSynchronize() { return enter("cuCtxSynchronize"); }
int cuCtxSetLimit(int Limit, size_t Value) {
  return enter("cuCtxSetLimit", Limit, Value);
}

int cuModuleLoadDataEx(void **New, const void *Image, unsigned Count,
                       int *Options, void **Values) {
  const char *Text = static_cast<const char *>(Image);
  const size_t End = strcspn(Text, "\n");
  const int Code =
      enter("cuModuleLoadDataEx", std::string(Text, End < 40 ? End : 40));
  if (Code) {
    for (unsigned I = 0; I < Count; ++I)
      if (Options[I] == 5)
        std::strcpy(static_cast<char *>(Values[I]), "fake log");
    return Code;
  }
  *New = &fake().Module;
  return 0;
}

/// A handle is a key that the library on the CPU knows the name by.
int cuModuleGetFunction(void **Found, void *In, const char *Name) {
  if (int Code = enter("cuModuleGetFunction", Name))
    return Code;
  if (In != &fake().Module)
    return InvalidValue;
  const std::string &Key = *fake().Names.insert(Name).first;
  __cudaRegisterFunction(nullptr, &Key, nullptr, Key.c_str(), 0, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  *Found = const_cast<std::string *>(&Key);
  return 0;
}
int cuModuleGetGlobal_v2(Address *Found, size_t *Bytes, void *In,
                         const char *Name) {
  if (int Code = enter("cuModuleGetGlobal_v2", Name))
    return Code;
  if (In != &fake().Module)
    return InvalidValue;
  std::string &Key =
      const_cast<std::string &>(*fake().Names.insert(Name).first);
  __cudaRegisterVar(nullptr, &Key, nullptr, Key.c_str(), 0, 0, 0, 0);
  void *P = nullptr;
  if (cudaGetSymbolAddress(&P, &Key))
    return NotFound;
  cudaGetSymbolSize(Bytes, &Key);
  *Found = reinterpret_cast<uintptr_t>(P);
  fake().Allocations.try_emplace(*Found, *Bytes, 900);
  return 0;
}
int cuFuncGetAttribute(int *Value, int Attribute, void *) {
  *Value = 10 + Attribute;
  return 0;
}
int cuFuncSetAttribute(void *Of, int Attribute, int Value) {
  return enter("cuFuncSetAttribute", *static_cast<std::string *>(Of), Attribute,
               Value);
}
int cuLaunchKernel(void *Of, unsigned GridX, unsigned GridY, unsigned GridZ,
                   unsigned BlockX, unsigned BlockY, unsigned BlockZ,
                   unsigned SharedBytes, void *On, void **Arguments,
                   void **Extra) {
  if (int Code = enter("cuLaunchKernel", *static_cast<std::string *>(Of), GridX,
                       GridY, GridZ, BlockX, BlockY, BlockZ, SharedBytes,
                       On ? "stream" : "0"))
    return Code;
  if (Extra || !GridX || !BlockX)
    return InvalidValue;
  fake().Clock += 2;
  return cudaLaunchKernel(Of, {GridX, GridY, GridZ}, {BlockX, BlockY, BlockZ},
                          Arguments, SharedBytes, nullptr);
}

int cuMemAlloc_v2(Address *New, size_t Bytes) {
  if (int Code = enter("cuMemAlloc_v2", Bytes))
    return Code;
  return Bytes ? allocate(New, Bytes) : int(InvalidValue);
}
int cuMemAllocManaged(Address *New, size_t Bytes, unsigned Flags) {
  if (int Code = enter("cuMemAllocManaged", Bytes, Flags))
    return Code;
  return allocate(New, Bytes);
}
int cuMemHostAlloc(void **New, size_t Bytes, unsigned Flags) {
  if (int Code = enter("cuMemHostAlloc", Bytes, Flags))
    return Code;
  *New = std::malloc(Bytes);
  return 0;
}
int cuMemFree_v2(Address Old) {
  if (int Code = enter("cuMemFree_v2", inWords(Old)))
    return Code;
  if (!fake().Allocations.erase(Old))
    return InvalidValue;
  return cudaFree(pointer(Old));
}
int cuMemFreeHost(void *Old) {
  std::free(Old);
  return enter("cuMemFreeHost");
}
int cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  *Free = size_t(1) << 32;
  *Total = size_t(1) << 33;
  return enter("cuMemGetInfo_v2");
}

static int copy(const char *Symbol, Address To, bool OnDevice, Address From,
                bool FromDevice, size_t Bytes) {
  if (int Code = enter(Symbol, inWords(To), inWords(From), Bytes))
    return Code;
  if ((OnDevice && !inside(To, Bytes)) || (FromDevice && !inside(From, Bytes)))
    return InvalidValue;
  return cudaMemcpy(pointer(To), pointer(From), Bytes, 4);
}
int cuMemcpy(Address To, Address From, size_t Bytes) {
  return copy("cuMemcpy", To, false, From, false, Bytes);
}
int cuMemcpyHtoD_v2(Address To, const void *From, size_t Bytes) {
  return copy("cuMemcpyHtoD_v2", To, true, reinterpret_cast<uintptr_t>(From),
              false, Bytes);
}
int cuMemcpyDtoH_v2(void *To, Address From, size_t Bytes) {
  return copy("cuMemcpyDtoH_v2", reinterpret_cast<uintptr_t>(To), false, From,
              true, Bytes);
}
int cuMemcpyDtoD_v2(Address To, Address From, size_t Bytes) {
  return copy("cuMemcpyDtoD_v2", To, true, From, true, Bytes);
}
int cuMemcpyAsync(Address To, Address From, size_t Bytes, void *On) {
  return copy(On ? "cuMemcpyAsync stream" : "cuMemcpyAsync 0", To, false, From,
              false, Bytes);
}
int cuMemsetD8_v2(Address To, unsigned char Byte, size_t Bytes) {
  if (int Code = enter("cuMemsetD8_v2", inWords(To), int(Byte), Bytes))
    return Code;
  return inside(To, Bytes) ? cudaMemset(pointer(To), Byte, Bytes)
                           : int(InvalidValue);
}
int cuMemsetD8Async(Address To, unsigned char Byte, size_t Bytes, void *) {
  return cuMemsetD8_v2(To, Byte, Bytes);
}

int cuStreamCreate(void **New, unsigned Flags) {
  *New = new char;
  return enter("cuStreamCreate", Flags);
}
int cuStreamDestroy_v2(void *Old) {
  delete static_cast<char *>(Old);
  return enter("cuStreamDestroy_v2");
}
int cuStreamSynchronize(void *) { return enter("cuStreamSynchronize"); }
int cuEventCreate(void **New, unsigned Flags) {
  *New = new char;
  return enter("cuEventCreate", Flags);
}
int cuEventDestroy_v2(void *Old) {
  fake().Events.erase(Old);
  delete static_cast<char *>(Old);
  return enter("cuEventDestroy_v2");
}
int cuEventRecord(void *Mark, void *On) {
  fake().Events[Mark] = fake().Clock;
  return enter("cuEventRecord", On ? "stream" : "0");
}
int cuEventSynchronize(void *) { return enter("cuEventSynchronize"); }
/// A launch takes two milliseconds.
int cuEventElapsedTime(float *Milliseconds, void *From, void *To) {
  if (!fake().Events.count(From) || !fake().Events.count(To))
    return InvalidValue;
  *Milliseconds = float(fake().Events[To] - fake().Events[From]);
  return enter("cuEventElapsedTime");
}

} // extern "C"
