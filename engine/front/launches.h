// Launches of kernels and calls that move a device's memory, as functions with
// derivatives of ours: those of the runtime (engine/runtime/launch.c).
#ifndef RETRO_FRONT_LAUNCHES_H
#define RETRO_FRONT_LAUNCHES_H

#include "front/registrations.h"

namespace retro {

/// Links of a function that launches a kernel, to what is called instead of it
/// in each pass.
inline constexpr const char *LaunchForward = "retro.launch.forward",
                            *LaunchReverse = "retro.launch.reverse",
                            *LaunchTangent = "retro.launch.tangent";

/// Does the module ask for a derivative?
bool hasRequests(const llvm::Module &M);

/// Adds to what the program registers.
void readLaunches(llvm::Module &M,
                  llvm::MapVector<llvm::Function *, Registration> &Out);

} // namespace retro

#endif
