// Moves what noalias parameters of inlined functions promise from a primal to
// the passes of its derivative. In LLVM's metadata it holds from one execution
// of the scope's declaration to the next, so a copy without the declaration
// would promise too much, and a wrong gradient could follow.
#include "loops/scopes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace retro {
namespace {

void declareAt(BasicBlock &B, MDNode *List) {
  IRBuilder<>(&B, B.getFirstInsertionPt()).CreateNoAliasScopeDeclaration(List);
}

const MDNode *domainOf(const Metadata *Scope) {
  return AliasScopeNode(cast<MDNode>(Scope)).getDomain();
}

/// The scopes of List that an access keeps if those that are not known are
/// dropped. An access in several scopes of one domain may be in any of them, so
/// if one of these is dropped, all of the domain are.
SmallVector<Metadata *> ownOf(const MDNode *List,
                              function_ref<bool(const Metadata *)> IsKnown) {
  SmallVector<Metadata *> Kept;
  if (!List)
    return Kept;
  SmallPtrSet<const MDNode *, 4> Vague;
  for (const MDOperand &S : List->operands())
    if (!IsKnown(S))
      Vague.insert(domainOf(S));
  for (const MDOperand &S : List->operands())
    if (!Vague.contains(domainOf(S)))
      Kept.push_back(S.get());
  return Kept;
}

/// The scopes of List that an access is apart from and that are known.
SmallVector<Metadata *> othersOf(const MDNode *List,
                                 function_ref<bool(const Metadata *)> IsKnown) {
  SmallVector<Metadata *> Kept;
  if (List)
    copy_if(List->operands(), std::back_inserter(Kept), IsKnown);
  return Kept;
}

bool isOfPlaces(const Metadata *Scope) {
  const MDNode *Domain = domainOf(Scope);
  auto *Name = Domain->getNumOperands() > 1
                   ? dyn_cast<MDString>(Domain->getOperand(1))
                   : nullptr;
  return Name && Name->getString() == DomainOfPlaces;
}

MDNode *listOf(LLVMContext &C, ArrayRef<Metadata *> Scopes) {
  return Scopes.empty() ? nullptr : MDNode::get(C, Scopes);
}

} // namespace

void noteScopes(UnitFunction &UF, bool Keep) {
  DominatorTree DT(*UF.F);
  LoopInfo LI(DT);
  // A scope that is declared twice was copied by a pass that did not mean to
  // copy it.
  DenseMap<const Metadata *, unsigned> Declared;
  SmallVector<NoAliasScopeDeclInst *> All;
  for (Instruction &I : instructions(*UF.F))
    if (auto *D = dyn_cast<NoAliasScopeDeclInst>(&I)) {
      All.push_back(D);
      for (const MDOperand &S : D->getScopeList()->operands())
        ++Declared[S.get()];
    }
  auto Once = [&](const Metadata *S) { return Declared.lookup(S) == 1; };
  UF.Scopes.clear();
  for (NoAliasScopeDeclInst *D : All) {
    MDNode *List = D->getScopeList();
    // In an innermost loop nobody compares accesses of different iterations.
    const Loop *L = LI.getLoopFor(D->getParent());
    if (Keep && !(L && L->isInnermost()) && all_of(List->operands(), Once))
      UF.Scopes.push_back({WeakVH(D->getParent()), List});
    else
      for (const MDOperand &S : List->operands())
        Declared.erase(S.get());
    D->eraseFromParent();
  }
  LLVMContext &C = UF.F->getContext();
  for (Instruction &I : instructions(*UF.F)) {
    if (getLoadStorePointerOperand(&I)) {
      I.setMetadata(
          OwnScopes,
          listOf(C, ownOf(I.getMetadata(LLVMContext::MD_alias_scope), Once)));
      I.setMetadata(
          OtherScopes,
          listOf(C, othersOf(I.getMetadata(LLVMContext::MD_noalias), Once)));
    }
    I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    I.setMetadata(LLVMContext::MD_noalias, nullptr);
  }
}

void declareScopes(const UnitFunction &UF, ValueToValueMapTy &VM) {
  for (auto &[B, List] : UF.Scopes)
    if (B)
      declareAt(*cast<BasicBlock>(VM[B]), MapMetadata(List, VM));
}

void forgetScopes(Instruction &I) {
  I.setMetadata(OwnScopes, nullptr);
  I.setMetadata(OtherScopes, nullptr);
}

void AdjointScopes::declare(MDNode &List, BasicBlock *At) {
  if (!At)
    return;
  MDBuilder MDB(At->getContext());
  for (const MDOperand &S : List.operands()) {
    // The parameters of one call are of one domain.
    MDNode *&Domain = Domains[domainOf(S)];
    if (!Domain)
      Domain = MDB.createAnonymousAliasScopeDomain("adjoint");
    Pair P{MDB.createAnonymousAliasScope(Domain, "read"),
           MDB.createAnonymousAliasScope(Domain, "written")};
    ScopesOf[S.get()] = P;
    for (Metadata *New : {P.OfLoads, P.OfStores})
      declareAt(*At, MDNode::get(At->getContext(), New));
  }
}

void AdjointScopes::note(Instruction &Access, const Instruction &Primal) const {
  const bool Stores = isa<StoreInst>(Primal);
  auto IsKnown = [&](const Metadata *S) { return ScopesOf.contains(S); };
  SmallVector<Metadata *> OwnList, OtherList;
  for (const Metadata *S : ownOf(Primal.getMetadata(OwnScopes), IsKnown))
    OwnList.push_back(Stores ? ScopesOf.at(S).OfStores
                             : ScopesOf.at(S).OfLoads);
  for (const Metadata *S : othersOf(Primal.getMetadata(OtherScopes), IsKnown)) {
    OtherList.push_back(ScopesOf.at(S).OfStores);
    if (Stores || isOfPlaces(S))
      OtherList.push_back(ScopesOf.at(S).OfLoads);
  }
  LLVMContext &C = Access.getContext();
  Access.setMetadata(OwnScopes, listOf(C, OwnList));
  Access.setMetadata(OtherScopes, listOf(C, OtherList));
}

DeclaredScopes::DeclaredScopes(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (auto *D = dyn_cast<NoAliasScopeDeclInst>(&I))
        for (const MDOperand &S : D->getScopeList()->operands())
          All.insert(S.get());
}

std::pair<MDNode *, MDNode *> DeclaredScopes::takeNotes(Instruction &I) const {
  if (!I.hasMetadataOtherThanDebugLoc())
    return {};
  auto IsKnown = [&](const Metadata *S) { return All.contains(S); };
  LLVMContext &C = I.getContext();
  MDNode *OwnList = listOf(C, ownOf(I.getMetadata(OwnScopes), IsKnown)),
         *OtherList = listOf(C, othersOf(I.getMetadata(OtherScopes), IsKnown));
  forgetScopes(I);
  return {OwnList, OtherList};
}

MemoryLocation DeclaredScopes::placeBeyond(const Instruction &I) const {
  AAMDNodes Tags = I.getAAMetadata();
  if (!All.empty()) {
    auto IsKnown = [&](const Metadata *S) { return !All.contains(S); };
    Tags.Scope = listOf(I.getContext(), ownOf(Tags.Scope, IsKnown));
    Tags.NoAlias = listOf(I.getContext(), othersOf(Tags.NoAlias, IsKnown));
  }
  return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I), Tags);
}

bool DeclaredScopes::areApart(AAResults &AA, const Instruction &I,
                              const Instruction &J) const {
  BatchAAResults Any(AA);
  Any.enableCrossIterationMode();
  return Any.isNoAlias(placeBeyond(I), placeBeyond(J));
}

} // namespace retro
