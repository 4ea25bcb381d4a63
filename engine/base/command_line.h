// The command line of this process, and of the driver that started it.
#ifndef RETRO_BASE_COMMAND_LINE_H
#define RETRO_BASE_COMMAND_LINE_H

#include <string>
#include <vector>

namespace retro {

/// The arguments of this process; empty where the system does not tell them.
std::vector<std::string> ownCommand();

/// The arguments of the compiler driver that runs this compilation, in this
/// process or as its parent; empty if there is none.
std::vector<std::string> driverCommand();

/// Does the compiler link this one file, with nothing but the system's
/// libraries?
bool compilesWholeProgram();

} // namespace retro

#endif
