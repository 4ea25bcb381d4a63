// Parallel regions in which nothing orders threads: what one of them writes no
// other one reads or writes, or the primal has a race.
#ifndef RETRO_FACTS_THREADS_INDEPENDENCE_H
#define RETRO_FACTS_THREADS_INDEPENDENCE_H

namespace llvm {
class Function;
}

namespace retro {

struct Unit;

/// Does each thread that runs Region compute, read and store, and take its
/// share of the work, and nothing else? What it calls is inlined.
bool threadsAreIndependent(const llvm::Function &Region, const Unit &U);

} // namespace retro

#endif
