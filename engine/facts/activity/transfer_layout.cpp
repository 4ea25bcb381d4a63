#include "facts/activity/transfer_layout.h"

#include "facts/memory/declared_types.h"
#include "front/known/known_functions.h"

using namespace llvm;

namespace retro {
namespace {

/// Unindexed memory is looked at word by word up to this size.
constexpr int64_t LargestObject = 65536;

class LayoutFinder {
public:
  LayoutFinder(ActivityAnalysis &Act, const Value *Ptr, int64_t Bytes)
      : Shape(Act.shape()), Ptr(Ptr), Bytes(Bytes),
        DL(Act.unit().M.getDataLayout()) {}
  std::optional<TransferLayout> find();

private:
  bool words(int64_t Size);
  Type *onlyNumber();
  void push(SmallVectorImpl<Run> &Runs, int64_t Offset, Type *T);

  MemoryShape &Shape;
  const Value *Ptr;
  int64_t Bytes; ///< negative: not constant
  const DataLayout &DL;
  TransferLayout Out;
};

void LayoutFinder::push(SmallVectorImpl<Run> &Runs, int64_t Offset, Type *T) {
  if (!Runs.empty() && Runs.back().T == T &&
      Runs.back().Offset + Runs.back().Repeat * stepOf(T, DL) == Offset)
    ++Runs.back().Repeat;
  else
    Runs.push_back({Offset, T});
}

/// The words of the first Size bytes; false if the layout is not known.
bool LayoutFinder::words(int64_t Size) {
  if (Size > LargestObject)
    return false;
  for (int64_t Off = 0; Off < Size;) {
    const Cell *X;
    if (!(Out.Period ? Shape.layoutOfPeriod(Ptr, Off, X)
                     : Shape.layoutAt(Ptr, Off, X)))
      return false;
    if (!X && !Out.Period && Shape.isDeclaredOnly(Ptr, Off))
      return false;
    if (X && Out.Period && Off + X->Size > Size)
      return false;
    if (X && Off + X->Size <= Size) {
      if (X->Kind == CellKind::Float)
        push(Out.Numbers, Off, X->FloatTy);
      else if (X->Kind == CellKind::Pointer)
        push(Out.Pointers, Off, PointerType::getUnqual(Ptr->getContext()));
    }
    Off += X ? X->Size : 1;
  }
  return true;
}

/// The type of all cells, if they are numbers of one type at its multiples.
Type *LayoutFinder::onlyNumber() {
  Type *F = nullptr;
  int64_t Start = Shape.addressOf(Ptr).Offset;
  for (const Cell *X : Shape.cellsIn(Ptr, Bytes)) {
    if (X->Kind == CellKind::Int)
      continue;
    if (X->Kind != CellKind::Float || (F && F != X->FloatTy) ||
        (X->Offset - Start) % stepOf(X->FloatTy, DL) != 0)
      return nullptr;
    F = X->FloatTy;
  }
  return F;
}

std::optional<TransferLayout> LayoutFinder::find() {
  const MemoryClass &C = Shape.classOf(Ptr);
  bool Ok;
  if (Bytes >= 0 && (Bytes <= 64 || C.Stride == 0)) {
    Ok = words(Bytes);
  } else if (C.Stride != 0) {
    Out.Period = C.Stride;
    Ok = words(C.Stride);
  } else {
    Ok = false;
  }
  // A layout without the numbers that are known to be here is none.
  bool Active = any_of(Shape.cellsIn(Ptr, Bytes), [](const Cell *X) {
    return X->Kind == CellKind::Float && X->active();
  });
  if (Ok && (!Active || !Out.Numbers.empty()))
    return Out;
  Type *F = onlyNumber();
  if (!F)
    return std::nullopt;
  Out = TransferLayout();
  Out.Period = stepOf(F, DL);
  Out.Numbers.push_back({0, F});
  return Out;
}

/// Do the first Bytes bytes end inside of an active number?
bool endsInNumber(MemoryShape &Shape, const Value *Ptr, int64_t Bytes) {
  const Cell *X;
  for (int64_t Off = 0; Off < std::min(Bytes, LargestObject);
       Off += X ? X->Size : 1)
    if (!Shape.layoutAt(Ptr, Off, X))
      return false;
    else if (X && X->Kind == CellKind::Float && X->active() &&
             Off + X->Size > Bytes)
      return true;
  return false;
}

/// What is moved begins inside of a number, or is aligned for narrower ones:
/// this part of the memory is no part of the array that is indexed around it,
/// and nothing is known of it.
bool besideNumbers(ActivityAnalysis &Act, const Value *Ptr,
                   const TransferLayout &L, uint64_t Aligned) {
  MemoryShape &Shape = Act.shape();
  const int64_t Stride = Shape.classOf(Ptr).Stride;
  if (Stride == 0)
    return false;
  // Of bytes no alignment is known, which says nothing.
  const DataLayout &DL = Act.unit().M.getDataLayout();
  if (Aligned > 1 && any_of(L.Numbers, [&](const Run &R) {
        return DL.getABITypeAlign(R.T).value() > Aligned;
      }))
    return true;
  const Cell *First;
  if (!Shape.layoutAt(Ptr, 0, First) || First)
    return false;
  const int64_t At = ((Shape.addressOf(Ptr).Offset % Stride) + Stride) % Stride;
  return any_of(Shape.cellsOverlapping(Ptr, Type::getInt8Ty(Ptr->getContext())),
                [&](const Cell *X) {
                  return X->Kind == CellKind::Float && X->active() &&
                         X->Offset != At && Stride % X->Size == 0;
                });
}

/// Numbers so far apart that may matter: active ones, or none are known.
bool mayMatter(const MemoryClass &C, int64_t Step, const DataLayout &DL) {
  bool Known = false;
  for (const Cell &X : C.Cells)
    if (X.Kind == CellKind::Float && stepOf(X.FloatTy, DL) == Step) {
      if (X.active())
        return true;
      Known = true;
    }
  return !Known;
}

} // namespace

std::optional<TransferLayout> transferLayout(ActivityAnalysis &Act,
                                             const Value *Ptr, int64_t Bytes) {
  return LayoutFinder(Act, Ptr, Bytes).find();
}

bool copiesBesideNumbers(ActivityAnalysis &Act, const CallBase &C) {
  KnownCall K = knownCall(C);
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  int64_t N = MemoryShape::constantSize(Arg(K.Row->C));
  auto L = transferLayout(Act, Arg(K.Row->A), N);
  if (!L)
    return false;
  uint64_t Aligned =
      std::min(C.getParamAlign(0).valueOrOne(), C.getParamAlign(1).valueOrOne())
          .value();
  // What the program says to move is aligned as its parts are, and ends where
  // one of them does.
  auto Narrow = declaredElement(C);
  if (Narrow &&
      mayMatter(Act.shape().classOf(Arg(K.Row->A)),
                static_cast<int64_t>(*Narrow), Act.unit().M.getDataLayout())) {
    Aligned = Aligned == 1 ? *Narrow : std::min(Aligned, *Narrow);
    if (endsInNumber(Act.shape(), Arg(K.Row->A), N))
      return true;
  }
  return besideNumbers(Act, Arg(K.Row->A), *L, Aligned) ||
         besideNumbers(Act, Arg(K.Row->B), *L, Aligned);
}

} // namespace retro
