#include "loops/overlap_marks.h"

#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace retro {

bool mayOverlap(const Loop &L) {
  return findOptionMDForLoop(&L, Overlapping) != nullptr;
}

} // namespace retro
