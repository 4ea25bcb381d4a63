// Input: intrinsics for x86 vector registers. Output: operations that are
// known: sums of neighbours, minima, blends, rounding, approximate inverses,
// loads and stores of lanes. An intrinsic that stays has no derivative.
#include "prepare/targets/target_intrinsics.h"

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

/// The way of rounding that bits say, or nothing if numbers are scaled as well.
std::optional<Intrinsic::ID> wayOf(const Value *Bits) {
  const uint64_t Imm = cast<ConstantInt>(Bits)->getZExtValue();
  static const Intrinsic::ID Ways[] = {Intrinsic::roundeven, Intrinsic::floor,
                                       Intrinsic::ceil, Intrinsic::trunc};
  if (Imm >> 4)
    return std::nullopt;
  return Imm & 4 ? Intrinsic::nearbyint : Ways[Imm & 3];
}

/// The first operand, rounded as bits of the second one say; null if it is
/// scaled as well.
Value *rounded(IRBuilder<> &B, IntrinsicInst &I) {
  auto Way = wayOf(I.getOperand(1));
  return Way ? B.CreateUnaryIntrinsic(*Way, I.getOperand(0)) : nullptr;
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

unsigned lanesOf(const Value *V) {
  return cast<FixedVectorType>(V->getType())->getNumElements();
}

/// Places at a base and multiples of a scale.
Value *places(IRBuilder<> &B, Value *Base, Value *Index, Value *Scale) {
  Type *Wide = FixedVectorType::get(B.getInt64Ty(), lanesOf(Index));
  Value *Offset = B.CreateMul(
      B.CreateSExt(Index, Wide),
      ConstantInt::get(Wide, cast<ConstantInt>(Scale)->getZExtValue()));
  return B.CreateGEP(B.getInt8Ty(), Base, Offset);
}

/// What lies there, where the mask's sign is set; null if there are fewer
/// indices than lanes.
Value *gathered(IRBuilder<> &B, IntrinsicInst &I) {
  const unsigned N = lanesOf(&I);
  SmallVector<int> Low;
  for (unsigned L = 0; L < N; ++L)
    Low.push_back(static_cast<int>(L));
  if (lanesOf(I.getOperand(2)) < N)
    return nullptr;
  Value *Index = B.CreateShuffleVector(I.getOperand(2), Low);
  return B.CreateMaskedGather(
      I.getType(), places(B, I.getOperand(1), Index, I.getOperand(4)), Align(1),
      signs(B, I.getOperand(3)), I.getOperand(0));
}

/// The first operand with X in its first lane.
Value *first(IRBuilder<> &B, IntrinsicInst &I, Value *X) {
  return X ? B.CreateInsertElement(I.getOperand(0), X, uint64_t(0)) : nullptr;
}

Value *firstOf(IRBuilder<> &B, IntrinsicInst &I, unsigned N) {
  return B.CreateExtractElement(I.getOperand(N), uint64_t(0));
}

/// The first lane of the smaller or larger one, as of whole registers.
Value *firstChosen(IRBuilder<> &B, IntrinsicInst &I, CmpInst::Predicate P) {
  Value *L = firstOf(B, I, 0), *R = firstOf(B, I, 1);
  return first(B, I, B.CreateSelect(B.CreateFCmp(P, L, R), L, R));
}

Value *firstRounded(IRBuilder<> &B, IntrinsicInst &I) {
  auto Way = wayOf(I.getOperand(2));
  return first(B, I,
               Way ? B.CreateUnaryIntrinsic(*Way, firstOf(B, I, 1)) : nullptr);
}

Value *firstInverse(IRBuilder<> &B, IntrinsicInst &I, bool Root) {
  Value *X = firstOf(B, I, 0);
  if (Root)
    X = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X);
  return first(B, I, B.CreateFDiv(ConstantFP::get(X->getType(), 1), X));
}

/// The bits of a comparison of the first lanes; null if it is an unusual one.
Value *firstCompared(IRBuilder<> &B, IntrinsicInst &I) {
  static const CmpInst::Predicate Known[] = {
      CmpInst::FCMP_OEQ, CmpInst::FCMP_OLT, CmpInst::FCMP_OLE,
      CmpInst::FCMP_UNO, CmpInst::FCMP_UNE, CmpInst::FCMP_UGE,
      CmpInst::FCMP_UGT, CmpInst::FCMP_ORD};
  const uint64_t Imm = cast<ConstantInt>(I.getOperand(2))->getZExtValue();
  if (Imm >= std::size(Known))
    return nullptr;
  Value *L = firstOf(B, I, 0), *R = firstOf(B, I, 1);
  Type *Word = B.getIntNTy(L->getType()->getScalarSizeInBits());
  return first(
      B, I,
      B.CreateBitCast(B.CreateSExt(B.CreateFCmp(Known[Imm], L, R), Word),
                      L->getType()));
}

/// In each part of 128 bits the sum of products of chosen lanes, in others.
Value *dotProduct(IRBuilder<> &B, IntrinsicInst &I) {
  auto *T = cast<FixedVectorType>(I.getType());
  const uint64_t Imm = cast<ConstantInt>(I.getOperand(2))->getZExtValue();
  const unsigned N = lanesOf(&I), Part = 128 / T->getScalarSizeInBits();
  Value *Products = B.CreateFMul(I.getOperand(0), I.getOperand(1));
  Value *Result = Constant::getNullValue(T);
  for (unsigned From = 0; From < N; From += Part) {
    SmallVector<Value *, 4> Taken;
    for (unsigned L = 0; L < Part; ++L)
      Taken.push_back(Imm >> (4 + L) & 1
                          ? B.CreateExtractElement(Products, uint64_t(From + L))
                          : Constant::getNullValue(T->getElementType()));
    // As the processor adds them: in pairs.
    while (Taken.size() > 1) {
      for (size_t K = 0; K < Taken.size() / 2; ++K)
        Taken[K] = B.CreateFAdd(Taken[2 * K], Taken[2 * K + 1]);
      Taken.resize(Taken.size() / 2);
    }
    for (unsigned L = 0; L < Part; ++L)
      if (Imm >> L & 1)
        Result = B.CreateInsertElement(Result, Taken[0], uint64_t(From + L));
  }
  return Result;
}

/// Is the result rounded to nearest, as everything else is: operand N says so?
bool isUsual(const IntrinsicInst &I, unsigned N) {
  auto *How = dyn_cast<ConstantInt>(I.getOperand(N));
  return How && (How->getZExtValue() == 4 || How->getZExtValue() == 8);
}

Value *arithmetic(IRBuilder<> &B, IntrinsicInst &I, Instruction::BinaryOps Op) {
  return isUsual(I, 2) ? B.CreateBinOp(Op, I.getOperand(0), I.getOperand(1))
                       : nullptr;
}

Value *fusedSum(IRBuilder<> &B, IntrinsicInst &I) {
  return isUsual(I, 3) ? B.CreateIntrinsic(I.getType(), Intrinsic::fma,
                                           {I.getOperand(0), I.getOperand(1),
                                            I.getOperand(2)})
                       : nullptr;
}

/// Products, with differences in the even lanes and sums in the odd ones.
Value *fusedAlternating(IRBuilder<> &B, IntrinsicInst &I) {
  if (I.arg_size() > 3 && !isUsual(I, 3))
    return nullptr;
  SmallVector<int> Lanes;
  const auto N = static_cast<int>(lanesOf(&I));
  for (int L = 0; L < N; ++L)
    Lanes.push_back(L % 2 ? L : N + L);
  Value *C = B.CreateShuffleVector(I.getOperand(2),
                                   B.CreateFNeg(I.getOperand(2)), Lanes);
  return B.CreateIntrinsic(I.getType(), Intrinsic::fma,
                           {I.getOperand(0), I.getOperand(1), C});
}

/// Lanes of X, each chosen by bits of an index from its lane's Part, or from
/// all of X.
Value *permuted(IRBuilder<> &B, Value *X, Value *Index, unsigned Part,
                unsigned Shift) {
  auto *T = cast<FixedVectorType>(X->getType());
  auto *Of = FixedVectorType::get(T->getElementType(), lanesOf(Index));
  Value *Result = PoisonValue::get(Of);
  for (unsigned L = 0; L < lanesOf(Index); ++L) {
    Value *At = B.CreateZExtOrTrunc(B.CreateExtractElement(Index, uint64_t(L)),
                                    B.getInt64Ty());
    At = B.CreateAnd(B.CreateLShr(At, Shift), Part - 1);
    if (Part < lanesOf(X))
      At = B.CreateAdd(At, B.getInt64(L / Part * Part));
    Result = B.CreateInsertElement(Result, B.CreateExtractElement(X, At),
                                   uint64_t(L));
  }
  return Result;
}

/// Lanes of the first operand and the third one, side by side.
Value *permutedOfTwo(IRBuilder<> &B, IntrinsicInst &I) {
  SmallVector<int> All;
  for (unsigned L = 0; L < 2 * lanesOf(&I); ++L)
    All.push_back(static_cast<int>(L));
  Value *Joined = B.CreateShuffleVector(I.getOperand(0), I.getOperand(2), All);
  return permuted(B, Joined, I.getOperand(1), lanesOf(Joined), 0);
}

Value *gatheredByMask(IRBuilder<> &B, IntrinsicInst &I) {
  return B.CreateMaskedGather(
      I.getType(), places(B, I.getOperand(1), I.getOperand(2), I.getOperand(4)),
      Align(1), I.getOperand(3), I.getOperand(0));
}

Value *scatteredByMask(IRBuilder<> &B, IntrinsicInst &I) {
  return B.CreateMaskedScatter(
      I.getOperand(3),
      places(B, I.getOperand(0), I.getOperand(2), I.getOperand(4)), Align(1),
      I.getOperand(1));
}

/// Floats as the bits of numbers of 16 bits, in the lower lanes.
Value *halved(IRBuilder<> &B, IntrinsicInst &I) {
  const uint64_t How = cast<ConstantInt>(I.getOperand(1))->getZExtValue();
  if (How != 0 && How != 4)
    return nullptr;
  const unsigned N = lanesOf(I.getOperand(0)), All = lanesOf(&I);
  Value *Bits = B.CreateBitCast(
      B.CreateFPTrunc(I.getOperand(0), FixedVectorType::get(B.getHalfTy(), N)),
      FixedVectorType::get(B.getInt16Ty(), N));
  SmallVector<int> Lanes;
  for (unsigned L = 0; L < All; ++L)
    Lanes.push_back(static_cast<int>(std::min(L, N)));
  return N == All ? Bits
                  : B.CreateShuffleVector(
                        Bits, Constant::getNullValue(Bits->getType()), Lanes);
}

/// Intrinsics of one meaning, for registers of several widths.
struct Row {
  Value *(*Lower)(IRBuilder<> &B, IntrinsicInst &I);
  Intrinsic::ID Ids[12]; ///< what is left of the array is no intrinsic
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
    {LOWER(firstChosen(B, I, CmpInst::FCMP_OLT)),
     {Intrinsic::x86_sse2_min_sd, Intrinsic::x86_sse_min_ss}},
    {LOWER(firstChosen(B, I, CmpInst::FCMP_OGT)),
     {Intrinsic::x86_sse2_max_sd, Intrinsic::x86_sse_max_ss}},
    {firstRounded,
     {Intrinsic::x86_sse41_round_sd, Intrinsic::x86_sse41_round_ss}},
    {LOWER(firstInverse(B, I, false)), {Intrinsic::x86_sse_rcp_ss}},
    {LOWER(firstInverse(B, I, true)), {Intrinsic::x86_sse_rsqrt_ss}},
    {LOWER(first(B, I, B.CreateFPTrunc(firstOf(B, I, 1), B.getFloatTy()))),
     {Intrinsic::x86_sse2_cvtsd2ss}},
    {firstCompared, {Intrinsic::x86_sse2_cmp_sd, Intrinsic::x86_sse_cmp_ss}},
    {dotProduct,
     {Intrinsic::x86_sse41_dppd, Intrinsic::x86_sse41_dpps,
      Intrinsic::x86_avx_dp_ps_256}},
    {LOWER(arithmetic(B, I, Instruction::FAdd)),
     {Intrinsic::x86_avx512_add_pd_512, Intrinsic::x86_avx512_add_ps_512}},
    {LOWER(arithmetic(B, I, Instruction::FSub)),
     {Intrinsic::x86_avx512_sub_pd_512, Intrinsic::x86_avx512_sub_ps_512}},
    {LOWER(arithmetic(B, I, Instruction::FMul)),
     {Intrinsic::x86_avx512_mul_pd_512, Intrinsic::x86_avx512_mul_ps_512}},
    {LOWER(arithmetic(B, I, Instruction::FDiv)),
     {Intrinsic::x86_avx512_div_pd_512, Intrinsic::x86_avx512_div_ps_512}},
    {fusedSum,
     {Intrinsic::x86_avx512_vfmadd_pd_512,
      Intrinsic::x86_avx512_vfmadd_ps_512}},
    {fusedAlternating,
     {Intrinsic::x86_fma_vfmaddsub_pd, Intrinsic::x86_fma_vfmaddsub_ps,
      Intrinsic::x86_fma_vfmaddsub_pd_256, Intrinsic::x86_fma_vfmaddsub_ps_256,
      Intrinsic::x86_avx512_vfmaddsub_pd_512,
      Intrinsic::x86_avx512_vfmaddsub_ps_512}},
    {LOWER(permuted(B, I.getOperand(0), I.getOperand(1), lanesOf(&I), 0)),
     {Intrinsic::x86_avx2_permps, Intrinsic::x86_avx512_permvar_df_256,
      Intrinsic::x86_avx512_permvar_df_512,
      Intrinsic::x86_avx512_permvar_sf_512}},
    {LOWER(permuted(B, I.getOperand(0), I.getOperand(1), 2, 1)),
     {Intrinsic::x86_avx_vpermilvar_pd, Intrinsic::x86_avx_vpermilvar_pd_256,
      Intrinsic::x86_avx512_vpermilvar_pd_512}},
    {LOWER(permuted(B, I.getOperand(0), I.getOperand(1), 4, 0)),
     {Intrinsic::x86_avx_vpermilvar_ps, Intrinsic::x86_avx_vpermilvar_ps_256,
      Intrinsic::x86_avx512_vpermilvar_ps_512}},
    {permutedOfTwo,
     {Intrinsic::x86_avx512_vpermi2var_pd_128,
      Intrinsic::x86_avx512_vpermi2var_pd_256,
      Intrinsic::x86_avx512_vpermi2var_pd_512,
      Intrinsic::x86_avx512_vpermi2var_ps_128,
      Intrinsic::x86_avx512_vpermi2var_ps_256,
      Intrinsic::x86_avx512_vpermi2var_ps_512}},
    {gatheredByMask,
     {Intrinsic::x86_avx512_mask_gather_dpd_512,
      Intrinsic::x86_avx512_mask_gather_qpd_512,
      Intrinsic::x86_avx512_mask_gather_dps_512}},
    {scatteredByMask,
     {Intrinsic::x86_avx512_mask_scatter_dpd_512,
      Intrinsic::x86_avx512_mask_scatter_qpd_512,
      Intrinsic::x86_avx512_mask_scatter_dps_512}},
    {LOWER(isUsual(I, 3) ? masked(B, narrowed(B, I), I, 1) : nullptr),
     {Intrinsic::x86_avx512_mask_cvtpd2ps_512}},
    {halved, {Intrinsic::x86_vcvtps2ph_128, Intrinsic::x86_vcvtps2ph_256}},
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
