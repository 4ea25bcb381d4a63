// Makes two versions of a nest, with a comparison by the program before them.
#ifndef RETRO_PREPARE_LOOPS_ARRAY_VERSIONS_H
#define RETRO_PREPARE_LOOPS_ARRAY_VERSIONS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Doubles nests that read an array of numbers more often than it is long,
/// where only the program knows whether they overwrite it; the program compares
/// ranges of memory. Returns how many more nests there are.
unsigned versionForArrays(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
