// Answers requests of functions and numbers in another format, before
// derivatives are asked for, so that such a function has some, too. Later the
// requests of derivatives would find a call of nothing known.
#include "formats/requests.h"

#include "answer/embedded_runtime.h"
#include "base/stages.h"
#include "formats/in_format.h"
#include "front/known/entry_points.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// What the request gives; null, and an error: it cannot be answered.
Value *functionFor(CallBase &Call, bool Memory, Reporter &R) {
  Function *Target = targetOf(Call);
  const std::string Entry = Call.getCalledOperand()->getName().str();
  if (!Target) {
    R.error(Diag::TargetNotFunction, &Call, {Entry});
    return nullptr;
  }
  if (Target->isDeclaration() || Target->isInterposable()) {
    R.error(Diag::NotInFormat, &Call,
            {Target->getName().str(), "its body is not here"});
    return nullptr;
  }
  std::optional<Format> F = parseFormat(Call, 1, R);
  return F ? FunctionsInFormat(*F, Memory, R).of(*Target) : nullptr;
}

Value *numberFor(CallBase &Call, bool Narrow, Reporter &R) {
  std::optional<Format> F = parseFormat(Call, 1, R);
  if (!F)
    return nullptr;
  Value *V = Call.getArgOperand(0);
  if (V->getType() != F->From || Call.getType() != F->From) {
    R.error(Diag::BadFormat, &Call,
            {Call.getCalledOperand()->getName().str(),
             "what it is given, or returns, has not so many bits"});
    return nullptr;
  }
  IRBuilder<> B(&Call);
  Operations In(*F, /*Memory=*/true);
  if (Narrow)
    return In.given(B, In.rounded(B, V));
  return F->Narrow ? B.CreateFPExt(In.taken(B, V), F->From) : V;
}

void answer(CallBase &Call, FormatRequest Kind) {
  Reporter R(&Call);
  const bool OfFunction =
      Kind == FormatRequest::Operations || Kind == FormatRequest::Memory;
  Value *Result = OfFunction
                      ? functionFor(Call, Kind == FormatRequest::Memory, R)
                      : numberFor(Call, Kind == FormatRequest::Narrow, R);
  if (!Result || R.failed())
    Result = PoisonValue::get(Call.getType());
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

} // namespace

bool answerFormatRequests(Module &M, bool BeforeLink) {
  SmallVector<std::pair<CallBase *, FormatRequest>> Requests;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *C = dyn_cast<CallBase>(&I))
        if (FormatRequest Kind = formatRequestOf(*C);
            Kind != FormatRequest::None)
          Requests.push_back({C, Kind});
  bool Changed = false;
  for (auto [C, Kind] : Requests) {
    const Function *Target = targetOf(*C);
    if (BeforeLink && Target && Target->isDeclaration())
      continue;
    answer(*C, Kind);
    Changed = true;
  }
  if (Changed)
    linkRuntimes(M);
  return Changed;
}

} // namespace retro
