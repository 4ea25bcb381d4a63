// Values as ScalarEvolution knows them: it takes them without const, though it
// changes none. The const is lost here for all who only ask.

#ifndef RETRO_BASE_SCEV_H
#define RETRO_BASE_SCEV_H

#include "llvm/Analysis/ScalarEvolution.h"

namespace retro {

inline const llvm::SCEV *scevOf(llvm::ScalarEvolution &SE,
                                const llvm::Value *V) {
  return SE.getSCEV(const_cast<llvm::Value *>(V));
}

} // namespace retro

#endif
