// Input: what a loop nest keeps. Output: the arrays that it takes, and how many
// bytes these are where the numbers of trips are constants. Without it the plan
// could not tell a tape that lies among the variables of a gradient from one
// that no memory holds, and the passes could place values differently.
#include "facts/loops/tape_bytes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace retro {
namespace {

/// How often the innermost of the loops is run through.
std::optional<uint64_t> iterationsOf(const UnitFunction &UF,
                                     ArrayRef<const BasicBlock *> Nest) {
  uint64_t All = 1;
  for (const BasicBlock *H : Nest) {
    Value *Trips = UF.loopAt(H).Trips;
    auto *N = dyn_cast_or_null<ConstantInt>(Trips);
    if (!N)
      return std::nullopt;
    All = SaturatingMultiply(All, N->getZExtValue());
  }
  return All;
}

/// The element of the nest's fields that lie side by side.
StructType *recordOf(const LoopTape &Tape, ArrayRef<const BasicBlock *> Nest,
                     LLVMContext &C) {
  SmallVector<Type *> Types;
  for (const LoopTape::Field &F : Tape.Fields)
    if (F.Interleaved && ArrayRef(F.Nest) == Nest)
      Types.push_back(memoryType(F.Ty));
  return StructType::get(C, Types);
}

} // namespace

TapeArrays arraysOf(const LoopTape &Tape, const DataLayout &DL,
                    function_ref<uint64_t(Type *)> SizeOf) {
  struct Record {
    ArrayRef<const BasicBlock *> Nest;
    StructType *T;
    unsigned Array, Next = 0;
  };
  SmallVector<Record, 1> Records;
  TapeArrays A;
  for (const LoopTape::Field &F : Tape.Fields) {
    const auto Number = static_cast<unsigned>(A.Arrays.size());
    if (!F.Interleaved) {
      A.Arrays.push_back({F.Nest, SizeOf(memoryType(F.Ty))});
      A.Fields.push_back({Number, 0});
      continue;
    }
    auto *R = find_if(
        Records, [&](const Record &X) { return X.Nest == ArrayRef(F.Nest); });
    if (R == Records.end()) {
      StructType *T = recordOf(Tape, F.Nest, F.Ty->getContext());
      A.Arrays.push_back({F.Nest, DL.getTypeAllocSize(T)});
      Records.push_back({F.Nest, T, Number});
      R = std::prev(Records.end());
    }
    A.Fields.push_back(
        {R->Array, DL.getStructLayout(R->T)->getElementOffset(R->Next++)});
  }
  return A;
}

std::optional<uint64_t> constantBytes(const UnitFunction &UF,
                                      const LoopTape &Tape) {
  const DataLayout &DL = UF.F->getDataLayout();
  const TapeArrays All = arraysOf(Tape, DL, [&](Type *T) {
    return DL.getTypeAllocSize(T).getFixedValue();
  });
  uint64_t Sum = 0;
  for (const TapeArrays::Array &A : All.Arrays) {
    std::optional<uint64_t> N = iterationsOf(UF, A.Nest);
    if (!N)
      return std::nullopt;
    const uint64_t Bytes =
        SaturatingAdd(SaturatingMultiply(A.Step, *N), TapeArrayAlign - 1);
    Sum = SaturatingAdd(Sum, Bytes & ~(TapeArrayAlign - 1));
  }
  return Sum;
}

} // namespace retro
