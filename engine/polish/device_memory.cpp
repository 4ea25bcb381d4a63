// Input: a kernel or device function with a derivative in it, as the optimizer
// leaves it. Output: the same accesses of memory, in an order in which a thread
// waits seldom. The reverse pass of a kernel is a chain of loads, additions and
// stores, each of which waits for the one before: without these rewrites its
// time is that of the memory's latency, many times over.
#include "polish/device_memory.h"

#include "base/assert.h"
#include "ir/device_code.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

constexpr const char *DerivedMark = "retro-derived";

/// Words of 32 bits that a thread may have alive where a load is moved up: of
/// 255 registers the back end needs some for addresses and constants.
constexpr unsigned Words = 160;
/// Stores that a load is moved over at most. More cost compile time, and a
/// thread that loads so much at once has no registers left.
constexpr unsigned Most = 256;

bool isKernels(const Argument &A) {
  return A.getParent()->getCallingConv() == CallingConv::PTX_Kernel;
}

/// Global memory for certain: what the host gives a kernel, by itself or in a
/// struct, is no thread's and no block's own. A struct that the kernel writes
/// to may hold other pointers, too.
bool isGlobal(const Value *P) {
  constexpr unsigned Global = 1;
  const Value *Of = getUnderlyingObject(P, 0);
  if (Of->getType()->isPointerTy() &&
      Of->getType()->getPointerAddressSpace() == Global)
    return true;
  if (auto *L = dyn_cast<LoadInst>(Of)) {
    auto *A =
        dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand(), 0));
    return A && isKernels(*A) && A->hasByValAttr() && A->onlyReadsMemory();
  }
  auto *A = dyn_cast<Argument>(Of);
  return A && isKernels(*A) && !A->hasByValAttr();
}

/// The load of S's place whose sum with something S stores, or null.
LoadInst *addedTo(StoreInst &S, AAResults &AA) {
  auto *Sum = dyn_cast<BinaryOperator>(S.getValueOperand());
  if (!S.isSimple() || !Sum || Sum->getOpcode() != Instruction::FAdd ||
      !Sum->hasOneUse() ||
      !(Sum->getType()->isFloatTy() || Sum->getType()->isDoubleTy()))
    return nullptr;
  for (Value *V : Sum->operands()) {
    auto *L = dyn_cast<LoadInst>(V);
    if (!L || !L->isSimple() || !L->hasOneUse() ||
        L->getParent() != S.getParent() ||
        L->getPointerOperand() != S.getPointerOperand())
      continue;
    // Nothing between may see or change the place.
    const MemoryLocation At = MemoryLocation::get(&S);
    unsigned Steps = 0;
    auto It = std::next(L->getIterator());
    for (; &*It != &S && ++Steps < 8 * Most; ++It)
      if (It->mayReadOrWriteMemory() &&
          isModOrRefSet(AA.getModRefInfo(&*It, At)))
        break;
    if (&*It == &S)
      return L;
  }
  return nullptr;
}

unsigned wordsOf(const Value &V, const DataLayout &DL) {
  if (V.getType()->isVoidTy() || isa<AllocaInst>(V))
    return 0;
  const TypeSize Bits = DL.getTypeSizeInBits(V.getType());
  return static_cast<unsigned>((Bits.getKnownMinValue() + 31) / 32);
}

class EarlyLoads {
public:
  EarlyLoads(Function &F, AAResults &AA) : F(F), AA(AA) { findAliveOut(); }
  unsigned run();

private:
  void findAliveOut();
  void numberBlock(BasicBlock &BB);
  bool moveUp(LoadInst &L);
  bool fits(const Instruction &From, const Instruction &To, unsigned More);

  Function &F;
  AAResults &AA;
  DenseMap<const BasicBlock *, unsigned> AliveOut; ///< words
  /// Of the block at hand: its instructions in order, and the words that are
  /// alive in front of each.
  DenseMap<const Instruction *, size_t> Places;
  std::vector<unsigned> Alive;
};

/// Adds up, for each block, the values that are alive where it ends.
void EarlyLoads::findAliveOut() {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : instructions(F)) {
    const unsigned N = wordsOf(I, DL);
    SmallPtrSet<const BasicBlock *, 8> Into;
    SmallVector<const BasicBlock *> Work;
    const auto AddEnd = [&](const BasicBlock *BB) {
      AliveOut[BB] += N;
      if (BB != I.getParent() && Into.insert(BB).second)
        Work.push_back(BB);
    };
    SmallPtrSet<const BasicBlock *, 8> Ends;
    for (const Use &U : I.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      if (Phi) {
        if (Ends.insert(Phi->getIncomingBlock(U)).second)
          AddEnd(Phi->getIncomingBlock(U));
      } else if (User->getParent() != I.getParent() &&
                 Into.insert(User->getParent()).second)
        Work.push_back(User->getParent());
    }
    while (!Work.empty())
      for (const BasicBlock *Before : predecessors(Work.pop_back_val()))
        if (Ends.insert(Before).second)
          AddEnd(Before);
  }
}

void EarlyLoads::numberBlock(BasicBlock &BB) {
  const DataLayout &DL = F.getDataLayout();
  Places.clear();
  for (Instruction &I : BB)
    Places.try_emplace(&I, Places.size());
  Alive.assign(Places.size() + 1, 0);
  unsigned Now = AliveOut.lookup(&BB);
  SmallPtrSet<const Value *, 32> Seen;
  for (Instruction &I : reverse(BB)) {
    const bool Used = any_of(I.users(), [&](const User *U) {
      return cast<Instruction>(U)->getParent() != &BB || isa<PHINode>(U);
    });
    if (Used || Seen.contains(&I))
      Now -= std::min(Now, wordsOf(I, DL));
    if (!isa<PHINode>(I))
      for (Value *V : I.operands())
        if (auto *O = dyn_cast<Instruction>(V)) {
          const bool Out = any_of(O->users(), [&](const User *U) {
            return cast<Instruction>(U)->getParent() != &BB || isa<PHINode>(U);
          });
          if (!(Out && O->getParent() == &BB) && Seen.insert(O).second)
            Now += wordsOf(*O, DL);
        }
    Alive[Places[&I]] = Now;
  }
}

/// Have the places from From to To registers for more words?
bool EarlyLoads::fits(const Instruction &From, const Instruction &To,
                      unsigned More) {
  retroAssert(Places.contains(&From) && Places.contains(&To), "early-loads", &F,
              "a load is moved within the block whose registers are counted");
  for (size_t P = Places[&From]; P <= Places[&To]; ++P)
    if (Alive[P] + More > Words)
      return false;
  return true;
}

/// What a load's address needs is moved along with it.
bool EarlyLoads::moveUp(LoadInst &L) {
  const MemoryLocation From = MemoryLocation::get(&L);
  SmallPtrSet<Instruction *, 8> Needed;
  const auto Need = [&](Instruction &I) {
    for (Value *V : I.operands())
      if (auto *O = dyn_cast<Instruction>(V))
        Needed.insert(O);
  };
  Need(L);
  SmallVector<Instruction *> Along; // the last one first
  Instruction *Before = nullptr;    // the earliest store that is passed
  size_t AlongThere = 0;
  unsigned Passed = 0;
  for (Instruction *I = L.getPrevNode(); I && Passed < Most;
       I = I->getPrevNode()) {
    if (isa<PHINode>(I))
      break;
    if (Needed.contains(I)) {
      if (I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I))
        break;
      Along.push_back(I);
      Need(*I);
      continue;
    }
    if (!I->mayWriteToMemory()) {
      if (!isGuaranteedToTransferExecutionToSuccessor(I))
        break;
      continue;
    }
    if (isModSet(AA.getModRefInfo(I, From)) || I->isVolatile() ||
        !isGuaranteedToTransferExecutionToSuccessor(I))
      break;
    ++Passed;
    Before = I;
    AlongThere = Along.size();
  }
  const unsigned More = wordsOf(L, F.getDataLayout());
  if (!Before || !fits(*Before, L, More))
    return false;
  for (size_t N = AlongThere; N-- > 0;)
    Along[N]->moveBefore(Before->getIterator());
  for (size_t P = Places[Before]; P <= Places[&L]; ++P)
    Alive[P] += More;
  for (size_t N = AlongThere; N-- > 0;)
    Places[Along[N]] = Places[Before];
  Places[&L] = Places[Before];
  L.moveBefore(Before->getIterator());
  return true;
}

unsigned EarlyLoads::run() {
  unsigned Done = 0;
  for (BasicBlock &BB : F) {
    numberBlock(BB);
    for (Instruction &I : make_early_inc_range(BB))
      if (auto *L = dyn_cast<LoadInst>(&I); L && L->isSimple())
        Done += moveUp(*L);
  }
  return Done;
}

} // namespace

void markDerived(Function &F) { F.addFnAttr(DerivedMark); }
bool isDerived(const Function &F) { return F.hasFnAttribute(DerivedMark); }

unsigned sendAdditions(Function &F, AAResults &AA) {
  SmallVector<std::pair<StoreInst *, LoadInst *>> All;
  for (Instruction &I : instructions(F))
    if (auto *S = dyn_cast<StoreInst>(&I);
        S && isGlobal(S->getPointerOperand()))
      if (LoadInst *L = addedTo(*S, AA))
        All.push_back({S, L});
  for (auto [S, L] : All) {
    auto *Sum = cast<Instruction>(S->getValueOperand());
    Value *More = Sum->getOperand(Sum->getOperand(0) == L);
    IRBuilder<> B(S);
    AtomicRMWInst *Add =
        B.CreateAtomicRMW(AtomicRMWInst::FAdd, S->getPointerOperand(), More,
                          S->getAlign(), AtomicOrdering::Monotonic);
    Add->setAAMetadata(S->getAAMetadata());
    fitAtomic(*Add);
    S->eraseFromParent();
    Sum->eraseFromParent();
    L->eraseFromParent();
  }
  return static_cast<unsigned>(All.size());
}

/// Has the device F is for this addition in its memory? It has those of double
/// since sm_60.
static bool hasReduction(const Function &F, Type *T) {
  unsigned Model = 0;
  StringRef Name = F.getFnAttribute("target-cpu").getValueAsString();
  return T->isFloatTy() || (T->isDoubleTy() && Name.consume_front("sm_") &&
                            !Name.consumeInteger(10, Model) && Model >= 60);
}

unsigned writeReductions(Function &F) {
  unsigned Done = 0;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Add = dyn_cast<AtomicRMWInst>(&I);
    constexpr unsigned Global = 1;
    if (!Add || Add->getOperation() != AtomicRMWInst::FAdd ||
        !Add->use_empty() || Add->isVolatile() ||
        Add->getOrdering() != AtomicOrdering::Monotonic ||
        !isGlobal(Add->getPointerOperand()) || !hasReduction(F, Add->getType()))
      continue;
    Value *At = Add->getPointerOperand(), *G = Add->getValOperand();
    IRBuilder<> B(Add);
    if (Add->getPointerAddressSpace() != Global)
      At = B.CreateAddrSpaceCast(At, B.getPtrTy(Global));
    const bool Long = G->getType()->isDoubleTy();
    // The order is relaxed and the scope the device, as of `atom`.
    const char *Text =
        Long ? "red.global.add.f64 [$0], $1;" : "red.global.add.f32 [$0], $1;";
    auto *T = FunctionType::get(B.getVoidTy(), {At->getType(), G->getType()},
                                /*isVarArg=*/false);
    CallInst *C = B.CreateCall(
        InlineAsm::get(T, Text, Long ? "l,d,~{memory}" : "l,f,~{memory}",
                       /*hasSideEffects=*/true),
        {At, G});
    C->setDoesNotThrow();
    C->setDebugLoc(Add->getDebugLoc());
    Add->eraseFromParent();
    ++Done;
  }
  return Done;
}

unsigned loadEarly(Function &F, AAResults &AA) {
  return EarlyLoads(F, AA).run();
}

} // namespace retro
