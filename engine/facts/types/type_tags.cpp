// The front end's tags have the form {base type, access type, offset}, and a
// type {name, parent, ...}. Only C and C++ are read: Fortran's tags tell
// variables apart, not types.
#include "facts/types/type_tags.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace retro {

StringRef accessName(const MDNode *Tag) {
  if (!Tag || Tag->getNumOperands() < 2)
    return "";
  auto *Access = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  if (!Access || Access->getNumOperands() == 0)
    return "";
  auto *S = dyn_cast_or_null<MDString>(Access->getOperand(0));
  return S ? S->getString() : "";
}

/// What stands before the name in an annotation.
static constexpr StringLiteral Noted = "retro: ";

StringRef accessName(const Instruction &I) {
  if (const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa))
    return accessName(Tag);
  const MDNode *Notes = I.getMetadata(LLVMContext::MD_annotation);
  for (unsigned N = 0; Notes && N < Notes->getNumOperands(); ++N)
    if (auto *S = dyn_cast<MDString>(Notes->getOperand(N)))
      if (StringRef Name = S->getString(); Name.consume_front(Noted))
        return Name;
  return "";
}

void noteAccessName(LoadInst &L) {
  StringRef Name = accessName(L.getMetadata(LLVMContext::MD_tbaa));
  if (namesInteger(Name) && L.getType()->isIntegerTy())
    L.addAnnotationMetadata((Noted + Name).str());
}

bool isField(const MDNode *Tag) {
  return Tag && Tag->getNumOperands() >= 2 &&
         isa_and_nonnull<MDNode>(Tag->getOperand(0)) &&
         Tag->getOperand(0) != Tag->getOperand(1);
}

Type *floatNamed(StringRef N, LLVMContext &C) {
  return N == "double"        ? Type::getDoubleTy(C)
         : N == "float"       ? Type::getFloatTy(C)
         : N == "long double" ? Type::getX86_FP80Ty(C)
                              : nullptr;
}

bool namesPointer(StringRef N) {
  return N.contains("pointer") || N.starts_with("p1 ") || N.starts_with("p2 ");
}

bool namesInteger(StringRef N) {
  return N == "int" || N == "long" || N == "long long" || N == "short" ||
         N == "bool";
}

SmallVector<NamedField> fieldsListed(const MDNode *List, LLVMContext &C) {
  SmallVector<NamedField> Out;
  for (unsigned I = 0; List && I + 2 < List->getNumOperands(); I += 3) {
    auto Number = [&](unsigned N) {
      auto *X = mdconst::dyn_extract<ConstantInt>(List->getOperand(N));
      return X ? X->getSExtValue() : -1;
    };
    const int64_t Offset = Number(I), Size = Number(I + 1);
    StringRef Name =
        accessName(dyn_cast_or_null<MDNode>(List->getOperand(I + 2)));
    Type *F = floatNamed(Name, C);
    const bool Pointer = namesPointer(Name);
    const int64_t Each = F ? F->getPrimitiveSizeInBits() / 8 : Size;
    if (Offset < 0 || Size <= 0 || Size % Each != 0 ||
        !(F || Pointer || namesInteger(Name)) || (!F && Size > 8) ||
        (F && F->isX86_FP80Ty()))
      return {};
    Type *T = F         ? F
              : Pointer ? static_cast<Type *>(PointerType::getUnqual(C))
                        : IntegerType::get(C, static_cast<unsigned>(8 * Size));
    for (int64_t At = 0; At < Size; At += Each)
      Out.push_back({Offset + At, T});
  }
  return Out;
}

} // namespace retro
