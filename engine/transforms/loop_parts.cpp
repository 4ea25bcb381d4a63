#include "transforms/loop_parts.h"

#include "toggles.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {

/// Operations of a part: 16 bytes of vector code for each, with what is moved
/// about between registers and the stack, measured, fill 32 KB.
static constexpr uint64_t MostOperations = 2048;
/// A value that crosses is stored and loaded; it should not be more than an
/// eighth of what is computed.
static constexpr uint64_t OperationsPerValue = 16;

static bool isOperation(const Instruction &I) {
  return I.getType()->isFPOrFPVectorTy() && !isa<LoadInst, PHINode>(I);
}

/// Is it computed again in each part that needs it?
bool LoopParts::isRepeated(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && !I->getType()->isFPOrFPVectorTy() && !I->mayReadOrWriteMemory() &&
         !isa<CallBase>(I);
}

LoopParts::LoopParts(BasicBlock &B,
                     function_ref<bool(const Instruction *)> Moved) {
  if (!Toggles::get().strip_parts)
    return;
  // What the iterations hand on is computed from itself alone.
  SmallPtrSet<const Instruction *, 16> Handed;
  SmallVector<const Value *> Work;
  for (PHINode &P : B.phis()) {
    Handed.insert(&P);
    Work.push_back(P.getIncomingValueForBlock(&B));
    if (P.getType()->isFPOrFPVectorTy())
      return;
  }
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I->getParent() != &B || !Handed.insert(I).second)
      continue;
    if (!isRepeated(I))
      return;
    append_range(Work, I->operands());
  }
  // What only places of the moved are computed from is not needed.
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
  findCrossings(All);
  findCuts(All);
}

void LoopParts::findCrossings(ArrayRef<Instruction *> All) {
  // Until where is a value needed? What is computed again needs its operands
  // as late.
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
    uint64_t Size = DL.getTypeStoreSize(All[N]->getType()).getFixedValue();
    for (size_t K = N + 1; K <= Needed.lookup(All[N]); ++K) {
      ++Crossings[K].Values;
      Crossings[K].Bytes += Size;
    }
  }
}

/// The parts are as few as fit; between two the least crosses.
void LoopParts::findCuts(ArrayRef<Instruction *> All) {
  const auto Total = static_cast<uint64_t>(
      count_if(All, [](Instruction *I) { return isOperation(*I); }));
  const uint64_t Parts = (Total + MostOperations - 1) / MostOperations;
  uint64_t Before = 0, Last = 0, Values = 0;
  size_t N = 0;
  for (uint64_t Left = Parts; Left-- > 1;) {
    const Crossing *Best = nullptr;
    uint64_t Ahead = 0;
    size_t At = 0;
    for (uint64_t Now = Before; N < All.size() && Now <= Last + MostOperations;
         ++N) {
      if (Now > Last && Now + Left * MostOperations >= Total &&
          (!Best || Crossings[N].Values < Best->Values)) {
        Best = &Crossings[N];
        Ahead = Now;
        At = N;
      }
      Now += isOperation(*All[N]);
    }
    if (!Best)
      break;
    Firsts.push_back(All[At]);
    Values += Best->Values;
    Bytes += Best->Bytes;
    N = At;
    Before = Last = Ahead;
  }
  if (Values * OperationsPerValue > Total || Firsts.size() + 1 != Parts) {
    Firsts.clear();
    Bytes = 0;
  }
}

/// What counts the iterations and hands on goes before the next part, to be
/// there when the block ends. Returns where the part begins.
Instruction &LoopParts::hoistControl(Instruction &First) {
  SmallPtrSet<Instruction *, 16> Control;
  SmallVector<Value *> Work(From->getTerminator()->operands());
  for (PHINode &P : From->phis())
    Work.push_back(P.getIncomingValueForBlock(From));
  while (!Work.empty())
    if (auto *I = dyn_cast<Instruction>(Work.pop_back_val());
        I && I->getParent() == From && !isa<PHINode>(I) &&
        Control.insert(I).second)
      append_range(Work, I->operands());
  auto Start = First.getIterator();
  while (Control.contains(&*Start))
    ++Start;
  for (Instruction &I : make_early_inc_range(make_range(Start, From->end())))
    if (Control.contains(&I))
      I.moveBefore(Start);
  return *Start;
}

/// V, of the part before, where User of this part needs it.
Value *LoopParts::inPart(Value *V, Instruction &User) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != From)
    return V;
  if (Value *Known = Here.lookup(I))
    return Known;
  if (auto *P = dyn_cast<PHINode>(I)) {
    PHINode *New =
        PHINode::Create(P->getType(), 2, P->getName(), Part->begin());
    Here[P] = New;
    New->addIncoming(P->getIncomingValueForBlock(Entry), Between);
    return New;
  }
  if (!isRepeated(I) && !Reloads.contains(I))
    return Here[I] = reload(*I, User);
  Instruction *New = I->clone();
  if (Reloads.contains(I))
    Reloads.insert(New);
  New->setName(I->getName());
  New->insertBefore(User.getIterator());
  for (Use &U : New->operands())
    U = inPart(U, *New);
  return Here[I] = New;
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
  LoadInst *L = B.CreateLoad(V.getType(), Place, V.getName());
  Reloads.insert(L);
  return L;
}

void LoopParts::cutAt(Instruction &Wanted) {
  Instruction &First = hoistControl(Wanted);
  LLVMContext &C = First.getContext();
  Function &F = *From->getParent();
  Between = BasicBlock::Create(C, "between", &F, From->getNextNode());
  Part = BasicBlock::Create(C, "part", &F, Between->getNextNode());
  BranchInst::Create(Part, Between);
  Instruction *Loop = From->getTerminator();
  Part->splice(Part->end(), From, First.getIterator(), From->end());
  Instruction *Again = Loop->clone();
  Again->insertInto(From, From->end());
  // The scopes of an iteration are declared in each of its parts.
  SmallVector<MDNode *> Scopes;
  for (BasicBlock *X : {From, Part})
    identifyNoAliasScopesToClone({X}, Scopes);
  BasicBlock *Exit = nullptr;
  for (unsigned N = 0; N < 2; ++N)
    if (Loop->getSuccessor(N) == From) {
      Loop->setSuccessor(N, Part);
    } else {
      Exit = Loop->getSuccessor(N);
      Again->setSuccessor(N, Between);
    }
  Here.clear();
  for (Instruction &I : make_early_inc_range(*Part))
    for (Use &U : I.operands())
      U = inPart(U, I);
  for (PHINode &P : From->phis())
    if (auto *New = cast_or_null<PHINode>(Here.lookup(&P)))
      New->addIncoming(
          inPart(P.getIncomingValueForBlock(From), *Part->getTerminator()),
          Part);
  for (PHINode &P : Exit->phis()) {
    auto *V = dyn_cast<Instruction>(P.getIncomingValueForBlock(From));
    if (V && V->getParent() == From) {
      PHINode *Over =
          PHINode::Create(P.getType(), 1, P.getName(), Between->begin());
      Over->addIncoming(V, From);
      P.setIncomingValueForBlock(From, Over);
    }
    P.replaceIncomingBlockWith(From, Part);
  }
  for (MDNode *List : Scopes)
    for (BasicBlock *X : {From, Part})
      if (none_of(*X, [&](Instruction &I) {
            auto *D = dyn_cast<NoAliasScopeDeclInst>(&I);
            return D && D->getScopeList() == List;
          }))
        IRBuilder<>(X, X->getFirstInsertionPt())
            .CreateNoAliasScopeDeclaration(List);
  cloneAndAdaptNoAliasScopes(Scopes, {Part}, C, "part");
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
  SmallVector<BasicBlock *> Parts{From};
  counters().strip_parts += static_cast<unsigned>(Firsts.size());
  for (Instruction *First : Firsts) {
    cutAt(*First);
    Count = cast<PHINode>(Here.lookup(Count));
    Entry = Between;
    From = Part;
    Parts.push_back(Part);
  }
  return Parts;
}

} // namespace retro
