// Input: a type of debug information. Output: where its numbers, pointers and
// integers lie. Where optimization has left no typed access, nothing else
// tells what memory holds.
#include "facts/types/debug_types.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace retro {
namespace {

/// Without typedefs and qualifiers.
const DIType *plainType(const DIType *T) {
  while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
      T = D->getBaseType();
      continue;
    default:
      return T;
    }
  }
  return T;
}

bool isPointerTag(unsigned Tag) {
  return Tag == dwarf::DW_TAG_pointer_type ||
         Tag == dwarf::DW_TAG_reference_type ||
         Tag == dwarf::DW_TAG_rvalue_reference_type;
}

class LayoutReader {
public:
  LayoutReader(LLVMContext &C, DebugLayout &L) : C(C), L(L) {}

  /// False if a part of the object is of no known type.
  bool read(const DIType *T, int64_t Offset);

private:
  bool basic(const DIBasicType &B, int64_t Offset);
  bool array(const DICompositeType &A, int64_t Offset);
  bool record(const DICompositeType &S, int64_t Offset);
  bool alternatives(const DICompositeType &U, int64_t Offset);

  LLVMContext &C;
  DebugLayout &L;
  unsigned Budget = 2048;
};

bool LayoutReader::basic(const DIBasicType &B, int64_t Offset) {
  unsigned Bits = static_cast<unsigned>(B.getSizeInBits());
  unsigned Parts = B.getEncoding() == dwarf::DW_ATE_complex_float ? 2 : 1;
  if (B.getEncoding() == dwarf::DW_ATE_float || Parts == 2) {
    Type *F = Bits == 64 * Parts   ? Type::getDoubleTy(C)
              : Bits == 32 * Parts ? Type::getFloatTy(C)
                                   : nullptr;
    unsigned Size = Bits / Parts / 8;
    for (unsigned N = 0; F && N < Parts; ++N)
      L.Fields.push_back({Offset + N * Size, Size, F});
    return F;
  }
  if (Bits > 8)
    L.Fields.push_back({Offset, Bits / 8});
  return true;
}

bool LayoutReader::array(const DICompositeType &A, int64_t Offset) {
  const DIType *E = plainType(A.getBaseType());
  int64_t Step = E ? static_cast<int64_t>(E->getSizeInBits() / 8) : 0;
  int64_t Bytes = static_cast<int64_t>(A.getSizeInBits() / 8);
  if (Step <= 1) // bytes may stand for anything
    return Step == 0;
  bool All = true;
  for (int64_t O = 0; O + Step <= Bytes && Budget; O += Step)
    All &= read(E, Offset + O);
  return All && Budget;
}

bool LayoutReader::record(const DICompositeType &S, int64_t Offset) {
  bool All = true;
  for (const DINode *N : S.getElements()) {
    if (auto *M = dyn_cast<DIDerivedType>(N);
        M && !M->isStaticMember() &&
        (M->getTag() == dwarf::DW_TAG_member ||
         M->getTag() == dwarf::DW_TAG_inheritance))
      All &= read(M->getBaseType(),
                  Offset + static_cast<int64_t>(M->getOffsetInBits() / 8));
    else if (auto *V = dyn_cast<DICompositeType>(N);
             V && V->getTag() == dwarf::DW_TAG_variant_part)
      All &= alternatives(*V, Offset);
  }
  return All;
}

/// A union, or the variants of an enum: what all that lie at a place agree on.
bool LayoutReader::alternatives(const DICompositeType &U, int64_t Offset) {
  DebugLayout Joined;
  bool All = true;
  auto Overlap = [](const DebugField &A, const DebugField &B) {
    return A.Offset < B.Offset + B.Size && B.Offset < A.Offset + A.Size;
  };
  auto Same = [](const DebugField &A, const DebugField &B) {
    return A.Offset == B.Offset && A.Size == B.Size && A.Float == B.Float &&
           A.Pointer == B.Pointer;
  };
  for (const DINode *N : U.getElements()) {
    auto *M = dyn_cast<DIDerivedType>(N);
    if (!M)
      continue;
    DebugLayout One;
    LayoutReader R(C, One);
    R.Budget = Budget;
    All &= R.read(M->getBaseType(),
                  Offset + static_cast<int64_t>(M->getOffsetInBits() / 8));
    for (const DebugField &F : One.Fields) {
      auto Other = find_if(Joined.Fields,
                           [&](const DebugField &G) { return Overlap(F, G); });
      if (Other == Joined.Fields.end())
        Joined.Fields.push_back(F);
      else if (!Same(F, *Other))
        return false;
    }
  }
  L.Fields.append(Joined.Fields);
  // The number of the variant, where it has a place of its own.
  if (auto *D = U.getDiscriminator()) {
    DebugField F{Offset + static_cast<int64_t>(D->getOffsetInBits() / 8),
                 static_cast<unsigned>(D->getBaseType()->getSizeInBits() / 8)};
    if (F.Size > 1 && none_of(Joined.Fields, [&](const DebugField &G) {
          return Overlap(F, G);
        }))
      L.Fields.push_back(F);
  }
  return All;
}

bool LayoutReader::read(const DIType *T, int64_t Offset) {
  T = plainType(T);
  if (!T || Budget == 0)
    return false;
  --Budget;
  unsigned Bytes = static_cast<unsigned>(T->getSizeInBits() / 8);
  if (Bytes == 0)
    return true;
  if (auto *B = dyn_cast<DIBasicType>(T))
    return basic(*B, Offset);
  if (auto *D = dyn_cast<DIDerivedType>(T)) {
    bool Pointer = isPointerTag(D->getTag());
    if (Pointer)
      L.Fields.push_back({Offset, Bytes, nullptr, D->getBaseType(), true});
    return Pointer;
  }
  auto *S = dyn_cast<DICompositeType>(T);
  if (!S)
    return false;
  bool All;
  switch (S->getTag()) {
  case dwarf::DW_TAG_enumeration_type:
    L.Fields.push_back({Offset, Bytes});
    return true;
  case dwarf::DW_TAG_union_type:
    return alternatives(*S, Offset);
  case dwarf::DW_TAG_array_type:
    All = array(*S, Offset);
    break;
  default:
    All = record(*S, Offset);
  }
  if (All)
    L.Described.push_back({Offset, Bytes});
  return All;
}

} // namespace

DebugLayout layoutOf(const DIType *T, LLVMContext &C) {
  DebugLayout L;
  LayoutReader(C, L).read(T, 0);
  return L;
}

const DIType *pointeeOf(const DIType *T, LLVMContext &C) {
  T = plainType(T);
  if (!T || T->getSizeInBits() != 64)
    return nullptr;
  DebugLayout L = layoutOf(T, C);
  return L.Fields.size() == 1 ? L.Fields[0].Pointee : nullptr;
}

} // namespace retro
