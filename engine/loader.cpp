// The library that compilers are given. It refers to no symbol of LLVM, so
// that it loads into any version, says which one it needs, and only then loads
// the engine, which lies beside it. Without it a compiler of another version
// names a symbol that it lacks, and nobody can tell why.
#include "llvm/Plugins/PassPlugin.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace {

void *Engine;

[[noreturn]] void stop(const std::string &Why) {
  std::fprintf(stderr, "retrograde: error: %s\n", Why.c_str());
  std::exit(1);
}

/// The version of LLVM in this process; "" if it does not say (before 16).
std::string hostVersion() {
  using Ask = void (*)(unsigned *, unsigned *, unsigned *);
  auto Get = reinterpret_cast<Ask>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!Get)
    return "";
  unsigned Major = 0, Minor = 0, Patch = 0;
  Get(&Major, &Minor, &Patch);
  return std::to_string(Major) + "." + std::to_string(Minor);
}

/// Runs when the library is loaded: options of the engine are then known
/// before the command line is read.
__attribute__((constructor)) void loadEngine() {
  const std::string Wanted = RETRO_LLVM_VERSION, Found = hostVersion();
  const std::string Needs = "this plugin needs clang and LLVM " + Wanted;
  if (!Found.empty() && Found != Wanted)
    stop(Needs + "; this is LLVM " + Found);
  Dl_info Self;
  if (!dladdr(reinterpret_cast<void *>(&loadEngine), &Self))
    stop("the plugin does not find its own place");
  // Beside the file itself, also where a link to it is given.
  char *Own = realpath(Self.dli_fname, nullptr);
  std::string Path = Own ? Own : Self.dli_fname;
  std::free(Own);
  Path = Path.substr(0, Path.rfind('/') + 1) + RETRO_ENGINE_FILE;
  Engine = dlopen(Path.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  if (!Engine)
    stop(Found.empty() ? Needs + "; this is another version (" + dlerror() + ")"
                       : std::string("cannot load the engine: ") + dlerror());
}

} // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  using Info = llvm::PassPluginLibraryInfo (*)();
  return reinterpret_cast<Info>(dlsym(Engine, "llvmGetPassPluginInfo"))();
}
