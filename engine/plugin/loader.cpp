// The library that compilers are given. It refers to no symbol of LLVM, so that
// it loads into any version, says which one it needs, and only then loads the
// engine, which lies beside it. Without it a compiler of another version names
// a symbol that it lacks, and nobody can tell why. Compilers look for its one
// function by name, so no header declares it.
#include "llvm/Plugins/PassPlugin.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <string>

namespace {

void *Engine;

[[noreturn]] void stop(const std::string &Why) {
  std::fprintf(stderr, "retrograde: error: %s\n", Why.c_str());
  std::exit(1);
}

/// The number in the name of the loaded libLLVM-14.so.1 or libLLVM.so.18.1; ""
/// if LLVM is part of the program.
std::string versionInName() {
  std::string Found;
  auto Look = [](dl_phdr_info *Info, size_t, void *To) {
    const std::string Path = Info->dlpi_name;
    const std::string File = Path.substr(Path.rfind('/') + 1);
    if (File.compare(0, 7, "libLLVM"))
      return 0;
    const size_t Begin = File.find_first_of("0123456789");
    if (Begin == std::string::npos)
      return 0;
    size_t End = File.find_first_not_of("0123456789.", Begin);
    if (End != std::string::npos && End && File[End - 1] == '.')
      --End; // of ".so"
    *static_cast<std::string *>(To) = File.substr(Begin, End - Begin);
    return 1;
  };
  dl_iterate_phdr(Look, &Found);
  return Found;
}

/// The version of LLVM in this process; "" if LLVM does not say, as before 16.
std::string hostVersion() {
  using Ask = void (*)(unsigned *, unsigned *, unsigned *);
  auto Get = reinterpret_cast<Ask>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!Get)
    return "";
  unsigned Major = 0, Minor = 0, Patch = 0;
  Get(&Major, &Minor, &Patch);
  return std::to_string(Major) + "." + std::to_string(Minor);
}

/// Runs when the library is loaded, so that the engine's options are known
/// before the command line is read.
__attribute__((constructor)) void loadEngine() {
  const std::string Wanted = RETRO_LLVM_VERSION, Found = hostVersion();
  const std::string Needs = "this plugin needs clang and LLVM " + Wanted;
  if (!Found.empty() && Found != Wanted)
    stop(Needs + "; this is LLVM " + Found);
  Dl_info Self;
  if (!dladdr(reinterpret_cast<void *>(&loadEngine), &Self))
    stop("the plugin does not find its own place");
  // The engine lies beside the file itself, even if a link to it was given.
  char *Resolved = realpath(Self.dli_fname, nullptr);
  std::string Path = Resolved ? Resolved : Self.dli_fname;
  std::free(Resolved);
  Path = Path.substr(0, Path.rfind('/') + 1) + RETRO_ENGINE_FILE;
  Engine = dlopen(Path.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  if (Engine)
    return;
  const std::string Why = dlerror(), Old = versionInName();
  if (!Found.empty())
    stop("cannot load the engine: " + Why);
  stop(Needs + "; this is " +
       (Old.empty() ? "another version" : "LLVM " + Old) + " (" + Why + ")");
}

} // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  using Info = llvm::PassPluginLibraryInfo (*)();
  return reinterpret_cast<Info>(dlsym(Engine, "llvmGetPassPluginInfo"))();
}
