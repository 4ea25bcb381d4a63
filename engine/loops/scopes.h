// Keeps what noalias parameters of inlined functions promise, for the passes of
// a derivative. LLVM's metadata for it holds from one execution of the scope's
// declaration to the next, so it must not go anywhere without the declaration.
#ifndef RETRO_LOOPS_SCOPES_H
#define RETRO_LOOPS_SCOPES_H

#include "base/unit.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace retro {

/// Metadata of an access, like LLVM's: the scopes it is in, and those it is
/// apart from.
inline constexpr llvm::StringLiteral OwnScopes = "retro.scope";
inline constexpr llvm::StringLiteral OtherScopes = "retro.noalias";

/// The domain of scopes in which loads are apart from each other, too.
inline constexpr llvm::StringLiteral DomainOfPlaces = "retro.places";

/// Removes LLVM's metadata and declarations from the function, and notes those
/// that a pass of its derivative can declare again.
void noteScopes(UnitFunction &UF, bool Keep);

/// Declares in a clone of the function what was noted.
void declareScopes(const UnitFunction &UF, llvm::ValueToValueMapTy &VM);

/// Removes the notes from a copy that goes where the scopes are not declared.
void forgetScopes(llvm::Instruction &I);

/// Scopes of the reverse pass. Two loads may read the same memory by different
/// names, and both then add to one adjoint. But what a store writes is apart
/// from all that is accessed by other names, and so are the adjoints. In
/// domains of places two loads are apart as well.
class AdjointScopes {
public:
  /// Declares scopes for those of the list, where At begins; nowhere if At is
  /// null.
  void declare(llvm::MDNode &List, llvm::BasicBlock *At);
  /// Gives scopes to Access, a part of the adjoint of Primal (a load or a
  /// store).
  void note(llvm::Instruction &Access, const llvm::Instruction &Primal) const;

private:
  struct Pair {
    llvm::Metadata *OfLoads, *OfStores;
  };
  llvm::DenseMap<const llvm::Metadata *, Pair> ScopesOf;
  llvm::DenseMap<const llvm::MDNode *, llvm::MDNode *> Domains;
};

/// The scopes that some blocks declare: all blocks of a function, or those of a
/// loop, for whose iterations one by one the scopes hold.
class DeclaredScopes {
public:
  explicit DeclaredScopes(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  /// Takes the notes off an access, and returns what is declared here: its own
  /// scopes, and those that it is apart from.
  std::pair<llvm::MDNode *, llvm::MDNode *>
  takeNotes(llvm::Instruction &I) const;
  /// Where an access of a loop with these blocks goes in any iteration.
  llvm::MemoryLocation placeBeyond(const llvm::Instruction &LoadOrStore) const;
  /// Do two accesses of the loop never overlap, whatever their iterations?
  bool areApart(llvm::AAResults &AA, const llvm::Instruction &I,
                const llvm::Instruction &J) const;

private:
  llvm::SmallPtrSet<const llvm::Metadata *, 8> All;
};

} // namespace retro

#endif
