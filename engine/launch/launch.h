// Whole launches: a host function with launches of kernels is differentiated,
// and so are the kernels. Host and device are two compilations of one source.
// The device's makes, of each kernel that the source marks, kernels of an
// agreed name and interface; the host's launches them and compares, before
// the first launch, what both sides take the parameters to be.
#ifndef RETRO_LAUNCH_LAUNCH_H
#define RETRO_LAUNCH_LAUNCH_H

#include "base/runtime.h"

#include "llvm/IR/Module.h"

namespace retro {

class MemoryShape;
struct Unit;

/// What the source says of a kernel whose launches are differentiated
/// (RETRO_KERNEL in retrograde/kernels.h).
inline constexpr llvm::StringLiteral KernelMark = "retro-kernel";
/// Is the kernel (its stub, on the host) of this name marked, in the source or
/// on the command line?
bool isMarkedKernel(const llvm::Function &F, llvm::StringRef Name);

/// Kernels that are made of a kernel, by the beginnings of their names.
namespace derived_kernel {
inline constexpr llvm::StringLiteral Describe = nameOf(Named::describe),
                                     Measure = nameOf(Named::measure),
                                     Augmented = nameOf(Named::augmented),
                                     Reverse = nameOf(Named::reverse),
                                     Tangent = nameOf(Named::tangent);
} // namespace derived_kernel

/// At the start of the pipeline: the derived kernels of a device's module,
/// with requests in them; calls that launch kernels, on the host.
void prepareKernels(llvm::Module &M);
void prepareLaunches(llvm::Module &M);

/// What the parameters of Target, made of a marked kernel, point to is left
/// for the host to compare, and whether its launches have to give shared memory
/// for a shadow. U: what is differentiated, whose memory Shape knows.
void describeParameters(llvm::Function &Target, Unit &U, MemoryShape &Shape);
/// The derived kernels that the host's code launches are registered, and what
/// was made for nothing is deleted.
void finishLaunches(llvm::Module &M);

} // namespace retro

#endif
