// Says which loops LLVM can run in vectors and what that costs, and marks loops
// for it. A wrong mark would make LLVM run dependent iterations side by side,
// so who marks has to prove that they are independent.
#include "loops/vector_loop.h"

#include "base/scev.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// The distance between the places that two iterations in a row access, if that
/// is always the same; or null.
const SCEVConstant *stepOf(const Instruction &LoadOrStore, const Loop &L,
                           ScalarEvolution &SE) {
  const Value *Ptr = getLoadStorePointerOperand(&LoadOrStore);
  auto *P = dyn_cast<SCEVAddRecExpr>(scevOf(SE, Ptr));
  return P && P->getLoop() == &L && P->isAffine()
             ? dyn_cast<SCEVConstant>(P->getStepRecurrence(SE))
             : nullptr;
}

uint64_t sizeOf(const Instruction &LoadOrStore) {
  return LoadOrStore.getDataLayout()
      .getTypeStoreSize(getLoadStoreType(&LoadOrStore))
      .getFixedValue();
}

} // namespace

bool isForVectors(const Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return isTriviallyVectorizable(C->getIntrinsicID());
  auto *L = dyn_cast<LoadInst>(&I);
  auto *S = dyn_cast<StoreInst>(&I);
  return !I.getType()->isVectorTy() &&
         (!I.mayReadOrWriteMemory() || (L && L->isSimple()) ||
          (S && S->isSimple()));
}

unsigned lanesOf(unsigned Bits, const TargetTransformInfo &TTI) {
  return static_cast<unsigned>(
      TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue() /
      Bits);
}

InstructionCost vectorCost(const Instruction &I, unsigned Lanes, bool InRow,
                           const TargetTransformInfo &TTI) {
  constexpr auto Kind = TargetTransformInfo::TCK_RecipThroughput;
  InstructionCost Scalar = TTI.getInstructionCost(&I, Kind);
  auto Wide = [&](Type *T) { return FixedVectorType::get(T, Lanes); };
  if (isa<BinaryOperator>(I))
    return TTI.getArithmeticInstrCost(I.getOpcode(), Wide(I.getType()), Kind);
  if (isa<CastInst>(I))
    return TTI.getCastInstrCost(
        I.getOpcode(), Wide(I.getType()), Wide(I.getOperand(0)->getType()),
        TargetTransformInfo::CastContextHint::None, Kind);
  if (isa<LoadInst, StoreInst>(I) && !InRow)
    return Scalar * Lanes + TTI.getScalarizationOverhead(
                                Wide(getLoadStoreType(&I)),
                                APInt::getAllOnes(Lanes), isa<LoadInst>(I),
                                isa<StoreInst>(I), Kind);
  if (auto *C = dyn_cast<IntrinsicInst>(&I)) {
    SmallVector<Type *, 3> Types;
    for (Value *A : C->args())
      Types.push_back(Wide(A->getType()));
    return TTI.getIntrinsicInstrCost(
        IntrinsicCostAttributes(C->getIntrinsicID(), Wide(I.getType()), Types),
        Kind);
  }
  return Scalar;
}

bool isApartInEach(const Instruction &LoadOrStore, const Loop &L,
                   ScalarEvolution &SE) {
  const SCEVConstant *Step = stepOf(LoadOrStore, L, SE);
  return Step && Step->getAPInt().abs().uge(sizeOf(LoadOrStore));
}

bool isInRow(const Instruction &I, const Loop &L, ScalarEvolution &SE) {
  if (!isa<LoadInst, StoreInst>(I))
    return false;
  const SCEVConstant *Step = stepOf(I, L, SE);
  return Step && Step->getAPInt().abs() == sizeOf(I);
}

void runInVectors(ArrayRef<BasicBlock *> Blocks, Instruction &Back,
                  unsigned Lanes) {
  LLVMContext &C = Back.getContext();
  MDNode *Group = MDNode::getDistinct(C, {});
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (isa<LoadInst, StoreInst>(I))
        I.setMetadata(LLVMContext::MD_access_group,
                      uniteAccessGroups(
                          I.getMetadata(LLVMContext::MD_access_group), Group));
  SmallVector<Metadata *> Operands{nullptr};
  if (MDNode *Old = Back.getMetadata(LLVMContext::MD_loop))
    append_range(Operands, drop_begin(Old->operands()));
  Operands.push_back(MDNode::get(
      C,
      {MDString::get(C, "llvm.loop.vectorize.width"),
       ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Lanes))}));
  Operands.push_back(
      MDNode::get(C, {MDString::get(C, "llvm.loop.parallel_accesses"), Group}));
  MDNode *ID = MDNode::getDistinct(C, Operands);
  ID->replaceOperandWith(0, ID);
  Back.setMetadata(LLVMContext::MD_loop, ID);
}

} // namespace retro
