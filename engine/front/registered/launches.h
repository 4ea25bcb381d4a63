// Launches of kernels and calls that move a device's memory, as functions with
// derivatives of ours: those of the runtime (engine/runtime/launch.c).
#ifndef RETRO_FRONT_REGISTERED_LAUNCHES_H
#define RETRO_FRONT_REGISTERED_LAUNCHES_H

#include "base/diagnostics.h"
#include "front/registered/registrations.h"

namespace retro {

/// Links of a function that launches a kernel, to what is called instead of it
/// in each pass.
inline constexpr const char *LaunchForward = "retro.launch.forward",
                            *LaunchReverse = "retro.launch.reverse",
                            *LaunchTangent = "retro.launch.tangent";

/// Reports a call of something that has no derivative: of a launch, why.
void reportNoDerivative(const llvm::CallBase &C, Reporter &R);
/// Function attributes of a kernel's stub, for that.
inline constexpr const char *LaunchedKernel = "retro-launched-kernel",
                            *LaunchWhy = "retro-launch-problem";

/// Does the module ask for a derivative?
bool hasRequests(const llvm::Module &M);

/// Adds to what the program registers.
void readLaunches(llvm::Module &M,
                  llvm::MapVector<llvm::Function *, Registration> &Out);

} // namespace retro

#endif
