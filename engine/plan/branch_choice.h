// How the reverse pass finds its way without being told: the conditions that
// decided from where the primal came to a merge block.
#ifndef RETRO_PLAN_BRANCH_CHOICE_H
#define RETRO_PLAN_BRANCH_CHOICE_H

#include "base/unit.h"

namespace retro {

/// The tree for B; null if conditions do not tell, or if one of them can only
/// be computed where the primal has come by.
std::unique_ptr<BranchChoice>
branchChoice(const UnitFunction &UF, const Unit &U, const llvm::BasicBlock &B);

} // namespace retro

#endif
