// What calls of BLAS and LAPACK mean to the analyses: the memory they access,
// and what the reverse pass of one reads.
#ifndef RETRO_FACTS_ACTIVITY_BLAS_CALLS_H
#define RETRO_FACTS_ACTIVITY_BLAS_CALLS_H

#include "facts/activity/activity.h"
#include "front/known/blas.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace retro {

/// Is the operand in a slot active: a number, or an array of active numbers?
bool blasActive(const ActivityAnalysis &Act, const BlasCall &C, BlasSlot S);
/// Does anything active come out of the call?
bool blasHasWork(const ActivityAnalysis &Act, const llvm::CallBase &C);

/// The arrays that the adjoint of a call reads, as they were before the call
/// and as they are after it; bits by their number in the routine.
struct BlasReads {
  unsigned Before = 0, After = 0;
};
BlasReads blasReads(const ActivityAnalysis &Act, const llvm::CallBase &C);

/// Every item that the adjoint reads, the call's tape included.
void blasNeeds(const ActivityAnalysis &Act, const llvm::CallBase &C,
               llvm::function_ref<void(Item)> Need);

} // namespace retro

#endif
