// Input: a loop of one block whose code is longer than the first-level cache.
// Output: several loops, one after the other, each of a part of the block. The
// processor fetches code from the second-level cache at a fraction of the
// speed; that is all this is for.
#include "polish/scatters/loop_parts.h"

#include "base/assert.h"
#include "base/toggles.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {

/// The operations of a part. With 16 bytes of vector code for each, and the
/// moves between registers and the stack, as measured, they fill 32 KB.
static constexpr size_t MostOperations = 2048;
/// A value that crosses from one part to the next is stored and loaded. That
/// should be no more than an eighth of what is computed.
static constexpr int64_t OperationsPerValue = 16;

static bool isOperation(const Instruction &I) {
  return I.getType()->isFPOrFPVectorTy() && !isa<LoadInst, PHINode>(I);
}

/// Is V computed again in each part that needs it?
static bool isRepeated(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I && !I->getType()->isFPOrFPVectorTy() && !I->mayReadOrWriteMemory() &&
         !isa<CallBase, FreezeInst>(I);
}

/// Can each part compute by itself what an iteration hands on to the next?
static bool handsOnRepeated(BasicBlock &B) {
  SmallPtrSet<const Instruction *, 16> Seen;
  SmallVector<const Value *> Work;
  for (PHINode &P : B.phis()) {
    Seen.insert(&P);
    Work.push_back(P.getIncomingValueForBlock(&B));
  }
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I->getParent() != &B || !Seen.insert(I).second)
      continue;
    if (!isRepeated(I))
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

LoopParts::LoopParts(BasicBlock &B,
                     function_ref<bool(const Instruction *)> Moved) {
  if (!isOn(Toggle::strip_parts) || !handsOnRepeated(B))
    return;
  // What is only used for the addresses of moved instructions is not needed.
  SmallPtrSet<const Instruction *, 32> Live;
  for (Instruction &I : reverse(B))
    if (!Moved(&I) &&
        (I.mayHaveSideEffects() || any_of(I.users(), [&](User *U) {
           auto *By = cast<Instruction>(U);
           return Live.contains(By) || isa<PHINode>(By) || By->isTerminator() ||
                  (Moved(By) && isOperation(*By));
         })))
      Live.insert(&I);
  SmallVector<Instruction *> All;
  for (Instruction &I : B)
    if (!isa<PHINode>(I) && !I.isTerminator() && Live.contains(&I))
      All.push_back(&I);
  if (All.empty())
    return;
  findCrossings(All);
  findCuts(All);
}

void LoopParts::findCrossings(ArrayRef<Instruction *> All) {
  // The last place where each value is needed. A value that is computed again
  // needs its operands as late.
  DenseMap<const Value *, size_t> Place, Needed;
  for (size_t N = 0; N < All.size(); ++N)
    Place[All[N]] = N;
  for (size_t N = All.size(); N-- > 0;) {
    size_t Until = N;
    if (isRepeated(All[N]))
      Until = std::max(Until, Needed.lookup(All[N]));
    for (const Value *O : All[N]->operands())
      if (Place.contains(O))
        Needed[O] = std::max(Needed.lookup(O), Until);
  }
  Crossings.resize(All.size() + 1);
  const DataLayout &DL = All.front()->getDataLayout();
  for (size_t N = 0; N < All.size(); ++N) {
    if (isRepeated(All[N]) || All[N]->getType()->isVoidTy())
      continue;
    auto Size = static_cast<int64_t>(
        DL.getTypeStoreSize(All[N]->getType()).getFixedValue());
    Crossings[N + 1].Values += 1;
    Crossings[N + 1].Bytes += Size;
    if (size_t End = std::max(Needed.lookup(All[N]), N) + 1; End < All.size()) {
      Crossings[End].Values -= 1;
      Crossings[End].Bytes -= Size;
    }
  }
  for (size_t N = 1; N <= All.size(); ++N) {
    Crossings[N].Values += Crossings[N - 1].Values;
    Crossings[N].Bytes += Crossings[N - 1].Bytes;
  }
}

/// Chooses as few parts as fit. Each begins with an operation, and between two
/// parts as few values as possible cross.
void LoopParts::findCuts(ArrayRef<Instruction *> All) {
  SmallVector<size_t> Operations;
  for (size_t N = 0; N < All.size(); ++N)
    if (isOperation(*All[N]))
      Operations.push_back(N);
  const size_t Total = Operations.size();
  const size_t Parts = (Total + MostOperations - 1) / MostOperations;
  int64_t Values = 0;
  size_t Begin = 0;
  for (size_t PartsLeft = Parts; PartsLeft-- > 1;) {
    // What follows has to fit the remaining parts.
    const size_t Rest = PartsLeft * MostOperations;
    const size_t Least =
        std::max(Begin + 1, Total > Rest ? Total - Rest : size_t(0));
    const size_t Last = std::min(Begin + MostOperations, Total - PartsLeft);
    Begin = Least;
    for (size_t N = Least; N <= Last; ++N)
      if (Crossings[Operations[N]].Values < Crossings[Operations[Begin]].Values)
        Begin = N;
    const Crossing &C = Crossings[Operations[Begin]];
    Firsts.push_back(All[Operations[Begin]]);
    Values += C.Values;
    Bytes += static_cast<uint64_t>(C.Bytes);
  }
  if (Values * OperationsPerValue > static_cast<int64_t>(Total)) {
    Firsts.clear();
    Bytes = 0;
  }
}

/// Moves what counts the iterations and hands values on in front of the next
/// part, where this block ends.
void LoopParts::hoistControl(Instruction &First) {
  SmallPtrSet<Instruction *, 16> Control;
  SmallVector<Value *> Work(From->getTerminator()->operands());
  for (PHINode &P : From->phis())
    Work.push_back(P.getIncomingValueForBlock(From));
  while (!Work.empty())
    if (auto *I = dyn_cast<Instruction>(Work.pop_back_val());
        I && I->getParent() == From && !isa<PHINode>(I) &&
        Control.insert(I).second)
      append_range(Work, I->operands());
  for (Instruction &I :
       make_early_inc_range(make_range(First.getIterator(), From->end())))
    if (Control.contains(&I))
      I.moveBefore(First.getIterator());
}

/// V, computed in an earlier part, for User in this part.
Value *LoopParts::inPart(Value *V, Instruction &User) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != From)
    return V;
  if (Value *Earlier = InThisPart.lookup(I))
    return Earlier;
  if (auto *P = dyn_cast<PHINode>(I)) {
    PHINode *New =
        PHINode::Create(P->getType(), 2, P->getName(), Part->begin());
    InThisPart[P] = New;
    New->addIncoming(P->getIncomingValueForBlock(Entry), Between);
    return New;
  }
  if (!isRepeated(I))
    return InThisPart[I] = reload(*I, User);
  Instruction *New = I->clone();
  New->setName(I->getName());
  New->insertBefore(User.getIterator());
  for (Use &U : New->operands())
    U = inPart(U, *New);
  return InThisPart[I] = New;
}

Value *LoopParts::reload(Instruction &V, Instruction &User) {
  BasicBlock &First = From->getParent()->getEntryBlock();
  IRBuilder<> B(&First, First.begin());
  AllocaInst *Row =
      B.CreateAlloca(ArrayType::get(V.getType(), Most), nullptr, "between");
  Row->setAlignment(Align(64));
  B.SetInsertPoint(From, std::next(V.getIterator()));
  B.CreateStore(&V, B.CreateInBoundsGEP(V.getType(), Row, Count));
  B.SetInsertPoint(&User);
  Value *Place = B.CreateInBoundsGEP(V.getType(), Row, inPart(Count, User));
  return B.CreateLoad(V.getType(), Place, V.getName());
}

void LoopParts::cutAt(Instruction &First) {
  hoistControl(First);
  LLVMContext &C = First.getContext();
  Function &F = *From->getParent();
  Between = BasicBlock::Create(C, "between", &F, From->getNextNode());
  Part = BasicBlock::Create(C, "part", &F, Between->getNextNode());
  BranchInst::Create(Part, Between);
  Instruction *Loop = From->getTerminator();
  Part->splice(Part->end(), From, First.getIterator(), From->end());
  Instruction *Again = Loop->clone();
  Again->insertInto(From, From->end());
  BasicBlock *Exit = nullptr;
  for (unsigned N = 0; N < 2; ++N)
    if (Loop->getSuccessor(N) == From) {
      Loop->setSuccessor(N, Part);
    } else {
      Exit = Loop->getSuccessor(N);
      Again->setSuccessor(N, Between);
    }
  InThisPart.clear();
  for (Instruction &I : make_early_inc_range(*Part)) {
    I.dropDbgRecords(); // they are of another iteration
    for (Use &U : I.operands())
      U = inPart(U, I);
  }
  for (PHINode &P : From->phis())
    if (auto *New = cast_or_null<PHINode>(InThisPart.lookup(&P)))
      New->addIncoming(
          inPart(P.getIncomingValueForBlock(From), *Part->getTerminator()),
          Part);
  Exit->replacePhiUsesWith(From, Part);
}

SmallVector<BasicBlock *> LoopParts::cut(BasicBlock &Entered, PHINode &Counted,
                                         unsigned MostTimes) {
  Entry = &Entered;
  From = Counted.getParent();
  for (Instruction &I : make_early_inc_range(reverse(*From)))
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
  Count = &Counted;
  Most = MostTimes;
  retroAssert(Most > 0, "strips", From->getParent(),
              "a strip has an iteration, whose values have a place");
  retroAssert(Count->getBasicBlockIndex(Entry) >= 0, "strips",
              From->getParent(), "a strip is entered where it was said");
  SmallVector<BasicBlock *> Parts{From};
  counters().strip_parts += static_cast<unsigned>(Firsts.size());
  for (Instruction *First : Firsts) {
    retroAssert(First->getParent() == From, "strips", From->getParent(),
                "parts are cut off in their order");
    cutAt(*First);
    Count = cast<PHINode>(InThisPart.lookup(Count));
    Entry = Between;
    From = Part;
    Parts.push_back(Part);
  }
  return Parts;
}

} // namespace retro
