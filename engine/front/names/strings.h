// The member functions of std::basic_string (libstdc++), by their mangled
// names. A string lies within objects whose other fields are numbers, and
// points into itself; told by its functions, it is a thing of the library's.
#ifndef RETRO_FRONT_NAMES_STRINGS_H
#define RETRO_FRONT_NAMES_STRINGS_H

#include "llvm/ADT/StringRef.h"

namespace retro {

enum class StringMember {
  None,
  Place, ///< tells where the characters lie, or how many there are
  Reads,
  Changes,
  ChangesThis, ///< and returns the string
};

/// What the function of that name does with the string that it is a member of.
StringMember stringMember(llvm::StringRef Mangled);

/// Is that function given characters that are not those of a string?
bool takesCharacters(llvm::StringRef Mangled);

/// Is it left to the library, whatever its body is?
inline bool isLeftToLibrary(StringMember K) { return K > StringMember::Place; }

} // namespace retro

#endif
