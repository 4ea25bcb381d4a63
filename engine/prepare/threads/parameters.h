// Parameters of parallel regions say that their memory is apart from other.
// Without that the analyses of a region could not tell its arrays apart, which
// the caller can.
#ifndef RETRO_PREPARE_THREADS_PARAMETERS_H
#define RETRO_PREPARE_THREADS_PARAMETERS_H

namespace retro {

struct Unit;

/// Makes parameters of regions in which nothing orders threads noalias where
/// their memory is no other's for the caller. Where threads wait for each
/// other, that would say that none of them finds there what others have
/// written.
void separateParameters(Unit &U);

} // namespace retro

#endif
