// Reads the switches' settings and leaves them in the module as a string.
// Without it a table could name other settings than those that were measured.
#include "plugin/applied_toggles.h"

#include "base/toggles.h"
#include "front/names/runtime.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {

void recordAppliedToggles(Module &M) {
  constexpr StringLiteral Name = nameOf(Named::applied_toggles);
  std::string Text;
#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Doc)    \
  Text += std::string(Text.empty() ? "" : " ") + Option "=" +                  \
          (isOn(Toggle::Field) ? "1" : "0");
#include "base/toggles.def"
  Constant *Str = ConstantDataArray::getString(M.getContext(), Text);
  auto *New = new GlobalVariable(M, Str->getType(), true,
                                 GlobalValue::WeakODRLinkage, Str);
  if (GlobalVariable *Old = M.getNamedGlobal(Name)) {
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
  }
  New->setName(Name);
}

void printCounters() {
  if (!printCountersRequested())
    return;
  const ToggleCounters &C = counters();
#define TOGGLE(Field, Option, Default, Heading, Phase, Needs, NotWith, Doc)    \
  errs() << "retro-counter " Option " " << C.Field << "\n";
#include "base/toggles.def"
}

} // namespace retro
