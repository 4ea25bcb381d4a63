// Copies of arrays: the forward pass makes one in front of the nest that reads
// the array, and the reverse pass reads there what the nest read. Both speak of
// places by the pointer to where the first iterations' first load lies in the
// copy, which may not be in it: steps can go down. Without it the reverse pass
// would read what the program has written to the array since. Members of
// ForwardSweep and ReverseSweep (emit/common/).
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "ir/expressions.h"

using namespace llvm;

namespace retro {

/// The bytes of the range, from the least address that is read to behind the
/// greatest; none if the loads are not reached.
void ForwardSweep::copyArray(const LoadInst &First, const ArrayRange &R) {
  const BasicBlock *Before = UF.LI.getLoopFor(R.Nest)->getLoopPreheader();
  IRBuilder<> B(cloned(*Before->getTerminator()));
  Value *Zero = B.getInt64(0), *Runs = B.getTrue();
  auto Number = [&](const SCEV *S) {
    return emitExpression(
        B, S, [&](const Value *V) { return primal(V); },
        [&](const BasicBlock *H) { return primal(UF.loopAt(H).Counter); });
  };
  auto Least = [&](Value *X, Value *Y) {
    return B.CreateBinaryIntrinsic(Intrinsic::smin, X, Y);
  };
  auto Most = [&](Value *X, Value *Y) {
    return B.CreateBinaryIntrinsic(Intrinsic::smax, X, Y);
  };
  Value *Low = Number(R.Apart.front()), *High = Low;
  for (const SCEV *S : drop_begin(R.Apart)) {
    Value *At = Number(S);
    Low = Least(Low, At);
    High = Most(High, At);
  }
  for (auto &[Header, Step] : R.Loops) {
    Value *Trips = primal(UF.loopAt(Header).Trips);
    Runs = B.CreateAnd(Runs, B.CreateICmpSGT(Trips, Zero));
    if (!Step)
      continue;
    Value *Reach = B.CreateMul(Number(Step), B.CreateSub(Trips, B.getInt64(1)));
    Low = B.CreateAdd(Low, Least(Reach, Zero));
    High = B.CreateAdd(High, Most(Reach, Zero));
  }
  Value *Bytes = B.CreateAdd(B.CreateSub(High, Low), B.getInt64(R.Size));
  Bytes = B.CreateSelect(Runs, Bytes, Zero);
  Value *Copy = E.RT.allocate(B, Arena, Bytes, E.R.ownerText(First));
  Value *From =
      B.CreatePtrAdd(primal(R.Base), B.CreateAdd(Number(R.Start), Low));
  B.CreateMemCpy(Copy, Align(16), From, R.Alignment, Bytes);
  store({Item::Copy, &First}, B.CreatePtrAdd(Copy, B.CreateNeg(Low)), B);
}

LoadInst *ReverseSweep::loadFromCopy(const LoadInst &L,
                                     const CopiedLoad &From) {
  auto Number = [&](const SCEV *S) {
    return emitExpression(
        B, S, [&](const Value *V) { return primal(V); },
        [&](const BasicBlock *H) { return counter(H); });
  };
  const ArrayRange &R = P.copyOf(From);
  Value *At = B.CreatePtrAdd(lookup({Item::Copy, From.Of}), Number(From.Apart));
  // The steps of inner loops come last: what does not change is computed in
  // front of them.
  for (auto &[Header, Step] : R.Loops)
    if (Step)
      At = B.CreatePtrAdd(At, B.CreateMul(counter(Header), Number(Step)));
  LoadInst *Again =
      B.CreateAlignedLoad(L.getType(), At, std::min(R.Alignment, Align(16)));
  E.markTapeAccess(Again);
  return Again;
}

} // namespace retro
