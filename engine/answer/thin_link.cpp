// Notes what each module of a thin link registers, inlines and requests, and
// reports a function that one module registers and another may have inlined. No
// module knows that by itself, and the registered derivative would be passed
// by.
#include "answer/thin_link.h"

#include "base/diagnostics.h"
#include "prepare/calls/stand_in.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <mutex>

using namespace llvm;

namespace retro {
namespace {

/// What the modules have said so far. They come in any order, some at the same
/// time.
struct ThinLink {
  std::mutex Lock;
  StringSet<> Registered, Inlinable, Reported;
  bool Requests = false;
};

ThinLink &thinLink() {
  static ThinLink All;
  return All;
}

/// Functions of one name in several files stay several.
std::string keyOf(const Function &F) {
  std::string Key = F.getName().str();
  return F.hasLocalLinkage() ? Key + "@" + F.getParent()->getModuleIdentifier()
                             : Key;
}

void report(Module &M, StringRef Name) {
  for (Function &F : M)
    if (!F.isDeclaration()) {
      Reporter R(&F.getEntryBlock().front());
      return R.error(Diag::InlinedBefore, nullptr, &F, {Name.str()});
    }
  M.getContext().emitError("calls of '" + Name +
                           "' may have been inlined [retro-inlined-before]");
}

} // namespace

void noteThinModule(Module &M, const Registrations &R, bool Requests) {
  ThinLink &All = thinLink();
  std::lock_guard<std::mutex> Guard(All.Lock);
  All.Requests |= Requests;
  for (auto &[F, Reg] : R.all())
    if (Reg.hasOwnDerivative())
      All.Registered.insert(keyOf(*F));
  for (Function &F : M)
    if (mayBeInlinedBefore(F))
      All.Inlinable.insert(keyOf(F));
  if (!All.Requests)
    return;
  for (auto &Entry : All.Registered)
    if (All.Inlinable.contains(Entry.getKey()) &&
        All.Reported.insert(Entry.getKey()).second)
      report(M, Entry.getKey().split('@').first);
}

} // namespace retro
