// Reduction clauses of OpenMP.
#ifndef RETRO_PREPARE_THREADS_REDUCTIONS_H
#define RETRO_PREPARE_THREADS_REDUCTIONS_H

namespace llvm {
class Function;
}

namespace retro {

/// Where the program leaves it to the runtime whether threads hand over their
/// parts under a lock or atomically, and atomically is by sums alone, it is
/// that: sums may come in any order, so that the adjoints need no turns.
void sumAtomically(llvm::Function &F);

} // namespace retro

#endif
