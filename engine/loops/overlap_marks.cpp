// Reads the mark of a nest that was doubled. Without it, the version for arrays
// that overlap would be doubled again and again.
#include "loops/overlap_marks.h"

#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace retro {

bool mayOverlap(const Loop &L) {
  return findOptionMDForLoop(&L, Overlapping) != nullptr;
}

} // namespace retro
