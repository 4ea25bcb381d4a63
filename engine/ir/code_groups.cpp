// Input: functions, and of each a group that it begins in. Output: groups of
// functions of which one can stand for the others. Without this clones of a
// function, and their derivatives, would stay apart although nothing tells them
// apart.
#include "ir/code_groups.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

/// Two functions, one beside the other.
class CodeGroups::SideBySide {
public:
  SideBySide(const CodeGroups &Groups) : Groups(Groups) {}
  bool haveSameCode(const Function &A, const Function &B);

private:
  bool areSameInstructions(const Instruction &A, const Instruction &B);
  bool areSameOperands(const Value &A, const Value &B);
  bool haveSameMetadata(const Instruction &A, const Instruction &B);
  bool areSameScopes(const Metadata *A, const Metadata *B);
  bool areCounterparts(const MDNode *A, const MDNode *B);

  const CodeGroups &Groups;
  DenseMap<const Value *, const Value *> InB;
  /// Scopes of aliases, which each inlined or emitted copy of code has for
  /// itself, and their domains: the counterparts of A's, and of B's.
  DenseMap<const MDNode *, const MDNode *> ScopeInB, ScopeInA;
};

/// Are both texts, or other constants whose address does not count?
static bool areSameConstants(const Value &A, const Value &B) {
  auto *X = dyn_cast<GlobalVariable>(&A), *Y = dyn_cast<GlobalVariable>(&B);
  auto IsOnlyRead = [](const GlobalVariable &G) {
    return G.isConstant() && G.hasLocalLinkage() && G.hasGlobalUnnamedAddr();
  };
  return X && Y && IsOnlyRead(*X) && IsOnlyRead(*Y) &&
         X->getInitializer() == Y->getInitializer() &&
         X->getAlign() == Y->getAlign();
}

bool CodeGroups::SideBySide::areSameOperands(const Value &A, const Value &B) {
  if (auto It = InB.find(&A); It != InB.end())
    return It->second == &B;
  // A scope's declaration names it.
  auto *M = dyn_cast<MetadataAsValue>(&A), *N = dyn_cast<MetadataAsValue>(&B);
  if (M && N)
    return areSameScopes(M->getMetadata(), N->getMetadata());
  if (&A == &B)
    return true;
  auto *F = dyn_cast<Function>(&A), *G = dyn_cast<Function>(&B);
  if (F && G) {
    auto X = Groups.GroupOf.find(F), Y = Groups.GroupOf.find(G);
    return X != Groups.GroupOf.end() && Y != Groups.GroupOf.end() &&
           X->second == Y->second;
  }
  return areSameConstants(A, B);
}

bool CodeGroups::SideBySide::areCounterparts(const MDNode *A, const MDNode *B) {
  return A && B && ScopeInB.try_emplace(A, B).first->second == B &&
         ScopeInA.try_emplace(B, A).first->second == A;
}

/// Do two lists name counterparts, in domains that are? A list that both share
/// says so, too: a scope in it is its own counterpart, and no other's.
bool CodeGroups::SideBySide::areSameScopes(const Metadata *A,
                                           const Metadata *B) {
  auto *X = dyn_cast<MDNode>(A), *Y = dyn_cast<MDNode>(B);
  if (!X || !Y)
    return A == B;
  return all_of_zip(X->operands(), Y->operands(),
                    [&](const MDOperand &S, const MDOperand &T) {
                      auto *P = dyn_cast_or_null<MDNode>(S.get()),
                           *Q = dyn_cast_or_null<MDNode>(T.get());
                      if (!P || !Q)
                        return S == T;
                      return areCounterparts(P, Q) &&
                             areCounterparts(AliasScopeNode(P).getDomain(),
                                             AliasScopeNode(Q).getDomain());
                    });
}

/// Do two loops have the same properties? Each copy of a loop has a node of its
/// own for them, which begins with itself, and then the lines of the source.
static bool areSameLoops(const MDNode &A, const MDNode &B) {
  auto Properties = [](const MDNode &N) {
    SmallVector<const Metadata *> Out;
    for (const MDOperand &X : drop_begin(N.operands()))
      if (!isa_and_nonnull<DILocation>(X.get()))
        Out.push_back(X.get());
    return Out;
  };
  return Properties(A) == Properties(B);
}

/// Debug information tells apart what is alike: of each copy's variables, too,
/// it says which of its stores are theirs.
bool CodeGroups::SideBySide::haveSameMetadata(const Instruction &A,
                                              const Instruction &B) {
  auto Of = [](const Instruction &I) {
    SmallVector<std::pair<unsigned, MDNode *>> Out;
    I.getAllMetadataOtherThanDebugLoc(Out);
    erase_if(Out, [](const auto &X) {
      return X.first == LLVMContext::MD_DIAssignID;
    });
    return Out;
  };
  return all_of_zip(Of(A), Of(B), [&](const auto &X, const auto &Y) {
    if (X.first != Y.first)
      return false;
    switch (X.first) {
    case LLVMContext::MD_loop:
      return X.second == Y.second || areSameLoops(*X.second, *Y.second);
    case LLVMContext::MD_alias_scope:
    case LLVMContext::MD_noalias:
      return areSameScopes(X.second, Y.second);
    default:
      return X.second == Y.second;
    }
  });
}

bool CodeGroups::SideBySide::areSameInstructions(const Instruction &A,
                                                 const Instruction &B) {
  if (!A.isSameOperationAs(&B) || !A.hasSameSubclassOptionalData(&B) ||
      !Groups.stepsAlike(A, B) || !haveSameMetadata(A, B))
    return false;
  for (auto [X, Y] : zip_equal(A.operands(), B.operands()))
    if (!areSameOperands(*X, *Y))
      return false;
  if (auto *P = dyn_cast<PHINode>(&A))
    for (auto [X, Y] : zip_equal(P->blocks(), cast<PHINode>(B).blocks()))
      if (InB.lookup(X) != Y)
        return false;
  return !isa<ReturnInst>(A) || A.getNumOperands() == 0 ||
         Groups.passAlike(*A.getOperand(0), *B.getOperand(0));
}

bool CodeGroups::SideBySide::haveSameCode(const Function &A,
                                          const Function &B) {
  if (A.size() != B.size() ||
      A.getInstructionCount() != B.getInstructionCount())
    return false;
  for (auto [X, Y] : zip_equal(A.args(), B.args())) {
    if (!Groups.passAlike(X, Y))
      return false;
    InB[&X] = &Y;
  }
  for (auto [X, Y] : zip_equal(A, B)) {
    if (X.size() != Y.size())
      return false;
    InB[&X] = &Y;
    for (auto [I, J] : zip_equal(X, Y))
      InB[&I] = &J;
  }
  return all_of(zip_equal(instructions(A), instructions(B)), [&](auto Pair) {
    auto &[I, J] = Pair;
    return areSameInstructions(I, J);
  });
}

/// What is the same in functions with the same code: most that are not alike
/// are told apart by it.
hash_code CodeGroups::hashOfCode(const Function &F) const {
  hash_code Hash = hash_combine(F.size(), F.getFunctionType(),
                                F.getAttributes().getRawPointer());
  for (const Argument &A : F.args())
    Hash = hash_combine(Hash, hashOf(A));
  for (const Instruction &I : instructions(F))
    Hash = hash_combine(Hash, I.getOpcode(), I.getType(), I.getNumOperands(),
                        hashOf(I));
  return Hash;
}

unsigned CodeGroups::run(ArrayRef<Function *> Functions,
                         DenseMap<const Function *, unsigned> First,
                         unsigned Count) {
  GroupOf = std::move(First);
  for (Function *F : Functions)
    CodeOf.try_emplace(F, hashOfCode(*F));
  auto AreSame = [&](const Function &A, const Function &B) {
    return CodeOf.at(&A) == CodeOf.at(&B) &&
           A.getFunctionType() == B.getFunctionType() &&
           A.getAttributes() == B.getAttributes() &&
           A.getCallingConv() == B.getCallingConv() &&
           A.hasPersonalityFn() == B.hasPersonalityFn() && areAlike(A, B) &&
           SideBySide(*this).haveSameCode(A, B);
  };
  for (unsigned Before = 0; Before != Count;) {
    Before = Count;
    Count = 0;
    DenseMap<const Function *, unsigned> Next;
    // Of each group as it was, one function of each that is left of it.
    DenseMap<unsigned, SmallVector<Function *>> Parts;
    for (Function *F : Functions) {
      auto &Known = Parts[GroupOf[F]];
      auto *Same = find_if(Known, [&](Function *G) { return AreSame(*G, *F); });
      if (Same != Known.end()) {
        const unsigned N = Next.at(*Same);
        Next[F] = N;
        continue;
      }
      Known.push_back(F);
      Next[F] = Count++;
    }
    GroupOf = std::move(Next);
  }
  return Count;
}

} // namespace retro
