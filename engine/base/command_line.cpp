// Reads the command line of this process and of the compiler driver that
// started it, from /proc. What it finds decides whether anything will be linked
// to the module later; where nothing can be read, the answer is the cautious
// one.
#include "base/command_line.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace llvm;

namespace retro {
namespace {

std::vector<std::string> commandOf(const Twine &Process) {
  auto File = MemoryBuffer::getFileAsStream("/proc/" + Process + "/cmdline");
  std::vector<std::string> Out;
  if (!File)
    return Out;
  SmallVector<StringRef> Parts;
  StringRef Text = (*File)->getBuffer();
  Text.consume_back(StringRef("\0", 1));
  Text.split(Parts, '\0');
  for (StringRef P : Parts)
    Out.push_back(P.str());
  return Out;
}

std::string programOf(const Twine &Process) {
  SmallString<128> Path;
  if (sys::fs::real_path("/proc/" + Process + "/exe", Path))
    return "";
  return std::string(Path);
}

/// Is the option's value the next argument?
bool takesValue(StringRef Option) {
  return StringSwitch<bool>(Option)
      .Cases({"-o", "-I", "-L", "-D", "-U", "-l"}, true)
      .Cases({"-include", "-isystem", "-iquote", "-idirafter", "-imacros"},
             true)
      .Cases({"-Xclang", "-mllvm", "-Xassembler", "-Xpreprocessor"}, true)
      .Cases({"-target", "-arch", "-MF", "-MT", "-MQ", "-isysroot"}, true)
      .Cases({"-module-dir", "-J", "-B"}, true)
      .Default(false);
}

/// Does the option keep the compiler from linking, or link more than this file?
bool isForeign(StringRef Option) {
  return is_contained({"-c", "-S", "-E", "-r", "-x", "-T", "-u", "-z"},
                      Option) ||
         Option.starts_with("@") || Option.starts_with("-Wl,") ||
         Option.starts_with("-Xlinker") || Option.starts_with("-shared") ||
         Option.starts_with("--") || Option.starts_with("-fsyntax-only") ||
         Option.starts_with("-emit-") || Option.starts_with("-M");
}

bool isSystemLibrary(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"m", "c", "pthread", "dl", "rt", "atomic"}, true)
      .Cases({"stdc++", "c++", "gcc", "gcc_s", "gomp", "omp"}, true)
      .Default(false);
}

bool isSource(StringRef File) {
  return is_contained({".c", ".cc", ".cpp", ".cxx", ".C", ".c++", ".ll", ".bc",
                       ".cu", ".hip", ".f", ".f90", ".F90"},
                      sys::path::extension(File));
}

} // namespace

std::vector<std::string> ownCommand() { return commandOf("self"); }

std::vector<std::string> driverCommand() {
  std::vector<std::string> Arguments = ownCommand();
  if (Arguments.size() < 2 || !StringRef(Arguments[1]).starts_with("-cc1"))
    return Arguments;
  std::string Parent = std::to_string(getppid());
  if (programOf(Parent).empty() || programOf(Parent) != programOf("self"))
    return {};
  return commandOf(Parent);
}

bool compilesWholeProgram() {
  std::vector<std::string> Command = driverCommand();
  unsigned Sources = 0;
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef A = Command[I];
    if (isForeign(A))
      return false;
    if (takesValue(A)) {
      ++I;
      if (A == "-l" && (I == Command.size() || !isSystemLibrary(Command[I])))
        return false;
    } else if (A.consume_front("-l")) {
      if (!isSystemLibrary(A))
        return false;
    } else if (!A.starts_with("-")) {
      if (!isSource(A) || ++Sources > 1)
        return false;
    }
  }
  return Sources == 1;
}

} // namespace retro
