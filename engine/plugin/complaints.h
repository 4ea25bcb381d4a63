// What is wrong before anything is derived: of a whole module, and of a pool.
#ifndef RETRO_PLUGIN_COMPLAINTS_H
#define RETRO_PLUGIN_COMPLAINTS_H

#include "base/diagnostics.h"
#include "front/registered/registrations.h"

namespace retro {

struct Request;
class UnitPlan;

/// Are all registrations right? If not, each that is wrong is an error.
bool reportProblems(const Registrations &Registered,
                    llvm::CallBase &AnyRequest);

/// A registered function whose calls another compilation may have inlined is an
/// error: they are not found any more.
bool reportInlined(const Registrations &Registered, llvm::CallBase &AnyRequest);

/// Who asks for the size of a pool is told, or why there is no telling.
void checkPool(const Request &Req, const UnitPlan &Plan, Reporter &R);

} // namespace retro

#endif
