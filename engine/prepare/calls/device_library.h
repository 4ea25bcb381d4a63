// The vendor's mathematics of a device, which clang links into the module
// before the passes run. Its bodies compute with bits and tables, of which
// there is no derivative: its functions are calls of declarations until
// everything is differentiated, and are inlined then. Functions that only
// derivatives call are brought from the library.
#ifndef RETRO_PREPARE_CALLS_DEVICE_LIBRARY_H
#define RETRO_PREPARE_CALLS_DEVICE_LIBRARY_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Does the device code of M ask for derivatives, or may code that it is linked
/// with ask for those of its functions?
bool meetsDerivatives(const llvm::Module &M);

/// Puts the bodies of functions that are known aside.
bool hideDeviceLibrary(llvm::Module &M);

/// Gives them back for a link that meets the requests: they are not inlined
/// before.
bool parkDeviceLibrary(llvm::Module &M);

/// Passes that are made where the pipeline is.
struct LibraryPasses {
  /// Decides for the device what the library asks (__nvvm_reflect).
  llvm::ModulePassManager Reflect;
  /// Inlines and simplifies as the pipeline has before; may be empty.
  llvm::ModulePassManager Simplify;
};

/// Gives them back, brings those that are missing, and inlines them, and the
/// derivatives in their kernels with them.
bool showDeviceLibrary(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                       LibraryPasses &Passes);

} // namespace retro

#endif
