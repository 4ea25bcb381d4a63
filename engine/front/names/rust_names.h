// The paths in Rust's mangled names. Hashes and crate identifiers change with
// the compiler, paths do not.
#ifndef RETRO_FRONT_NAMES_RUST_NAMES_H
#define RETRO_FRONT_NAMES_RUST_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace retro {

/// The path of a mangled function ("core::panicking::panic"), or "".
std::string rustPath(llvm::StringRef Mangled);

/// The mangled name of the function beside this one whose last component is
/// that of Path: of __rust_alloc, given __rust_realloc.
std::string rustSibling(llvm::StringRef Mangled, llvm::StringRef Path);

} // namespace retro

#endif
