#include "facts/memory/declared_types.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace retro {
namespace {

/// Constant N of what is noted, or null.
Constant *noted(const MDNode *Note, unsigned N) {
  if (!Note || N >= Note->getNumOperands())
    return nullptr;
  return mdconst::dyn_extract_or_null<Constant>(Note->getOperand(N));
}

} // namespace

std::optional<DeclaredField> declaredField(const Instruction &I) {
  const MDNode *Note = I.getMetadata(NotedField);
  Constant *Object = noted(Note, 0);
  auto *In = Object ? dyn_cast<StructType>(Object->getType()) : nullptr;
  auto *Offset = dyn_cast_or_null<ConstantInt>(noted(Note, 1));
  if (!In || !Offset)
    return std::nullopt;
  return DeclaredField{In, Offset->getSExtValue()};
}

std::optional<uint64_t> declaredElement(const CallBase &C) {
  auto *Size =
      dyn_cast_or_null<ConstantInt>(noted(C.getMetadata(NotedElement), 0));
  if (!Size)
    return std::nullopt;
  return Size->getZExtValue();
}

Type *namedElement(const CallBase &C) {
  Constant *Object = noted(C.getMetadata(NotedObjects), 0);
  return Object ? Object->getType() : nullptr;
}

} // namespace retro
