// Input: what a loop nest keeps. Output: how many bytes that is, where the
// numbers of trips are constants. Without it the plan could not tell a tape
// that lies among the variables of a gradient from one that no memory holds.
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

} // namespace

std::optional<uint64_t> constantBytes(const UnitFunction &UF,
                                      const LoopTape &Tape) {
  const DataLayout &DL = UF.F->getDataLayout();
  auto SizeOf = [&](Type *T) { return DL.getTypeAllocSize(T).getFixedValue(); };
  // An array of its own each, and one of the records of each nest.
  SmallVector<std::pair<ArrayRef<const BasicBlock *>, uint64_t>> Arrays;
  SmallVector<std::pair<ArrayRef<const BasicBlock *>, SmallVector<Type *>>>
      Records;
  for (const LoopTape::Field &F : Tape.Fields) {
    if (!F.Interleaved) {
      Arrays.push_back({F.Nest, SizeOf(memoryType(F.Ty))});
      continue;
    }
    auto *Of =
        find_if(Records, [&](auto &X) { return X.first == ArrayRef(F.Nest); });
    if (Of == Records.end())
      Of = &Records.emplace_back(F.Nest, SmallVector<Type *>());
    Of->second.push_back(memoryType(F.Ty));
  }
  for (auto &[Nest, Types] : Records)
    Arrays.push_back(
        {Nest, SizeOf(StructType::get(UF.F->getContext(), Types))});
  uint64_t Sum = 0;
  for (auto &[Nest, Size] : Arrays) {
    std::optional<uint64_t> N = iterationsOf(UF, Nest);
    if (!N)
      return std::nullopt;
    // Each array starts aligned for vectors.
    uint64_t Bytes = SaturatingAdd(SaturatingMultiply(Size, *N), uint64_t(15));
    Sum = SaturatingAdd(Sum, Bytes & ~uint64_t(15));
  }
  return Sum;
}

} // namespace retro
