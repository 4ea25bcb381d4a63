// Between the parts that know memory.
#pragma once
#include "state.h"
#include <retrograde/gpu/gpu_on_cpu.h>

namespace retro::gpu {

/// A variable of a module is global memory too.
void rememberVariable(const VariableEntry &V);

/// Ends the program where the access and an earlier one of another thread are
/// in no order.
void checkRace(const void *Address, uint64_t Bytes, const Site *S);

/// Of memory that a kernel gives back: who gets it next is in order with who
/// had it.
void forgetRaces(const void *Address, uint64_t Bytes);

} // namespace retro::gpu
