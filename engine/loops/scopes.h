// What no-alias parameters of inlined functions promise, kept for the passes of
// a derivative. LLVM's metadata of it holds as often as the scope's declaration
// is run, so that it must not go anywhere without that.
#ifndef RETRO_LOOPS_SCOPES_H
#define RETRO_LOOPS_SCOPES_H

#include "base/unit.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace retro {

/// Metadata of an access, as LLVM's: what it is of, and what it is apart from.
inline constexpr llvm::StringLiteral OwnScopes = "retro.scope";
inline constexpr llvm::StringLiteral OtherScopes = "retro.noalias";

/// Takes LLVM's metadata and declarations out of the function, and notes those
/// that a pass of its derivative can declare again.
void noteScopes(UnitFunction &UF, bool Keep);

/// Declares what has been noted in a clone of the function.
void declareScopes(const UnitFunction &UF, llvm::ValueToValueMapTy &VM);

/// Forgets the notes of a copy that goes where they have not been declared.
void forgetScopes(llvm::Instruction &I);

/// Scopes of the reverse pass. What two loads read may be the same memory, and
/// then both add to one adjoint; but what a store writes is apart from all that
/// is accessed by other names, and so are the adjoints.
class AdjointScopes {
public:
  /// Declares scopes for those of the list, where At begins; null: nowhere.
  void declare(llvm::MDNode &List, llvm::BasicBlock *At);
  /// Access is part of the adjoint of Primal, a load or a store.
  void note(llvm::Instruction &Access, const llvm::Instruction &Primal) const;

private:
  struct Pair {
    llvm::Metadata *OfLoads, *OfStores;
  };
  llvm::DenseMap<const llvm::Metadata *, Pair> ScopesOf;
  llvm::DenseMap<const llvm::MDNode *, llvm::MDNode *> Domains;
};

/// The scopes that blocks declare: all of a function, or a loop, for one
/// iteration of which they hold.
class DeclaredScopes {
public:
  explicit DeclaredScopes(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  /// What is noted of an access and declared here: its own scopes, and those
  /// that it is apart from. The notes are gone then.
  std::pair<llvm::MDNode *, llvm::MDNode *>
  takeNotes(llvm::Instruction &I) const;
  /// Where an access of a loop with these blocks goes in any iteration.
  llvm::MemoryLocation placeBeyond(const llvm::Instruction &LoadOrStore) const;
  /// Do two accesses of the loop never meet, of whatever iterations?
  bool areApart(llvm::AAResults &AA, const llvm::Instruction &I,
                const llvm::Instruction &J) const;

private:
  llvm::SmallPtrSet<const llvm::Metadata *, 8> All;
};

} // namespace retro

#endif
