// Input: intrinsics for x86 vector registers. Output: operations that are
// known: sums of neighbours, minima, blends, rounding, approximate inverses,
// loads and stores of lanes. An intrinsic that stays has no derivative.
#include "prepare/calls/library_calls.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"

using namespace llvm;

namespace retro {
namespace {

/// In each half of 128 bits, the sums or differences of neighbours of the first
/// operand, then those of the second.
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

/// The first operand where P holds. The second where it does not: where the two
/// are equal, or one is no number.
Value *chosen(IRBuilder<> &B, IntrinsicInst &I, CmpInst::Predicate P) {
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  return B.CreateSelect(B.CreateFCmp(P, L, R), L, R);
}

/// The first operand, rounded as bits of the second one say; null if it is
/// scaled as well.
Value *rounded(IRBuilder<> &B, IntrinsicInst &I) {
  uint64_t Imm = cast<ConstantInt>(I.getOperand(1))->getZExtValue();
  if (Imm >> 4)
    return nullptr;
  static const Intrinsic::ID Ways[] = {Intrinsic::roundeven, Intrinsic::floor,
                                       Intrinsic::ceil, Intrinsic::trunc};
  return B.CreateUnaryIntrinsic(Imm & 4 ? Intrinsic::nearbyint : Ways[Imm & 3],
                                I.getOperand(0));
}

/// X in the lanes whose bit is set in the mask, operand N + 1 of I; operand N
/// in the others.
Value *masked(IRBuilder<> &B, Value *X, const IntrinsicInst &I, unsigned N) {
  Value *Kept = I.getOperand(N), *Mask = I.getOperand(N + 1);
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

/// 1 / x, or 1 / sqrt(x). The processor's result is an approximation of that.
Value *inverse(IRBuilder<> &B, IntrinsicInst &I, bool Root) {
  Value *X = I.getOperand(0);
  if (Root)
    X = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X);
  return B.CreateFDiv(ConstantFP::get(X->getType(), 1), X);
}

/// The lanes whose sign is set.
Value *signs(IRBuilder<> &B, Value *Mask) {
  auto *T = cast<FixedVectorType>(Mask->getType());
  Type *Word = FixedVectorType::get(B.getIntNTy(T->getScalarSizeInBits()),
                                    T->getNumElements());
  return B.CreateICmpSLT(B.CreateBitCast(Mask, Word),
                         Constant::getNullValue(Word));
}

/// The second operand where the sign of the mask is set, else the first.
Value *blended(IRBuilder<> &B, IntrinsicInst &I) {
  auto *T = cast<FixedVectorType>(I.getType());
  if (!T->isFPOrFPVectorTy())
    return nullptr;
  return B.CreateSelect(signs(B, I.getOperand(2)), I.getOperand(1),
                        I.getOperand(0));
}

/// The square root; null if it rounds in an unusual way.
Value *root(IRBuilder<> &B, IntrinsicInst &I) {
  auto *How = dyn_cast<ConstantInt>(I.getOperand(1));
  return How && How->getZExtValue() == 4
             ? B.CreateUnaryIntrinsic(Intrinsic::sqrt, I.getOperand(0))
             : nullptr;
}

/// Differences in the even lanes, sums in the odd ones.
Value *alternating(IRBuilder<> &B, IntrinsicInst &I) {
  auto N =
      static_cast<int>(cast<FixedVectorType>(I.getType())->getNumElements());
  SmallVector<int> Lanes;
  for (int L = 0; L < N; ++L)
    Lanes.push_back(L % 2 ? N + L : L);
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  return B.CreateShuffleVector(B.CreateFSub(L, R), B.CreateFAdd(L, R), Lanes);
}

/// Doubles as floats; zeros in the lanes of a register that none is for.
Value *narrowed(IRBuilder<> &B, IntrinsicInst &I) {
  auto *T = cast<FixedVectorType>(I.getType());
  Value *X = I.getOperand(0);
  const unsigned N = cast<FixedVectorType>(X->getType())->getNumElements();
  Value *Short =
      B.CreateFPTrunc(X, FixedVectorType::get(T->getElementType(), N));
  SmallVector<int> Lanes;
  for (unsigned L = 0; L < T->getNumElements(); ++L)
    Lanes.push_back(static_cast<int>(std::min(L, N)));
  return N == T->getNumElements()
             ? Short
             : B.CreateShuffleVector(
                   Short, Constant::getNullValue(Short->getType()), Lanes);
}

Value *maskedLoad(IRBuilder<> &B, IntrinsicInst &I) {
  return B.CreateMaskedLoad(I.getType(), I.getOperand(0), Align(1),
                            signs(B, I.getOperand(1)),
                            Constant::getNullValue(I.getType()));
}

Value *maskedStore(IRBuilder<> &B, IntrinsicInst &I) {
  return B.CreateMaskedStore(I.getOperand(2), I.getOperand(0), Align(1),
                             signs(B, I.getOperand(1)));
}

/// What lies at a base and multiples of a scale, where the mask's sign is set;
/// null if there are fewer indices than lanes.
Value *gathered(IRBuilder<> &B, IntrinsicInst &I) {
  auto *T = cast<FixedVectorType>(I.getType());
  Value *Index = I.getOperand(2);
  const unsigned N = T->getNumElements();
  if (cast<FixedVectorType>(Index->getType())->getNumElements() < N)
    return nullptr;
  SmallVector<int> Low;
  for (unsigned L = 0; L < N; ++L)
    Low.push_back(static_cast<int>(L));
  Type *Wide = FixedVectorType::get(B.getInt64Ty(), N);
  Value *Offset = B.CreateMul(
      B.CreateSExt(B.CreateShuffleVector(Index, Low), Wide),
      ConstantInt::get(Wide,
                       cast<ConstantInt>(I.getOperand(4))->getZExtValue()));
  Value *Places = B.CreateGEP(B.getInt8Ty(), I.getOperand(1), Offset);
  return B.CreateMaskedGather(T, Places, Align(1), signs(B, I.getOperand(3)),
                              I.getOperand(0));
}

/// Intrinsics of one meaning, for registers of several widths.
struct Row {
  Value *(*Lower)(IRBuilder<> &B, IntrinsicInst &I);
  Intrinsic::ID Ids[8]; ///< what is left of the array is no intrinsic
};

#define LOWER(Expression)                                                      \
  [](IRBuilder<> &B, IntrinsicInst &I) -> Value * { return Expression; }
const Row Rows[] = {
    {LOWER(horizontal(B, I, true)),
     {Intrinsic::x86_sse3_hadd_pd, Intrinsic::x86_sse3_hadd_ps,
      Intrinsic::x86_avx_hadd_pd_256, Intrinsic::x86_avx_hadd_ps_256}},
    {LOWER(horizontal(B, I, false)),
     {Intrinsic::x86_sse3_hsub_pd, Intrinsic::x86_sse3_hsub_ps,
      Intrinsic::x86_avx_hsub_pd_256, Intrinsic::x86_avx_hsub_ps_256}},
    {LOWER(chosen(B, I, CmpInst::FCMP_OLT)),
     {Intrinsic::x86_sse2_min_pd, Intrinsic::x86_sse_min_ps,
      Intrinsic::x86_avx_min_pd_256, Intrinsic::x86_avx_min_ps_256,
      Intrinsic::x86_avx512_min_pd_512, Intrinsic::x86_avx512_min_ps_512}},
    {LOWER(chosen(B, I, CmpInst::FCMP_OGT)),
     {Intrinsic::x86_sse2_max_pd, Intrinsic::x86_sse_max_ps,
      Intrinsic::x86_avx_max_pd_256, Intrinsic::x86_avx_max_ps_256,
      Intrinsic::x86_avx512_max_pd_512, Intrinsic::x86_avx512_max_ps_512}},
    {LOWER(rounded(B, I)),
     {Intrinsic::x86_sse41_round_pd, Intrinsic::x86_sse41_round_ps,
      Intrinsic::x86_avx_round_pd_256, Intrinsic::x86_avx_round_ps_256}},
    {LOWER(masked(B, rounded(B, I), I, 2)),
     {Intrinsic::x86_avx512_mask_rndscale_pd_512,
      Intrinsic::x86_avx512_mask_rndscale_ps_512}},
    {LOWER(inverse(B, I, false)),
     {Intrinsic::x86_sse_rcp_ps, Intrinsic::x86_avx_rcp_ps_256}},
    {LOWER(inverse(B, I, true)),
     {Intrinsic::x86_sse_rsqrt_ps, Intrinsic::x86_avx_rsqrt_ps_256}},
    {LOWER(masked(B, inverse(B, I, false), I, 1)),
     {Intrinsic::x86_avx512_rcp14_pd_512, Intrinsic::x86_avx512_rcp14_ps_512}},
    {LOWER(masked(B, inverse(B, I, true), I, 1)),
     {Intrinsic::x86_avx512_rsqrt14_pd_512,
      Intrinsic::x86_avx512_rsqrt14_ps_512}},
    {root,
     {Intrinsic::x86_avx512_sqrt_pd_512, Intrinsic::x86_avx512_sqrt_ps_512}},
    {blended,
     {Intrinsic::x86_sse41_blendvpd, Intrinsic::x86_sse41_blendvps,
      Intrinsic::x86_avx_blendv_pd_256, Intrinsic::x86_avx_blendv_ps_256}},
    {alternating,
     {Intrinsic::x86_sse3_addsub_pd, Intrinsic::x86_sse3_addsub_ps,
      Intrinsic::x86_avx_addsub_pd_256, Intrinsic::x86_avx_addsub_ps_256}},
    {narrowed,
     {Intrinsic::x86_sse2_cvtpd2ps, Intrinsic::x86_avx_cvt_pd2_ps_256}},
    {maskedLoad,
     {Intrinsic::x86_avx_maskload_pd, Intrinsic::x86_avx_maskload_ps,
      Intrinsic::x86_avx_maskload_pd_256, Intrinsic::x86_avx_maskload_ps_256,
      Intrinsic::x86_avx2_maskload_d, Intrinsic::x86_avx2_maskload_q,
      Intrinsic::x86_avx2_maskload_d_256, Intrinsic::x86_avx2_maskload_q_256}},
    {maskedStore,
     {Intrinsic::x86_avx_maskstore_pd, Intrinsic::x86_avx_maskstore_ps,
      Intrinsic::x86_avx_maskstore_pd_256, Intrinsic::x86_avx_maskstore_ps_256,
      Intrinsic::x86_avx2_maskstore_d, Intrinsic::x86_avx2_maskstore_q,
      Intrinsic::x86_avx2_maskstore_d_256,
      Intrinsic::x86_avx2_maskstore_q_256}},
    {gathered,
     {Intrinsic::x86_avx2_gather_d_pd, Intrinsic::x86_avx2_gather_d_pd_256,
      Intrinsic::x86_avx2_gather_q_pd, Intrinsic::x86_avx2_gather_q_pd_256,
      Intrinsic::x86_avx2_gather_d_ps, Intrinsic::x86_avx2_gather_d_ps_256,
      Intrinsic::x86_avx2_gather_q_ps, Intrinsic::x86_avx2_gather_q_ps_256}},
};
#undef LOWER

} // namespace

/// Does I load or store some lanes of a register?
static bool isOfSomeLanes(const Instruction &I) {
  auto *C = dyn_cast<IntrinsicInst>(&I);
  return C && is_contained({Intrinsic::masked_load, Intrinsic::masked_store,
                            Intrinsic::masked_gather, Intrinsic::masked_scatter,
                            Intrinsic::masked_expandload,
                            Intrinsic::masked_compressstore},
                           C->getIntrinsicID());
}

bool separateMaskedLanes(Function &F) {
  if (none_of(instructions(F), isOfSomeLanes))
    return false;
  // A target that has none of these: LLVM's own pass then writes them as loads
  // and stores of single lanes.
  FunctionAnalysisManager NoTarget;
  NoTarget.registerPass([] { return TargetIRAnalysis(); });
  NoTarget.registerPass([] { return DominatorTreeAnalysis(); });
  NoTarget.registerPass([] { return PassInstrumentationAnalysis(); });
  return !ScalarizeMaskedMemIntrinPass().run(F, NoTarget).areAllPreserved();
}

bool lowerTargetIntrinsic(CallBase &C) {
  auto *I = dyn_cast<IntrinsicInst>(&C);
  if (!I)
    return false;
  auto *R = find_if(Rows, [&](const Row &R) {
    return is_contained(R.Ids, I->getIntrinsicID());
  });
  IRBuilder<> B(I);
  Value *V = R != std::end(Rows) ? R->Lower(B, *I) : nullptr;
  if (!V)
    return false;
  I->replaceAllUsesWith(V);
  I->eraseFromParent();
  return true;
}

} // namespace retro
