// What a stage promises the next, said where it is relied on. A defect then
// shows at the stage that made it, with a sentence, and not as a crash or a
// wrong derivative three stages on. On unless the engine is configured with
// -DRETRO_ASSERTS=OFF: a macro of our own, since NDEBUG also decides how LLVM's
// headers lay out their classes.
#ifndef RETRO_BASE_ASSERT_H
#define RETRO_BASE_ASSERT_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Ends the compiler: a stage has not kept its promise about F (null: of the
/// whole unit).
[[noreturn]] void failAssert(llvm::StringRef Stage, const llvm::Function *F,
                             llvm::StringRef Promise);

#ifdef RETRO_ASSERTS
/// Stage, a name as -retro-time prints it, promises of function F: Promise.
#define retroAssert(Condition, Stage, F, Promise)                              \
  ((Condition) ? void() : ::retro::failAssert(Stage, F, Promise))
inline constexpr bool ChecksPromises = true;
#else
#define retroAssert(Condition, Stage, F, Promise) void(sizeof(bool(Condition)))
inline constexpr bool ChecksPromises = false;
#endif

/// The value of a key that a stage has promised to be in the map.
template <typename MapTy, typename KeyTy>
auto &promised(MapTy &Map, const KeyTy &Key, llvm::StringRef Stage,
               const llvm::Function *F, llvm::StringRef Promise) {
  auto It = Map.find(Key);
  retroAssert(It != Map.end(), Stage, F, Promise);
  return It->second;
}

} // namespace retro

#endif
