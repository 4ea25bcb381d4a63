// One thread sees what another wrote when it acquires what that one released
// (C++, [intro.races]). Barriers, locks and their like have adjoints; any other
// acquiring operation is an edge that the reverse pass had to run the other
// way.
#include "facts/threads/thread_order.h"

#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// The ordering by which I, an atomic operation, learns something.
static AtomicOrdering orderingOf(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->getOrdering();
  if (auto *A = dyn_cast<AtomicRMWInst>(&I)) // nobody looks: nothing is learned
    return A->use_empty() ? AtomicOrdering::Monotonic : A->getOrdering();
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return X->getMergedOrdering();
  return AtomicOrdering::NotAtomic;
}

/// Does I read the guard by which the compiler asks whether a static variable
/// is initialized?
static bool readsGuard(const Instruction &I) {
  auto *L = dyn_cast<LoadInst>(&I);
  return L && isa<GlobalVariable>(L->getPointerOperand()) &&
         isA(L->getPointerOperand()->getName(), NameKind::GuardOfStatic);
}

/// Does I count references (ReferenceCount)? One operation may have lost its
/// mark: the look at both counts of a shared_ptr at once, which asks whether
/// both are 1.
static bool countsReferences(const Instruction &I) {
  auto IsUnique = [](const User *U) {
    auto *Compare = dyn_cast<ICmpInst>(U);
    auto *C = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
    return C && C->getBitWidth() == 64 &&
           C->getZExtValue() == (uint64_t{1} << 32 | 1);
  };
  return I.hasMetadata(ReferenceCount) ||
         (isa<LoadInst>(I) && any_of(I.users(), IsUnique));
}

using Callees = SmallSetVector<const Function *, 8>;

/// Does I read numbers, or leave a trace but in memory of LockClass, for all
/// that is known? What it calls is added to Called, to be asked as well.
static bool matters(const Instruction &I, const ActivityAnalysis &Act,
                    unsigned LockClass, Callees &Called) {
  if (isa<LoadInst>(I))
    return I.getType()->isFPOrFPVectorTy() || Act.active(&I);
  auto *C = dyn_cast<CallBase>(&I);
  if (!C) {
    const Value *At = getLoadStorePointerOperand(&I);
    if (auto *A = dyn_cast<AtomicRMWInst>(&I))
      At = A->getPointerOperand();
    return I.mayWriteToMemory() &&
           !(At && Act.shape().classId(At) == LockClass);
  }
  KnownKind K = knownCall(*C).Kind;
  if (!C->mayReadOrWriteMemory() || K == KnownKind::Free ||
      K == KnownKind::Inactive)
    return false;
  UnitFunction *G = Act.unit().callee(*C);
  if (G)
    Called.insert(G->F);
  return !G;
}

/// What depends on the result of an atomic operation: what is computed of it,
/// also in the functions that it is returned to, and which blocks run.
class Decided {
public:
  Decided(const Instruction &I, const Unit &U) : U(U) { Sources.insert(&I); }
  /// False if it goes where it is not followed.
  bool follow();

  SmallSetVector<const Instruction *, 8> Sources; ///< and calls that return it
  SmallSetVector<const BasicBlock *, 8> Blocks;

private:
  bool followUsers(const Instruction &Use);
  bool returns(const Function &F);
  bool decide(const Instruction &Branch);
  /// False if Next is of no kind that is followed.
  bool add(const Instruction *Next) {
    return Next == Sources.front() || !Uses.insert(Next) ||
           Next->getType()->isIntOrIntVectorTy() ||
           isa<BranchInst, SwitchInst, ExtractValueInst, ReturnInst>(Next);
  }

  const Unit &U;
  SmallSetVector<const Instruction *, 8> Uses;
};

/// Follows what F returns to each call of F. False if other code than the unit
/// may call F.
bool Decided::returns(const Function &F) {
  return F.getReturnType()->isIntegerTy() &&
         all_of(F.uses(), [&](const Use &Place) {
           auto *Call = dyn_cast<CallBase>(Place.getUser());
           if (!Call || !Call->isCallee(&Place) || !U.find(Call->getFunction()))
             return false;
           Sources.insert(Call);
           return true;
         });
}

bool Decided::decide(const Instruction &Branch) {
  const BasicBlock *From = Branch.getParent();
  Function &F = *U.find(Branch.getFunction())->F;
  const auto &PDT = U.FAM.getResult<PostDominatorTreeAnalysis>(F);
  const BasicBlock *End = PDT.getNode(From)->getIDom()->getBlock();
  SmallSetVector<const BasicBlock *, 8> Between;
  Between.insert_range(successors(From));
  Between.remove(End);
  for (size_t B = 0; B < Between.size(); ++B)
    for (const BasicBlock *Next : successors(Between[B]))
      if (Next != End)
        Between.insert(Next);
  Blocks.insert_range(Between);
  // What is chosen behind them is decided where there is a choice, and so is
  // which of them returns.
  auto Chooses = [&](const PHINode &P) {
    const Value *Only = nullptr;
    return any_of(P.blocks(), [&](const BasicBlock *B) {
      if (B != From && !Between.contains(B))
        return false;
      const Value *V = P.getIncomingValueForBlock(B);
      const bool Other = Only && Only != V;
      Only = V;
      return Other;
    });
  };
  auto Returns = [](const BasicBlock &B) {
    auto *Return = dyn_cast<ReturnInst>(B.getTerminator());
    return Return && Return->getReturnValue();
  };
  return (!End ||
          all_of(End->phis(),
                 [&](const PHINode &P) { return !Chooses(P) || add(&P); })) &&
         all_of(Between, [&](const BasicBlock *B) {
           return !Returns(*B) || add(B->getTerminator());
         });
}

bool Decided::followUsers(const Instruction &Use) {
  return all_of(Use.users(),
                [&](const User *X) { return add(cast<Instruction>(X)); });
}

bool Decided::follow() {
  for (size_t S = 0, N = 0; S < Sources.size(); ++S) {
    if (!followUsers(*Sources[S]))
      return false;
    for (; N < Uses.size(); ++N) {
      const Instruction &Use = *Uses[N];
      const bool Right = isa<ReturnInst>(Use) ? returns(*Use.getFunction())
                         : Use.mayHaveSideEffects() ? false
                         : Use.isTerminator()       ? decide(Use)
                                                    : followUsers(Use);
      if (!Right)
        return false;
    }
  }
  return true;
}

/// Do no numbers depend on what I, an atomic operation, has given, as where
/// references are counted: the last one frees memory, and nobody waits?
static bool decidesNothing(const Instruction &I, const ActivityAnalysis &Act) {
  Decided D(I, Act.unit());
  if (!D.follow() || any_of(D.Sources, [&](const Instruction *Source) {
        return D.Blocks.contains(Source->getParent());
      }))
    return false;
  const unsigned LockClass = Act.shape().classId(
      isa<LoadInst>(I) ? getLoadStorePointerOperand(&I) : I.getOperand(0));
  Callees Called;
  auto Matters = [&](const Instruction &J) {
    return matters(J, Act, LockClass, Called);
  };
  for (const BasicBlock *B : D.Blocks)
    if (any_of(*B, Matters))
      return false;
  for (size_t N = 0; N < Called.size(); ++N)
    if (any_of(instructions(*Called[N]), Matters))
      return false;
  return true;
}

/// Does F order memory between blocks of a launch? Within one they meet at
/// barriers, which on amdgcn are fences too.
static bool ordersBlocks(const FenceInst &F) {
  SmallVector<StringRef> Names;
  F.getContext().getSyncScopeNames(Names);
  static const StringSet<> Within = {
      "singlethread",     "wavefront", "wavefront-one-as",   "workgroup",
      "workgroup-one-as", "block",     "singlethread-one-as"};
  return !Within.contains(Names[F.getSyncScopeID()]);
}

static bool learnsFromOthers(Instruction &I, const ActivityAnalysis &Act,
                             bool Gpu) {
  if (auto *F = dyn_cast<FenceInst>(&I))
    return Gpu ? ordersBlocks(*F)
               : F->getSyncScopeID() != SyncScope::SingleThread &&
                     F->getOrdering() != AtomicOrdering::Release;
  if (auto *C = dyn_cast<CallBase>(&I))
    return callsA(*C, NameKind::Fence);
  // CUDA's atomic functions are relaxed, whatever clang makes of them.
  if (Gpu || !isAcquireOrStronger(orderingOf(I)) || readsGuard(I) ||
      countsReferences(I))
    return false;
  return !decidesNothing(I, Act);
}

/// Can the assembly see memory, and does it more than pause?
static bool mayMeet(const InlineAsm &A, const CallBase &C) {
  StringRef Text = StringRef(A.getAsmString()).trim();
  bool Pauses = Text.empty() || Text == "pause" || Text == "yield" ||
                Text == "rep; nop" || Text == "rep;nop";
  return !Pauses && (StringRef(A.getConstraintString()).contains("~{memory}") ||
                     any_of(C.args(), [](const Use &X) {
                       return X->getType()->isPointerTy();
                     }));
}

/// What std::endl asks of a locale, inlined: a virtual function.
static bool asksLocale(const CallBase &C) {
  return C.isIndirectCall() && C.arg_size() > 0 &&
         any_of(C.getArgOperand(0)->users(), [](const User *U) {
           auto *Other = dyn_cast<CallBase>(U);
           return Other && callsA(*Other, NameKind::FacetOfLocale);
         });
}

void reportUnknownOrder(const Unit &U, const CallBase &C, Reporter &R) {
  const UnitFunction *In = U.find(C.getFunction());
  if (U.DerivMode != Mode::Reverse || isGpu(U.M) || !In || !In->Concurrent)
    return;
  // Who meets another thread reads and writes what both see.
  if (C.hasFnAttr(Attribute::NoSync) || !C.mayWriteToMemory() ||
      C.doesNotReturn() || asksLocale(C))
    return;
  auto *A = dyn_cast<InlineAsm>(C.getCalledOperand());
  if (A && !mayMeet(*A, C))
    return;
  StringRef Name =
      C.getCalledFunction() ? C.getCalledFunction()->getName() : "";
  R.error(Diag::UnknownOrder, &C,
          {A              ? "assembly"
           : Name.empty() ? "a function"
                          : ("'" + Name + "'").str()});
}

void reportThreadOrder(const ActivityAnalysis &Act, Reporter &R) {
  const Unit &U = Act.unit();
  const bool Gpu = isGpu(U.M);
  if (U.DerivMode != Mode::Reverse)
    return; // tangents are made beside what they are the tangents of
  for (const auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      if ((Gpu || UF->Concurrent) && learnsFromOthers(I, Act, Gpu))
        R.error(Diag::ThreadOrder, &I);
}

} // namespace retro
