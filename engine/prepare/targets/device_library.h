// The vendor's mathematics of a device, which clang links into the module
// before the passes run. Its bodies compute with bits and tables, of which
// there is no derivative: its functions are calls of declarations until
// everything is differentiated, and are inlined then. Functions that only
// derivatives call are brought from the library.
#ifndef RETRO_PREPARE_TARGETS_DEVICE_LIBRARY_H
#define RETRO_PREPARE_TARGETS_DEVICE_LIBRARY_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Does the device code of M request derivatives, or may code that it is linked
/// with request those of its functions?
bool meetsDerivatives(const llvm::Module &M);

/// Puts the bodies of known functions aside.
bool hideDeviceLibrary(llvm::Module &M);

/// Gives the bodies back for a link that answers the requests, so that they are
/// not inlined before.
bool parkDeviceLibrary(llvm::Module &M);

/// Passes that the caller makes, as it knows the pipeline.
struct LibraryPasses {
  /// Decides for the device what the library asks (__nvvm_reflect).
  llvm::ModulePassManager Reflect;
  /// Inlines and simplifies as the pipeline has before; may be empty.
  llvm::ModulePassManager Simplify;
};

/// Gives the bodies back, brings those that are missing, and inlines them and
/// the derivatives into kernels.
bool showDeviceLibrary(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                       LibraryPasses &Passes);

} // namespace retro

#endif
