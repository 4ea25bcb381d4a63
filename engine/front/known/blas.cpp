// Finds the routine and the interface behind a name of BLAS or LAPACK, and the
// operands of a call in canonical form. The routines themselves stand in
// blas.def; a name that is not found here is an unknown function, which is an
// error if anything active reaches it.
#include "front/known/blas.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

#include <array>

using namespace llvm;

namespace retro {
namespace {

using enum BlasSlot;
using enum BlasArray::AccessKind;
using enum BlasArray::FormKind;
using enum BlasRoutine::LibraryKind;
using enum BlasRoutine::ResultKind;

/// An array of N elements along a side, or of as many as Other says, if that is
/// an operand, where the operand Flag chooses it.
BlasArray chosen(BlasSlot S, BlasArray::AccessKind Access,
                 BlasArray::FormKind Form, BlasSlot N, BlasSlot Other,
                 BlasSlot Flag) {
  const bool IsChosen = Other != None;
  return {S, Access, Form, N, IsChosen ? Other : N, IsChosen ? Flag : None};
}
BlasArray vector(BlasSlot S, BlasArray::AccessKind Access, BlasSlot Length,
                 BlasSlot Transposed = None) {
  return chosen(S, Access, Vector, Length, Transposed, TransA);
}
BlasArray matrix(BlasSlot S, BlasArray::AccessKind Access, BlasSlot Rows,
                 BlasSlot Cols, BlasSlot Flag = None) {
  return {S, Access, Matrix, Rows, Cols, Flag};
}
BlasArray square(BlasSlot S, BlasArray::AccessKind Access,
                 BlasArray::FormKind Form, BlasSlot Rows,
                 BlasSlot IfRight = None) {
  return chosen(S, Access, Form, Rows, IfRight, Side);
}
BlasArray pivots(BlasSlot S, BlasArray::AccessKind Access, BlasSlot Rows,
                 BlasSlot Cols) {
  return {S, Access, PivotVector, Rows, Cols, None};
}

#define OPERANDS(...) {__VA_ARGS__}
#define ARRAYS(...) {__VA_ARGS__}

const std::vector<BlasRoutine> &routines() {
  static const std::vector<BlasRoutine> Table = {
#define BLAS_ROUTINE(Id, Name, Library, Result, Operands, Arrays)              \
  {BlasId::Id, Name, Library, Result, Operands, Arrays},
#include "front/known/blas.def"
  };
  return Table;
}

struct Prefixes {
  StringRef Blas, Lapack;
};
const Prefixes CPrefixes =
#define BLAS_PREFIXES(Blas, Lapack) {Blas, Lapack};
#include "front/known/blas.def"

    const BlasHandles LibrariesWithHandles[] = {
#define BLAS_HANDLES(Prefix, Vendor, FromZero) {Prefix, Vendor, FromZero},
#include "front/known/blas.def"
};

} // namespace

const BlasRoutine &blasRoutine(BlasId Id) {
  return routines()[static_cast<size_t>(Id)];
}

const BlasRoutine *blasRoutine(StringRef Name) {
  for (const BlasRoutine &R : routines())
    if (R.Name == Name)
      return &R;
  return nullptr;
}

Type *BlasInterface::number(LLVMContext &C) const {
  return toLower(TypeLetter) == 's' ? Type::getFloatTy(C)
                                    : Type::getDoubleTy(C);
}

Type *BlasInterface::integer(LLVMContext &C) const {
  return Type::getIntNTy(C, Wide ? 64 : 32);
}

bool BlasInterface::hasLayout(const BlasRoutine &R) const {
  return Style == C &&
         any_of(R.Arrays, [](const BlasArray &A) { return A.Form != Vector; });
}

std::string BlasInterface::symbol(const BlasRoutine &R) const {
  StringRef Prefix = Style == Fortran    ? ""
                     : Handles           ? Handles->Prefix
                     : R.Library == Blas ? CPrefixes.Blas
                                         : CPrefixes.Lapack;
  return (Prefix + Twine(TypeLetter) + R.Name + Suffix).str();
}

SmallVector<BlasSlot, 14> BlasInterface::operands(const BlasRoutine &R) const {
  SmallVector<BlasSlot, 14> Out;
  if (Handles)
    Out.push_back(Handle);
  if (hasLayout(R))
    Out.push_back(Layout);
  Out.append(R.Operands.begin(), R.Operands.end());
  return Out;
}

BlasFunction blasFunction(const KnownFunction &Row) {
  BlasFunction F;
  if (Row.Kind != KnownKind::Blas)
    return F;
  // The row's name consists of prefix, letter, routine and suffix.
  auto [Prefix, Suffix] = Row.Name.split(Row.Text);
  F.Routine = blasRoutine(Row.Text);
  F.Interface.TypeLetter = Prefix.back();
  F.Interface.Style =
      Prefix.size() == 1 ? BlasInterface::Fortran : BlasInterface::C;
  for (const BlasHandles &H : LibrariesWithHandles)
    if (Prefix.drop_back() == H.Prefix) {
      F.Interface.Style = BlasInterface::WithHandle;
      F.Interface.Handles = &H;
    }
  F.Interface.Suffix = Suffix;
  F.Interface.Wide = Row.A == 64;
  return F;
}

BlasCall::BlasCall(const CallBase &Call) : C(&Call) {
  KnownCall K = knownCall(Call);
  if (K.Kind == KnownKind::Blas && K.Canonical)
    Function = blasFunction(*K.Row);
}

Value *BlasCall::operand(BlasSlot S) const {
  auto Slots = interface().operands(routine());
  auto It = find(Slots, S);
  return It == Slots.end()
             ? nullptr
             : C->getArgOperand(static_cast<unsigned>(It - Slots.begin()));
}

Type *BlasCall::elementType(const BlasArray &A) const {
  return A.Form == PivotVector ? interface().integer(C->getContext())
                               : number();
}

} // namespace retro
