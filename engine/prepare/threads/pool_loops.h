// Loops of a pool of threads that a team of threads runs in a derivative.
#ifndef RETRO_PREPARE_THREADS_POOL_LOOPS_H
#define RETRO_PREPARE_THREADS_POOL_LOOPS_H

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace retro {

/// Beside the serial form Serial of a loop, which calls Empty of its range and
/// then Body: a form that shares the iterations out in a team. Null if it is
/// not known how to divide such a range.
llvm::Function *makeTeamForm(llvm::Function &Serial, llvm::CallBase &Empty,
                             llvm::Function &Body);

/// The team's form of a loop that has this serial form, if threads that know
/// nothing of the pool can run the body: it waits for nobody, throws nothing,
/// and no thread has memory of its own. Else null.
llvm::Function *teamForm(const llvm::Function &Serial);

/// The team's form of a loop, whether threads can run the body or not.
llvm::Function *teamFormOf(const llvm::Function &Serial);
/// Is F the region of such a form, or a clone of it? It has no further teams.
bool isTeamRegion(const llvm::Function &F);

/// Empties F, if it is a team's form, and deletes its region.
void dropTeamForm(llvm::Function &F);

} // namespace retro

#endif
