// What the sources that know memory share: memory.cpp (blocks and variables),
// races.cpp (accesses that nothing orders), plan_check.cpp (claims of plans).
#pragma once
#include "state.h"
#include <retrograde/gpu/gpu_on_cpu.h>

namespace retro::gpu {

/// Notes a variable of a module, which is global memory, too.
void rememberVariable(const VariableEntry &V);

/// Ends the program if the access and an earlier one of another thread are not
/// in order.
void checkRace(const void *Address, uint64_t Bytes, const Site *S);

/// Forgets accesses of memory that a kernel frees: the thread that gets it next
/// is in order with the one that had it.
void forgetRaces(const void *Address, uint64_t Bytes);

} // namespace retro::gpu
