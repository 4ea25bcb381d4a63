// Which calls by an address are of virtual functions, as the front end says.
#ifndef RETRO_PREPARE_WORDS_VIRTUAL_CALLS_H
#define RETRO_PREPARE_WORDS_VIRTUAL_CALLS_H

#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace retro {

/// Attribute of a call by an address: "1" if the front end emits it so for a
/// virtual function, "0" if for none.
inline constexpr llvm::StringLiteral CallsVirtual = "retro.calls-virtual";

/// Does C call what the table of an object lists? Nothing is said of a pointer
/// to a method, which may be of a virtual one. Only to be asked of what the
/// front end emitted: of optimized code the shape says less.
std::optional<bool> isVirtualCall(const llvm::CallBase &C, bool IsFortran);

} // namespace retro

#endif
