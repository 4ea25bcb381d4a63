// Which calls by an address are of virtual functions, as the front end says.
#ifndef RETRO_PREPARE_WORDS_VIRTUAL_CALLS_H
#define RETRO_PREPARE_WORDS_VIRTUAL_CALLS_H

#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace retro {

/// Attribute of a call by an address: "1" if the front end emits it so for a
/// virtual function, "0" if for none.
inline constexpr llvm::StringLiteral CallsVirtual = "retro.calls-virtual";

/// Does C call what the table of an object lists? Nothing is said of a pointer
/// to a method, which may be of a virtual one. Only to be asked of what the
/// front end emitted: of optimized code the shape says less.
std::optional<bool> isVirtualCall(const llvm::CallBase &C, bool IsFortran);

/// Attribute of a call of a pointer to a method that its function was passed,
/// one that no other file calls: of virtual functions it enters those whose
/// places a pointer to a method names.
inline constexpr llvm::StringLiteral CallsMethod = "retro.calls-method";

/// Notes these calls, and the places in tables that M's pointers to methods
/// name. Only to be called for what the front end emitted.
void noteMethods(llvm::Module &M);

/// The places that have been noted, in bytes.
llvm::SmallSet<int64_t, 4> placesOfMethods(const llvm::Module &M);

} // namespace retro

#endif
