// Input: a call that forks a team of threads, and the function that the threads
// run. Output: loads, calls and loops that give the same in all threads run
// once in the caller, and the region is given the results. Without this, a
// value that is the same everywhere would be kept once for each thread and
// iteration.
#include "prepare/threads/hoist.h"

#include "base/toggles.h"
#include "facts/threads/region_facts.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

constexpr unsigned MaxDepth = 12;     ///< of an expression that is hoisted
constexpr unsigned MaxLoopSize = 400; ///< instructions

/// Adds parameters for the values in Extra to the region's function, and
/// removes those that nothing uses. Fork becomes a call of the new function.
Function *rebuild(CallBase *&Fork, Function &F,
                  ArrayRef<std::pair<Instruction *, Value *>> Extra) {
  SmallVector<Type *> Types;
  SmallVector<Value *> Args;
  SmallVector<AttributeSet> Sets;
  SmallVector<Argument *> Kept;
  for (Argument &A : F.args())
    if (A.getArgNo() < 2 || !A.use_empty()) {
      Kept.push_back(&A);
      Types.push_back(A.getType());
      Args.push_back(Fork->getArgOperand(A.getArgNo()));
      Sets.push_back(F.getAttributes().getParamAttrs(A.getArgNo()));
    }
  // A value is passed once, so that the region sees that it is one value.
  SmallVector<size_t> At;
  for (auto [V, Outside] : Extra) {
    auto Same = std::find(Args.begin() + 2, Args.end(), Outside);
    At.push_back(static_cast<size_t>(Same - Args.begin()));
    if (Same != Args.end())
      continue;
    Types.push_back(V->getType());
    Args.push_back(Outside);
  }
  Function *New =
      Function::Create(FunctionType::get(F.getReturnType(), Types, false),
                       GlobalValue::InternalLinkage, F.getAddressSpace());
  F.getParent()->getFunctionList().insert(F.getIterator(), New);
  New->copyAttributesFrom(&F);
  New->setAttributes(AttributeList::get(
      F.getContext(), F.getAttributes().getFnAttrs(), AttributeSet(), Sets));
  New->copyMetadata(&F, 0);
  F.setSubprogram(nullptr);
  New->takeName(&F);
  New->splice(New->begin(), &F);
  for (unsigned N = 0; N < Kept.size(); ++N) {
    New->getArg(N)->takeName(Kept[N]);
    Kept[N]->replaceAllUsesWith(New->getArg(N));
  }
  for (unsigned N = 0; N < Extra.size(); ++N) {
    Argument *A = New->getArg(static_cast<unsigned>(At[N]));
    if (!A->hasName())
      A->takeName(Extra[N].first);
    Extra[N].first->replaceAllUsesWith(A);
  }
  CallInst *C = CallInst::Create(New, Args, "", Fork->getIterator());
  C->setDebugLoc(Fork->getDebugLoc());
  C->setAttributes(AttributeList::get(
      C->getContext(), Fork->getAttributes().getFnAttrs(), {}, {}));
  Fork->eraseFromParent();
  Fork = C;
  return New;
}

class Hoister {
public:
  Hoister(CallBase &Fork, Function &Region, FunctionAnalysisManager &FAM)
      : Fork(&Fork), Region(Region), FAM(FAM), Facts(Fork, Region, FAM),
        Outer(FAM.getResult<DominatorTreeAnalysis>(*Fork.getFunction())) {}

  bool find();
  Function *apply(SmallVectorImpl<Function *> &New);

private:
  bool canBeOutside(Value *V, unsigned Depth = 0);
  Value *bringOutside(Value *V);
  bool isRun(const BasicBlock &B);
  void emitted(Instruction &Of, Instruction *Outside, bool Speculated);
  Value *storedIn(Value *Place, Type *T) const;
  bool hoistLoad(LoadInst &L);
  bool hoistCall(CallInst &C);
  bool readsUnwritten(Function &F, ArrayRef<Value *> Args, unsigned Depth);
  bool isInvariant(const Loop &L, SetVector<Value *> &Inputs);
  Function *functionOf(const Loop &L, const SetVector<Value *> &Inputs,
                       ArrayRef<Instruction *> Results);
  bool hoistLoop(Loop &L);

  CallBase *Fork;
  Function &Region;
  FunctionAnalysisManager &FAM;
  RegionFacts Facts;
  DominatorTree &Outer;
  DenseMap<Value *, Value *> Copies; ///< of expressions, in the caller
  SmallVector<std::pair<Instruction *, Value *>> Hoisted;
  SmallVector<Loop *> Loops; ///< that are hoisted whole
  SmallVector<Function *> NewFunctions;
  Value *Guard = nullptr; ///< in the caller
  Instruction *FirstGuarded = nullptr;
};

/// Can V be computed before the region is forked? Then all that it needs is
/// there, without the region's own memory.
bool Hoister::canBeOutside(Value *V, unsigned Depth) {
  if (Facts.outside(V) || Copies.count(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth || isa<PHINode, AllocaInst>(I) ||
      I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I))
    return false;
  if (auto *C = dyn_cast<CallBase>(I); C && C->isConvergent())
    return false;
  return all_of(I->operands(),
                [&](Value *O) { return canBeOutside(O, Depth + 1); });
}

Value *Hoister::bringOutside(Value *V) {
  if (Value *O = Facts.outside(V))
    return O;
  if (Value *O = Copies.lookup(V))
    return O;
  auto *I = cast<Instruction>(V);
  Instruction *Copy = I->clone();
  for (Use &U : Copy->operands())
    U.set(bringOutside(U.get()));
  Copy->dropUnknownNonDebugMetadata();
  Copy->insertBefore(Fork->getIterator());
  Copy->setDebugLoc(Fork->getDebugLoc());
  Copy->setName(I->getName());
  return Copies[V] = Copy;
}

/// Does B run whenever the place before the fork is reached? It may be under
/// the region's guard, which is then asked before the fork, too.
bool Hoister::isRun(const BasicBlock &B) {
  if (!Facts.isRunByTeam(B))
    return false;
  if (auto *Br = Facts.guard(); Br && !Guard) {
    if (!canBeOutside(Br->getCondition()))
      return false;
    Guard = bringOutside(Br->getCondition());
  }
  return true;
}

void Hoister::emitted(Instruction &Of, Instruction *Outside, bool Speculated) {
  Outside->insertBefore(Fork->getIterator());
  Outside->setDebugLoc(Fork->getDebugLoc());
  Outside->setName(Of.getName());
  if (!Speculated && !FirstGuarded && Guard)
    FirstGuarded = Outside;
  Facts.Known[&Of] = Outside;
  Hoisted.push_back({&Of, Outside});
  ++counters().omp_hoist;
}

/// What a variable of the caller holds, if it is stored to once.
Value *Hoister::storedIn(Value *Place, Type *T) const {
  StoreInst *Only = nullptr;
  if (!isa<AllocaInst>(Place))
    return nullptr;
  for (User *U : Place->users()) {
    if (auto *S = dyn_cast<StoreInst>(U)) {
      if (Only || S->getValueOperand() == Place)
        return nullptr;
      Only = S;
    } else if (auto *C = dyn_cast<CallBase>(U)) {
      if (C->isLifetimeStartOrEnd())
        continue;
      for (unsigned N = 0; N < C->arg_size(); ++N)
        if (C->getArgOperand(N) == Place &&
            !(C->doesNotCapture(N) && C->onlyReadsMemory(N)))
          return nullptr;
    } else if (!isa<LoadInst>(U)) {
      return nullptr;
    }
  }
  return Only && Only->isSimple() && Only->getValueOperand()->getType() == T &&
                 Outer.dominates(Only, Fork)
             ? Only->getValueOperand()
             : nullptr;
}

bool Hoister::hoistLoad(LoadInst &L) {
  if (!L.isSimple() || !canBeOutside(L.getPointerOperand()) ||
      Facts.isWritten(MemoryLocation::getBeforeOrAfter(L.getPointerOperand(),
                                                       L.getAAMetadata())))
    return false;
  bool Speculated = isDereferenceableAndAlignedPointer(
      L.getPointerOperand(), L.getType(), L.getAlign(), Region.getDataLayout());
  if (!Speculated && !isRun(*L.getParent()))
    return false;
  Value *Place = bringOutside(L.getPointerOperand());
  if (Value *V = storedIn(Place, L.getType())) {
    Facts.Known[&L] = V;
    Hoisted.push_back({&L, V});
    ++counters().omp_hoist;
    return true;
  }
  auto *Copy = cast<LoadInst>(L.clone());
  AAMDNodes Tags;
  Tags.TBAA = L.getMetadata(LLVMContext::MD_tbaa);
  Copy->dropUnknownNonDebugMetadata();
  Copy->setAAMetadata(Tags);
  Copy->setOperand(0, Place);
  emitted(L, Copy, Speculated);
  return true;
}

/// Which of Args, the region's, Ptr points to, other than to constants and to
/// memory of the function itself; null if that is not known.
static std::optional<SmallVector<Value *>> givenAt(Value *Ptr,
                                                   ArrayRef<Value *> Args) {
  SmallVector<Value *> Given;
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Ptr, Objects);
  for (const Value *O : Objects) {
    auto *G = dyn_cast<GlobalVariable>(O);
    if (isa<AllocaInst>(O) || (G && G->isConstant()))
      continue;
    auto *A = dyn_cast<Argument>(O);
    if (!A || !Args[A->getArgNo()])
      return std::nullopt;
    Given.push_back(Args[A->getArgNo()]);
  }
  return Given;
}

/// What a call gives to parameters, in terms of Args: null for what is no
/// pointer. None if a pointer does not lead to exactly one of them.
static std::optional<SmallVector<Value *>> givenBy(CallBase &C,
                                                   ArrayRef<Value *> Args) {
  SmallVector<Value *> Inner;
  for (Value *A : C.args()) {
    Value *O = nullptr;
    if (A->getType()->isPointerTy()) {
      auto Given = givenAt(A, Args);
      if (!Given || Given->size() != 1)
        return std::nullopt;
      O = Given->front();
    }
    Inner.push_back(O);
  }
  return Inner;
}

/// Does F only read constants and memory that its arguments point to and no
/// thread writes? Args are the region's; null stands for memory of the caller.
bool Hoister::readsUnwritten(Function &F, ArrayRef<Value *> Args,
                             unsigned Depth) {
  if (F.isDeclaration() || Depth > 4 || F.isInterposable())
    return false;
  for (Instruction &I : instructions(F)) {
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      AAMDNodes Tags;
      Tags.TBAA = L->getMetadata(LLVMContext::MD_tbaa);
      auto Given = givenAt(L->getPointerOperand(), Args);
      if (!L->isSimple() || !Given || any_of(*Given, [&](Value *O) {
            return Facts.isWritten(MemoryLocation::getBeforeOrAfter(O, Tags));
          }))
        return false;
      continue;
    }
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      auto Given = givenAt(S->getPointerOperand(), Args);
      if (!S->isSimple() || !Given || !Given->empty())
        return false;
      continue;
    }
    auto *C = dyn_cast<CallBase>(&I);
    if (C && (isAssumeLikeIntrinsic(C) || knownCall(*C).isPure()))
      continue;
    if (C && C->mayReadOrWriteMemory()) {
      Function *G = C->getCalledFunction();
      auto Inner = givenBy(*C, Args);
      if (!G || !Inner || !readsUnwritten(*G, *Inner, Depth + 1))
        return false;
      continue;
    }
    if (I.mayReadOrWriteMemory() || I.mayThrow())
      return false;
  }
  return true;
}

bool Hoister::hoistCall(CallInst &C) {
  Function *F = C.getCalledFunction();
  if (!F || C.getType()->isVoidTy() || C.isConvergent() ||
      C.hasOperandBundles() ||
      !all_of(C.args(), [&](Value *A) { return canBeOutside(A); }))
    return false;
  bool Rule = knownCall(C).isPure() && knownCall(C).isRule();
  if (!Rule) {
    bool Pure = C.doesNotAccessMemory() && C.doesNotThrow();
    SmallVector<Value *> Args(C.args());
    if (F->isIntrinsic() || knownCall(C).Row ||
        !(Pure || readsUnwritten(*F, Args, 0)) || !isRun(*C.getParent()))
      return false;
  }
  SmallVector<Value *> Args;
  for (Value *A : C.args())
    Args.push_back(bringOutside(A));
  auto *Copy = cast<CallInst>(C.clone());
  for (unsigned N = 0; N < Args.size(); ++N)
    Copy->setArgOperand(N, Args[N]);
  Copy->dropUnknownNonDebugMetadata();
  emitted(C, Copy, Rule);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops that were calls

/// Does the loop compute nothing but numbers, the same in all threads and
/// iterations? Inputs gets what it reads from outside.
bool Hoister::isInvariant(const Loop &L, SetVector<Value *> &Inputs) {
  unsigned Size = 0;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (++Size > MaxLoopSize)
        return false;
      auto *C = dyn_cast<CallBase>(&I);
      if (auto *Ld = dyn_cast<LoadInst>(&I)) {
        if (!Ld->isSimple() ||
            Facts.isWritten(MemoryLocation::getBeforeOrAfter(
                Ld->getPointerOperand(), Ld->getAAMetadata())))
          return false;
      } else if (isa<AllocaInst>(I) || I.mayThrow() ||
                 (I.mayReadOrWriteMemory() && !(C && knownCall(*C).isPure())) ||
                 (C && C->isConvergent())) {
        return false;
      }
      for (Value *O : I.operands()) {
        auto *Def = dyn_cast<Instruction>(O);
        if (isa<BasicBlock, Constant, MetadataAsValue>(O) ||
            (Def && L.contains(Def)))
          continue;
        if (!canBeOutside(O))
          return false;
        Inputs.insert(O);
      }
    }
  return true;
}

/// What the loop computes that is read behind it.
static SmallVector<Instruction *> resultsOf(const Loop &L) {
  SmallVector<Instruction *> Results;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (any_of(I.users(),
                 [&](User *U) { return !L.contains(cast<Instruction>(U)); }))
        Results.push_back(&I);
  return Results;
}

/// A function that computes Results, by a copy of the loop, of Inputs.
Function *Hoister::functionOf(const Loop &L, const SetVector<Value *> &Inputs,
                              ArrayRef<Instruction *> Results) {
  SmallVector<Type *> Types, Params;
  for (Instruction *I : Results)
    Types.push_back(I->getType());
  for (Value *V : Inputs)
    Params.push_back(V->getType());
  LLVMContext &Ctx = Region.getContext();
  Type *Ret = Types.size() == 1 ? Types[0] : StructType::get(Ctx, Types);
  Function *F = Function::Create(
      FunctionType::get(Ret, Params, false), GlobalValue::InternalLinkage,
      Region.getName() + ".invariant", Region.getParent());
  F->addFnAttrs(AttrBuilder(Ctx, Region.getAttributes().getFnAttrs()));
  ValueToValueMapTy VM;
  for (unsigned N = 0; N < Inputs.size(); ++N)
    VM[Inputs[N]] = F->getArg(N);
  auto *Entry = BasicBlock::Create(Ctx, "entry", F);
  auto *End = BasicBlock::Create(Ctx, "end");
  VM[L.getLoopPreheader()] = Entry;
  VM[L.getExitBlock()] = End;
  SmallVector<BasicBlock *> Blocks;
  for (BasicBlock *B : L.blocks()) {
    Blocks.push_back(CloneBasicBlock(B, VM, "", F));
    VM[B] = Blocks.back();
  }
  End->insertInto(F);
  remapInstructionsInBlocks(Blocks, VM);
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      I.setDebugLoc(DebugLoc());
      I.dropDbgRecords();
    }
  IRBuilder<> B(Entry);
  B.CreateBr(cast<BasicBlock>(VM.lookup(L.getHeader())));
  B.SetInsertPoint(End);
  Value *R = Results.size() == 1 ? nullptr : PoisonValue::get(Ret);
  for (unsigned N = 0; N < Results.size(); ++N) {
    Value *V = VM.lookup(Results[N]);
    R = R ? B.CreateInsertValue(R, V, N) : V;
  }
  B.CreateRet(R);
  return F;
}

/// Replaces the loop by a call, before the fork, of a function of its inputs.
bool Hoister::hoistLoop(Loop &L) {
  SetVector<Value *> Inputs;
  if (!L.getLoopPreheader() || !L.getExitingBlock() || !L.getExitBlock() ||
      !isInvariant(L, Inputs) || !isRun(*L.getLoopPreheader()))
    return false;
  SmallVector<Instruction *> Results = resultsOf(L);
  if (Results.empty())
    return false;
  Function *F = functionOf(L, Inputs, Results);
  SmallVector<Value *> Args;
  for (Value *V : Inputs)
    Args.push_back(bringOutside(V));
  CallInst *C = CallInst::Create(F, Args);
  emitted(*Results[0], C, false);
  if (Results.size() > 1) {
    IRBuilder<> OB(Fork);
    Hoisted.pop_back();
    for (unsigned N = 0; N < Results.size(); ++N) {
      Value *V = OB.CreateExtractValue(C, N);
      Facts.Known[Results[N]] = V;
      Hoisted.push_back({Results[N], V});
    }
  }
  Loops.push_back(&L);
  NewFunctions.push_back(F);
  return true;
}

//===----------------------------------------------------------------------===//

bool Hoister::find() {
  const Loop *Inside = nullptr;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&Region)) {
    if (Inside && Inside->contains(B))
      continue;
    if (Loop *L = Facts.LI.getLoopFor(B);
        L && L->getHeader() == B && hoistLoop(*L)) {
      Inside = L;
      continue;
    }
    for (Instruction &I : *B)
      if (auto *L = dyn_cast<LoadInst>(&I))
        hoistLoad(*L);
      else if (auto *C = dyn_cast<CallInst>(&I))
        hoistCall(*C);
  }
  return !Hoisted.empty();
}

Function *Hoister::apply(SmallVectorImpl<Function *> &New) {
  New.append(NewFunctions);
  // Values that were computed under the region's guard may be computed only
  // where the region does anything.
  if (FirstGuarded) {
    bool Then = Facts.guard()->getSuccessor(0) == Facts.start();
    BasicBlock *Head = FirstGuarded->getParent();
    BasicBlock *Block = SplitBlock(Head, FirstGuarded->getIterator());
    BasicBlock *Tail = SplitBlock(Block, std::next(Fork->getIterator()));
    Head->getTerminator()->eraseFromParent();
    IRBuilder<> B(Head);
    B.SetCurrentDebugLocation(Fork->getDebugLoc());
    B.CreateCondBr(Guard, Then ? Block : Tail, Then ? Tail : Block);
  }
  for (Loop *L : Loops) {
    BasicBlock *Before = L->getLoopPreheader(), *Exit = L->getExitBlock();
    for (PHINode &P : Exit->phis())
      P.addIncoming(P.getIncomingValueForBlock(L->getExitingBlock()), Before);
    Before->getTerminator()->setSuccessor(0, Exit);
  }
  SmallVector<WeakVH> Old;
  for (auto [I, V] : Hoisted)
    Old.push_back(I);
  FAM.clear(Region, Region.getName());
  Function *F = rebuild(Fork, Region, Hoisted);
  Region.eraseFromParent();
  removeUnreachableBlocks(*F);
  for (WeakVH &V : reverse(Old))
    if (auto *I = dyn_cast_or_null<Instruction>(&*V); I && I->use_empty()) {
      SmallVector<WeakTrackingVH> Operands(I->operands());
      I->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
    }
  Function *Lean = rebuild(Fork, *F, {});
  F->eraseFromParent();
  return Lean;
}

} // namespace

Function *hoistFromRegion(CallBase &Fork, bool InPlace,
                          FunctionAnalysisManager &FAM,
                          SmallVectorImpl<Function *> &New) {
  Function *Source = Fork.getCalledFunction(), *Region = Source;
  if (!Source || Source->isDeclaration())
    return nullptr;
  if (!InPlace) {
    ValueToValueMapTy VM;
    Region = CloneFunction(Source, VM);
    Region->setName(Source->getName() + ".given");
    Region->setLinkage(GlobalValue::InternalLinkage);
  }
  FAM.invalidate(*Fork.getFunction(), PreservedAnalyses::none());
  FAM.invalidate(*Region, PreservedAnalyses::none());
  Hoister H(Fork, *Region, FAM);
  if (H.find())
    return H.apply(New);
  if (!InPlace) {
    FAM.clear(*Region, Region->getName());
    Region->eraseFromParent();
  }
  return nullptr;
}

} // namespace retro
