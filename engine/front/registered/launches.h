// Launches of kernels and calls that move a device's memory, as functions with
// derivatives of the engine's runtime (engine/runtime/launch.c).
#ifndef RETRO_FRONT_REGISTERED_LAUNCHES_H
#define RETRO_FRONT_REGISTERED_LAUNCHES_H

#include "base/diagnostics.h"
#include "front/registered/registrations.h"

namespace retro {

/// Links from a function that launches a kernel to what is called instead in
/// each pass.
inline constexpr const char *LaunchForward = "retro.launch.forward",
                            *LaunchReverse = "retro.launch.reverse",
                            *LaunchTangent = "retro.launch.tangent";

/// Reports a call that has no derivative; for a launch, with the reason.
void reportNoDerivative(const llvm::CallBase &C, Reporter &R);
/// Function attributes of a kernel's stub, which that report reads.
inline constexpr const char *LaunchedKernel = "retro-launched-kernel",
                            *LaunchWhy = "retro-launch-problem";

/// Does the module request a derivative?
bool hasRequests(const llvm::Module &M);

/// Adds launches to what the program registers.
void readLaunches(llvm::Module &M,
                  llvm::MapVector<const llvm::Function *, Registration> &Out);

} // namespace retro

#endif
