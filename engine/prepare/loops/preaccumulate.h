// Derives loops of few inputs forward: it preaccumulates their Jacobians.
#ifndef RETRO_PREPARE_LOOPS_PREACCUMULATE_H
#define RETRO_PREPARE_LOOPS_PREACCUMULATE_H

#include "base/unit.h"
#include "front/requests/request.h"

namespace retro {

/// Makes functions of loops of F that compute numbers from few numbers and
/// whose reversal would need a tape. Their Jacobian is computed along with them
/// (Griewank and Walther, Evaluating Derivatives, 2nd ed., section 10.2), and
/// the reverse pass reads nothing else. Returns how many there were. The unit
/// lists them; who calls this derives and completes them.
unsigned preaccumulateLoops(Unit &U, UnitFunction &F);

/// The request whose derivative completes the loop's function: the tangents of
/// all columns of the Jacobian.
Request tangentRequest(const PreaccumulatedLoop &L);
/// Writes the function that the forward pass calls, from the loop's Tangent.
void complete(const PreaccumulatedLoop &L, llvm::Function &Tangent);

} // namespace retro

#endif
