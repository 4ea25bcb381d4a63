// Calls of the engine's own runtime, and the names of what it makes itself:
// the rows of runtime.def. Nobody else spells them.

#ifndef RETRO_FRONT_NAMES_RUNTIME_H
#define RETRO_FRONT_NAMES_RUNTIME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace retro {

/// The functions of runtime/.
enum class Rt : unsigned {
#define RUNTIME(Id, ...) Id,
#define RUNTIME_AS_CALLED(Id) Id,
#include "front/names/runtime.def"
};

/// Other names, or how they begin.
enum class Named : unsigned {
#define NAMED(Id, Text) Id,
#include "front/names/runtime.def"
};

inline constexpr llvm::StringLiteral RtNames[] = {
#define RUNTIME(Id, ...) "__retro_" #Id,
#define RUNTIME_AS_CALLED(Id) "__retro_" #Id,
#include "front/names/runtime.def"
};

inline constexpr llvm::StringLiteral NamedNames[] = {
#define NAMED(Id, Text) "__retro_" Text,
#include "front/names/runtime.def"
};

constexpr llvm::StringLiteral nameOf(Rt F) {
  return RtNames[static_cast<unsigned>(F)];
}
constexpr llvm::StringLiteral nameOf(Named N) {
  return NamedNames[static_cast<unsigned>(N)];
}
/// The name that continues with Rest.
std::string nameOf(Named N, const llvm::Twine &Rest);

/// Is it one of those names?
inline bool isNamed(llvm::StringRef Name, Named Beginning) {
  return Name.starts_with(nameOf(Beginning));
}

/// The function whose name is this one behind the prefix that all have.
std::optional<Rt> runtimeNamed(const llvm::Twine &Name);

/// F of runtime/, declared in M with the type and attributes of its row.
llvm::FunctionCallee runtimeCallee(llvm::Module &M, Rt F);
/// F of runtime/, declared with type T: for rows that leave the type to the
/// call.
llvm::FunctionCallee runtimeCallee(llvm::Module &M, Rt F,
                                   llvm::FunctionType *T);

llvm::CallInst *callRuntime(llvm::IRBuilderBase &B, Rt F,
                            llvm::ArrayRef<llvm::Value *> Args = {},
                            const llvm::Twine &Name = "");

} // namespace retro

#endif
