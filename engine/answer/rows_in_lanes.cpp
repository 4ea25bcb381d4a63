// Input: several requests in a row, one for each row of a Jacobian, with seeds
// that take turns in one variable. Output: one request in vector mode. It is
// made from what the requests do to memory, where the primal's parameters and
// the shadows are accessed at constant places; then the primal runs once.
// Without it the primal would run once for each row.
#include "answer/rows_in_lanes.h"

#include "front/known/entry_points.h"

#include "base/diagnostics.h"
#include "base/scev.h"
#include "base/toggles.h"
#include "front/known/known_functions.h"
#include "front/known/operands.h"
#include "front/registered/registrations.h"
#include "prepare/prepare.h"
#include "prepare/unit.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// No more requests than this become one.
constexpr unsigned MostLanes = 4;

/// The bytes behind a pointer parameter that a function accesses.
struct Extent {
  uint64_t Bytes = 0; ///< 0: none
  bool Read = false, Written = false;
  MDNode *Tag = nullptr; ///< TBAA, if all accesses have the same
};

/// Notes the accesses of a prepared function, if all are at known places.
class Extents {
public:
  explicit Extents(Function &F) : F(F), Of(F.arg_size()) {}
  bool run() {
    return all_of(instructions(F), [&](Instruction &I) { return note(I); }) &&
           none_of(Of, [](auto &E) { return E.Read && E.Written; });
  }
  SmallVector<Extent> take() { return std::move(Of); }

private:
  bool note(Instruction &I);
  bool note(const Instruction &I, Value *Ptr, std::optional<uint64_t> Bytes,
            bool Write);

  Function &F;
  SmallVector<Extent> Of;
};

bool Extents::note(const Instruction &I, Value *Ptr,
                   std::optional<uint64_t> Bytes, bool Write) {
  const DataLayout &DL = F.getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  Value *Base = Ptr->stripAndAccumulateConstantOffsets(DL, Offset, true);
  if (isa<AllocaInst>(getUnderlyingObject(Base)))
    return true;
  if (auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Base)))
    return G->isConstant();
  auto *A = dyn_cast<Argument>(Base);
  if (!A || !Bytes || Offset.isNegative() || Offset.getActiveBits() > 16)
    return false;
  Extent &E = Of[A->getArgNo()];
  MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  E.Tag = E.Bytes == 0 || E.Tag == Tag ? Tag : nullptr;
  E.Bytes = std::max(E.Bytes, Offset.getZExtValue() + *Bytes);
  (Write ? E.Written : E.Read) = true;
  return true;
}

bool Extents::note(Instruction &I) {
  const DataLayout &DL = F.getDataLayout();
  auto Length = [](const MemIntrinsic &M) -> std::optional<uint64_t> {
    auto *C = dyn_cast<ConstantInt>(M.getLength());
    return C ? std::optional(C->getZExtValue()) : std::nullopt;
  };
  if (!I.mayReadOrWriteMemory())
    return true;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple() &&
           note(I, L->getPointerOperand(),
                DL.getTypeStoreSize(L->getType()).getFixedValue(), false);
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->isSimple() && !S->getValueOperand()->getType()->isPointerTy() &&
           note(I, S->getPointerOperand(),
                DL.getTypeStoreSize(S->getValueOperand()->getType())
                    .getFixedValue(),
                true);
  if (auto *M = dyn_cast<MemIntrinsic>(&I)) {
    auto *T = dyn_cast<MemTransferInst>(M);
    return !M->isVolatile() && note(I, M->getDest(), Length(*M), true) &&
           (!T || note(I, T->getSource(), Length(*M), false));
  }
  auto *C = dyn_cast<CallInst>(&I);
  return C && (C->isLifetimeStartOrEnd() || isa<AssumeInst>(C) ||
               knownCall(*C).Kind == KnownKind::Math);
}

/// A request, as the values that it passes for each parameter.
struct Row {
  CallInst *Call = nullptr;
  Function *Target = nullptr;
  struct Given {
    Activity Act;
    Value *Marker = nullptr, *Primal = nullptr, *Shadow = nullptr;
  };
  SmallVector<Given, 8> Args;
};

std::optional<Row> readRow(CallBase &C) {
  Row R;
  R.Call = dyn_cast<CallInst>(&C);
  R.Target = targetOf(C);
  if (!R.Call || !R.Target || R.Target->isDeclaration() ||
      R.Target->isVarArg() || !R.Target->getReturnType()->isVoidTy() ||
      !C.getType()->isVoidTy() ||
      !C.getCalledOperand()->getName().contains(nameOf(Entry::Autodiff)))
    return std::nullopt;
  unsigned Next = 1;
  for (Argument &A : R.Target->args()) {
    Row::Given G{defaultActivity(A, Mode::Reverse)};
    if (Next >= C.arg_size())
      return std::nullopt;
    StringRef M = markerOf(C.getArgOperand(Next));
    if (!M.empty()) {
      if (M != "const" && M != "dup" && M != "dupnoneed")
        return std::nullopt;
      G.Act = M == "const" ? Activity::Const
              : M == "dup" ? Activity::Dup
                           : Activity::DupNoNeed;
      G.Marker = C.getArgOperand(Next++);
    }
    const bool Dup = G.Act != Activity::Const;
    if (Next + Dup >= C.arg_size() || A.hasByValAttr() ||
        G.Act == Activity::Out || (Dup && !A.getType()->isPointerTy()))
      return std::nullopt;
    G.Primal = C.getArgOperand(Next++);
    if (Dup)
      G.Shadow = C.getArgOperand(Next++);
    if (G.Primal->getType() != A.getType() ||
        (Dup && G.Shadow->getType() != A.getType()))
      return std::nullopt;
    R.Args.push_back(G);
  }
  return Next == C.arg_size() ? std::optional(R) : std::nullopt;
}

/// Requests that will become one.
class Group {
public:
  Group(Row First, ArrayRef<Extent> Places, FunctionAnalysisManager &FAM)
      : F(*First.Call->getFunction()), Places(Places),
        AA(FAM.getResult<AAManager>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)) {
    Rows.push_back(std::move(First));
  }

  bool takes(const Row &Next);
  unsigned size() const { return static_cast<unsigned>(Rows.size()); }
  const Row &last() const { return Rows.back(); }
  void merge();

private:
  MemoryLocation at(Value *Ptr, unsigned Param) const {
    AAMDNodes Tags;
    Tags.TBAA = Places[Param].Tag;
    return MemoryLocation(Ptr, LocationSize::precise(Places[Param].Bytes),
                          Tags);
  }
  bool apart(const MemoryLocation &X, const MemoryLocation &Y) {
    return AA.isNoAlias(X, Y);
  }
  SmallVector<MemoryLocation> written() const;
  bool same(Value *X, Value *Y, unsigned Depth = 0);
  bool isUnchanged(LoadInst &First, LoadInst &Then);
  bool mayPass(Instruction &I, const Row &Next);
  bool isOwnShadow(const MemoryLocation &L, const Row &Next);
  bool shadowsAreApart(const Row &Next);
  using Life = SmallVector<std::pair<Intrinsic::ID, Instruction *>, 4>;
  Life lifeOf(const AllocaInst &A) const;
  bool isRenewed(const AllocaInst &A, const Row &Next) const;
  void renew(AllocaInst &A, Row &Next);

  Function &F;
  ArrayRef<Extent> Places;
  AAResults &AA;
  ScalarEvolution &SE;
  std::vector<Row> Rows;
};

const AllocaInst *variableOf(const Value *Ptr) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Ptr, /*MaxLookup=*/0));
}

AllocaInst *variableOf(Value *Ptr) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Ptr, /*MaxLookup=*/0));
}

/// Is a variable only accessed at constant places and passed to requests?
bool isPlain(const AllocaInst &A) {
  if (!A.isStaticAlloca())
    return false;
  SmallVector<const Value *> Work{&A};
  while (!Work.empty())
    for (const Value *V = Work.pop_back_val(); const Use &U : V->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *G = dyn_cast<GetElementPtrInst>(I);
      auto *C = dyn_cast<CallBase>(I);
      if (G && G->hasAllConstantIndices())
        Work.push_back(G);
      else if (!(isa<LoadInst>(I) || I->isLifetimeStartOrEnd() ||
                 isa<MemIntrinsic>(I) || (C && isRequest(*C)) ||
                 (isa<StoreInst>(I) &&
                  U.getOperandNo() == StoreInst::getPointerOperandIndex())))
        return false;
    }
  return true;
}

/// What the requests in the group write.
SmallVector<MemoryLocation> Group::written() const {
  SmallVector<MemoryLocation> Out;
  for (const Row &R : Rows)
    for (unsigned N = 0; N < Places.size(); ++N) {
      if (!Places[N].Bytes)
        continue;
      if (Places[N].Written)
        Out.push_back(at(R.Args[N].Primal, N));
      if (R.Args[N].Shadow)
        Out.push_back(at(R.Args[N].Shadow, N));
    }
  return Out;
}

/// Do the two loads of one block give the same value?
bool Group::isUnchanged(LoadInst &First, LoadInst &Then) {
  if (First.getParent() != Then.getParent() || !First.isSimple() ||
      !Then.isSimple() || !First.comesBefore(&Then))
    return false;
  MemoryLocation L = MemoryLocation::get(&Then);
  for (Instruction *I = &First; I != &Then; I = I->getNextNode()) {
    if (any_of(Rows, [&](const Row &R) { return R.Call == I; })) {
      if (!all_of(written(), [&](auto &W) { return apart(L, W); }))
        return false;
    } else if (I->mayWriteToMemory() && isModSet(AA.getModRefInfo(I, L))) {
      return false;
    }
  }
  return true;
}

bool Group::same(Value *X, Value *Y, unsigned Depth) {
  if (X == Y)
    return true;
  auto *I = dyn_cast<Instruction>(X), *J = dyn_cast<Instruction>(Y);
  if (!I || !J || Depth > 8 || isa<PHINode, CallBase, AllocaInst>(I) ||
      !I->isSameOperationAs(J))
    return false;
  for (unsigned N = 0; N < I->getNumOperands(); ++N)
    if (!same(I->getOperand(N), J->getOperand(N), Depth + 1))
      return false;
  auto *L = dyn_cast<LoadInst>(I);
  return L ? isUnchanged(*L, *cast<LoadInst>(J)) : !I->mayReadOrWriteMemory();
}

/// Is all of L memory that the next request calls shadows? Then it is no primal
/// memory.
bool Group::isOwnShadow(const MemoryLocation &L, const Row &Next) {
  if (!L.Size.hasValue() || L.Size.isScalable())
    return false;
  int64_t Covered = 0, End = static_cast<int64_t>(L.Size.getValue());
  const SCEV *At = scevOf(SE, L.Ptr);
  SmallVector<std::pair<int64_t, int64_t>> Pieces;
  for (unsigned N = 0; N < Places.size(); ++N)
    if (Next.Args[N].Shadow && Places[N].Bytes)
      if (auto *D = dyn_cast<SCEVConstant>(
              SE.getMinusSCEV(SE.getSCEV(Next.Args[N].Shadow), At)))
        if (D->getAPInt().getSignificantBits() < 32) {
          int64_t From = D->getAPInt().getSExtValue();
          Pieces.push_back(
              {From, From + static_cast<int64_t>(Places[N].Bytes)});
        }
  sort(Pieces);
  for (auto [From, To] : Pieces)
    if (From <= Covered)
      Covered = std::max(Covered, To);
  return Covered >= End;
}

/// May the group's requests run behind I instead of in front of it?
bool Group::mayPass(Instruction &I, const Row &Next) {
  if (!isGuaranteedToTransferExecutionToSuccessor(&I))
    return false;
  if (!I.mayReadOrWriteMemory() || I.isLifetimeStartOrEnd())
    return true;
  if (!isa<LoadInst, StoreInst, MemIntrinsic>(I) || I.isVolatile() ||
      I.isAtomic())
    return false;
  // A variable whose life has ended and begun again counts as another one.
  auto Renewed = [&](const MemoryLocation &W) {
    const AllocaInst *A = variableOf(W.Ptr);
    return A && isRenewed(*A, Next) && none_of(lifeOf(*A), [&](auto &Mark) {
             return Mark.first == Intrinsic::lifetime_end &&
                    I.comesBefore(Mark.second) &&
                    Mark.second->comesBefore(Next.Call);
           });
  };
  for (const MemoryLocation &W : written())
    if (!Renewed(W) && isModOrRefSet(AA.getModRefInfo(&I, W)))
      return false;
  if (!I.mayWriteToMemory())
    return true;
  if (isa<MemTransferInst>(I))
    return false;
  MemoryLocation To = isa<StoreInst>(I)
                          ? MemoryLocation::get(cast<StoreInst>(&I))
                          : MemoryLocation::getForDest(cast<MemIntrinsic>(&I));
  if (isOwnShadow(To, Next))
    return true;
  for (const Row &R : Rows)
    for (unsigned N = 0; N < Places.size(); ++N)
      if (Places[N].Read && !apart(at(R.Args[N].Primal, N), To))
        return false;
  return true;
}

/// The marks of a variable's life, from the last request in the group that is
/// given it to the end of the block.
Group::Life Group::lifeOf(const AllocaInst &A) const {
  Life Out;
  const Row *From = &Rows.back();
  for (const Row &R : Rows)
    if (any_of(R.Args,
               [&](auto &G) { return G.Shadow && variableOf(G.Shadow) == &A; }))
      From = &R;
  for (Instruction *I = From->Call; I; I = I->getNextNode())
    if (I->isLifetimeStartOrEnd() && I->getOperand(0) == &A)
      Out.push_back({cast<IntrinsicInst>(I)->getIntrinsicID(), I});
  return Out;
}

/// Does the variable's life end and begin again before the next request, and
/// end once more after it?
bool Group::isRenewed(const AllocaInst &A, const Row &Next) const {
  Life L = lifeOf(A);
  return L.size() >= 3 && L[0].first == Intrinsic::lifetime_end &&
         L[1].first == Intrinsic::lifetime_start &&
         L[2].first == Intrinsic::lifetime_end &&
         L[1].second->comesBefore(Next.Call) &&
         Next.Call->comesBefore(L[2].second) && isPlain(A);
}

/// Gives the next request a variable of its own in place of A, from A's new
/// beginning on.
void Group::renew(AllocaInst &A, Row &Next) {
  Instruction *I = lifeOf(A)[1].second;
  auto *Fresh = cast<AllocaInst>(A.clone());
  Fresh->insertAfter(A.getIterator());
  const DataLayout &DL = F.getDataLayout();
  for (bool Ended = false; !Ended; I = I->getNextNode()) {
    auto *Mark = dyn_cast<IntrinsicInst>(I);
    Ended = Mark && Mark->getIntrinsicID() == Intrinsic::lifetime_end &&
            Mark->getOperand(0) == &A;
    for (Use &U : I->operands()) {
      if (!U->getType()->isPointerTy() || variableOf(U) != &A)
        continue;
      APInt Off(DL.getIndexTypeSizeInBits(U->getType()), 0);
      U->stripAndAccumulateConstantOffsets(DL, Off, true);
      IRBuilder<> B(I);
      U.set(Off.isZero() ? static_cast<Value *>(Fresh)
                         : B.CreatePtrAdd(Fresh, B.getInt(Off)));
      SE.forgetValue(I);
    }
  }
  std::optional<Row> Again = readRow(*Next.Call);
  Next = *Again;
}

/// Does nobody else use the next request's shadows?
bool Group::shadowsAreApart(const Row &Next) {
  for (const MemoryLocation &W : written())
    for (unsigned N = 0; N < Places.size(); ++N) {
      Value *S = Next.Args[N].Shadow;
      if (!S || !Places[N].Bytes)
        continue;
      AllocaInst *A = variableOf(S);
      if (!(A && A == variableOf(W.Ptr) && isRenewed(*A, Next)) &&
          !apart(W, at(S, N)))
        return false;
    }
  return true;
}

bool Group::takes(const Row &Next) {
  const Row &R = last();
  if (size() == MostLanes || Next.Target != R.Target ||
      Next.Call->getParent() != R.Call->getParent() ||
      !R.Call->comesBefore(Next.Call))
    return false;
  for (unsigned N = 0; N < Places.size(); ++N) {
    if (R.Args[N].Act != Next.Args[N].Act ||
        !same(R.Args[N].Primal, Next.Args[N].Primal))
      return false;
    // Two shadows of the same primal: nobody knows which of the two is the
    // primal itself.
    if (Next.Args[N].Shadow && (Next.Args[N].Shadow == Next.Args[N].Primal ||
                                R.Args[N].Shadow == R.Args[N].Primal))
      return false;
    // The memory in which the function returns something must not be memory
    // that it reads.
    if (Places[N].Written)
      for (unsigned M = 0; M < Places.size(); ++M)
        if (Places[M].Read && !Next.Target->getArg(N)->hasNoAliasAttr() &&
            !apart(at(Next.Args[N].Primal, N), at(Next.Args[M].Primal, M)))
          return false;
  }
  for (Instruction *I = R.Call->getNextNode(); I != Next.Call;
       I = I->getNextNode())
    if (!mayPass(*I, Next))
      return false;
  if (!shadowsAreApart(Next))
    return false;
  Row Joined = Next;
  SmallSetVector<AllocaInst *, 4> Again;
  for (unsigned N = 0; N < Places.size(); ++N)
    if (Joined.Args[N].Shadow)
      if (AllocaInst *A = variableOf(Joined.Args[N].Shadow);
          A && isRenewed(*A, Joined) && any_of(Rows, [&](const Row &X) {
            return any_of(X.Args, [&](auto &G) {
              return G.Shadow && variableOf(G.Shadow) == A;
            });
          }))
        Again.insert(A);
  for (AllocaInst *A : Again)
    renew(*A, Joined);
  Rows.push_back(Joined);
  return true;
}

/// Makes one request in the place of the last one.
void Group::merge() {
  Module &M = *F.getParent();
  Type *I32 = Type::getInt32Ty(M.getContext());
  const Row Last = Rows.back();
  IRBuilder<> B(Last.Call);
  SmallVector<Value *> Args{
      Last.Call->getArgOperand(0),
      B.CreateLoad(I32, M.getOrInsertGlobal("enzyme_width", I32)),
      B.getInt32(size())};
  for (unsigned N = 0; N < Last.Args.size(); ++N) {
    if (Last.Args[N].Marker)
      Args.push_back(Last.Args[N].Marker);
    Args.push_back(Last.Args[N].Primal);
    for (const Row &R : Rows)
      if (R.Args[N].Shadow)
        Args.push_back(R.Args[N].Shadow);
  }
  // The requests' variables live until the last request.
  SmallVector<Instruction *> Marks;
  for (const Row &R : Rows)
    for (const Row::Given &G : R.Args)
      for (Value *V : {G.Primal, G.Shadow})
        if (AllocaInst *A = V ? variableOf(V) : nullptr)
          for (User *U : A->users())
            if (auto *I = dyn_cast<Instruction>(U);
                I && I->isLifetimeStartOrEnd() && !is_contained(Marks, I))
              Marks.push_back(I);
  for (Instruction *I : Marks)
    I->eraseFromParent();
  Type *P = PointerType::getUnqual(M.getContext());
  CallInst *Call = B.CreateCall(
      M.getOrInsertFunction(
          nameOf(Entry::Autodiff),
          FunctionType::get(Type::getVoidTy(M.getContext()), {P}, true)),
      Args);
  Call->setDebugLoc(Last.Call->getDebugLoc());
  for (Row &R : Rows)
    R.Call->eraseFromParent();
}

/// What the target of a request accesses, if that is known.
std::optional<SmallVector<Extent>> extentsOf(const Row &R,
                                             ModuleAnalysisManager &MAM,
                                             FunctionAnalysisManager &FAM,
                                             Registrations &Registered) {
  Unit U(*R.Target->getParent(), MAM, FAM, Mode::Reverse, Registered);
  U.configure(1, false, false);
  Reporter Quiet(R.Call);
  Quiet.silence();
  const ToggleCounters Before = counters(); // this unit goes
  prepareUnit(U, *R.Target, Quiet);
  counters() = Before;
  std::optional<SmallVector<Extent>> Out;
  if (!Quiet.failed() && U.Functions.size() == 1 && U.Preaccumulated.empty())
    if (Extents E(*U.root().F); E.run())
      Out = E.take();
  discardUnit(U);
  return Out;
}

} // namespace

unsigned gatherRequests(Function &F, ModuleAnalysisManager &MAM,
                        FunctionAnalysisManager &FAM,
                        Registrations &Registered) {
  std::vector<Row> Rows;
  for (CallBase *C : requestsIn(F))
    if (std::optional<Row> R = readRow(*C))
      Rows.push_back(std::move(*R));
  unsigned Count = 0;
  DenseMap<Function *, std::optional<SmallVector<Extent>>> ExtentsOf;
  if (Rows.size() > 1)
    FAM.invalidate(F, PreservedAnalyses::none());
  // A request may have been given other variables since it was read.
  auto Row = [&](size_t N) { return *readRow(*Rows[N].Call); };
  for (size_t I = 0; I + 1 < Rows.size();) {
    size_t Next = I + 1;
    if (Rows[I].Target == Rows[Next].Target &&
        Rows[I].Call->getParent() == Rows[Next].Call->getParent()) {
      if (!ExtentsOf.count(Rows[I].Target))
        ExtentsOf[Rows[I].Target] = extentsOf(Rows[I], MAM, FAM, Registered);
      if (auto Places = ExtentsOf[Rows[I].Target]) {
        Group G(Row(I), *Places, FAM);
        while (Next < Rows.size() && G.takes(Row(Next)))
          ++Next;
        if (G.size() > 1) {
          Count += G.size() - 1;
          G.merge();
          FAM.invalidate(F, PreservedAnalyses::none());
        }
      }
    }
    I = Next;
  }
  return Count;
}

} // namespace retro
