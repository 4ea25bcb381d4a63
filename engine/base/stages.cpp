// Runs, times, prints and verifies the stages of the engine. Without it, a
// stage that breaks code would show only where the compiler's backend fails.
#include "base/stages.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"

#include <mutex>

using namespace llvm;

namespace retro {
namespace {

cl::opt<bool> Time("retro-time", cl::init(false),
                   cl::desc("Print what time each stage of the engine took."));
cl::list<std::string>
    PrintAfter("retro-print-after", cl::CommaSeparated,
               cl::desc("Print each function after these stages of the "
                        "engine (-retro-print-stages; all: each)."));
cl::opt<bool>
    VerifyEach("retro-verify-each", cl::init(false),
               cl::desc("Verify the code after each stage of the engine."));
cl::opt<std::string> Breaks(
    "retro-break-stage", cl::Hidden,
    cl::desc("The stage that leaves code that is not valid, for tests of "
             "who finds it."));

/// The stage that runs on this thread.
thread_local Stage *Running = nullptr;

/// The timer of a stage, for the whole process. LLVM prints the timers when it
/// ends.
Timer &timerOf(StringRef Name, StringRef Description) {
  static std::mutex Lock;
  static TimerGroup Group("retrograde", "Retrograde's stages");
  static StringMap<std::unique_ptr<Timer>> Timers;
  std::lock_guard<std::mutex> Guard(Lock);
  std::unique_ptr<Timer> &T = Timers[Name];
  if (!T)
    T = std::make_unique<Timer>(Name, (Name + ": " + Description).str(), Group);
  return *T;
}

bool verifiesEach() {
  // Tests ask for it by the environment, where they can give no option of the
  // engine.
  static const bool FromEnvironment =
      sys::Process::GetEnv("RETRO_VERIFY_EACH").value_or("0") != "0";
  return VerifyEach || FromEnvironment;
}

/// Are F's local variables in the generic address space? They are while
/// derivatives are made for amdgcn (prepare/threads/locals_aside.h), where that
/// is no valid code.
bool hasLocalsAside(const Function &F) {
  const Module &M = *F.getParent();
  return M.getTargetTriple().isAMDGPU() &&
         M.getDataLayout().getAllocaAddrSpace() == 0;
}

/// What F's instructions are, and what they use.
size_t fingerprint(const Function &F) {
  size_t Sum = 0;
  for (const BasicBlock &Block : F)
    for (const Instruction &I : Block) {
      Sum = hash_combine(Sum, &Block, &I, I.getOpcode(), I.getType());
      for (const Use &Operand : I.operands())
        Sum = hash_combine(Sum, Operand.get());
    }
  return Sum;
}

/// Has F no other instructions than when it was asked for the last time? Most
/// stages change few functions, and LLVM's verifier walks all of the types that
/// debug information reaches, for each of them: without this question it takes
/// as long as the whole compilation. What else may be wrong (metadata) is found
/// by the next stage that changes F, and at the end.
bool isAsVerified(const Function &F) {
  static thread_local DenseMap<const Function *, size_t> Seen;
  size_t Now = fingerprint(F);
  return std::exchange(Seen[&F], Now) == Now;
}

/// Adds an instruction that reads itself.
void breakCode(Function &F) {
  Instruction *At = F.getEntryBlock().getTerminator();
  Type *T = Type::getInt32Ty(F.getContext());
  auto *I = BinaryOperator::CreateAdd(PoisonValue::get(T), PoisonValue::get(T),
                                      "broken", At->getIterator());
  I->setOperand(0, I);
}

bool prints(StringRef Name) {
  return any_of(PrintAfter, [&](StringRef Option) {
    return Option == Name || Option == "all";
  });
}

} // namespace

Stage::Stage(StringRef Name, StringRef Description)
    : Outer(Running), Trace("retrograde", Name) {
  Running = this;
  if (!Time)
    return;
  if (Outer && Outer->Timer)
    Outer->Timer->stopTimer();
  Timer = &timerOf(Name, Description);
  Timer->startTimer();
}

Stage::~Stage() {
  Running = Outer;
  if (Timer)
    Timer->stopTimer();
  if (Outer && Outer->Timer)
    Outer->Timer->startTimer();
}

void leaveStage(StringRef Name, Function &F) {
  if (Breaks == Name)
    breakCode(F);
  if (prints(Name))
    errs() << "; after " << Name << "\n" << F;
  if (!verifiesEach() || hasLocalsAside(F) || isAsVerified(F))
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  if (verifyFunction(F, &OS))
    report_fatal_error("retrograde: stage '" + Name +
                           "' left invalid code in '" + F.getName() +
                           "': " + Text,
                       false);
}

void runStage(StringRef Name, StringRef Why, Function &F,
              function_ref<void()> Rewrite) {
  {
    Stage T(Name, Why);
    Rewrite();
  }
  leaveStage(Name, F);
}

} // namespace retro
