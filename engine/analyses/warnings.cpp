#include "analyses/warnings.h"

#include "call_chain.h"
#include "front/known_functions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// Functions that write numbers as text: the operand with the text.
int textWritten(StringRef Name) {
  return StringSwitch<int>(Name)
      .Cases({"sprintf", "snprintf", "vsprintf", "vsnprintf"}, 0)
      .Cases({"__sprintf_chk", "__snprintf_chk"}, 0)
      .Cases({"__vsprintf_chk", "__vsnprintf_chk"}, 0)
      .Case("gcvt", 2)
      .Default(-1);
}

/// Functions that read numbers from text, which is their first operand.
bool readsText(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"atof", "strtod", "strtof", "strtold"}, true)
      .Cases({"sscanf", "__isoc99_sscanf", "__isoc23_sscanf"}, true)
      .Default(false);
}

StringRef calledName(const CallBase &C) {
  auto *F = dyn_cast<Function>(C.getCalledOperand()->stripPointerCasts());
  return F && F->isDeclaration() ? F->getName() : "";
}

/// Streams of C++, and the function behind std::to_string.
bool insertsText(const CallBase &C) {
  auto *F = dyn_cast<Function>(C.getCalledOperand()->stripPointerCasts());
  StringRef Name = F ? F->getName() : "";
  return Name.starts_with("_ZNSo9_M_insertI") || Name == "_ZNSolsEd" ||
         Name == "_ZNSolsEf" || Name == "_ZNSolsEe" ||
         (Name.contains("to_xstring") && F->isVarArg());
}
bool extractsText(StringRef Name) {
  return Name.starts_with("_ZNSi10_M_extractI") || Name == "_ZNSirsERd" ||
         Name == "_ZNSirsERf" || Name == "_ZNSirsERe" ||
         Name.starts_with("_ZSt10from_chars");
}

class ZeroCheck {
public:
  ZeroCheck(const Request &Req, ActivityAnalysis &Act)
      : Req(Req), Act(Act), Shape(Act.shape()) {}
  void run();

private:
  bool mayReachCaller(Instruction &I) const;
  bool isUseful(const Value *Ptr) const;
  void noteText();

  const Request &Req;
  ActivityAnalysis &Act;
  MemoryShape &Shape;
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

/// Does a result depend on what is behind Ptr?
bool ZeroCheck::isUseful(const Value *Ptr) const {
  return Ptr->getType()->isPointerTy() && !isa<Constant>(Ptr) &&
         any_of(Shape.cellsIn(Ptr, -1), [](Cell *X) {
           return X->Kind == CellKind::Float && X->Useful;
         });
}

/// Which text was written by a function of C the memory says. A string or
/// stream of C++ hides it: all that is read then is taken for it.
void ZeroCheck::noteText() {
  DenseSet<unsigned> Texts;
  bool Hidden = false;
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      if (!C || none_of(C->args(), [&](Value *A) { return Act.varied(A); }))
        continue;
      Hidden |= insertsText(*C);
      if (int To = textWritten(calledName(*C)); To >= 0)
        Texts.insert(Shape.classId(C->getArgOperand(unsigned(To))));
    }
  if (Texts.empty() && !Hidden)
    return;
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      StringRef Name = C ? calledName(*C) : "";
      bool Reads =
          readsText(Name) &&
          (Hidden || Texts.contains(Shape.classId(C->getArgOperand(0))));
      if (!Reads && !extractsText(Name))
        continue;
      if (Act.useful(C) ||
          any_of(drop_begin(C->args()), [&](Value *A) { return isUseful(A); }))
        warn(Warning::NumberAsText, I, *UF->Source);
    }
}

void ZeroCheck::run() {
  noteText();
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
#include "warnings.def"
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

void warnOfZeros(const Request &Req, ActivityAnalysis &Act) {
  ZeroCheck(Req, Act).run();
}

} // namespace retro
