// The host's functions under the names of the vendor whose header includes
// this: RETRO_GPU_NAME(Malloc) is cudaMalloc or hipMalloc.
#include <retrograde/gpu/host_types.h>

extern "C" {
#define CALL(Name, Parameters, Arguments)                                      \
  retro::gpu::Error RETRO_GPU_NAME(Name) Parameters;
#include <retrograde/gpu/host_api.def>
#undef CALL
const char *RETRO_GPU_NAME(GetErrorString)(retro::gpu::Error Code);
const char *RETRO_GPU_NAME(GetErrorName)(retro::gpu::Error Code);
unsigned RETRO_GPU_PUSH(dim3 Grid, dim3 Block, size_t SharedBytes = 0,
                        retro::gpu::Stream On = nullptr);
}

typedef retro::gpu::Error RETRO_GPU_NAME(Error_t);
typedef retro::gpu::MemcpyKind RETRO_GPU_NAME(MemcpyKind);
typedef retro::gpu::Stream RETRO_GPU_NAME(Stream_t);
typedef retro::gpu::Event RETRO_GPU_NAME(Event_t);

#define RETRO_GPU_CONSTANT(Name)                                               \
  static constexpr auto RETRO_GPU_NAME(Name) = retro::gpu::Name;
RETRO_GPU_CONSTANT(Success)
RETRO_GPU_CONSTANT(ErrorInvalidValue)
RETRO_GPU_CONSTANT(ErrorInvalidConfiguration)
RETRO_GPU_CONSTANT(ErrorInvalidSymbol)
RETRO_GPU_CONSTANT(ErrorInvalidDevicePointer)
RETRO_GPU_CONSTANT(ErrorInvalidMemcpyDirection)
RETRO_GPU_CONSTANT(ErrorInvalidDeviceFunction)
RETRO_GPU_CONSTANT(MemcpyHostToHost)
RETRO_GPU_CONSTANT(MemcpyHostToDevice)
RETRO_GPU_CONSTANT(MemcpyDeviceToHost)
RETRO_GPU_CONSTANT(MemcpyDeviceToDevice)
RETRO_GPU_CONSTANT(MemcpyDefault)
#undef RETRO_GPU_CONSTANT

// What the C++ interfaces add: types of pointers, and arguments left out.
template <typename T>
inline retro::gpu::Error RETRO_GPU_NAME(Malloc)(T **Address, size_t Bytes) {
  return RETRO_GPU_NAME(Malloc)(reinterpret_cast<void **>(Address), Bytes);
}
template <typename T>
inline retro::gpu::Error
RETRO_GPU_NAME(MallocManaged)(T **Address, size_t Bytes, unsigned Flags = 1) {
  return RETRO_GPU_NAME(MallocManaged)(reinterpret_cast<void **>(Address),
                                       Bytes, Flags);
}
template <typename T>
inline retro::gpu::Error RETRO_GPU_NAME(MallocHost)(T **Address, size_t Bytes) {
  return RETRO_GPU_NAME(MallocHost)(reinterpret_cast<void **>(Address), Bytes);
}
template <typename T>
inline retro::gpu::Error RETRO_GPU_NAME(HostMalloc)(T **Address, size_t Bytes,
                                                    unsigned Flags = 0) {
  return RETRO_GPU_NAME(HostMalloc)(reinterpret_cast<void **>(Address), Bytes,
                                    Flags);
}
inline retro::gpu::Error
RETRO_GPU_NAME(MemcpyAsync)(void *To, const void *From, size_t Bytes,
                            retro::gpu::MemcpyKind Kind) {
  return RETRO_GPU_NAME(MemcpyAsync)(To, From, Bytes, Kind, nullptr);
}
inline retro::gpu::Error RETRO_GPU_NAME(MemsetAsync)(void *Address, int Byte,
                                                     size_t Bytes) {
  return RETRO_GPU_NAME(MemsetAsync)(Address, Byte, Bytes, nullptr);
}
inline retro::gpu::Error RETRO_GPU_NAME(EventRecord)(retro::gpu::Event Mark) {
  return RETRO_GPU_NAME(EventRecord)(Mark, nullptr);
}
template <typename T>
inline retro::gpu::Error RETRO_GPU_NAME(MemcpyToSymbol)(
    const T &Symbol, const void *From, size_t Bytes, size_t Offset = 0,
    retro::gpu::MemcpyKind Kind = retro::gpu::MemcpyHostToDevice) {
  return RETRO_GPU_NAME(MemcpyToSymbol)(reinterpret_cast<const void *>(&Symbol),
                                        From, Bytes, Offset, Kind);
}
template <typename T>
inline retro::gpu::Error RETRO_GPU_NAME(MemcpyFromSymbol)(
    void *To, const T &Symbol, size_t Bytes, size_t Offset = 0,
    retro::gpu::MemcpyKind Kind = retro::gpu::MemcpyDeviceToHost) {
  return RETRO_GPU_NAME(MemcpyFromSymbol)(
      To, reinterpret_cast<const void *>(&Symbol), Bytes, Offset, Kind);
}
template <typename T>
inline retro::gpu::Error RETRO_GPU_NAME(GetSymbolAddress)(void **Address,
                                                          const T &Symbol) {
  return RETRO_GPU_NAME(GetSymbolAddress)(
      Address, reinterpret_cast<const void *>(&Symbol));
}
template <typename... Parameters>
inline retro::gpu::Error RETRO_GPU_NAME(LaunchKernel)(
    void (*Kernel)(Parameters...), dim3 Grid, dim3 Block, void **Arguments,
    size_t SharedBytes = 0, retro::gpu::Stream On = nullptr) {
  return RETRO_GPU_NAME(LaunchKernel)(reinterpret_cast<const void *>(Kernel),
                                      Grid, Block, Arguments, SharedBytes, On);
}
template <typename... Parameters>
inline retro::gpu::Error
RETRO_GPU_NAME(FuncSetAttribute)(void (*Kernel)(Parameters...), int Attribute,
                                 int Value) {
  return RETRO_GPU_NAME(FuncSetAttribute)(
      reinterpret_cast<const void *>(Kernel), Attribute, Value);
}
