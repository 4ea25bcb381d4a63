// Where the adjoint of an operand has to be 0 because that of the result is.
#ifndef RETRO_FACTS_REVERSAL_PRODUCT_GUARDS_H
#define RETRO_FACTS_REVERSAL_PRODUCT_GUARDS_H

#include "facts/activity/needs.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace retro {

/// Gains the operands of UF's rules whose adjoint is a product that may be
/// 0 * inf: the value ends in an arm of a select that may not be taken, and the
/// other factor may be infinite or NaN.
void findProductGuards(const UnitFunction &UF, const ActivityAnalysis &Act,
                       llvm::SmallPtrSetImpl<const llvm::Use *> &Guarded);

} // namespace retro

#endif
