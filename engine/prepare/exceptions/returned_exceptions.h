// Functions that an exception leaves on its way to a handler of the unit.
#ifndef RETRO_PREPARE_RETURNED_EXCEPTIONS_H
#define RETRO_PREPARE_RETURNED_EXCEPTIONS_H

#include "base/unit.h"

namespace retro {

/// Has such functions return where an exception leaves them, with a mark that
/// passes the exception on to the caller: so that the reverse pass of what they
/// did before is run. Their callers ask behind each call.
void returnExceptions(Unit &U);

} // namespace retro

#endif
