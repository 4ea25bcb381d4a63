// The vendor's library of device functions: libdevice or ocml. Where clang
// links it before the passes run, its functions have bodies, but they are
// recognized by their names all the same.
#ifndef RETRO_FRONT_KNOWN_DEVICE_LIBRARY_H
#define RETRO_FRONT_KNOWN_DEVICE_LIBRARY_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace retro {

/// Is it the name of a function of the vendor's library for M's device?
bool isDeviceLibraryName(llvm::StringRef Name, const llvm::Module &M);

/// The files that clang links into a module of this device.
struct DeviceLibrary {
  std::vector<std::string> Files; ///< what needs others stands before them
  bool Unwanted = false; ///< the module is compiled without the library
  bool Named = false;    ///< an option, a variable or the compiler names it
};

/// Looks where clang looks: -retro-device-library and RETRO_DEVICE_LIBRARY
/// first, then what the compiler was called with, the vendors' variables, and
/// the usual places.
DeviceLibrary findDeviceLibrary(const llvm::Module &M);

} // namespace retro

#endif
