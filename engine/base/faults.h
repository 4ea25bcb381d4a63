// Faults that are planted on purpose (faults.def). A check that finds none of
// them checks nothing.
#ifndef RETRO_BASE_FAULTS_H
#define RETRO_BASE_FAULTS_H

namespace retro {

enum class Fault {
  None,
#define FAULT(Field, Name, Text) Field,
#include "base/faults.def"
#undef FAULT
};

/// Is this the fault that the command line asks for (-retro-plant)?
bool isPlanted(Fault F);

} // namespace retro

#endif
