// Operations of x86 vector registers that have a meaning of their own in the
// compiler become operations that are known: sums of neighbours, minima,
// blends, rounding and approximate inverses.
#include "prepare/calls/library_calls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace retro {
namespace {

/// Sums or differences of neighbours, in each half of 128 bits: those of A,
/// then those of B.
Value *horizontal(IRBuilder<> &B, IntrinsicInst &I, bool Add) {
  auto *T = cast<FixedVectorType>(I.getType());
  int N = static_cast<int>(T->getNumElements());
  int Half = 128 / static_cast<int>(T->getScalarSizeInBits());
  SmallVector<int> Even, Odd;
  for (int Base = 0; Base < N; Base += Half)
    for (int From : {0, N})
      for (int L = 0; L < Half; L += 2) {
        Even.push_back(From + Base + L);
        Odd.push_back(From + Base + L + 1);
      }
  Value *L = B.CreateShuffleVector(I.getOperand(0), I.getOperand(1), Even);
  Value *R = B.CreateShuffleVector(I.getOperand(0), I.getOperand(1), Odd);
  return Add ? B.CreateFAdd(L, R) : B.CreateFSub(L, R);
}

/// The second operand where the two are equal or one is no number.
Value *chosen(IRBuilder<> &B, IntrinsicInst &I, CmpInst::Predicate P) {
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  return B.CreateSelect(B.CreateFCmp(P, L, R), L, R);
}

/// Bits of the immediate operand say how; null if it also scales.
Value *rounded(IRBuilder<> &B, Value *X, const Value *How) {
  uint64_t Imm = cast<ConstantInt>(How)->getZExtValue();
  if (Imm >> 4)
    return nullptr;
  static const Intrinsic::ID Ways[] = {Intrinsic::roundeven, Intrinsic::floor,
                                       Intrinsic::ceil, Intrinsic::trunc};
  return B.CreateUnaryIntrinsic(Imm & 4 ? Intrinsic::nearbyint : Ways[Imm & 3],
                                X);
}

/// Lanes whose bit in Mask is not set are those of Kept.
Value *masked(IRBuilder<> &B, Value *X, Value *Kept, Value *Mask) {
  auto *C = dyn_cast<Constant>(Mask);
  if (!X || (C && C->isAllOnesValue()))
    return X;
  unsigned Lanes = cast<FixedVectorType>(X->getType())->getNumElements();
  if (Mask->getType()->getIntegerBitWidth() != Lanes)
    return nullptr;
  Value *Bits =
      B.CreateBitCast(Mask, FixedVectorType::get(B.getInt1Ty(), Lanes));
  return B.CreateSelect(Bits, X, Kept);
}

Value *inverse(IRBuilder<> &B, Value *X, bool Root) {
  if (Root)
    X = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X);
  return B.CreateFDiv(ConstantFP::get(X->getType(), 1), X);
}

/// B where the sign of the mask is set.
Value *blended(IRBuilder<> &B, IntrinsicInst &I) {
  auto *T = cast<FixedVectorType>(I.getType());
  if (!T->isFPOrFPVectorTy())
    return nullptr;
  Type *Word = FixedVectorType::get(B.getIntNTy(T->getScalarSizeInBits()),
                                    T->getNumElements());
  Value *Sign = B.CreateBitCast(I.getOperand(2), Word);
  return B.CreateSelect(B.CreateICmpSLT(Sign, Constant::getNullValue(Word)),
                        I.getOperand(1), I.getOperand(0));
}

/// With the rounding that is usual?
bool roundsAsUsual(const IntrinsicInst &I, unsigned N) {
  auto *C = dyn_cast<ConstantInt>(I.getOperand(N));
  return C && C->getZExtValue() == 4;
}

Value *lowered(IRBuilder<> &B, IntrinsicInst &I) {
  Value *X = I.arg_size() ? I.getOperand(0) : nullptr;
  switch (I.getIntrinsicID()) {
  case Intrinsic::x86_sse3_hadd_pd:
  case Intrinsic::x86_sse3_hadd_ps:
  case Intrinsic::x86_avx_hadd_pd_256:
  case Intrinsic::x86_avx_hadd_ps_256:
    return horizontal(B, I, true);
  case Intrinsic::x86_sse3_hsub_pd:
  case Intrinsic::x86_sse3_hsub_ps:
  case Intrinsic::x86_avx_hsub_pd_256:
  case Intrinsic::x86_avx_hsub_ps_256:
    return horizontal(B, I, false);
  case Intrinsic::x86_sse2_min_pd:
  case Intrinsic::x86_sse_min_ps:
  case Intrinsic::x86_avx_min_pd_256:
  case Intrinsic::x86_avx_min_ps_256:
  case Intrinsic::x86_avx512_min_pd_512:
  case Intrinsic::x86_avx512_min_ps_512:
    return chosen(B, I, CmpInst::FCMP_OLT);
  case Intrinsic::x86_sse2_max_pd:
  case Intrinsic::x86_sse_max_ps:
  case Intrinsic::x86_avx_max_pd_256:
  case Intrinsic::x86_avx_max_ps_256:
  case Intrinsic::x86_avx512_max_pd_512:
  case Intrinsic::x86_avx512_max_ps_512:
    return chosen(B, I, CmpInst::FCMP_OGT);
  case Intrinsic::x86_sse41_round_pd:
  case Intrinsic::x86_sse41_round_ps:
  case Intrinsic::x86_avx_round_pd_256:
  case Intrinsic::x86_avx_round_ps_256:
    return rounded(B, X, I.getOperand(1));
  case Intrinsic::x86_avx512_mask_rndscale_pd_512:
  case Intrinsic::x86_avx512_mask_rndscale_ps_512:
    return masked(B, rounded(B, X, I.getOperand(1)), I.getOperand(2),
                  I.getOperand(3));
  case Intrinsic::x86_sse_rcp_ps:
  case Intrinsic::x86_avx_rcp_ps_256:
    return inverse(B, X, false);
  case Intrinsic::x86_sse_rsqrt_ps:
  case Intrinsic::x86_avx_rsqrt_ps_256:
    return inverse(B, X, true);
  case Intrinsic::x86_avx512_rcp14_pd_512:
  case Intrinsic::x86_avx512_rcp14_ps_512:
    return masked(B, inverse(B, X, false), I.getOperand(1), I.getOperand(2));
  case Intrinsic::x86_avx512_rsqrt14_pd_512:
  case Intrinsic::x86_avx512_rsqrt14_ps_512:
    return masked(B, inverse(B, X, true), I.getOperand(1), I.getOperand(2));
  case Intrinsic::x86_avx512_sqrt_pd_512:
  case Intrinsic::x86_avx512_sqrt_ps_512:
    return roundsAsUsual(I, 1) ? B.CreateUnaryIntrinsic(Intrinsic::sqrt, X)
                               : nullptr;
  case Intrinsic::x86_sse41_blendvpd:
  case Intrinsic::x86_sse41_blendvps:
  case Intrinsic::x86_avx_blendv_pd_256:
  case Intrinsic::x86_avx_blendv_ps_256:
    return blended(B, I);
  default:
    return nullptr;
  }
}

} // namespace

bool lowerTargetIntrinsic(CallBase &C) {
  auto *I = dyn_cast<IntrinsicInst>(&C);
  if (!I)
    return false;
  IRBuilder<> B(I);
  Value *V = lowered(B, *I);
  if (!V)
    return false;
  I->replaceAllUsesWith(V);
  I->eraseFromParent();
  return true;
}

} // namespace retro
