// Input: a loop of one block, and pairs of its accesses. Output: code in front
// of the loop that computes the ranges of memory which these access, and
// compares them. A range that is too small would let loops run in vectors whose
// iterations depend on each other.
#include "ranges/access_ranges.h"
#include "base/scev.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace retro {
namespace {

/// For loops with fewer iterations the comparison is taken not to pay.
constexpr uint64_t FewIterations = 64;
/// Nothing overflows where indices, and what they are multiplied by, are within
/// these bounds.
constexpr int64_t MostStride = 1 << 20, MostIndex = int64_t(1) << 40;

} // namespace

std::optional<ScaledIndex> scaledIndexOf(const SCEV *Term) {
  ScaledIndex X{};
  if (auto *Product = dyn_cast<SCEVMulExpr>(Term)) {
    auto *By = dyn_cast<SCEVConstant>(Product->getOperand(0));
    if (!By || Product->getNumOperands() != 2 ||
        By->getAPInt().getSignificantBits() > 32)
      return {};
    X.Scale = By->getAPInt().getSExtValue();
    Term = Product->getOperand(1);
  }
  X.Signed = !isa<SCEVZeroExtendExpr>(Term);
  X.Extended = isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(Term);
  if (X.Extended)
    Term = cast<SCEVCastExpr>(Term)->getOperand();
  auto *Index = dyn_cast<SCEVUnknown>(Term);
  if (!Index || !Index->getType()->isIntegerTy())
    return {};
  X.Index = Index->getValue();
  return X;
}

AccessRanges::AccessRanges(Loop &L, ScalarEvolution &SE,
                           std::function<bool(const LoadInst &)> Written)
    : L(L), SE(SE), Written(std::move(Written)) {}

const std::optional<AccessRanges::Access> &
AccessRanges::find(const Instruction &I) {
  auto [At, New] = Accesses.try_emplace(&I);
  if (New)
    At->second = describe(I);
  return At->second;
}

std::optional<AccessRanges::Access>
AccessRanges::describe(const Instruction &I) {
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > 64)
    return {};
  const Value *Ptr = getLoadStorePointerOperand(&I);
  const SCEV *P = scevOf(SE, Ptr), *Base = SE.getPointerBase(P);
  if (!isa<SCEVUnknown>(Base) || !SE.isAvailableAtLoopEntry(Base, &L))
    return {};
  const SCEV *Offset = SE.removePointerBase(P);
  if (!Offset->getType()->isIntegerTy(64))
    return {};
  Access A{Base, {}};
  A.Offsets.Low = A.Offsets.High = SE.getZero(Offset->getType());
  auto *Sum = dyn_cast<SCEVAddExpr>(Offset);
  for (const SCEV *Term :
       Sum ? Sum->operands() : ArrayRef<const SCEV *>(Offset))
    if (!addTerm(Term, A.Offsets))
      return {};
  A.Offsets.High = SE.getAddExpr(
      A.Offsets.High,
      SE.getStoreSizeOfExpr(Offset->getType(), getLoadStoreType(&I)));
  return A;
}

bool AccessRanges::addTerm(const SCEV *Term, Range &R) {
  if (!SE.isLoopInvariant(Term, &L) && !isa<SCEVAddRecExpr>(Term))
    return addIndex(Term, R);
  const SCEV *First = Term, *Last = Term;
  if (auto *Row = dyn_cast<SCEVAddRecExpr>(Term); Row && Row->getLoop() == &L) {
    auto *Step = dyn_cast<SCEVConstant>(Row->getStepRecurrence(SE));
    if (!Row->isAffine() || !Step)
      return false;
    const SCEV *Taken =
        SE.getNoopOrZeroExtend(SE.getBackedgeTakenCount(&L), Step->getType());
    First = Row->getStart();
    Last = SE.getAddExpr(First, SE.getMulExpr(Step, Taken));
    if (Step->getAPInt().isNegative())
      std::swap(First, Last);
  }
  R.Low = SE.getAddExpr(R.Low, First);
  R.High = SE.getAddExpr(R.High, Last);
  return true;
}

bool AccessRanges::addIndex(const SCEV *Term, Range &R) {
  auto X = scaledIndexOf(Term);
  Instructions Slice;
  if (!X || R.Scale || std::abs(X->Scale) > MostStride ||
      !addSlice(X->Index, Slice))
    return false;
  R.Scale = X->Scale;
  R.Signed = X->Signed;
  R.Indices.insert(X->Index);
  return true;
}

/// Can V be computed before the loop? Then it reads nothing that the loop
/// writes. Slice gets the instructions.
bool AccessRanges::addSlice(Value *V, Instructions &Slice) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || !Slice.insert(I).second)
    return true;
  auto *Load = dyn_cast<LoadInst>(I);
  if (isa<CallBase>(I) || I->mayWriteToMemory() || (Load && Written(*Load)))
    return false;
  if (auto *P = dyn_cast<PHINode>(I))
    return addSlice(P->getIncomingValueForBlock(L.getHeader()), Slice);
  return all_of(I->operands(), [&](Value *O) { return addSlice(O, Slice); });
}

bool AccessRanges::comparable(const Instruction &A, const Instruction &B) {
  const SCEV *Base = find(A) ? find(A)->Base : nullptr;
  return Base && find(B) && find(B)->Base != Base;
}

void AccessRanges::add(const Access &A) {
  std::vector<Range> &All = Arrays[A.Base];
  const Range &R = A.Offsets;
  auto Like = find_if(All, [&](const Range &O) {
    return O.Low == R.Low && O.High == R.High && O.Scale == R.Scale &&
           O.Signed == R.Signed &&
           (!R.Scale || O.Indices[0]->getType() == R.Indices[0]->getType());
  });
  if (Like == All.end())
    All.push_back(R);
  else
    Like->Indices.insert_range(R.Indices);
}

void AccessRanges::compareBoth(const Instruction &A, const Instruction &B) {
  const Access X = *find(A), Y = *find(B);
  add(X);
  add(Y);
  if (!Pairs.contains({Y.Base, X.Base}))
    Pairs.insert({X.Base, Y.Base});
}

/// Emits the offsets that are known before the loop.
bool AccessRanges::expand() {
  SCEVExpander Expand(SE, "range");
  Instruction *At = L.getLoopPreheader()->getTerminator();
  for (auto &[Base, All] : Arrays)
    for (const Range &R : All)
      if (!Expand.isSafeToExpandAt(R.Low, At) ||
          !Expand.isSafeToExpandAt(R.High, At))
        return false;
  for (auto &[Base, All] : Arrays)
    for (Range &R : All) {
      R.From = Expand.expandCodeFor(R.Low, nullptr, At->getIterator());
      R.To = Expand.expandCodeFor(R.High, nullptr, At->getIterator());
    }
  return true;
}

const AccessRanges::Bounds *AccessRanges::boundsOf(const Range &R) const {
  auto Of = find_if(Found, [&](const Bounds &X) {
    return X.Of->Signed == R.Signed &&
           X.Of->Indices.getArrayRef() == R.Indices.getArrayRef();
  });
  return Of == Found.end() ? nullptr : &*Of;
}

/// In the block Look, which is a loop entered from Before, keeps the least and
/// the greatest index that were seen so far.
void AccessRanges::findBounds(const Range &R, ValueToValueMapTy &VM,
                              BasicBlock &Look, BasicBlock &Before) {
  auto *T = cast<IntegerType>(R.Indices[0]->getType());
  const unsigned Bits = T->getBitWidth();
  IRBuilder<> IR(&Look);
  auto Extreme = [&](Intrinsic::ID Of, const APInt &First) {
    PHINode *Yet = PHINode::Create(T, 2, "", Look.begin());
    Value *V = Yet;
    for (Value *Index : R.Indices)
      V = IR.CreateBinaryIntrinsic(Of, V, VM[Index]);
    Yet->addIncoming(ConstantInt::get(T, First), &Before);
    Yet->addIncoming(V, &Look);
    return V;
  };
  Value *Least = R.Signed
                     ? Extreme(Intrinsic::smin, APInt::getSignedMaxValue(Bits))
                     : Extreme(Intrinsic::umin, APInt::getMaxValue(Bits));
  Value *Greatest =
      R.Signed ? Extreme(Intrinsic::smax, APInt::getSignedMinValue(Bits))
               : Extreme(Intrinsic::umax, APInt::getMinValue(Bits));
  Found.push_back({&R, Least, Greatest});
}

/// Makes the loop in the block Look, from Before to Behind, that goes through
/// the indices.
void AccessRanges::lookUp(Value *Taken, BasicBlock &Look, BasicBlock &Before,
                          BasicBlock &Behind) {
  BasicBlock *B = L.getHeader();
  Instructions Slice;
  for (auto &[Base, All] : Arrays)
    for (const Range &R : All)
      for (Value *V : R.Indices)
        addSlice(V, Slice);
  IRBuilder<> IR(&Look);
  IR.SetCurrentDebugLocation(B->getTerminator()->getDebugLoc());
  PHINode *Count = IR.CreatePHI(Taken->getType(), 2, "count");
  ValueToValueMapTy VM;
  for (Instruction &I : *B)
    if (Slice.contains(&I))
      VM[&I] = IR.Insert(I.clone(), I.getName());
  for (Instruction &I : Look) {
    auto *P = dyn_cast<PHINode>(&I);
    if (P && P != Count) {
      P->replaceIncomingBlockWith(L.getLoopPreheader(), &Before);
      P->replaceIncomingBlockWith(B, &Look);
    }
    RemapInstruction(&I, VM, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  }
  for (auto &[Base, All] : Arrays)
    for (const Range &R : All)
      if (R.Scale && !boundsOf(R))
        findBounds(R, VM, Look, Before);
  IR.SetInsertPoint(&Look);
  Count->addIncoming(IR.getInt64(0), &Before);
  Count->addIncoming(IR.CreateAdd(Count, IR.getInt64(1), "", true, true),
                     &Look);
  IR.CreateCondBr(IR.CreateICmpULT(Count, Taken), &Look, &Behind);
}

/// The first and the last address of an array that are accessed. AllInRange
/// becomes false where an index is out of the bounds within which nothing
/// overflows.
std::pair<Value *, Value *>
AccessRanges::rangeOf(const SCEV *Base, IRBuilder<> &IR, Value *&AllInRange) {
  Value *At =
      IR.CreatePtrToInt(cast<SCEVUnknown>(Base)->getValue(), IR.getInt64Ty());
  std::pair<Value *, Value *> All;
  for (const Range &R : Arrays[Base]) {
    Value *From = IR.CreateAdd(At, R.From), *To = IR.CreateAdd(At, R.To);
    if (R.Scale) {
      const Bounds &X = *boundsOf(R);
      Value *Least = IR.CreateIntCast(X.Least, IR.getInt64Ty(), R.Signed);
      Value *Greatest = IR.CreateIntCast(X.Greatest, IR.getInt64Ty(), R.Signed);
      if (X.Least->getType()->getIntegerBitWidth() > 32) {
        AllInRange = IR.CreateAnd(
            AllInRange, IR.CreateICmpSGE(Least, IR.getInt64(-MostIndex)));
        AllInRange = IR.CreateAnd(
            AllInRange, IR.CreateICmpSLE(Greatest, IR.getInt64(MostIndex)));
      }
      if (R.Scale < 0)
        std::swap(Least, Greatest);
      From = IR.CreateAdd(From, IR.CreateMul(Least, IR.getInt64(R.Scale)));
      To = IR.CreateAdd(To, IR.CreateMul(Greatest, IR.getInt64(R.Scale)));
      AllInRange = IR.CreateAnd(AllInRange, IR.CreateICmpULT(From, To));
    }
    All.first = All.first
                    ? IR.CreateBinaryIntrinsic(Intrinsic::umin, From, All.first)
                    : From;
    All.second = All.second
                     ? IR.CreateBinaryIntrinsic(Intrinsic::umax, To, All.second)
                     : To;
  }
  return All;
}

Value *AccessRanges::apart(Value *Taken) {
  if (!expand())
    return nullptr;
  BasicBlock *Entry = L.getLoopPreheader();
  Function &F = *Entry->getParent();
  LLVMContext &C = F.getContext();
  BasicBlock *After = SplitBlock(Entry, Entry->getTerminator());
  BasicBlock *Ask = BasicBlock::Create(C, "ranges", &F, After);
  const bool LooksUp = any_of(Arrays, [](auto &X) {
    return any_of(X.second, [](const Range &R) { return R.Scale; });
  });
  BasicBlock *First = LooksUp ? BasicBlock::Create(C, "look.up", &F, Ask) : Ask;
  Instruction *Old = Entry->getTerminator();
  IRBuilder<> IR(Old);
  Value *Many = IR.CreateICmpUGE(Taken, IR.getInt64(FewIterations - 1));
  IR.CreateCondBr(Many, First, After);
  Old->eraseFromParent();
  if (LooksUp)
    lookUp(Taken, *First, *Entry, *Ask);
  IR.SetInsertPoint(Ask);
  Value *All = IR.getTrue();
  DenseMap<const SCEV *, std::pair<Value *, Value *>> Ranges;
  for (auto &[Base, Unused] : Arrays)
    Ranges[Base] = rangeOf(Base, IR, All);
  for (auto [A, B] : Pairs) {
    auto [BeginA, EndA] = Ranges[A];
    auto [BeginB, EndB] = Ranges[B];
    All = IR.CreateAnd(All, IR.CreateOr(IR.CreateICmpULE(EndA, BeginB),
                                        IR.CreateICmpULE(EndB, BeginA)));
  }
  IR.CreateBr(After);
  IR.SetInsertPoint(After, After->begin());
  PHINode *Apart = IR.CreatePHI(IR.getInt1Ty(), 2, "apart");
  Apart->addIncoming(IR.getFalse(), Entry);
  Apart->addIncoming(All, Ask);
  return Apart;
}

} // namespace retro
