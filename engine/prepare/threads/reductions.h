// Reduction clauses of OpenMP, without a lock.
#ifndef RETRO_PREPARE_THREADS_REDUCTIONS_H
#define RETRO_PREPARE_THREADS_REDUCTIONS_H

namespace llvm {
class Function;
}

namespace retro {

/// Lets threads combine their parts of a reduction atomically, where the
/// program leaves that to the runtime and the atomic way consists of sums
/// alone. Sums may come in any order, so that their adjoints need no turns.
void sumAtomically(llvm::Function &F);

} // namespace retro

#endif
