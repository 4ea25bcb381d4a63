// What the mangled names of the C++ library's helpers say of memory: the types
// of their parameters, which LLVM's pointers have lost. Without them a copy by
// bytes in std::copy would be of nothing in particular.
#ifndef RETRO_FACTS_TYPES_NAMED_TYPES_H
#define RETRO_FACTS_TYPES_NAMED_TYPES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

namespace retro {

/// The struct types of a module by the program's names for them.
class NamedStructs {
public:
  explicit NamedStructs(llvm::Module &M) : M(M) {}
  /// The type of that name, or null if there is none, or more than one.
  llvm::StructType *find(llvm::StringRef Name);

private:
  llvm::Module &M;
  bool Filled = false;
  llvm::StringMap<llvm::StructType *> ByName;
};

/// What each argument of F points to, as F's mangled name says; null where it
/// does not. Bytes and integers can be of anything, and say nothing.
llvm::SmallVector<llvm::Type *, 4> pointeesOfArguments(const llvm::Function &F,
                                                       NamedStructs &Structs);

/// Is F a constructor of a class, or an assignment to its objects?
bool copiesItsClass(const llvm::Function &F);

/// One scalar of a type, and where in it.
struct NamedField {
  int64_t Offset;
  llvm::Type *T;
};
/// All scalars of an object; false where the type does not say what they are:
/// a union, and bytes that are room for objects of other types.
bool fieldsOf(llvm::Type *T, const llvm::DataLayout &DL, int64_t Offset,
              llvm::SmallVectorImpl<NamedField> &Out);

/// Does the name of a struct type end so, but for a number that LLVM has given
/// it?
bool endsName(llvm::Type *Any, llvm::StringRef End);

/// Is it what a std::vector of libstdc++ consists of: where its elements begin,
/// where they end, and where the room for them ends?
bool isVectorOfLibrary(llvm::StructType &T);

} // namespace retro

#endif
