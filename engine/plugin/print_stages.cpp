// Prints the stages of prepare and polish with their reasons, for
// -retro-print-stages. Those of prepare and polish come from the tables that
// are run; what stands between and behind them is named here. Without it nobody
// could see the order but in the source.
#include "plugin/print_stages.h"

#include "polish/polish.h"
#include "prepare/stages.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace llvm;

namespace retro {
namespace {

cl::opt<bool> PrintStages("retro-print-stages", cl::init(false),
                          cl::desc("Print the stages of the engine in order, "
                                   "each with its reason."));

void print(StringRef Name, StringRef Why) {
  outs() << "  " << left_justify(Name, 20) << Why << "\n";
}

} // namespace

void printStagesIfAsked() {
  static std::once_flag Once;
  if (!PrintStages)
    return;
  std::call_once(Once, [] {
    outs() << "prepare: a copy of the function, and of what it calls\n";
    forEachPrepareStage(print);
    outs() << "facts, plan and emission: no code of before is changed\n";
    for (auto [Name, Why] :
         {std::pair("shape", "what memory holds, and where pointers lead"),
          std::pair("activity", "what carries a derivative"),
          std::pair("losses", "where a derivative would be lost"),
          std::pair("plan", "what is kept, where, and how it accumulates"),
          std::pair("emit", "the plan becomes code"),
          std::pair("verify", "LLVM's verifier, here and behind the last")})
      print(Name, Why);
    outs() << "polish: what was emitted is made fast\n";
    forEachPolishStage(print);
    print("near-use", "a device's registers do not suffice: what was computed "
                      "far before its use is computed near it");
    outs().flush();
  });
}

} // namespace retro
