// Input: the cells of a class, and a place in it. Output: whether a half of the
// word there is something by itself: a narrow number beside pointers, or an
// integer beside a wide number. Without it such a half would be taken for a
// part of the whole, or the whole for what the half is.
#include "facts/memory/memory_shape.h"

#include "front/known/known_functions.h"

using namespace llvm;

namespace retro {

bool MemoryShape::holdsHalf(const Value *Ptr) const {
  const Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  return (C.Stride == 0 || C.Stride > 8) && any_of(C.Cells, [&](const Cell &X) {
           return X.Kind == CellKind::Int && X.Size == 4 &&
                  X.Offset == wrap(C, A.Offset);
         });
}

/// May a word hold pointers and numbers of half its size? What it is, its
/// shadow says: the upper half of an address is no number that matters. That
/// holds where no address is so low that its upper half is zero, and where it
/// is known where words begin. The shadow of a pointer is taken away with it,
/// which a caller could see.
bool MemoryShape::settlesHalves(const MemoryClass &C, Align Known) const {
  return (C.Stride % 8 == 0 || (C.Stride == 4 && Known >= Align(8))) &&
         !isReachable(C) && !isGpu(U.M) && DL.getPointerSize() == 8 &&
         U.M.getPICLevel() != PICLevel::NotPIC;
}

bool MemoryShape::isUpperHalf(const Value *Ptr) const {
  const Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  const int64_t At = A.Offset - 4;
  auto IsWhole = [&](const Cell &X) {
    return X.Size == 8 && X.Offset == wrap(C, At);
  };
  return (C.Stride == 0 || C.Stride % 8 == 0) &&
         any_of(C.Cells,
                [&](const Cell &X) {
                  return X.Kind == CellKind::Float && X.active() && IsWhole(X);
                }) &&
         none_of(C.Cells, [&](const Cell &X) {
           return X.Kind == CellKind::Float && overlapsWord(C, X, At) &&
                  !IsWhole(X);
         });
}

bool MemoryShape::hasHalves(const Value *Ptr, int64_t Size) const {
  Address A = addressOf(Ptr);
  const MemoryClass &C = Classes[A.Class];
  if (!settlesHalves(C, Align(8)))
    return false;
  auto Meets = [&](const Cell &Number, const Cell &Pointer) {
    return Pointer.Kind == CellKind::Pointer &&
           overlapsWord(C, Number, Pointer.Offset);
  };
  return any_of(C.Cells, [&](const Cell &X) {
    const int64_t From = X.Offset - A.Offset;
    return X.Kind == CellKind::Float && X.FloatTy->isFloatTy() && X.active() &&
           (C.Stride || (From > -8 && (Size < 0 || From < Size + 4))) &&
           any_of(C.Cells, [&](const Cell &Y) { return Meets(X, Y); });
  });
}

} // namespace retro
