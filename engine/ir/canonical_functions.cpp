// Declares the functions that stand for those of libraries in a unit, and says
// of such a declaration what it stands for. The name and one attribute carry
// that; without them a canonical call could not become a call of the library
// again in what is emitted.
#include "ir/canonical_functions.h"

#include "front/known/known_functions.h"

using namespace llvm;

namespace retro {
namespace {

/// Attribute with the name of the function whose conventions a canonical one
/// has.
constexpr StringLiteral LikeAttribute = "retro-like";

} // namespace

Function *canonicalFunction(Module &M, StringRef Name, FunctionType *T,
                            StringRef Like) {
  std::string Full = (CanonicalPrefix + Name).str();
  if (Function *F = M.getFunction(Full))
    return F;
  Function *F = Function::Create(T, GlobalValue::ExternalLinkage, Full, M);
  F->addFnAttr(LikeAttribute, Like);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::WillReturn);
  return F;
}

StringRef libraryName(const Function &Canonical) {
  StringRef Name = Canonical.getName();
  Name.consume_front(CanonicalPrefix);
  return Name;
}

Function *conventionsOf(const Function &Canonical) {
  return Canonical.getParent()->getFunction(
      Canonical.getFnAttribute(LikeAttribute).getValueAsString());
}

void dropCanonicalFunctions(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.getName().starts_with(CanonicalPrefix) && F.use_empty())
      F.eraseFromParent();
}

} // namespace retro
