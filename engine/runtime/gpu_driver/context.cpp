// Loads the driver library, and makes the context of the program's one device
// current. Without it the first call of the driver would fail with a number
// that says nothing. Declared in driver.h.
#include "driver.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>

using namespace retro::gpu;

namespace {

struct State {
  DriverTable Table = {};
  bool Loaded = false;
  std::string Missing;
  int InitCode = DriverSuccess;
};

/// Loads the driver, before a program first asks for the device.
State load() {
  State S;
  const char *Named = std::getenv("RETRO_CUDA_DRIVER");
  const char *Path = Named && *Named ? Named : "libcuda.so.1";
  void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    S.Missing = std::string("there is no NVIDIA driver here (") + Path + ")";
    return S;
  }
#define DRIVER(Field, Symbol, Parameters)                                      \
  S.Table.Field =                                                              \
      reinterpret_cast<int(*) Parameters>(dlsym(Library, #Symbol));            \
  if (!S.Table.Field && S.Missing.empty())                                     \
    S.Missing = "the NVIDIA driver is too old: it has no " #Symbol;
#include "driver.def"
#undef DRIVER
  if (!S.Missing.empty())
    return S;
  S.Loaded = true;
  S.InitCode = S.Table.Init(0);
  int Count = 0;
  if (!S.InitCode)
    S.InitCode = S.Table.DeviceGetCount(&Count);
  if (!S.InitCode && Count == 0)
    S.InitCode = DriverNoDevice;
  if (S.InitCode) {
    const char *Text = nullptr;
    S.Table.GetErrorString(S.InitCode, &Text);
    S.Missing = "the NVIDIA driver finds no device: ";
    S.Missing += Text ? Text : std::to_string(S.InitCode);
  }
  return S;
}

State &state() {
  static State S = load();
  return S;
}

struct Primary {
  std::mutex Lock;
  int Number = 0, Device = 0;
  Context Of = nullptr;
  unsigned Generation = 0; ///< grows when the context ends
};
Primary &primary() {
  static Primary P;
  return P;
}

} // namespace

const DriverTable *retro::gpu::loadedDriver() {
  return state().Loaded ? &state().Table : nullptr;
}
const std::string &retro::gpu::whyMissing() { return state().Missing; }

const DriverTable *retro::gpu::ready(Error &Code) {
  if (!whyMissing().empty()) {
    Code = Error(loadedDriver() ? state().InitCode : InsufficientDriver);
    return nullptr;
  }
  thread_local unsigned Entered = ~0u;
  const DriverTable &D = state().Table;
  Primary &P = primary();
  std::lock_guard Guard(P.Lock);
  int Failed = DriverSuccess;
  if (!P.Of) {
    Failed = D.DeviceGet(&P.Device, P.Number);
    if (!Failed)
      Failed = D.PrimaryRetain(&P.Of, P.Device);
  }
  if (!Failed && Entered != P.Generation) {
    Failed = D.CtxSetCurrent(P.Of);
    if (!Failed)
      Entered = P.Generation;
  }
  Code = Error(Failed);
  return Failed ? nullptr : &D;
}

int retro::gpu::chosenDevice() { return primary().Number; }

Error retro::gpu::chooseDevice(int Number) {
  Primary &P = primary();
  {
    std::lock_guard Guard(P.Lock);
    int Count = 0;
    const DriverTable *D = whyMissing().empty() ? loadedDriver() : nullptr;
    // A program uses one device, which it chooses before it uses it.
    if (D && (D->DeviceGetCount(&Count) || Number < 0 || Number >= Count ||
              (P.Of && Number != P.Number)))
      return ErrorInvalidValue;
    P.Number = Number;
  }
  Error Code = Success;
  ready(Code);
  return Code;
}

Error retro::gpu::resetDevice() {
  Error Code = Success;
  const DriverTable *D = ready(Code);
  if (!D)
    return Code;
  forgetModules();
  forgetEvents();
  Primary &P = primary();
  std::lock_guard Guard(P.Lock);
  Code = Error(D->PrimaryReset(P.Device));
  P.Of = nullptr;
  ++P.Generation;
  return Code;
}

extern "C" {

const char *retro_cuda_missing(void) {
  return whyMissing().empty() ? nullptr : whyMissing().c_str();
}

int retro_cuda_device(RetroCudaDevice *To) {
  *To = {};
  Error Code = Success;
  const DriverTable *D = ready(Code);
  if (!D)
    return Code;
  const int Device = primary().Device;
  const auto attribute = [&](int Which) {
    int Value = 0;
    D->DeviceGetAttribute(&Value, Which, Device);
    return Value;
  };
  size_t Bytes = 0;
  D->DriverGetVersion(&To->driver_version);
  D->DeviceGetName(To->name, sizeof To->name - 1, Device);
  D->DeviceTotalMem(&Bytes, Device);
  To->memory_bytes = Bytes;
  To->major = attribute(ComputeMajor);
  To->minor = attribute(ComputeMinor);
  To->multiprocessors = attribute(MultiprocessorCount);
  To->clock_khz = attribute(ClockRate);
  To->memory_clock_khz = attribute(MemoryClockRate);
  return Success;
}

} // extern "C"
