// Finds the vendor's library of device functions where clang finds it. A plugin
// of passes does not see the compiler's options, but the process was started
// with them. Where clang runs its compiler in a process of its own, that names
// each file (-mlink-builtin-bitcode); else the driver's options have to be
// read. Without the library, derivatives would call functions that nobody
// links.
#include "front/known/device_library.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace retro {
namespace {

cl::list<std::string> Given(
    "retro-device-library", cl::value_desc("file"),
    cl::desc("Bitcode of the device's library (libdevice.10.bc; ocml.bc, then "
             "the oclc files), from which derivatives take the functions that "
             "the primal does not call. Without it, where clang looks."));

/// The command line of this process.
class CommandLine {
public:
  CommandLine() : Saver(Memory) {
    auto Buffer = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
    if (!Buffer)
      return;
    SmallVector<StringRef> Words;
    (*Buffer)->getBuffer().split(Words, '\0', -1, false);
    for (StringRef W : Words)
      Args.push_back(Saver.save(W).data());
    cl::ExpandResponseFiles(Saver, cl::TokenizeGNUCommandLine, Args);
  }
  bool has(StringRef Option) const {
    return any_of(Args, [&](StringRef A) { return A == Option; });
  }
  /// The values of an option, which stand in the same word or in the next one.
  std::vector<std::string> values(StringRef Option) const {
    std::vector<std::string> Out;
    for (size_t I = 0; I < Args.size(); ++I) {
      StringRef A = Args[I];
      if (A == Option) {
        // clang's driver passes compiler options on word by word.
        size_t Next = I + 1;
        if (Next < Args.size() && StringRef(Args[Next]) == "-Xclang")
          ++Next;
        if (Next < Args.size())
          Out.push_back(Args[Next]);
      }
      if (A.consume_front(Option) && A.consume_front("="))
        Out.push_back(A.str());
    }
    return Out;
  }

  /// Is the process clang, and no linker or opt?
  bool isClang() const {
    return !Args.empty() && sys::path::filename(Args[0]).contains("clang");
  }

private:
  BumpPtrAllocator Memory;
  StringSaver Saver;
  SmallVector<const char *> Args;
};

std::string joined(StringRef Folder, StringRef Rest) {
  SmallString<128> P(Folder);
  sys::path::append(P, Rest);
  return P.str().str();
}

/// The folders that the vendor's files may be in: those that options name, else
/// those of environment variables, else the usual ones.
std::vector<std::string> places(const CommandLine &C, StringRef Option,
                                ArrayRef<const char *> Variables,
                                ArrayRef<const char *> Usual) {
  if (std::vector<std::string> Said = C.values(Option); !Said.empty())
    return {Said.back()};
  std::vector<std::string> Out;
  for (const char *V : Variables)
    if (auto Value = sys::Process::GetEnv(V))
      Out.push_back(*Value);
  Out.insert(Out.end(), Usual.begin(), Usual.end());
  return Out;
}

std::vector<std::string> libdevice(const CommandLine &C) {
  for (const std::string &P :
       places(C, "--cuda-path", {"CUDA_PATH", "CUDA_HOME"},
              {"/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"}))
    if (std::string File = joined(P, "nvvm/libdevice/libdevice.10.bc");
        sys::fs::exists(File))
      return {File};
  return {};
}

StringRef attributeOfAny(const Module &M, StringRef Name) {
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasFnAttribute(Name))
      return F.getFnAttribute(Name).getValueAsString();
  return "";
}

/// ocml, and the constants that tell it the processor and the required
/// accuracy.
std::vector<std::string> ocmlIn(StringRef Folder, const Module &M,
                                const CommandLine &C) {
  if (!sys::fs::exists(joined(Folder, "ocml.bc")))
    return {};
  auto State = [&](const char *Name, bool On) {
    return joined(
        Folder, ("oclc_" + Twine(Name) + (On ? "_on" : "_off") + ".bc").str());
  };
  const bool Fast = C.has("-ffast-math") || C.has("-Ofast");
  StringRef Features = attributeOfAny(M, "target-features");
  StringRef Processor = attributeOfAny(M, "target-cpu").split(':').first;
  Processor.consume_front("gfx");
  std::vector<std::string> Files{
      joined(Folder, "ocml.bc"),
      joined(Folder, "ockl.bc"),
      State("daz_opt", C.has("-fgpu-flush-denormals-to-zero")),
      State("unsafe_math", Fast),
      State("finite_only", Fast || C.has("-ffinite-math-only")),
      State("correctly_rounded_sqrt",
            !Fast && !C.has("-fno-hip-fp32-correctly-rounded-divide-sqrt")),
      State("wavefrontsize64", !Features.contains("+wavefrontsize32")),
      joined(Folder, ("oclc_isa_version_" + Processor + ".bc").str())};
  llvm::erase_if(Files,
                 [](const std::string &F) { return !sys::fs::exists(F); });
  return Files;
}

std::vector<std::string> ocml(const Module &M, const CommandLine &C) {
  std::vector<std::string> Folders =
      places(C, "--rocm-device-lib-path", {"HIP_DEVICE_LIB_PATH"}, {});
  for (const std::string &P :
       places(C, "--rocm-path", {"ROCM_PATH"}, {"/opt/rocm", "/usr"}))
    for (StringRef Rest : {"amdgcn/bitcode", "lib/amdgcn/bitcode",
                           "lib/x86_64-linux-gnu/amdgcn/bitcode"})
      Folders.push_back(joined(P, Rest));
  for (const std::string &F : Folders)
    if (std::vector<std::string> Files = ocmlIn(F, M, C); !Files.empty())
      return Files;
  return {};
}

} // namespace

DeviceLibrary findDeviceLibrary(const Module &M) {
  DeviceLibrary L;
  CommandLine C;
  L.Named = true;
  L.Files = Given;
  if (auto Value = sys::Process::GetEnv("RETRO_DEVICE_LIBRARY");
      Value && L.Files.empty()) {
    SmallVector<StringRef> Files;
    StringRef(*Value).split(Files, sys::EnvPathSeparator, -1, false);
    L.Files.assign(Files.begin(), Files.end());
  }
  if (L.Files.empty())
    for (StringRef Option : {"-mlink-builtin-bitcode", "-mlink-bitcode-file"})
      for (std::string &File : C.values(Option))
        L.Files.push_back(std::move(File));
  if (!L.Files.empty())
    return L;
  // clang's compiler would have been given the library's name.
  L.Unwanted = C.has("-cc1") || C.has("-nogpulib") || C.has("-nocudalib") ||
               C.has("--no-offloadlib");
  L.Named = C.isClang() && !L.Unwanted;
  L.Files = M.getTargetTriple().isNVPTX() ? libdevice(C) : ocml(M, C);
  return L;
}

} // namespace retro
