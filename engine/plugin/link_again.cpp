// Starts a linker again that has left out registrations, with options that make
// it keep them. Without it the program would be linked with derivatives of
// bodies that the user meant to replace.
#include "plugin/link_again.h"

#include "base/command_line.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <unistd.h>

using namespace llvm;

namespace retro {
namespace {

/// Options of LLVM. Link-time optimization leaves out what the modules'
/// summaries do not show to be used, and a thin link drops initializers of
/// variables that nobody reads.
constexpr const char *Options[] = {"compute-dead", "propagate-attrs"};

bool isLld(StringRef Program) {
  return sys::path::filename(Program).contains("lld");
}

/// Is the option set by the command line, or unknown to this LLVM?
bool isGiven(StringRef Option) {
  auto &All = cl::getRegisteredOptions();
  auto It = All.find(Option);
  return It == All.end() || It->second->getNumOccurrences();
}

} // namespace

void linkAgainIfStripped(Module &M) {
  SmallString<128> Program;
  if (all_of(Options, isGiven) ||
      sys::fs::real_path("/proc/self/exe", Program) || !isLld(Program))
    return;
  std::vector<std::string> Command = ownCommand();
  for (const char *Option : Options)
    if (!isGiven(Option))
      Command.insert(Command.end(),
                     {"-mllvm", std::string("-") + Option + "=false"});
  std::vector<char *> Arguments;
  for (std::string &A : Command)
    Arguments.push_back(A.data());
  Arguments.push_back(nullptr);
  outs().flush();
  fflush(nullptr);
  execv(Program.c_str(), Arguments.data());
  M.getContext().emitError(
      "the linker cannot be started again to keep registrations; give it the "
      "options -mllvm -compute-dead=false -mllvm -propagate-attrs=false");
}

} // namespace retro
