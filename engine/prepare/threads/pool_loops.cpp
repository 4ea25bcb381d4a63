// Input: the serial form of a loop over tbb::blocked_range of integers,
// pointers or iterators of std::vector. Output: the same for a team, in the
// form that OpenMP's loops have, so that all that is known of these holds for
// it: a call of the runtime's with a region, in which each thread gets its
// share and runs the body over that. It is our own runtime's team
// (runtime/pool.c): a program that links oneTBB need not link OpenMP.
#include "prepare/threads/pool_loops.h"

#include "front/known/known_functions.h"
#include "front/known/stand_in_links.h"
#include "front/names/foreign.h"
#include "front/names/runtime.h"
#include "prepare/threads/pool_calls.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

/// From a serial form to that of a team, and from that to its region.
constexpr const char *TeamLink = "retro.team", *RegionLink = "retro.region";
/// What plainCode() has found of a team's form.
constexpr const char *CheckedMark = "retro-team-checked";
/// Of a region, and of its clones.
constexpr const char *RegionMark = "retro-team-region";

/// Where a range has its bounds, and what they are.
struct RangeLayout {
  Type *T = nullptr; ///< of a bound: an integer or a pointer
  uint64_t Begin = 0, End = 0, Bytes = 0;
  bool Signed = false;
  uint64_t Element = 0; ///< bytes, of pointers
};

/// The place in `this` that V is the address of, in a function as the front end
/// wrote it.
std::optional<uint64_t> fieldOf(Value *V, const DataLayout &DL) {
  auto *At = dyn_cast<GEPOperator>(V);
  APInt Offset(64, 0);
  if (!At || !At->accumulateConstantOffset(DL, Offset) ||
      !isa<LoadInst>(At->getPointerOperand()))
    return std::nullopt;
  return Offset.getZExtValue();
}

/// Reads begin < end out of empty().
bool readBounds(Function &Empty, RangeLayout &R) {
  const DataLayout &DL = Empty.getDataLayout();
  auto Take = [&](Value *First, Value *Last) {
    auto Begin = fieldOf(First, DL), End = fieldOf(Last, DL);
    if (Begin && End) {
      R.Begin = *Begin;
      R.End = *End;
    }
    return Begin && End && *Begin != *End;
  };
  for (Instruction &I : instructions(Empty)) {
    if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      auto *A = dyn_cast<LoadInst>(Compare->getOperand(0)),
           *B = dyn_cast<LoadInst>(Compare->getOperand(1));
      R.T = Compare->getOperand(0)->getType();
      R.Signed = Compare->isSigned();
      return Compare->isRelational() && A && B &&
             (Compare->getPredicate() == ICmpInst::ICMP_SLT ||
              Compare->getPredicate() == ICmpInst::ICMP_ULT) &&
             (R.T->isPointerTy() || R.T->isIntegerTy(32) ||
              R.T->isIntegerTy(64)) &&
             Take(A->getPointerOperand(), B->getPointerOperand());
    }
    if (auto *C = dyn_cast<CallBase>(&I); C && !isa<IntrinsicInst>(C)) {
      R.T = PointerType::get(Empty.getContext(), 0);
      return callsA(*C, NameKind::ComparesIterators) && C->arg_size() == 2 &&
             Take(C->getArgOperand(0), C->getArgOperand(1));
    }
  }
  return false;
}

/// By what a difference of addresses is divided in F, or in what it calls.
uint64_t dividedBy(Function &F, unsigned Depth = 0) {
  for (Instruction &I : instructions(F)) {
    if (I.getOpcode() == Instruction::SDiv)
      if (auto *C = dyn_cast<ConstantInt>(I.getOperand(1)))
        return C->getZExtValue();
    if (auto *C = dyn_cast<CallBase>(&I); C && Depth == 0)
      if (Function *G = C->getCalledFunction(); G && !G->isDeclaration())
        if (uint64_t N = dividedBy(*G, 1))
          return N;
  }
  return 0;
}

std::optional<RangeLayout> layoutOf(CallBase &EmptyCall) {
  Function *Empty = EmptyCall.getCalledFunction();
  RangeLayout R;
  if (!Empty || Empty->isDeclaration() ||
      !isA(Empty->getName(), NameKind::PoolRange) || !readBounds(*Empty, R))
    return std::nullopt;
  R.Bytes = Empty->getParamDereferenceableBytes(0);
  if (R.T->isPointerTy()) {
    Function *Size = memberLike(*Empty, "5emptyE", "4sizeE");
    R.Element = Size ? dividedBy(*Size) : 0;
    if (!R.Element)
      return std::nullopt;
  }
  const uint64_t Word =
      Empty->getDataLayout().getTypeStoreSize(R.T).getFixedValue();
  if (std::max(R.Begin, R.End) + Word > R.Bytes)
    return std::nullopt;
  return R;
}

/// Writes the region: void (thread, bound, range, body).
class Region {
public:
  Region(Function &Serial, Function &Body, const RangeLayout &R)
      : Serial(Serial), Body(Body), R(R), B(Serial.getContext()) {}
  Function *make();

private:
  Value *at(Value *Range, uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Range, Offset);
  }
  Value *count(Value *Range);
  Value *bound(Value *First, Value *N);
  void runShare(Value *First, Value *Last);

  Function &Serial, &Body;
  const RangeLayout &R;
  IRBuilder<> B;
  Function *F = nullptr;
};

Value *Region::count(Value *Range) {
  Type *I64 = B.getInt64Ty();
  Value *Begin = B.CreateLoad(R.T, at(Range, R.Begin)),
        *End = B.CreateLoad(R.T, at(Range, R.End));
  if (R.T->isPointerTy())
    return B.CreateExactSDiv(
        B.CreateSub(B.CreatePtrToInt(End, I64), B.CreatePtrToInt(Begin, I64)),
        B.getInt64(R.Element));
  return B.CreateSub(B.CreateIntCast(End, I64, R.Signed),
                     B.CreateIntCast(Begin, I64, R.Signed));
}

Value *Region::bound(Value *First, Value *N) {
  if (R.T->isPointerTy())
    return B.CreateInBoundsGEP(B.getInt8Ty(), First,
                               B.CreateNSWMul(N, B.getInt64(R.Element)));
  return B.CreateAdd(First, B.CreateTrunc(N, R.T), "", false, R.Signed);
}

/// The body over a range of its own, from First to Last.
void Region::runShare(Value *First, Value *Last) {
  Value *Range = F->getArg(2);
  AllocaInst *ShareOf =
      IRBuilder<>(&F->getEntryBlock(), F->getEntryBlock().begin())
          .CreateAlloca(ArrayType::get(B.getInt64Ty(), divideCeil(R.Bytes, 8)));
  B.CreateMemCpy(ShareOf, Align(8), Range, Align(8), R.Bytes);
  Value *Begin = B.CreateLoad(R.T, at(Range, R.Begin));
  B.CreateStore(bound(Begin, First), at(ShareOf, R.Begin));
  B.CreateStore(bound(Begin, B.CreateNSWAdd(Last, B.getInt64(1))),
                at(ShareOf, R.End));
  B.CreateCall(&Body, {F->getArg(3), ShareOf})
      ->setCallingConv(Body.getCallingConv());
}

Function *Region::make() {
  LLVMContext &C = Serial.getContext();
  Type *Ptr = B.getPtrTy(), *I64 = B.getInt64Ty();
  F = Function::Create(
      FunctionType::get(B.getVoidTy(), {Ptr, Ptr, Ptr, Ptr}, false),
      GlobalValue::InternalLinkage, Serial.getName() + ".region",
      Serial.getParent());
  F->addFnAttrs(AttrBuilder(C, Serial.getAttributes().getFnAttrs()));
  if (Serial.hasPersonalityFn())
    F->setPersonalityFn(Serial.getPersonalityFn());
  F->addFnAttr(RegionMark);
  for (unsigned N : {0, 1})
    F->addParamAttr(N, Attribute::NoAlias);
  B.SetInsertPoint(BasicBlock::Create(C, "entry", F));
  Value *First = B.CreateAlloca(I64, nullptr, "first"),
        *Last = B.CreateAlloca(I64, nullptr, "last"),
        *Stride = B.CreateAlloca(I64, nullptr, "stride");
  Value *N = count(F->getArg(2));
  B.CreateStore(B.getInt64(0), First);
  B.CreateStore(B.CreateNSWSub(N, B.getInt64(1)), Last);
  B.CreateStore(B.getInt64(1), Stride);
  callRuntime(B, Rt::pool_share,
              {F->getArg(0), First, Last, Stride, B.getInt64(1)})
      ->setDoesNotThrow();
  Value *Begin = B.CreateLoad(I64, First), *End = B.CreateLoad(I64, Last);
  BasicBlock *Run = BasicBlock::Create(C, "run", F),
             *Out = BasicBlock::Create(C, "out", F);
  B.CreateCondBr(B.CreateICmpSLE(Begin, End), Run, Out);
  B.SetInsertPoint(Run);
  runShare(Begin, End);
  B.CreateBr(Out);
  B.SetInsertPoint(Out);
  B.CreateRetVoid();
  return F;
}

/// Code of which a team of our own threads runs a share like the pool: no order
/// between threads, no memory of a thread, nothing that is not known.
class PlainCode {
public:
  bool holds(const Function &F);

private:
  bool holds(const CallBase &C);
  SmallPtrSet<const Function *, 8> Seen;
};

bool PlainCode::holds(const CallBase &C) {
  const Function *G = C.getCalledFunction();
  if (!G || C.isInlineAsm())
    return false;
  if (G->isIntrinsic())
    return G->getIntrinsicID() != Intrinsic::threadlocal_address;
  if (const Function *Serial = serialForm(*G))
    return holds(*Serial);
  if (!G->isDeclaration())
    return holds(*G);
  const KnownCall K = knownCall(C);
  return K.isPure() || K.isRule() || K.isPlainMemory() ||
         K.Kind == KnownKind::Sincos || K.Kind == KnownKind::Share;
}

bool PlainCode::holds(const Function &F) {
  if (!Seen.insert(&F).second)
    return true;
  return all_of(instructions(F), [&](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return !I.isAtomic() && !I.isVolatile() && (!C || holds(*C));
  });
}

} // namespace

Function *makeTeamForm(Function &Serial, CallBase &Empty, Function &Body) {
  auto Layout = layoutOf(Empty);
  if (!Layout)
    return nullptr;
  Function *R = Region(Serial, Body, *Layout).make();
  Function *F =
      Function::Create(Serial.getFunctionType(), GlobalValue::InternalLinkage,
                       Serial.getName() + ".team", Serial.getParent());
  F->copyAttributesFrom(&Serial);
  LLVMContext &C = F->getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  BasicBlock *Run = BasicBlock::Create(C, "run", F),
             *End = BasicBlock::Create(C, "end", F);
  B.CreateCondBr(B.CreateCall(Empty.getCalledFunction(), {F->getArg(0)}), End,
                 Run);
  B.SetInsertPoint(Run);
  callRuntime(B, Rt::pool_region, {R, F->getArg(0), F->getArg(1)});
  B.CreateBr(End);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  setLink(Serial, TeamLink, F);
  setLink(*F, RegionLink, R);
  return F;
}

Function *teamForm(const Function &Serial) {
  Function *F = linkOf(Serial, TeamLink);
  Function *R = F ? linkOf(*F, RegionLink) : nullptr;
  // Its own library runs the teams of a program that has OpenMP.
  if (!R || !R->doesNotThrow() ||
      any_of(*F->getParent(), [](const Function &G) {
        return isA(G.getName(), NameKind::OpensTeam);
      }))
    return nullptr;
  if (!F->hasFnAttribute(CheckedMark))
    F->addFnAttr(CheckedMark, PlainCode().holds(*R) ? "plain" : "");
  return F->getFnAttribute(CheckedMark).getValueAsString().empty() ? nullptr
                                                                   : F;
}

Function *teamFormOf(const Function &Serial) {
  return linkOf(Serial, TeamLink);
}

bool isTeamRegion(const Function &F) { return F.hasFnAttribute(RegionMark); }

void dropTeamForm(Function &F) {
  if (Function *R = linkOf(F, RegionLink)) {
    F.deleteBody();
    if (R->use_empty())
      R->eraseFromParent();
  }
}

} // namespace retro
