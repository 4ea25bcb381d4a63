// What compiled host code registers: device code, with its kernels and
// variables. Code is loaded when a kernel or variable of it is first used.
// Without it a launch would find no kernel. Declared in driver.h.
#include "driver.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace retro::gpu {

namespace {
/// The device code of one source file.
struct Module {
  const void *Image;
  DriverModule Loaded = nullptr;
};
struct Variable {
  Module *In;
  std::string Name;
};
} // namespace

struct Kernel {
  Module *In;
  std::string Name;
  Function Found = nullptr;
};

namespace {

struct Registry {
  std::mutex Lock;
  std::vector<std::unique_ptr<Module>> Modules;
  std::unordered_map<const void *, Kernel> Kernels;
  std::unordered_map<const void *, Variable> Variables;
  std::vector<char> ReplacementCode; ///< device code in place of the embedded
};
/// Modules register before main(), in no known order, and are never taken
/// back: at the program's end the driver may be gone before they are.
Registry &registry() {
  static Registry *R = new Registry;
  return *R;
}

/// The structure that clang's host code passes.
struct FatBinary {
  static constexpr unsigned Expected = 0x466243b1;
  unsigned Magic, Version;
  const void *Image;
  void *Unused;
};

/// Loads the file that RETRO_CUDA_CODE names in place of the embedded device
/// code. It has the same kernels, compiled with other settings.
Error otherCode(Registry &R, const void *&Image) {
  const char *Path = std::getenv("RETRO_CUDA_CODE");
  if (!Path || !*Path)
    return Success;
  if (R.Modules.size() != 1) {
    std::fputs("retrograde: RETRO_CUDA_CODE: the program has device code of "
               "several files\n",
               stderr);
    return ErrorInvalidValue;
  }
  FILE *File = std::fopen(Path, "rb");
  if (!File) {
    std::fprintf(stderr, "retrograde: RETRO_CUDA_CODE: there is no file '%s'\n",
                 Path);
    return ErrorInvalidValue;
  }
  char Buffer[1 << 16];
  for (size_t N; (N = std::fread(Buffer, 1, sizeof Buffer, File)) > 0;)
    R.ReplacementCode.insert(R.ReplacementCode.end(), Buffer, Buffer + N);
  std::fclose(File);
  R.ReplacementCode.push_back(0); // PTX is text
  Image = R.ReplacementCode.data();
  return Success;
}

Error load(const DriverTable &D, Registry &R, Module &M) {
  if (M.Loaded)
    return Success;
  const void *Image = M.Image;
  if (Error Code = otherCode(R, Image))
    return Code;
  char Log[4096] = "";
  int Options[] = {JitErrorLog, JitErrorLogBytes};
  void *Values[] = {Log, reinterpret_cast<void *>(uintptr_t(sizeof Log))};
  const int Code = D.ModuleLoadDataEx(&M.Loaded, Image, 2, Options, Values);
  if (Code && *Log)
    std::fprintf(stderr, "retrograde: the driver refuses device code: %s\n",
                 Log);
  return Error(Code);
}

/// The driver, or why there is none, and the registry, which is this thread's
/// for as long as it looks there.
struct Lookup {
  Error Code = Success;
  const DriverTable *D = ready(Code);
  Registry &R = registry();
  std::lock_guard<std::mutex> Guard{R.Lock};
};

} // namespace

Kernel *findKernel(const void *Stub) {
  Registry &R = registry();
  std::lock_guard Guard(R.Lock);
  auto It = R.Kernels.find(Stub);
  return It == R.Kernels.end() ? nullptr : &It->second;
}

const std::string &nameOf(const Kernel &K) { return K.Name; }

Error functionOf(Kernel &K, Function &Found) {
  Lookup L;
  if (!L.D)
    return L.Code;
  if (!K.Found) {
    if (Error Code = load(*L.D, L.R, *K.In))
      return Code;
    if (int Failed =
            L.D->ModuleGetFunction(&K.Found, K.In->Loaded, K.Name.c_str())) {
      K.Found = nullptr;
      return Failed == DriverNotFound ? ErrorInvalidDeviceFunction
                                      : Error(Failed);
    }
  }
  Found = K.Found;
  return Success;
}

Error variableOf(const void *Symbol, Address &Found, size_t &Bytes) {
  Lookup L;
  if (!L.D)
    return L.Code;
  auto It = L.R.Variables.find(Symbol);
  if (It == L.R.Variables.end())
    return ErrorInvalidSymbol;
  Variable &V = It->second;
  if (Error Code = load(*L.D, L.R, *V.In))
    return Code;
  int Failed =
      L.D->ModuleGetGlobal(&Found, &Bytes, V.In->Loaded, V.Name.c_str());
  return Failed == DriverNotFound ? ErrorInvalidSymbol : Error(Failed);
}

void forgetModules() {
  Registry &R = registry();
  std::lock_guard Guard(R.Lock);
  for (auto &M : R.Modules)
    M->Loaded = nullptr;
  for (auto &[Stub, K] : R.Kernels)
    K.Found = nullptr;
  R.ReplacementCode.clear();
}

} // namespace retro::gpu

using namespace retro::gpu;

extern "C" {

size_t retro_cuda_read(const char *Name, void *To, size_t Room) {
  Error Code = Success;
  const DriverTable *D = ready(Code);
  Registry &R = registry();
  std::lock_guard Guard(R.Lock);
  for (size_t M = 0; D && M < R.Modules.size(); ++M) {
    Address Found = 0;
    size_t Bytes = 0;
    if (!R.Modules[M]->Loaded ||
        D->ModuleGetGlobal(&Found, &Bytes, R.Modules[M]->Loaded, Name))
      continue;
    Bytes = Bytes < Room ? Bytes : Room;
    return D->MemcpyDtoH(To, Found, Bytes) ? 0 : Bytes;
  }
  return 0;
}

void **__cudaRegisterFatBinary(void *Wrapper) {
  const auto *Fat = static_cast<const FatBinary *>(Wrapper);
  if (Fat->Magic != FatBinary::Expected) {
    std::fputs("retrograde: the host's code registers device code in a form "
               "that this runtime does not know\n",
               stderr);
    std::abort();
  }
  Registry &R = registry();
  std::lock_guard Guard(R.Lock);
  R.Modules.push_back(std::make_unique<Module>(Module{Fat->Image}));
  return reinterpret_cast<void **>(R.Modules.back().get());
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}

int __cudaRegisterFunction(void **In, const void *Stub, char *,
                           const char *Name, int, void *, void *, void *,
                           void *, int *) {
  Registry &R = registry();
  std::lock_guard Guard(R.Lock);
  R.Kernels[Stub] = {reinterpret_cast<Module *>(In), Name};
  return 0;
}

void __cudaRegisterVar(void **In, void *Symbol, char *, const char *Name, int,
                       size_t, int, int) {
  Registry &R = registry();
  std::lock_guard Guard(R.Lock);
  R.Variables[Symbol] = {reinterpret_cast<Module *>(In), Name};
}

} // extern "C"
