// Input: a module with registered functions. Output: their calls go to
// declarations, the stand-ins, until all requests are answered, and to the
// functions again after that. Else the optimizer would inline them, and the
// registered derivative would be passed by.
#include "prepare/calls/stand_in.h"

#include "base/call_chain.h"
#include "ir/late_inline.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace retro {
namespace {

constexpr const char *KeptAttribute = "retro-kept";
constexpr const char *CallsKeptAttribute = "retro-calls-kept";
constexpr const char *HiddenAccess = "retro.hidden";
constexpr const char *ElsewhereAttribute = "retro-registered-elsewhere";

using PairMap = MapVector<Function *, Function *>;

/// Maps each stand-in of the module to its primal.
PairMap pairsOf(Module &M) {
  PairMap Out;
  for (GlobalVariable &G : M.globals())
    if (auto *All = holdsStandIns(G)
                        ? dyn_cast<ConstantArray>(G.getInitializer())
                        : nullptr)
      for (Value *Row : All->operands()) {
        auto *P = dyn_cast<ConstantStruct>(Row);
        auto *S = P ? dyn_cast<Function>(P->getOperand(0)) : nullptr;
        auto *F = P ? dyn_cast<Function>(P->getOperand(1)) : nullptr;
        if (S && F)
          Out[S] = F;
      }
  return Out;
}

void addPairs(Module &M, ArrayRef<std::pair<Function *, Function *>> New) {
  if (New.empty())
    return;
  SmallVector<Constant *> Rows;
  for (auto [S, F] : New)
    Rows.push_back(ConstantStruct::getAnon({S, F}));
  auto *T = ArrayType::get(Rows[0]->getType(), Rows.size());
  auto *G = new GlobalVariable(M, T, true, GlobalValue::InternalLinkage,
                               ConstantArray::get(T, Rows), StandInsName);
  appendToCompilerUsed(M, G);
}

/// What the user or the front end promised of F holds for the stand-in too.
/// That an argument is returned is left out, as the derivative may return
/// something else.
Function *createStandIn(Function &F) {
  Module &M = *F.getParent();
  std::string Name = (F.getName() + StandInSuffix).str();
  // Functions of one name in several files that are linked stay several.
  if (F.hasLocalLinkage())
    Name +=
        "." +
        utohexstr(xxh3_64bits(M.getModuleIdentifier() + getUniqueModuleId(&M)));
  Function *S =
      Function::Create(F.getFunctionType(), GlobalValue::ExternalLinkage,
                       F.getAddressSpace(), Name, &M);
  S->copyAttributesFrom(&F);
  S->setLinkage(GlobalValue::ExternalLinkage);
  S->setVisibility(GlobalValue::DefaultVisibility);
  S->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  S->setComdat(nullptr);
  S->setSection("");
  S->setDSOLocal(false);
  if (S->hasPersonalityFn())
    S->setPersonalityFn(nullptr);
  if (S->hasPrefixData())
    S->setPrefixData(nullptr);
  if (S->hasPrologueData())
    S->setPrologueData(nullptr);
  AttributeMask Body;
  for (auto K :
       {Attribute::AlwaysInline, Attribute::NoInline, Attribute::OptimizeNone,
        Attribute::InlineHint, Attribute::MinSize, Attribute::OptimizeForSize})
    Body.addAttribute(K);
  S->removeFnAttrs(Body);
  for (Argument &A : S->args())
    A.removeAttr(Attribute::Returned);
  return S;
}

/// Once the effects of the bodies on memory are known, they are those of the
/// call.
void updateFacts(Function &S, const Registration &R) {
  const Function &F = *R.Primal;
  std::string Text = registeredText(R);
  for (Function *G : {&S, R.Primal})
    if (G->getFnAttribute(RegisteredAttribute).getValueAsString() != Text)
      G->addFnAttr(RegisteredAttribute, Text);
  if (R.AllocationSize >= 0)
    S.addRetAttr(Attribute::NoAlias);
  if (!F.hasExactDefinition())
    return;
  S.setMemoryEffects(S.getMemoryEffects() & F.getMemoryEffects());
  for (auto K : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
                 Attribute::NoSync})
    if (F.hasFnAttribute(K))
      S.addFnAttr(K);
}

/// Undoes markForThinLink.
void unmark(Function &F) {
  Attribute A = F.getFnAttribute(ElsewhereAttribute);
  if (A.isValid() && A.getValueAsString() == "inline")
    F.removeFnAttr(Attribute::NoInline);
  F.removeFnAttr(ElsewhereAttribute);
}

bool sendCallsTo(Function &S, Function &F) {
  bool Changed = false;
  SmallVector<Value *> Names{&F};
  for (User *U : F.users())
    if (isa<GlobalAlias>(U))
      Names.push_back(U);
  for (Value *Name : Names)
    for (Use &U : make_early_inc_range(Name->uses())) {
      auto *C = dyn_cast<CallBase>(U.getUser());
      if (!C || !C->isCallee(&U) || C->getFunctionType() != S.getFunctionType())
        continue;
      C->setCalledOperand(&S);
      Changed = true;
    }
  return Changed;
}

void setVolatile(Instruction &I, bool On) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    L->setVolatile(On);
  else if (auto *S = dyn_cast<StoreInst>(&I))
    S->setVolatile(On);
  else if (auto *T = dyn_cast<MemIntrinsic>(&I))
    T->setVolatile(ConstantInt::getBool(I.getContext(), On));
}

/// Makes accesses of an inactive global volatile, so that the optimizer does
/// not pass on what was stored: what is loaded counts as another, inactive
/// value.
bool hideContents(GlobalVariable &G) {
  bool Changed = false;
  SmallPtrSet<Value *, 8> Seen;
  SmallVector<Value *> Work{&G};
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      auto *In = dyn_cast<IntrinsicInst>(U);
      if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(U) ||
          (In && In->getIntrinsicID() == Intrinsic::threadlocal_address)) {
        if (Seen.insert(U).second)
          Work.push_back(U);
      } else if (I && !I->isVolatile()) {
        setVolatile(*I, true);
        if (I->isVolatile()) {
          I->setMetadata(HiddenAccess, MDNode::get(I->getContext(), {}));
          Changed = true;
        }
      }
    }
  return Changed;
}

bool showContents(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.hasMetadata() && I.getMetadata(HiddenAccess)) {
        setVolatile(I, false);
        I.setMetadata(HiddenAccess, nullptr);
        Changed = true;
      }
  return Changed;
}

} // namespace

Function *standInOf(Function &F) {
  Function *S = linkOf(F, StandInLink);
  return S ? S : &F;
}

bool hideRegistered(Module &M, const Registrations &R) {
  bool Changed = false;
  DenseMap<Function *, Function *> Has;
  for (auto [S, F] : pairsOf(M))
    Has[F] = S;
  SmallVector<std::pair<Function *, Function *>> New;
  for (auto &[Of, Reg] : R.all()) {
    if (!Reg.changesMeaning())
      continue;
    Function *F = Reg.Primal;
    Function *&S = Has[F];
    if (!S) {
      S = createStandIn(*F);
      New.push_back({S, F});
    }
    if (!S->isDeclaration()) { // parked
      S->deleteBody();
      S->setLinkage(GlobalValue::ExternalLinkage);
    }
    unmark(*F);
    setLink(*S, PrimalLink, F);
    setLink(*F, StandInLink, S);
    updateFacts(*S, Reg);
    sendCallsTo(*S, *F);
    Changed = true;
  }
  addPairs(M, New);
  for (GlobalVariable *G : R.inactiveGlobals())
    Changed |= hideContents(*G);
  // A link that sees the whole program may leave out a stand-in that other
  // modules use.
  SmallVector<GlobalValue *> Used;
  collectUsedGlobalVariables(M, Used, true);
  collectUsedGlobalVariables(M, Used, false);
  SmallVector<GlobalValue *> Kept;
  for (GlobalVariable *G : R.arrays())
    if (!G->hasAttribute(KeptAttribute) && !is_contained(Used, G)) {
      G->addAttribute(KeptAttribute);
      Kept.push_back(G);
    }
  appendToCompilerUsed(M, Kept);
  return Changed || !Kept.empty();
}

void hideRegisteredCalls(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (Function *G = C->getCalledFunction())
        C->setCalledOperand(standInOf(*G));
}

/// Gives a stand-in a body: a call of its primal.
static void park(Function &S, Function &F) {
  IRBuilder<> B(BasicBlock::Create(S.getContext(), "entry", &S));
  SmallVector<Value *> Args;
  for (Argument &A : S.args())
    Args.push_back(&A);
  CallInst *C = B.CreateCall(&F, Args);
  C->setAttributes(F.getAttributes().removeFnAttributes(S.getContext()));
  C->setCallingConv(F.getCallingConv());
  C->setTailCallKind(F.isVarArg() ? CallInst::TCK_MustTail
                                  : CallInst::TCK_Tail);
  if (C->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(C);
  S.setLinkage(GlobalValue::WeakAnyLinkage);
  S.setVisibility(GlobalValue::HiddenVisibility);
  S.addFnAttr(Attribute::NoInline);
  S.addFnAttr(ElsewhereAttribute);
}

static void forget(Function &S, Function &F) {
  setLink(S, PrimalLink, nullptr);
  setLink(F, StandInLink, nullptr);
  S.removeFnAttr(RegisteredAttribute);
  F.removeFnAttr(RegisteredAttribute);
}

bool parkRegistered(Module &M) {
  PairMap Pairs = pairsOf(M);
  for (auto [S, F] : Pairs) {
    if (S->isDeclaration())
      park(*S, *F);
    forget(*S, *F);
    F->addFnAttr(CallsKeptAttribute);
  }
  return !Pairs.empty();
}

void markForThinLink(const Registrations &R) {
  for (auto &[Of, Reg] : R.all()) {
    if (!Reg.changesMeaning())
      continue;
    Function *F = Reg.Primal;
    F->addFnAttr(ElsewhereAttribute,
                 F->hasFnAttribute(Attribute::NoInline) ? "" : "inline");
    F->removeFnAttr(Attribute::AlwaysInline);
    F->addFnAttr(Attribute::NoInline);
    for (Argument &A : F->args())
      A.removeAttr(Attribute::Returned);
  }
}

bool mayBeInlinedBefore(const Function &F) {
  return !F.isDeclaration() && !F.hasFnAttribute(Attribute::NoInline) &&
         !F.hasFnAttribute(CallsKeptAttribute);
}

bool isRegisteredElsewhere(const Function &F, const Registrations &R) {
  return F.hasFnAttribute(ElsewhereAttribute) && !R.of(F);
}

bool restoreRegistered(Module &M, bool KeepParked) {
  bool Changed = showContents(M);
  PairMap Pairs = pairsOf(M);
  SmallVector<GlobalVariable *> Used, Arrays;
  for (GlobalVariable &G : M.globals()) {
    if (holdsStandIns(G))
      Arrays.push_back(&G);
    else if (G.hasAttribute(KeptAttribute))
      Used.push_back(&G);
  }
  if (Used.empty() && Arrays.empty())
    return Changed;
  removeFromUsedLists(M, [&](Constant *C) {
    auto *G = dyn_cast<GlobalVariable>(C->stripPointerCasts());
    return is_contained(Used, G) || is_contained(Arrays, G);
  });
  for (GlobalVariable *G : Used)
    G->setAttributes(
        G->getAttributes().removeAttribute(M.getContext(), KeptAttribute));
  for (GlobalVariable *G : Arrays)
    G->eraseFromParent();
  for (auto [S, F] : Pairs) {
    bool Keep = KeepParked && S->hasFnAttribute(ElsewhereAttribute);
    for (User *U : S->users())
      if (auto *C = dyn_cast<CallBase>(U))
        C->setCallingConv(F->getCallingConv());
    forget(*S, *F);
    F->removeFnAttr(CallsKeptAttribute);
    S->replaceAllUsesWith(F);
    if (!Keep)
      S->eraseFromParent();
    else if (S->isDeclaration())
      park(*S, *F);
  }
  return true;
}

void inlineRegistered(const Registrations &R, FunctionAnalysisManager &FAM) {
  SetVector<Function *> Functions;
  for (auto &[F, Reg] : R.all()) {
    if (Reg.changesMeaning())
      Functions.insert(Reg.Primal);
    for (const auto &Rule : {Reg.Gradient, Reg.Derivative, Reg.Split})
      if (Rule)
        for (Function *G : {Rule->Augmented.F, Rule->Derivative.F})
          if (G)
            Functions.insert(G);
  }
  inlineLate(Functions.getArrayRef(), FAM);
}

} // namespace retro
