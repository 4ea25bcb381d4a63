// Whole launches: a host function that launches kernels is differentiated, and
// so are the kernels. Host and device are two compilations of one source. The
// device's makes kernels of an agreed name and interface from each kernel that
// the source marks; the host's launches them, and compares before the first
// launch what both sides take the parameters to be. launch_device.cpp is the
// one, launch_host.cpp the other.
#ifndef RETRO_LAUNCH_LAUNCH_H
#define RETRO_LAUNCH_LAUNCH_H

#include "front/names/runtime.h"

#include "llvm/IR/Module.h"

namespace retro {

class MemoryShape;
struct Unit;

/// The source's mark of a kernel whose launches are differentiated
/// (RETRO_KERNEL in retrograde/kernels.h).
inline constexpr llvm::StringLiteral KernelMark = "retro-kernel";
/// Is the kernel, or its stub on the host, marked in the source or on the
/// command line?
bool isMarkedKernel(const llvm::Function &F, llvm::StringRef Name);

/// The prefixes of the kernels that are made of a kernel.
namespace derived_kernel {
inline constexpr llvm::StringLiteral Describe = nameOf(Named::describe),
                                     Measure = nameOf(Named::measure),
                                     Augmented = nameOf(Named::augmented),
                                     Reverse = nameOf(Named::reverse),
                                     Tangent = nameOf(Named::tangent);
} // namespace derived_kernel

/// At the start of the pipeline, makes the derived kernels of a device's
/// module, with requests in them; on the host, calls that launch kernels.
void prepareKernels(llvm::Module &M);
void prepareLaunches(llvm::Module &M);

/// Leaves for the host what the parameters of Target, made of a marked kernel,
/// point to, and whether launches have to give shared memory for a shadow. U is
/// what is differentiated, and Shape knows its memory.
void describeParameters(llvm::Function &Target, Unit &U,
                        const MemoryShape &Shape);
/// Registers the derived kernels that the host's code launches, and deletes
/// what was made in vain.
void finishLaunches(llvm::Module &M);

} // namespace retro

#endif
