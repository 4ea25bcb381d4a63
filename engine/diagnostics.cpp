#include "diagnostics.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace retro {
namespace {

struct Row {
  const char *Name, *Sentence, *Advice;
};
const Row Rows[] = {
#define DIAGNOSTIC(Id, Name, Kind, Sentence, Advice) {Name, Sentence, Advice},
#include "diagnostics.def"
#undef DIAGNOSTIC
};

std::string fill(const char *Text, ArrayRef<std::string> Args) {
  std::string Out;
  for (const char *P = Text; *P; ++P) {
    if (*P == '%' && P[1] >= '0' && P[1] <= '9') {
      size_t I = static_cast<size_t>(*++P - '0');
      Out += I < Args.size() ? Args[I] : std::string();
    } else {
      Out += *P;
    }
  }
  return Out;
}

} // namespace

void Reporter::error(Diag Id, const Instruction *At,
                     ArrayRef<std::string> Args) {
  if (Failed)
    return;
  Failed = true;
  const Row &R = Rows[static_cast<size_t>(Id)];
  std::string Text = fill(R.Sentence, Args) + " [retro-" + R.Name +
                     "]; to fix it: " + R.Advice;
  DebugLoc Loc =
      At && At->getDebugLoc() ? At->getDebugLoc() : Request->getDebugLoc();
  // The construct's own place in the source, not where it was inlined to.
  const Function *Source =
      At && At->getParent() ? SourceOf.lookup(At->getFunction()) : nullptr;
  const Function &F = Loc || !Source ? *Request->getFunction() : *Source;
  F.getContext().diagnose(
      DiagnosticInfoUnsupported(F, Text, DiagnosticLocation(Loc), DS_Error));
}

} // namespace retro
