// Loops of few inputs are derived forward: preaccumulation of their Jacobians.
#ifndef RETRO_PREPARE_LOOPS_PREACCUMULATE_H
#define RETRO_PREPARE_LOOPS_PREACCUMULATE_H

#include "base/unit.h"
#include "front/requests/request.h"

namespace retro {

/// Makes functions of the loops of F that compute numbers from few numbers, and
/// whose reversal would need a tape: their Jacobian is computed along with them
/// (Griewank and Walther, Evaluating Derivatives, 2nd ed., section 10.2), and
/// is all that the reverse pass reads. Returns how many there were; the unit
/// lists them, for what calls them to be derived and completed.
unsigned preaccumulateLoops(Unit &U, UnitFunction &F);

/// The request whose derivative, the tangents of all columns of the Jacobian,
/// completes the loop's function.
Request tangentRequest(const PreaccumulatedLoop &L);
/// Writes the function that the forward pass calls.
void complete(const PreaccumulatedLoop &L, llvm::Function &Tangent);

} // namespace retro

#endif
