// Looks names of libraries up in foreign.def. Elsewhere the engine asks for a
// kind of thing: a name that is spelled at one more place is missed there when
// a library gets another one.
#include "front/names/foreign.h"

#include "front/names/signature.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

struct CalledRow {
  StringLiteral Name, Result, Parameters;
};
constexpr CalledRow Called[] = {
#define CALLED(Name, Result, ...) {#Name, #Result, #__VA_ARGS__},
#include "front/names/foreign.def"
};

struct AskedRow {
  NameKind Kind;
  NameMatch Match;
  StringLiteral Name;
};
constexpr AskedRow KindRows[] = {
#define ASKED(Kind, Match, Name) {NameKind::Kind, NameMatch::Match, Name},
#include "front/names/foreign.def"
};

} // namespace

FunctionCallee foreignCallee(Module &M, Foreign F) {
  const CalledRow &R = Called[static_cast<unsigned>(F)];
  return M.getOrInsertFunction(
      R.Name, signatureOf(M.getContext(), R.Result, R.Parameters));
}

CallInst *callForeign(IRBuilderBase &B, Foreign F, ArrayRef<Value *> Args) {
  return B.CreateCall(foreignCallee(*B.GetInsertBlock()->getModule(), F), Args);
}

bool matches(StringRef Name, NameMatch How, StringRef Known) {
  switch (How) {
  case NameMatch::Is:
    return Name == Known;
  case NameMatch::Begins:
    return Name.starts_with(Known);
  case NameMatch::Contains:
    return Name.contains(Known);
  }
  llvm_unreachable("no such way to match a name");
}

bool isA(StringRef Name, NameKind K) {
  return any_of(KindRows, [&](const AskedRow &R) {
    return R.Kind == K && matches(Name, R.Match, R.Name);
  });
}

bool callsA(const CallBase &C, NameKind K) {
  const Function *F = C.getCalledFunction();
  return F && isA(F->getName(), K);
}

} // namespace retro
