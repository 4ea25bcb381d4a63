// What is done to a device's module as a whole, when all its requests are
// answered, and again when the optimizer has left it.
#ifndef RETRO_PLUGIN_DEVICE_CODE_H
#define RETRO_PLUGIN_DEVICE_CODE_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Lets kernels take in the derivatives that they call, and marks what will
/// have code of a derivative.
void finishDeviceCode(llvm::Module &M);

/// Puts the accesses of memory in the order in which threads of an NVIDIA GPU
/// wait least. No pass that moves loads may follow.
struct OrderDeviceMemory : llvm::PassInfoMixin<OrderDeviceMemory> {
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace retro

#endif
