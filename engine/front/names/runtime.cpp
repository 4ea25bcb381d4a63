// Declares functions of the runtime by the rows of runtime.def, whose types are
// LLVM's words. A call with operands of other types would be invalid IR that
// only a linked runtime shows.
#include "front/names/runtime.h"

#include "front/names/signature.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

struct Row {
  StringLiteral Result, Parameters;
};

constexpr Row Rows[] = {
#define RUNTIME(Id, Result, ...) {#Result, #__VA_ARGS__},
#define RUNTIME_AS_CALLED(Id) {"", ""},
#include "front/names/runtime.def"
};

} // namespace

std::string nameOf(Named N, const Twine &Rest) {
  return (nameOf(N) + Rest).str();
}

std::optional<Rt> runtimeNamed(const Twine &Name) {
  std::string Full = nameOf(Named::any, Name);
  const auto *At = find(RtNames, StringRef(Full));
  if (At == std::end(RtNames))
    return std::nullopt;
  return static_cast<Rt>(At - std::begin(RtNames));
}

FunctionCallee runtimeCallee(Module &M, Rt F) {
  const Row &R = Rows[static_cast<unsigned>(F)];
  LLVMContext &C = M.getContext();
  StringRef Result = R.Result;
  AttributeList Attributes;
  if (Result.consume_front("noalias "))
    Attributes = Attributes.addRetAttribute(C, Attribute::NoAlias);
  return M.getOrInsertFunction(nameOf(F), signatureOf(C, Result, R.Parameters),
                               Attributes);
}

FunctionCallee runtimeCallee(Module &M, Rt F, FunctionType *T) {
  return M.getOrInsertFunction(nameOf(F), T);
}

CallInst *callRuntime(IRBuilderBase &B, Rt F, ArrayRef<Value *> Args,
                      const Twine &Name) {
  return B.CreateCall(runtimeCallee(*B.GetInsertBlock()->getModule(), F), Args,
                      Name);
}

} // namespace retro
