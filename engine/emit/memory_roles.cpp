// What LLVM is told of memory in what is emitted. It has one of three roles,
// the primal's, shadow or tape, and no two of these overlap; promises about
// arguments hold for the derivative's where they do. Without this LLVM would
// have to suppose that a store to a shadow changes the primal, and no loop
// would become vectors. Members of UnitEmitter (emit/common/unit_emitter.h).
#include "emit/common/unit_emitter.h"

#include "base/toggles.h"
#include "emit/words/combine.h"
#include "loops/accumulation.h"
#include "loops/scopes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {

/// Memory has one of three roles throughout a call of the derivative.
void UnitEmitter::makeScopes() {
  if (TapeScope)
    return;
  MDBuilder MDB(M.getContext());
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain(RolesName);
  auto List = [&](StringRef Name) {
    return MDNode::get(M.getContext(),
                       {MDB.createAnonymousAliasScope(Domain, Name)});
  };
  TapeScope = List("tape");
  ShadowScope = List(ShadowScopeName);
  CombinerScope = List("combiner");
}

void UnitEmitter::markTapeAccess(Instruction *I) {
  if (isOn(Toggle::alias_scopes)) {
    makeScopes();
    I->setMetadata(LLVMContext::MD_alias_scope, TapeScope);
    ++counters().alias_scopes;
  }
}

UnitEmitter::Role
UnitEmitter::roleOf(const Value *Ptr,
                    const SmallPtrSetImpl<const Value *> &Shadows) const {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(Ptr);
  bool Shadow = false, Other = false;
  for (size_t I = 0; I < Work.size(); ++I) {
    const Value *V = Work[I];
    if (I > 32)
      return Role::Either;
    if (Shadows.contains(V))
      Shadow = true;
    else if (auto *G = dyn_cast<GEPOperator>(V))
      Work.insert(G->getPointerOperand());
    else if (isa<SelectInst, PHINode>(V))
      for (const Value *O : cast<User>(V)->operands()) {
        if (O->getType()->isPointerTy())
          Work.insert(O);
      }
    else
      Other = true;
  }
  return Shadow && Other ? Role::Either : Shadow ? Role::Shadow : Role::Primal;
}

/// The tape is memory that nothing but the tape accesses touches, and shadows
/// are memory that the primal does not touch, in whatever iteration: the
/// scopes hold for the whole call.
void UnitEmitter::markOtherAccesses(Function &F) {
  SmallPtrSet<const Value *, 32> Shadows;
  for (const WeakTrackingVH &V : ShadowPointers)
    if (V)
      Shadows.insert(V);
  for (auto [G, S] : GlobalShadows)
    Shadows.insert(S);
  MDNode *AllButPrimal = MDNode::concatenate(TapeScope, ShadowScope);
  MDNode *Tape = TapeScope, *OfCombiner = AllButPrimal;
  if (Combines) {
    AllButPrimal = MDNode::concatenate(AllButPrimal, CombinerScope);
    Tape = MDNode::concatenate(Tape, CombinerScope);
  }
  SmallVector<BasicBlock *> Blocks(make_pointer_range(F));
  DeclaredScopes Declared(Blocks);
  // The shadow of constant memory is that memory.
  bool Separate = !Act.unit().comparesShadows();
  Objects.begin(F);
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      const Value *Ptr = getLoadStorePointerOperand(&I);
      if (auto *A = dyn_cast<AtomicRMWInst>(&I))
        Ptr = A->getPointerOperand();
      if (isCombinerCall(&I))
        I.setMetadata(LLVMContext::MD_noalias, TapeScope);
      if (Ptr && isCombiner(getUnderlyingObject(Ptr))) {
        I.setMetadata(LLVMContext::MD_alias_scope, CombinerScope);
        I.setMetadata(LLVMContext::MD_noalias, OfCombiner);
      }
      auto [Scopes, Others] = Declared.takeNotes(I);
      auto [Object, OtherObjects] = Objects.take(I);
      if (!Ptr || I.hasMetadata(LLVMContext::MD_alias_scope) ||
          isa<AllocaInst>(Ptr))
        continue;
      Role Is = Separate ? roleOf(Ptr, Shadows) : Role::Either;
      if (!Separate)
        Scopes = Others = nullptr;
      if (Is != Role::Either) {
        Scopes = MDNode::concatenate(Scopes, Object);
        Others = MDNode::concatenate(Others, OtherObjects);
      }
      if (Is == Role::Shadow)
        Scopes = MDNode::concatenate(Scopes, ShadowScope);
      I.setMetadata(LLVMContext::MD_alias_scope, Scopes);
      I.setMetadata(LLVMContext::MD_noalias,
                    MDNode::concatenate(
                        Others, Is == Role::Primal ? AllButPrimal : Tape));
    }
}

/// Declared in the roots: an inlined call has scopes of its own, for memory
/// may have other roles in another call.
void UnitEmitter::markAliasing(ArrayRef<Function *> Roots) {
  if (!isOn(Toggle::alias_scopes))
    return;
  makeScopes();
  Combines = any_of(NewFunctions, [](Function *F) {
    return any_of(instructions(F),
                  [](Instruction &I) { return isCombiner(&I); });
  });
  for (Function *F : NewFunctions)
    markOtherAccesses(*F);
  for (Function *Root : Roots) {
    IRBuilder<> B(&Root->getEntryBlock(), Root->getEntryBlock().begin());
    if (Combines)
      B.CreateNoAliasScopeDeclaration(CombinerScope);
    B.CreateNoAliasScopeDeclaration(TapeScope);
    B.CreateNoAliasScopeDeclaration(ShadowScope);
  }
}

/// Keeps of a cloned function's attributes what also holds for its derivative.
void UnitEmitter::cleanAttributes(Function &T, const Function &F,
                                  unsigned FirstShadow,
                                  ArrayRef<const Argument *> ShadowOf) {
  LLVMContext &C = T.getContext();
  AttributeList Old = F.getAttributes();
  AttrBuilder Fn(C);
  for (Attribute A : Old.getFnAttrs())
    if (A.isStringAttribute() || A.hasAttribute(Attribute::UWTable) ||
        A.hasAttribute(Attribute::SanitizeAddress) ||
        A.hasAttribute(Attribute::SanitizeThread) ||
        A.hasAttribute(Attribute::SanitizeMemory) ||
        A.hasAttribute(Attribute::NoUnwind))
      Fn.addAttribute(A);
  T.setAttributes(AttributeList::get(C, AttributeList::FunctionIndex, Fn));
  const UnitFunction *Of = Act.unit().find(&F);
  const bool Concurrent = Of && Of->Concurrent && !isGpu(M);
  auto Keep = [&](unsigned N, const Argument &A, bool Shadow) {
    for (auto K : {Attribute::NoAlias, Attribute::NonNull, Attribute::Alignment,
                   Attribute::Dereferenceable, Attribute::NoUndef}) {
      // Inputs that are only read may be passed twice even as noalias; their
      // shadows are written, so that the promise would break.
      // Threads add to each other's shadows.
      if (Shadow && K == Attribute::NoAlias && Concurrent)
        continue;
      if (Shadow && (K == Attribute::NoUndef || K == Attribute::NonNull ||
                     (K == Attribute::NoAlias && !Plan->isWritten(A))))
        continue;
      // The shadow of constant memory is that memory.
      if (K == Attribute::NoAlias && Act.unit().comparesShadows())
        continue;
      if (A.hasAttribute(K))
        T.addParamAttr(N, A.getAttribute(K));
    }
  };
  for (const Argument &A : F.args())
    Keep(A.getArgNo(), A, false);
  for (unsigned I = 0; I < ShadowOf.size(); ++I)
    if (ShadowOf[I] && ShadowOf[I]->getType()->isPointerTy())
      Keep(FirstShadow + I, *ShadowOf[I], true);
}

} // namespace retro
