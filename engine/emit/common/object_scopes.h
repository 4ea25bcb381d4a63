// Memory that a unit allocates itself: objects of different classes never meet.
#ifndef RETRO_EMIT_COMMON_OBJECT_SCOPES_H
#define RETRO_EMIT_COMMON_OBJECT_SCOPES_H

#include "base/unit.h"
#include "facts/memory/memory_shape.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace retro {

/// Says of emitted accesses which of them are apart since the classes of memory
/// are: two vectors of a function, or the rows of a matrix and a vector. LLVM
/// sees a pointer that was loaded, or one that was assigned in a loop, and has
/// to suppose that it leads anywhere.
class ObjectScopes {
public:
  explicit ObjectScopes(const MemoryShape &Shape) : Shape(Shape) {}

  /// Notes at each access of the unit which class it is of. Copies keep that.
  void note(Unit &U) const;
  /// What accesses the shadow of Primal's memory has the same note.
  static void noteLike(llvm::Instruction &Shadow,
                       const llvm::Instruction &Primal);

  /// The accesses of F are looked at next.
  void begin(const llvm::Function &F);
  /// Takes the note off an access, and returns the scope that it is in, and
  /// those that it is apart from.
  std::pair<llvm::MDNode *, llvm::MDNode *> take(llvm::Instruction &I);

private:
  bool isOwn(unsigned Class) const;
  llvm::MDNode *scopeOf(unsigned Class);

  const MemoryShape &Shape;
  llvm::MDNode *Domain = nullptr;
  llvm::DenseMap<unsigned, llvm::MDNode *> Scopes, Others; ///< by class
  llvm::SmallSetVector<unsigned, 16> Present;
};

} // namespace retro

#endif
