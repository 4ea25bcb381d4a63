// Links a registered function with its stand-in, by metadata, and answers for
// both what is known of their calls. Without the links, a request after
// inlining could not tell which function a stand-in stands for.
#include "front/known/stand_in_links.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

#include <mutex>

using namespace llvm;

namespace retro {

Function *linkOf(const Function &F, const char *Link) {
  MDNode *N = F.hasMetadata() ? F.getMetadata(Link) : nullptr;
  auto *V =
      N ? dyn_cast_or_null<ValueAsMetadata>(N->getOperand(0).get()) : nullptr;
  return V ? dyn_cast<Function>(V->getValue()) : nullptr;
}

void setLink(Function &F, const char *Link, Function *To) {
  F.setMetadata(Link, To ? MDNode::get(F.getContext(), ValueAsMetadata::get(To))
                         : nullptr);
}

const Function *primalOf(const Function &F) {
  const Function *P = linkOf(F, PrimalLink);
  return P ? P : &F;
}

Function *primalOf(Function &F) {
  Function *P = linkOf(F, PrimalLink);
  return P ? P : &F;
}

const KnownFunction *registeredRow(const Function &F) {
  Attribute A = F.getFnAttribute(RegisteredAttribute);
  if (!A.isValid())
    return nullptr;
  auto [Word, Operand] = A.getValueAsString().split(' ');
  if (Word == "like")
    return lookupKnown(Operand);
  // Rows for what users registered. They have to live as long as those of the
  // table.
  static std::mutex Lock;
  static StringMap<KnownFunction> Rows;
  std::lock_guard<std::mutex> Guard(Lock);
  auto [It, New] = Rows.try_emplace(A.getValueAsString());
  KnownFunction &Row = It->second;
  if (!New)
    return &Row;
  Row.Effects = ReadsArgs | WritesArgs | Hidden | CallsBack;
  if (Word == "inactive") {
    Row.Kind = KnownKind::Inactive;
    if (!Operand.empty())
      Row.Effects = Operand == "pure" ? unsigned(Pure) : unsigned(ReadsArgs);
  } else if (Word == "alloc" || Word == "free") {
    Row.Kind = Word == "alloc" ? KnownKind::Alloc : KnownKind::Free;
    Row.Effects = Hidden;
    Operand.getAsInteger(10, Row.A);
  } else {
    Row.Kind = KnownKind::Custom;
  }
  return &Row;
}

} // namespace retro
