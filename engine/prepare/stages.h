// The stages in which a function is brought into the form that can be derived.
#ifndef RETRO_PREPARE_STAGES_H
#define RETRO_PREPARE_STAGES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace retro {

/// Visits the name and the reason of each stage, in order. Those of a round
/// come first, as the round is repeated while it makes calls direct.
void forEachPrepareStage(
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> Visit);

} // namespace retro

#endif
