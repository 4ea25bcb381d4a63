#include "link_again.h"

#include "command_line.h"

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

/// LLVM's own: whether link-time optimization looks for dead symbols by the
/// summaries of the modules.
constexpr const char *Option = "compute-dead";

bool isLld(StringRef Program) {
  return sys::path::filename(Program).contains("lld");
}

/// Has the program's user said whether it does?
bool isGiven() {
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find(Option);
  return It == Options.end() || It->second->getNumOccurrences();
}

} // namespace

void linkAgainIfStripped(Module &M) {
  SmallString<128> Program;
  if (isGiven() || sys::fs::real_path("/proc/self/exe", Program) ||
      !isLld(Program))
    return;
  std::vector<std::string> Command = ownCommand();
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
      "options -mllvm -compute-dead=false");
}

} // namespace retro
