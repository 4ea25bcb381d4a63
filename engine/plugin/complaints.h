// Errors of a whole module, before anything is derived, and of a pool.
#ifndef RETRO_PLUGIN_COMPLAINTS_H
#define RETRO_PLUGIN_COMPLAINTS_H

#include "base/diagnostics.h"
#include "front/registered/registrations.h"

namespace retro {

struct Request;
class UnitPlan;

/// Are all registrations right? Each that is wrong is an error.
bool reportProblems(const Registrations &Registered,
                    llvm::CallBase &AnyRequest);

/// Reports registered functions whose calls another compilation may have
/// inlined: nobody finds them any more. Returns whether there are none.
bool reportInlined(const Registrations &Registered, llvm::CallBase &AnyRequest);

/// Reports why the size of a pool cannot be told, if Req asks for it.
void checkPool(const Request &Req, const UnitPlan &Plan, Reporter &R);

} // namespace retro

#endif
