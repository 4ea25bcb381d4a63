// Input: integers and addresses of device code. Output: polynomials in what
// differs between threads and in what does not. Proofs about races rest on
// them: a wrong term is a race in the derivative.
#include "facts/threads/thread_terms.h"

#include "facts/parallel/device.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace retro {
namespace {

constexpr unsigned MaxDepth = 32;

Polynomial unknown() {
  return Polynomial(int64_t(1) << 40) * Polynomial(int64_t(1) << 40);
}

std::string nameOf(const Value *V) {
  std::string Text = V->getName().str();
  if (auto *C = dyn_cast<CallBase>(V); C && C->getCalledFunction())
    Text = C->getCalledFunction()->getName().str();
  return Text;
}

} // namespace

ThreadTerms::ThreadTerms(Unit &U, const Request &Req) : U(U), Req(Req) {
  CallBase *Call = Req.Call;
  for (Function *F = Call->getFunction();; F = Call->getFunction()) {
    Chain.push_back(F);
    if (isKernel(*F))
      break;
    auto *Only = F->hasLocalLinkage() && F->hasOneUse()
                     ? dyn_cast<CallBase>(F->use_begin()->getUser())
                     : nullptr;
    if (!Only || Only->getCalledFunction() != F || Chain.size() > 8) {
      Chain.clear();
      return;
    }
    CallOf[F] = Call = Only;
  }
  Call = Req.Call;
  for (Function *F : Chain) {
    DominatorTree DT(*F);
    conditionsAt(*Call, DT, Known);
    SmallVector<BasicBlock *> After(successors(Call->getParent()));
    Once &= After.empty() || !isPotentiallyReachableFromMany(
                                 After, Call->getParent(), nullptr, &DT);
    Call = CallOf.lookup(F);
  }
}

/// The value that a parameter has, or null: it may have several.
const Value *ThreadTerms::given(const Value *V, bool Shadow) const {
  auto *A = dyn_cast<Argument>(V);
  if (!A || Chain.empty())
    return nullptr;
  const Function *F = A->getParent();
  if (F == U.root().F) {
    if (A->getArgNo() >= Req.Args.size())
      return nullptr;
    const BoundArgument &B = Req.Args[A->getArgNo()];
    if (!Shadow)
      return B.Primal;
    return B.Shadows.size() == 1 ? B.Shadows[0] : nullptr;
  }
  if (const CallBase *C = CallOf.lookup(F))
    return C->getArgOperand(A->getArgNo());
  if (!U.find(F))
    return nullptr;
  const CallBase *Only = nullptr;
  for (const User *X : F->users())
    if (auto *C = dyn_cast<CallBase>(X); C && U.find(C->getFunction())) {
      if (Only)
        return nullptr;
      Only = C;
    }
  if (!Only || U.callee(*Only) != U.find(F) ||
      U.find(Only->getFunction())->LI.getLoopFor(Only->getParent()))
    return nullptr;
  return Only->getArgOperand(A->getArgNo());
}

const Argument *ThreadTerms::kernelArgument(const Value *V) const {
  auto *A = dyn_cast<Argument>(V);
  return A && !Chain.empty() && A->getParent() == Chain.back() ? A : nullptr;
}

/// The pointer behind casts, parameters and the variables of -O0.
const Value *ThreadTerms::strip(const Value *Ptr, bool Shadow) const {
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
    const Value *Next = nullptr;
    if (auto *O = dyn_cast<Operator>(Ptr);
        O && (isa<BitCastOperator, AddrSpaceCastOperator>(O) ||
              O->getOpcode() == Instruction::PtrToInt ||
              O->getOpcode() == Instruction::IntToPtr))
      Next = O->getOperand(0);
    else if (isa<FreezeInst>(Ptr))
      Next = cast<FreezeInst>(Ptr)->getOperand(0);
    else if (isa<LoadInst>(Ptr))
      Next = argumentBehind(Ptr);
    else
      Next = given(Ptr, Shadow);
    if (!Next)
      return Ptr;
    Ptr = Next;
  }
  return Ptr;
}

/// Is this memory that holds the same in all threads, and is only read?
bool ThreadTerms::isUniformMemory(const Value *Base) const {
  if (auto *G = dyn_cast<GlobalVariable>(Base))
    return G->isConstant() || isConstantSpace(G->getAddressSpace());
  auto *Alloca = dyn_cast<AllocaInst>(Base);
  const Argument *A = kernelArgument(Base);
  if (!Alloca && !(A && (A->hasByValAttr() || A->hasByRefAttr())))
    return false;
  SmallVector<const Value *> Work{Base};
  SmallPtrSet<const Value *, 8> Seen;
  const MemCpyInst *From = nullptr;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const Use &X : V->uses()) {
      auto *I = dyn_cast<Instruction>(X.getUser());
      if (isa<AddrSpaceCastOperator, GEPOperator, PtrToIntOperator>(
              X.getUser()) ||
          isa<IntToPtrInst, BitCastInst>(X.getUser())) {
        Work.push_back(X.getUser());
        continue;
      }
      if (!I || Seen.size() > 256)
        return false;
      if (isa<LifetimeIntrinsic>(I) ||
          (isa<LoadInst>(I) && !cast<LoadInst>(I)->isVolatile()))
        continue;
      if (auto *C = dyn_cast<MemCpyInst>(I)) {
        if (X.getOperandNo() == 1)
          continue;
        if (From || !Alloca || C->getRawDest()->stripPointerCasts() != Alloca)
          return false;
        From = C;
        continue;
      }
      if (I != Req.Call)
        return false;
      for (unsigned N = 0; N < Req.Args.size(); ++N) {
        if (is_contained(Req.Args[N].Shadows, V))
          return false;
        if (Req.Args[N].Primal == V && N < U.root().F->arg_size())
          Work.push_back(U.root().F->getArg(N));
      }
    }
  }
  if (A)
    return true;
  const Value *Source = From ? strip(From->getRawSource(), false) : nullptr;
  const Argument *S = Source ? kernelArgument(Source) : nullptr;
  return S && (S->hasByRefAttr() || S->hasByValAttr());
}

bool ThreadTerms::isUniform(const Value *V, unsigned Depth) {
  if (isa<Constant>(V) || kernelArgument(V))
    return true;
  if (Depth > 8)
    return false;
  if (const Value *G = given(V, false))
    return isUniform(G, Depth + 1);
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (auto *C = dyn_cast<IntrinsicInst>(I))
    return isLaunchSize(C->getIntrinsicID());
  if (auto *L = dyn_cast<LoadInst>(I)) {
    const Value *P = L->getPointerOperand();
    while (auto *G = dyn_cast<GEPOperator>(P)) {
      if (!all_of(G->indices(),
                  [&](const Value *N) { return isUniform(N, Depth + 1); }))
        return false;
      P = G->getPointerOperand();
    }
    P = strip(P, false);
    if (auto *C = dyn_cast<IntrinsicInst>(P))
      return isLaunchSize(C->getIntrinsicID());
    return !L->isVolatile() && !L->isAtomic() && isUniformMemory(P);
  }
  if (I->mayReadOrWriteMemory() || isa<PHINode, AllocaInst, CallBase>(I))
    return false;
  return all_of(I->operands(),
                [&](const Value *O) { return isUniform(O, Depth + 1); });
}

/// Where an address begins, which is followed through the calls; null if Add,
/// which is given each step of the way, cannot add one up.
const Value *
ThreadTerms::baseOf(const Value *Ptr, bool Shadow,
                    function_ref<bool(const GEPOperator &)> Add) const {
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
    auto *G = dyn_cast<GEPOperator>(Ptr);
    if (G && !Add(*G))
      return nullptr;
    const Value *Next = G ? G->getPointerOperand() : strip(Ptr, Shadow);
    if (Next == Ptr)
      break;
    Ptr = Next;
  }
  return Ptr;
}

/// Loads of one place are one variable.
std::optional<Polynomial> ThreadTerms::loadOfUniform(const LoadInst &L) {
  const DataLayout &DL = L.getDataLayout();
  int64_t Offset = 0;
  const Value *Base =
      baseOf(L.getPointerOperand(), false, [&](const GEPOperator &G) {
        APInt At(DL.getIndexTypeSizeInBits(G.getType()), 0);
        if (!G.accumulateConstantOffset(DL, At))
          return false;
        Offset += At.getSExtValue();
        return true;
      });
  if (!Base)
    return std::nullopt;
  auto [It, New] = Loads.try_emplace({Base, Offset, L.getType()}, 0);
  if (New) {
    Variable X;
    X.Name = nameOf(&L);
    X.Uniform = true;
    ConstantRange R = computeConstantRange(&L, /*ForSigned=*/true);
    if (R.getBitWidth() <= 32) {
      X.Low = R.getSignedMin().getSExtValue();
      X.High = R.getSignedMax().getSExtValue();
    }
    It->second = variable(X);
  }
  return Polynomial::variable(It->second);
}

/// Does V read a number of the thread that never changes, such as its index?
static const IntrinsicInst *asFixed(const Value *V) {
  auto *I = dyn_cast<IntrinsicInst>(V);
  return I && I->arg_size() == 0 && I->doesNotAccessMemory() &&
                 !I->isConvergent()
             ? I
             : nullptr;
}

Polynomial ThreadTerms::opaque(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  const IntrinsicInst *Fixed = asFixed(V);
  if (Fixed)
    if (auto It = Indices.find(Fixed->getIntrinsicID()); It != Indices.end())
      return Polynomial::variable(It->second);
  if (I && !Fixed)
    if (UnitFunction *UF = U.find(I->getFunction());
        UF && UF->LI.getLoopFor(I->getParent()))
      return unknown(); // it differs from iteration to iteration
  if (auto *L = dyn_cast<LoadInst>(V); L && isUniform(L))
    if (auto P = loadOfUniform(*L))
      return *P;
  Variable X;
  X.Name = nameOf(V);
  X.Uniform = isUniform(V);
  if (!X.Uniform && !I && !kernelArgument(V))
    return unknown(); // a parameter of which calls give several values
  ConstantRange R = computeConstantRange(V, /*ForSigned=*/true);
  if (isa<ZExtInst>(V)) {
    unsigned From = V->getType()->getIntegerBitWidth();
    unsigned Bits = I->getOperand(0)->getType()->getIntegerBitWidth();
    R = R.intersectWith(
        ConstantRange(APInt(From, 0), APInt::getOneBitSet(From, Bits)));
  }
  if (R.getSignedMin().getSignificantBits() <= 62 &&
      R.getSignedMax().getSignificantBits() <= 62) {
    X.Low = R.getSignedMin().getSExtValue();
    X.High = R.getSignedMax().getSExtValue();
  }
  unsigned N = variable(X);
  if (Fixed)
    Indices[Fixed->getIntrinsicID()] = N;
  return Polynomial::variable(N);
}

std::optional<std::pair<int64_t, int64_t>>
ThreadTerms::range(const Polynomial &P) const {
  if (!P.isKnown())
    return std::nullopt;
  __int128 Low = 0, High = 0;
  for (auto &[M, C] : P.terms()) {
    __int128 L = C, H = C;
    for (unsigned V : M) {
      const Variable &X = Variables[V];
      if (!X.Low)
        return std::nullopt;
      __int128 Ends[] = {L * *X.Low, L * *X.High, H * *X.Low, H * *X.High};
      L = *std::min_element(Ends, Ends + 4);
      H = *std::max_element(Ends, Ends + 4);
      constexpr __int128 Far = __int128(1) << 62;
      if (L < -Far || H > Far)
        return std::nullopt;
    }
    Low += L;
    High += H;
  }
  constexpr __int128 Far = __int128(1) << 62;
  if (Low < -Far || High > Far)
    return std::nullopt;
  return std::pair<int64_t, int64_t>(int64_t(Low), int64_t(High));
}

/// What V is if its arithmetic does not wrap around, which Exact says.
Polynomial ThreadTerms::wrapping(const Value *V, Polynomial P, bool Exact) {
  unsigned Bits = V->getType()->getIntegerBitWidth();
  if (!P.isKnown() || Bits > 64)
    return opaque(V);
  if (Bits == 64 || Exact)
    return P;
  auto R = range(P);
  if (R && isIntN(Bits, R->first) && isIntN(Bits, R->second))
    return P;
  return opaque(V);
}

Polynomial ThreadTerms::induction(const PHINode &P, unsigned Depth) {
  UnitFunction *UF = U.find(P.getFunction());
  const Loop *L = UF ? UF->LI.getLoopFor(P.getParent()) : nullptr;
  if (!L || L->getHeader() != P.getParent() || !L->getLoopPreheader() ||
      !L->getLoopLatch())
    return opaque(&P);
  auto *Next =
      dyn_cast<BinaryOperator>(P.getIncomingValueForBlock(L->getLoopLatch()));
  if (!Next || Next->getOpcode() != Instruction::Add)
    return unknown();
  unsigned Other = Next->getOperand(0) == &P ? 1 : 0;
  if (Next->getOperand(1 - Other) != &P ||
      !L->isLoopInvariant(Next->getOperand(Other)))
    return unknown();
  auto [It, New] = Counters.try_emplace(L->getHeader(), 0);
  if (New) {
    Variable X;
    X.Name = "iteration";
    X.Loop = L->getHeader();
    X.Low = 0;
    auto &SE = U.FAM.getResult<ScalarEvolutionAnalysis>(*UF->F);
    if (auto *Most =
            dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(L));
        Most && Most->getAPInt().getActiveBits() <= 32)
      X.High = static_cast<int64_t>(Most->getAPInt().getZExtValue());
    else
      X.Low.reset();
    It->second = variable(X);
  }
  Polynomial R =
      expand(P.getIncomingValueForBlock(L->getLoopPreheader()), Depth + 1) +
      expand(Next->getOperand(Other), Depth + 1) *
          Polynomial::variable(It->second);
  return wrapping(&P, R, Next->hasNoSignedWrap());
}

Polynomial ThreadTerms::operation(const Instruction &I, unsigned Depth) {
  auto Operand = [&](unsigned N) { return expand(I.getOperand(N), Depth + 1); };
  auto Exact = [&] {
    return cast<OverflowingBinaryOperator>(I).hasNoSignedWrap();
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return wrapping(&I, Operand(0) + Operand(1), Exact());
  case Instruction::Sub:
    return wrapping(&I, Operand(0) - Operand(1), Exact());
  case Instruction::Mul:
    return wrapping(&I, Operand(0) * Operand(1), Exact());
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(I).isDisjoint())
      return wrapping(&I, Operand(0) + Operand(1), false);
    return opaque(&I);
  case Instruction::Shl:
    if (auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
        By && By->getValue().ult(32))
      return wrapping(&I, Operand(0) * (int64_t(1) << By->getZExtValue()),
                      Exact());
    return opaque(&I);
  case Instruction::SExt:
    return I.getOperand(0)->getType()->isIntegerTy(1) ? opaque(&I) : Operand(0);
  case Instruction::ZExt: {
    Polynomial P = Operand(0);
    auto R = range(P);
    if ((R && R->first >= 0) || cast<ZExtInst>(I).hasNonNeg())
      return P;
    return opaque(&I);
  }
  case Instruction::Trunc:
    return wrapping(&I, Operand(0), cast<TruncInst>(I).hasNoSignedWrap());
  case Instruction::Freeze:
    return Operand(0);
  case Instruction::PHI:
    return induction(cast<PHINode>(I), Depth);
  default:
    return opaque(&I);
  }
}

Polynomial ThreadTerms::expand(const Value *V, unsigned Depth) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().getSignificantBits() <= 40
               ? Polynomial(C->getSExtValue())
               : unknown();
  if (!V->getType()->isIntegerTy() || isa<Constant>(V) || Depth > MaxDepth)
    return unknown();
  if (auto It = Values.find(V); It != Values.end())
    return It->second;
  const Value *G = given(V, false);
  auto *I = dyn_cast<Instruction>(V);
  Polynomial P = G   ? expand(G, Depth + 1)
                 : I ? operation(*I, Depth)
                     : opaque(V);
  Values[V] = P;
  return P;
}

Polynomial ThreadTerms::of(const Value *V) { return expand(V, 0); }

bool ThreadTerms::isShared(const Value *Ptr) const {
  auto *G = dyn_cast<GlobalVariable>(
      baseOf(Ptr, false, [](const GEPOperator &) { return true; }));
  return G && isOfBlock(*G);
}

std::optional<Place> ThreadTerms::place(const Value *Ptr, bool Shadow) {
  if (Chain.empty())
    return std::nullopt;
  Place P;
  const DataLayout &DL = U.M.getDataLayout();
  Ptr = baseOf(Ptr, Shadow, [&](const GEPOperator &G) {
    SmallMapVector<Value *, APInt, 4> Factors;
    APInt Constant(DL.getIndexTypeSizeInBits(G.getType()), 0);
    if (!G.collectOffset(DL, Constant.getBitWidth(), Factors, Constant) ||
        Constant.getSignificantBits() > 40)
      return false;
    P.At = P.At + Polynomial(Constant.getSExtValue());
    for (auto &[V, Factor] : Factors) {
      if (Factor.getSignificantBits() > 40)
        return false;
      P.At = P.At + of(V) * Factor.getSExtValue();
    }
    return true;
  });
  if (!Ptr || !P.At.isKnown())
    return std::nullopt;
  auto *G = dyn_cast<GlobalVariable>(Ptr);
  const Argument *A = kernelArgument(Ptr);
  if (!(G && !isOfBlock(*G) && !isConstantSpace(G->getAddressSpace())) &&
      !(A && A->getType()->isPointerTy() && !A->hasByValAttr() &&
        !A->hasByRefAttr()))
    return std::nullopt;
  P.Base = Ptr;
  return P;
}

/// What a condition says of integers when it holds, or when it does not.
void ThreadTerms::condition(const Value *C, bool Holds,
                            std::vector<Comparison> &Out) {
  using namespace PatternMatch;
  const Value *A, *B;
  if (match(C, m_Not(m_Value(A))))
    return condition(A, !Holds, Out);
  if (Holds ? match(C, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(C, m_LogicalOr(m_Value(A), m_Value(B)))) {
    condition(A, Holds, Out);
    return condition(B, Holds, Out);
  }
  auto *I = dyn_cast<ICmpInst>(C);
  if (!I || !I->getOperand(0)->getType()->isIntegerTy())
    return;
  Comparison R{of(I->getOperand(0)),
               Holds ? I->getPredicate() : I->getInversePredicate(),
               of(I->getOperand(1)),
               {}};
  if (!R.Left.isKnown() || !R.Right.isKnown())
    return;
  if (CmpInst::isUnsigned(R.Pred)) {
    // A number below one that is not negative is not negative.
    bool LeftIsLess =
        R.Pred == CmpInst::ICMP_ULT || R.Pred == CmpInst::ICMP_ULE;
    Polynomial Smaller = LeftIsLess ? R.Left : R.Right;
    R.Pred = ICmpInst::getSignedPredicate(R.Pred);
    if (!I->hasSameSign()) {
      R.NotNegative = LeftIsLess ? R.Right : R.Left;
      Out.push_back({Smaller, CmpInst::ICMP_SGE, Polynomial(), R.NotNegative});
    }
  }
  Out.push_back(R);
}

void ThreadTerms::conditionsAt(const Instruction &At, const DominatorTree &DT,
                               std::vector<Comparison> &Out) {
  const BasicBlock *B = At.getParent();
  if (!DT.isReachableFromEntry(B))
    return;
  for (auto *N = DT.getNode(B); N; N = N->getIDom()) {
    const BasicBlock *D = N->getBlock();
    for (const Instruction &I : *D) {
      if (&I == &At)
        break;
      if (auto *A = dyn_cast<AssumeInst>(&I))
        condition(A->getArgOperand(0), true, Out);
    }
    auto *Br = dyn_cast<BranchInst>(D->getTerminator());
    if (D == B || !Br || !Br->isConditional())
      continue;
    for (unsigned S = 0; S < 2; ++S)
      if (DT.dominates(BasicBlockEdge(D, Br->getSuccessor(S)), B) &&
          Br->getSuccessor(0) != Br->getSuccessor(1))
        condition(Br->getCondition(), S == 0, Out);
  }
}

std::vector<Comparison> ThreadTerms::at(const Instruction &I) {
  std::vector<Comparison> Out;
  conditionsAt(I, U.find(I.getFunction())->DT, Out);
  return Out;
}

ThreadTerms::Parts ThreadTerms::split(const Polynomial &P) const {
  Parts R;
  for (auto &[M, C] : P.terms()) {
    bool Uniform = true, Counted = false;
    Polynomial T(C);
    for (unsigned V : M) {
      Uniform &= Variables[V].Uniform;
      Counted |= Variables[V].Loop != nullptr;
      T = T * Polynomial::variable(V);
    }
    Polynomial &Into = Counted ? R.Counted : Uniform ? R.Uniform : R.Varying;
    Into = Into + T;
  }
  return R;
}

} // namespace retro
