#include "base/stages.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace retro {
namespace {

cl::opt<bool> Time("retro-time", cl::init(false),
                   cl::desc("Print what time each stage of the engine took."));

} // namespace

Stage::Stage(StringRef Name, StringRef Description)
    : Timer(Name, Description, "retrograde", "Retrograde's stages", Time),
      Trace("retrograde", Name) {}

} // namespace retro
