// Recognizes requests by the names of what they call, and finds the function
// that a request names. A call that is not recognized here stays in the
// program, which then does not link.
#include "front/known/entry_points.h"

#include "front/known/operands.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

struct EntryName {
  const char *Text;
  Entry Kind;
};
const EntryName EntryNames[] = {
#define ENTRY(Kind, Name) {Name, Entry::Kind},
#include "front/known/entry_points.def"
};

Function *functionNamed(Module &M, StringRef Part) {
  auto It = find_if(M, [&](const Function &F) {
    return F.getName().contains(Part) && !F.isIntrinsic();
  });
  return It == M.end() ? nullptr : &*It;
}

} // namespace

StringRef nameOf(Entry Kind) {
  for (const EntryName &E : EntryNames)
    if (E.Kind == Kind)
      return E.Text;
  return "";
}

StringRef conventionPrefix() {
#define CONVENTION(Prefix) return Prefix;
#include "front/known/entry_points.def"
}

Entry entryOf(const CallBase &Call) {
  const auto *F =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || !F->isDeclaration())
    return Entry::None;
  for (const EntryName &E : EntryNames)
    if (F->getName().contains(E.Text))
      return E.Kind;
  return Entry::None;
}

Function *functionBehind(Value *V) { return dyn_cast<Function>(originOf(V)); }

const Argument *argumentBehind(const Value *V) {
  return dyn_cast<Argument>(originOf(V));
}

bool isSparseShadow(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || !F->isDeclaration())
    return false;
#define SPARSE_SHADOW(Name) return F->getName().contains(Name);
#include "front/known/entry_points.def"
}

FormatRequest formatRequestOf(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || !F->isDeclaration())
    return FormatRequest::None;
#define FORMAT(Kind, Name)                                                     \
  if (F->getName().contains(Name))                                             \
    return FormatRequest::Kind;
#include "front/known/entry_points.def"
  return FormatRequest::None;
}

Function *errorLogger(Module &M) {
#define ERROR_LOGGER(Name) return functionNamed(M, Name);
#include "front/known/entry_points.def"
}

Function *ownErrorFunction(Module &M) {
#define OWN_ERROR(Name) return functionNamed(M, Name);
#include "front/known/entry_points.def"
}

bool isRequest(const CallBase &Call) { return entryOf(Call) != Entry::None; }

std::vector<CallBase *> requestsIn(Function &F) {
  std::vector<CallBase *> Out;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (isRequest(*C))
        Out.push_back(C);
  return Out;
}

bool hasRequests(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return C && isRequest(*C);
  });
}

Value *targetOperand(const CallBase &Call) {
  unsigned I = Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet);
  return I < Call.arg_size() ? Call.getArgOperand(I) : nullptr;
}

Function *targetOf(const CallBase &Call) {
  Value *V = targetOperand(Call);
  return V ? functionBehind(V) : nullptr;
}

} // namespace retro
