// Input: the static pointers of a module, with all that is done to them.
// Output: those that lead to blocks which the program keeps from call to call.
// Their shadows would be of another block, or of none.
#include "facts/activity/kept_memory.h"

#include "front/known/known_functions.h"
#include "front/names/foreign.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// All that is stored to a local variable, or nothing if other code sees it.
std::optional<SmallVector<const Value *>> storedTo(const AllocaInst &A) {
  SmallVector<const Value *> Out;
  for (const User *U : A.users()) {
    if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == &A)
      Out.push_back(S->getValueOperand());
    else if (!isa<LoadInst>(U) && !cast<Instruction>(U)->isLifetimeStartOrEnd())
      return std::nullopt;
  }
  return Out;
}

/// Does the function return blocks that free() takes?
bool allocates(const CallBase &C) { return callsA(C, NameKind::BlockOfHeap); }

/// Is V null or the begin of a block that free() takes?
bool isBlock(const Value *V) {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(V);
  for (size_t N = 0; N < Work.size(); ++N) {
    const Value *X = Work[N]->stripPointerCasts();
    if (isa<ConstantPointerNull>(X))
      continue;
    if (auto *C = dyn_cast<CallBase>(X)) {
      if (!allocates(*C))
        return false;
    } else if (isa<PHINode>(X)) {
      Work.insert_range(cast<User>(X)->operands());
    } else if (auto *S = dyn_cast<SelectInst>(X)) {
      Work.insert(S->getTrueValue());
      Work.insert(S->getFalseValue());
    } else if (auto *L = dyn_cast<LoadInst>(X)) {
      auto *A = dyn_cast<AllocaInst>(L->getPointerOperand());
      auto Stored = A ? storedTo(*A) : std::nullopt;
      if (!Stored)
        return false;
      Work.insert_range(*Stored);
    } else {
      return false;
    }
  }
  return true;
}

/// Is this address only reported by a sanitizer, listed by one or by LLVM, or
/// compared as a sanitizer does?
bool isForSanitizer(const User *U) {
  StringRef Name = U->getName();
  if (auto *G = dyn_cast<GlobalValue>(U))
    return isa<GlobalAlias>(G) ? G->hasPrivateLinkage()
                               : isA(Name, NameKind::DataOfSanitizer) ||
                                     Name.starts_with("llvm.");
  if (isa<Constant>(U))
    return all_of(U->users(), isForSanitizer);
  if (auto *C = dyn_cast<CallBase>(U))
    return callsA(*C, NameKind::CheckOfSanitizer);
  return isa<ICmpInst>(U) ||
         (cast<Instruction>(U)->hasMetadata(LLVMContext::MD_nosanitize) &&
          isa<BinaryOperator>(U) && all_of(U->users(), isForSanitizer));
}

/// One place in a static variable.
class PlaceCheck {
public:
  PlaceCheck(const Unit &U, StaticPlace P)
      : U(U), P(P), DL(U.M.getDataLayout()) {}

  bool holdsBlocks() { return usesAllow(*P.Variable, 0) && keepsBlocks(); }

private:
  bool usesAllow(const Value &V, int64_t At);
  bool staysLocal(const LoadInst &L);
  void findFrees(const Value &V);
  bool isReplacedAfter(const Instruction &Free) const;
  bool keepsBlocks();

  const Unit &U;
  StaticPlace P;
  const DataLayout &DL;
  SmallPtrSet<const Instruction *, 4> Stores;
  SmallVector<const LoadInst *> Loads; ///< of the unit
  SmallSetVector<const Value *, 16> Seen;
  /// Calls of the unit after which the block may be gone.
  SmallSetVector<const CallBase *, 4> Frees;
};

/// Is a pointer that was loaded stored only where its function keeps it?
bool PlaceCheck::staysLocal(const LoadInst &L) {
  const bool InUnit = U.find(L.getFunction());
  if (InUnit)
    Loads.push_back(&L);
  return none_of(L.users(), [&](const User *X) {
    auto *S = dyn_cast<StoreInst>(X);
    return S && S->getValueOperand() == &L &&
           (InUnit || !isa<AllocaInst>(S->getPointerOperand()));
  });
}

/// The uses of an address that is At bytes behind the variable's begin.
bool PlaceCheck::usesAllow(const Value &V, int64_t At) {
  auto Overlaps = [&](Type *T) {
    return At < P.Offset + static_cast<int64_t>(DL.getPointerSize()) &&
           P.Offset < At + static_cast<int64_t>(DL.getTypeStoreSize(T));
  };
  return all_of(V.uses(), [&](const Use &X) {
    const User *Y = X.getUser();
    if (auto *G = dyn_cast<GEPOperator>(Y)) {
      APInt Step(DL.getIndexTypeSizeInBits(G->getType()), 0);
      return G->accumulateConstantOffset(DL, Step) &&
             usesAllow(*G, At + Step.getSExtValue());
    }
    if (isa<Constant>(Y))
      return isForSanitizer(Y);
    if (auto *L = dyn_cast<LoadInst>(Y))
      return !Overlaps(L->getType()) ||
             (At == P.Offset && L->getType()->isPointerTy() && staysLocal(*L));
    auto *S = dyn_cast<StoreInst>(Y);
    if (!S || X.getOperandNo() != StoreInst::getPointerOperandIndex())
      return false;
    if (!Overlaps(S->getValueOperand()->getType()))
      return true;
    Stores.insert(S);
    return At == P.Offset && isBlock(S->getValueOperand());
  });
}

/// Which calls that are given V, here or in what is called, may free it?
void PlaceCheck::findFrees(const Value &V) {
  if (!Seen.insert(&V))
    return;
  for (const Use &X : V.uses()) {
    if (isa<PHINode, SelectInst, CastInst, FreezeInst>(X.getUser()))
      findFrees(*X.getUser());
    auto *C = dyn_cast<CallBase>(X.getUser());
    if (!C || !C->isArgOperand(&X))
      continue;
    if (UnitFunction *G = U.callee(*C))
      findFrees(*G->F->getArg(C->getArgOperandNo(&X)));
    else if (allocates(*C) || knownCall(*C).Kind == KnownKind::Free)
      Frees.insert(C);
  }
}

/// Is there no way from here to the function's end on which nothing is stored
/// to the place?
bool PlaceCheck::isReplacedAfter(const Instruction &Free) const {
  SmallSetVector<const BasicBlock *, 8> Work;
  auto Passes = [&](BasicBlock::const_iterator From, const BasicBlock &B) {
    for (const Instruction &I : make_range(From, B.end())) {
      if (Stores.contains(&I))
        return true;
      if (I.isTerminator() && I.getNumSuccessors() == 0)
        return isa<UnreachableInst>(I);
    }
    Work.insert_range(successors(&B));
    return true;
  };
  if (!Passes(std::next(Free.getIterator()), *Free.getParent()))
    return false;
  for (size_t N = 0; N < Work.size(); ++N)
    if (!Passes(Work[N]->begin(), *Work[N]))
      return false;
  return true;
}

bool PlaceCheck::keepsBlocks() {
  for (const LoadInst *L : Loads)
    findFrees(*L);
  return all_of(Frees, [&](const CallBase *C) { return isReplacedAfter(*C); });
}

/// Does the module see all that is in the variable?
bool isOfModuleAlone(const GlobalVariable &G) {
  return G.hasLocalLinkage() && !G.isConstant() && !G.isThreadLocal() &&
         G.hasInitializer() && G.getInitializer()->isNullValue();
}

/// The static variable, and where in it, that an instruction loads a pointer
/// from or stores one to.
std::optional<StaticPlace> pointerIn(const Instruction &I) {
  const Value *Ptr = getLoadStorePointerOperand(&I);
  if (!Ptr || !getLoadStoreType(&I)->isPointerTy())
    return std::nullopt;
  int64_t Offset = 0;
  auto *G = dyn_cast<GlobalVariable>(
      GetPointerBaseWithConstantOffset(Ptr, Offset, I.getDataLayout()));
  if (!G || !isOfModuleAlone(*G))
    return std::nullopt;
  return StaticPlace{G, Offset};
}

/// May what is loaded or stored be a pointer to constant memory, which has no
/// shadow to keep, or to memory whose shadow is found by its address?
bool needsNoBlock(const ActivityAnalysis &Act, const Instruction &I) {
  auto *S = dyn_cast<StoreInst>(&I);
  const Value *V = S ? S->getValueOperand() : &I;
  constexpr unsigned Shadowless = FromConst | FromUnknown | FromNumber;
  return Act.hasImage(V) || Act.mayHaveImage(V) ||
         (Act.comparesShadow(V) && (Act.shape().originsOf(V) & Shadowless));
}

} // namespace

KeptMemory::KeptMemory(const ActivityAnalysis &Act) {
  Unit &U = Act.unit();
  if (isGpu(U.M) || U.DerivedAgain)
    return;
  DenseMap<std::pair<const GlobalVariable *, int64_t>, bool> Known;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto P = pointerIn(I);
      if (!P || !Act.shadowed(P->Variable) || needsNoBlock(Act, I) ||
          U.Registered.shadowOf(*P->Variable))
        continue;
      auto [It, New] = Known.try_emplace({P->Variable, P->Offset}, false);
      if (New)
        It->second = PlaceCheck(U, *P).holdsBlocks();
      if (It->second)
        Places.try_emplace(&I, *P);
    }
}

bool keepsBlocks(const Unit &U, StaticPlace P) {
  return isOfModuleAlone(*P.Variable) && PlaceCheck(U, P).holdsBlocks();
}

bool KeptMemory::renews(const ActivityAnalysis &Act, const GlobalVariable &G,
                        int64_t At) const {
  const int64_t Vector = 3 * int64_t(G.getDataLayout().getPointerSize());
  return holds(G, At) || any_of(Act.staticVectors(G), [&](int64_t Start) {
           return At >= Start && At < Start + Vector;
         });
}

SmallVector<StaticPointers>
KeptMemory::unrenewed(const ActivityAnalysis &Act,
                      const GlobalVariable &G) const {
  const MemoryShape &Shape = Act.shape();
  const DataLayout &DL = G.getDataLayout();
  const MemoryClass &Class = Shape.classOf(&G);
  const int64_t Begin = Shape.addressOf(&G).Offset, Stride = Class.Stride;
  const auto Bytes =
      static_cast<int64_t>(DL.getTypeStoreSize(G.getValueType()));
  SmallVector<StaticPointers> Out;
  for (const Cell &C : Class.Cells) {
    if (C.Kind != CellKind::Pointer)
      continue;
    int64_t At = C.Offset - Begin;
    if (Stride)
      At = ((At % Stride) + Stride) % Stride;
    if (At < 0 || At + C.Size > Bytes || renews(Act, G, At))
      continue;
    const int64_t Count = Stride ? (Bytes - At - C.Size) / Stride + 1 : 1;
    Out.push_back(
        {{uint64_t(At), uint64_t(Stride), uint64_t(Count)}, Shape.targetOf(C)});
  }
  return Out;
}

} // namespace retro
