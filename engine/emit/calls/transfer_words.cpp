// Input: the layout of what is moved. Output: code that visits it word by word,
// straight for few and in loops for many. Copies, fills and their adjoints
// share it, so that all of them mean the same words. A word that one of them
// missed would lose its adjoint.
#include "emit/calls/transfer_words.h"

#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

bool isArray(const TransferLayout &L, ArrayRef<Run> Runs,
             const DataLayout &DL) {
  return L.Period != 0 && Runs.size() == 1 &&
         Runs[0].Repeat * stepOf(Runs[0].T, DL) == L.Period;
}

void forEachWord(IRBuilder<> &B, const TransferLayout &L, ArrayRef<Run> Runs,
                 Value *Bytes, function_ref<void(const Place &)> Body) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  auto I64 = [&](int64_t N) { return B.getInt64(static_cast<uint64_t>(N)); };
  for (const Run &R : Runs) {
    const int64_t Step = stepOf(R.T, DL);
    if (R.Repeat == 0) {
      Value *End = B.CreateAnd(Bytes, I64(-L.Period));
      emitIf(B, B.CreateICmpUGE(B.CreateSub(Bytes, End), I64(Step)),
             [&] { Body({R.T, End}); });
      continue;
    }
    const auto Size =
        static_cast<int64_t>(DL.getTypeStoreSize(R.T).getFixedValue());
    // The last element may come without what fills it up to the next one.
    auto Elements = [&](Value *In) {
      if (Step != Size)
        In = B.CreateAdd(In, I64(Step - Size));
      return B.CreateUDiv(In, I64(Step));
    };
    auto Inner = [&](Value *Start, Value *Count) {
      emitLoop(B, Count, [&](Value *I) { Body({R.T, Start, I}); });
    };
    if (L.Period == 0) {
      if (R.Repeat > MostUnrolled)
        Inner(I64(R.Offset), I64(R.Repeat));
      else
        for (int64_t I = 0; I < R.Repeat; ++I)
          Body({R.T, I64(R.Offset + I * Step)});
      continue;
    }
    if (isArray(L, Runs, DL)) {
      Inner(I64(0), Elements(Bytes));
      continue;
    }
    // The number of periods in which the run begins and has its first word.
    Value *Last = B.CreateSub(Bytes, I64(R.Offset + Size));
    Value *Count =
        B.CreateSelect(B.CreateICmpSLT(Last, I64(0)), I64(0),
                       B.CreateAdd(B.CreateUDiv(Last, I64(L.Period)), I64(1)));
    emitLoop(B, Count, [&](Value *I) {
      Value *Start = B.CreateAdd(B.CreateMul(I, I64(L.Period)), I64(R.Offset));
      if (R.Repeat == 1)
        return Body({R.T, Start});
      Value *Left = Elements(B.CreateSub(Bytes, Start));
      Inner(Start,
            B.CreateBinaryIntrinsic(Intrinsic::umin, Left, I64(R.Repeat)));
    });
  }
}

} // namespace retro
