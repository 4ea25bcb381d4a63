// Input: a derivative for a GPU, without loops, that needs more registers than
// there are. Its reverse pass reads what its forward pass computed, and what
// does not fit into registers is spilled, at every thread's cost. Output:
// additions and products of inputs are computed again where a use is far from
// the last one, and their inputs are loaded again. These loads are atomic, so
// that no later pass finds that they give what is already there.
#include "polish/near_use.h"

#include "base/assert.h"
#include "base/faults.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace retro {
namespace {

cl::opt<unsigned> Registers(
    "retro-gpu-registers", cl::init(0), cl::Hidden,
    cl::desc("Words of 32 bits that a thread of the GPU keeps in registers."));
cl::opt<unsigned>
    Window("retro-gpu-near", cl::init(700), cl::Hidden,
           cl::desc("Instructions between two uses that are near each other."));

constexpr const char *InputMark = "retro-input";

class NearUses {
public:
  explicit NearUses(Function &F) : F(F), DT(F) {}
  unsigned run();

private:
  /// The newest copy of a value. Numbers are those of instructions on the path.
  struct Copy {
    Value *Now;
    size_t MadeAt, UsedAt;
  };

  unsigned limit() const;
  unsigned words() const;
  bool hasLoops() const;
  void findPath();
  void checkInputs() const;
  bool canRepeat(Value *V);
  /// The value that V is a copy of, or V itself; null where it cannot be
  /// repeated.
  Value *original(Value *V) const {
    V = Originals.lookup_or(V, V);
    return Copies.contains(V) ? V : nullptr;
  }
  Value *use(Value *V, Instruction &At, size_t Place);
  Value *repeat(Instruction &I, Instruction &At, size_t Place);
  Value *reload(LoadInst &L, Instruction &At);

  Function &F;
  DominatorTree DT;
  SmallVector<BasicBlock *> Path; ///< each dominates the next
  DenseMap<Value *, bool> Repeatable;
  DenseMap<Value *, Copy> Copies; ///< of what can be repeated
  DenseMap<Value *, Value *> Originals;
  size_t Budget = 0;
  unsigned Done = 0;
};

/// Some registers belong to the back end.
unsigned NearUses::limit() const {
  if (Registers)
    return Registers;
  return F.getParent()->getTargetTriple().isAMDGPU() ? 500 : 240;
}

/// The most words that are alive at one place, in the order of the blocks.
unsigned NearUses::words() const {
  const DataLayout &DL = F.getDataLayout();
  DenseMap<const Value *, size_t> Last;
  size_t Place = 0;
  for (Instruction &I : instructions(F)) {
    ++Place;
    for (Value *O : I.operands())
      if (isa<Instruction>(O))
        Last[O] = Place;
  }
  std::vector<int64_t> Change(Place + 2, 0);
  Place = 0;
  for (Instruction &I : instructions(F)) {
    ++Place;
    auto It = Last.find(&I);
    if (It == Last.end() || It->second <= Place || isa<AllocaInst>(I))
      continue;
    auto Bits = static_cast<int64_t>(
        DL.getTypeSizeInBits(I.getType()).getKnownMinValue());
    Change[Place] += (Bits + 31) / 32;
    Change[It->second] -= (Bits + 31) / 32;
  }
  int64_t Now = 0, Most = 0;
  for (int64_t C : Change)
    Most = std::max(Most, Now += C);
  return static_cast<unsigned>(Most);
}

bool NearUses::hasLoops() const {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> Back;
  FindFunctionBackedges(F, Back);
  return !Back.empty();
}

/// Finds the dominators of the block that most instructions come before.
void NearUses::findPath() {
  BasicBlock *End = nullptr;
  size_t Most = 0;
  for (BasicBlock &B : F) {
    size_t Size = 0;
    for (auto *N = DT.getNode(&B); N; N = N->getIDom())
      Size += N->getBlock()->size();
    if (Size > Most) {
      Most = Size;
      End = &B;
    }
  }
  for (auto *N = DT.getNode(End); N; N = N->getIDom())
    Path.push_back(N->getBlock());
  std::reverse(Path.begin(), Path.end());
  Budget = Most; // at most as much again
}

/// Emission has said of inputs that nothing writes to what is read there; they
/// may also be memory that is written alone.
void NearUses::checkInputs() const {
  SmallPtrSet<const Value *, 8> Read, Written;
  for (const Instruction &I : instructions(F))
    if (const Value *P = getLoadStorePointerOperand(&I))
      (isa<LoadInst>(I) ? Read : Written).insert(getUnderlyingObject(P, 0));
  for (const Argument &A : F.args())
    retroAssert(!A.hasAttribute(InputMark) || !Read.contains(&A) ||
                    !Written.contains(&A),
                "emit", &F,
                "nothing writes to an input, which may be read again");
}

/// Is V computed from inputs by additions and products alone?
bool NearUses::canRepeat(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return true;
  auto [It, New] = Repeatable.try_emplace(I, false);
  if (!New)
    return It->second;
  bool Can = false;
  if (auto *L = dyn_cast<LoadInst>(I)) {
    auto *A =
        dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand(), 0));
    Can = A && A->hasAttribute(InputMark) && L->isSimple() &&
          (L->getType()->isFloatTy() || L->getType()->isDoubleTy()) &&
          L->getAlign().value() >=
              F.getDataLayout().getTypeStoreSize(L->getType());
  }
  if (I->getType()->isFloatingPointTy())
    switch (I->getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FNeg:
      Can = all_of(I->operands(), [&](Value *O) { return canRepeat(O); });
      break;
    default:
      break;
    }
  return Repeatable[I] = Can;
}

Value *NearUses::reload(LoadInst &L, Instruction &At) {
  auto *New = cast<LoadInst>(L.clone());
  const char *Block =
      F.getParent()->getTargetTriple().isAMDGPU() ? "workgroup" : "block";
  New->setAtomic(AtomicOrdering::Monotonic,
                 F.getContext().getOrInsertSyncScopeID(Block));
  New->dropUnknownNonDebugMetadata();
  New->insertBefore(At.getIterator());
  return New;
}

/// Computes I again before At. If none of its operands is newer than I's last
/// copy, one is copied first: LLVM would merge equal instructions.
Value *NearUses::repeat(Instruction &I, Instruction &At, size_t Place) {
  Value *Result;
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    Result = reload(*L, At);
  } else {
    size_t Newest = 0;
    Instruction *First = nullptr;
    for (Value *O : I.operands())
      if (Value *V = original(O)) {
        use(V, At, Place);
        Newest = std::max(Newest, Copies.find(V)->second.MadeAt);
        First = First ? First : cast<Instruction>(V);
      }
    if (First && Newest <= Copies.find(&I)->second.MadeAt)
      repeat(*First, At, Place);
    Instruction *New = I.clone();
    for (Use &U : New->operands())
      if (Value *V = original(U))
        U.set(Copies.find(V)->second.Now);
    New->insertBefore(At.getIterator());
    Result = New;
  }
  ++Done;
  Copies[&I] = {Result, Place, Place};
  Originals[Result] = &I;
  return Result;
}

Value *NearUses::use(Value *V, Instruction &At, size_t Place) {
  Copy &C = Copies.find(V)->second;
  if (Place - C.UsedAt > Window && Done < Budget)
    return repeat(*cast<Instruction>(V), At, Place);
  C.UsedAt = Place;
  return C.Now;
}

unsigned NearUses::run() {
  if (hasLoops() || words() <= limit())
    return 0;
  // Where the fault is planted, the program's own checks are to find it.
  if (ChecksPromises && !isPlanted(Fault::StaleInput))
    checkInputs();
  findPath();
  SmallVector<Instruction *> All;
  for (BasicBlock *B : Path)
    for (Instruction &I : *B)
      All.push_back(&I);
  for (Instruction *I : All)
    canRepeat(I); // as it is now
  for (auto [Place, I] : enumerate(All)) {
    if (!isa<PHINode>(I))
      for (Use &U : I->operands())
        if (Value *V = original(U))
          U.set(use(V, *I, Place));
    if (canRepeat(I))
      Copies[I] = {I, Place, Place};
  }
  return Done;
}

} // namespace

void markInput(Function &F, unsigned Arg) {
  F.addParamAttr(Arg, Attribute::get(F.getContext(), InputMark));
}

unsigned recomputeNearUses(Function &F) {
  unsigned Done = NearUses(F).run();
  for (Argument &A : F.args())
    F.removeParamAttr(A.getArgNo(), InputMark);
  return Done;
}

void settleReloads(Function &Kernel) {
  for (Instruction &I : instructions(Kernel)) {
    auto *L = dyn_cast<LoadInst>(&I);
    if (!L || !L->isAtomic() || L->getOrdering() != AtomicOrdering::Monotonic ||
        L->isVolatile())
      continue;
    auto *A =
        dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand(), 0));
    if (A && A->hasNoAliasAttr())
      L->setAtomic(AtomicOrdering::NotAtomic);
  }
}

} // namespace retro
