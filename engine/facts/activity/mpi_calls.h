// Calls of message passing: what they do to memory, and to activity.
//
// What other processes send may depend on the inputs, and what is sent may be a
// result there: what is received varies, and what is sent is useful, whatever
// this process does. Memory that is neither may have no shadow; the messages of
// the derivative are the same (engine/runtime/mpi).
#ifndef RETRO_FACTS_ACTIVITY_MPI_CALLS_H
#define RETRO_FACTS_ACTIVITY_MPI_CALLS_H

#include "facts/activity/activity.h"
#include "front/known/mpi.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace retro {

/// Has a call a derivative?
bool mpiHasWork(const llvm::CallBase &C);
/// What its reverse pass reads.
void mpiNeeds(const llvm::CallBase &C, llvm::function_ref<void(Item)> Need);
/// The memory classes that it may write.
void mpiWrites(const ActivityAnalysis &Act, const llvm::CallBase &C,
               llvm::SmallVectorImpl<unsigned> &Classes);
/// Is the shadow of a buffer given to the runtime?
bool mpiTakesShadow(const ActivityAnalysis &Act, const MpiCall &C,
                    const MpiBuffer &B);

/// Reports a call that cannot be served.
void checkMpiCall(const ActivityAnalysis &Act, const llvm::CallBase &C,
                  Reporter &R);

} // namespace retro

#endif
