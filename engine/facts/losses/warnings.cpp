// Input: a request, and what is active. Output: a warning where the derivative
// is zero all over, or is taken of what has none. Zeros would be all that the
// user sees of a mistake.
#include "facts/losses/warnings.h"

#include "base/call_chain.h"
#include "facts/losses/read_back.h"
#include "front/known/known_functions.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

class ZeroCheck {
public:
  ZeroCheck(const Request &Req, const ActivityAnalysis &Act)
      : Req(Req), Act(Act) {}
  void run();

private:
  bool mayReachCaller(Instruction &I) const;

  const Request &Req;
  const ActivityAnalysis &Act;
};

/// May an active number get into memory that the caller sees here?
bool ZeroCheck::mayReachCaller(Instruction &I) const {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Act.active(S->getValueOperand()) ||
           Act.shadowed(S->getValueOperand()) ||
           !S->getValueOperand()->getType()->isFPOrFPVectorTy();
  if (!I.mayWriteToMemory() || isa<DbgInfoIntrinsic>(I) ||
      I.isLifetimeStartOrEnd())
    return false;
  auto *C = dyn_cast<CallBase>(&I);
  if (!C || C->isInlineAsm())
    return true;
  KnownKind K = knownCall(*C).Kind;
  if (K == KnownKind::Inactive || K == KnownKind::Alloc || K == KnownKind::Free)
    return false;
  if (Act.unit().callee(*C))
    return false; // its body is looked at
  return any_of(C->args(),
                [&](Value *A) { return Act.shadowed(A) || Act.varied(A); });
}

void ZeroCheck::run() {
  if (!Req.Call || !Req.Target->getReturnType()->isVoidTy() ||
      Req.mode() != Mode::Reverse || Req.isSplit() || Req.isSparse() ||
      Req.Kind != Entry::Autodiff)
    return;
  bool Given = any_of(Req.Args, [](const BoundArgument &B) {
    return B.Act != Activity::Const;
  });
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F))
      if (mayReachCaller(I))
        return;
  if (Given)
    warn(Warning::ZeroDerivative, *Req.Call, *Req.Call->getFunction(),
         {displayName(*Req.Target)});
}

} // namespace

void warn(Warning Id, const Instruction &I, const Function &F,
          ArrayRef<std::string> Args) {
  static constexpr std::pair<const char *, const char *> Rows[] = {
#define WARNING(Id, Name, Sentence) {Name, Sentence},
#include "facts/losses/warnings.def"
#undef WARNING
  };
  auto [Name, Sentence] = Rows[static_cast<size_t>(Id)];
  std::string Message;
  for (const char *P = Sentence; *P; ++P)
    if (*P == '%')
      Message += Args[static_cast<size_t>(*++P - '0')];
    else
      Message += *P;
  Message += std::string(" [retro-") + Name + "]";
  // The place that called what a header of the system defines.
  DebugLoc Loc = I.getDebugLoc();
  while (Loc && Loc.getInlinedAt() && Loc->getFilename().starts_with("/usr/"))
    Loc = Loc.getInlinedAt();
  F.getContext().diagnose(DiagnosticInfoUnsupported(
      F, Message, DiagnosticLocation(Loc), DS_Warning));
}

void warnOfZeros(const Request &Req, const ActivityAnalysis &Act) {
  warnOfReadBack(Act);
  ZeroCheck(Req, Act).run();
}

} // namespace retro
