// Promises of a front end, about arithmetic and about memory, that do not hold.
#ifndef RETRO_PREPARE_WRONG_PROMISES_H
#define RETRO_PREPARE_WRONG_PROMISES_H

namespace llvm {
class Function;
class StringRef;
} // namespace llvm

namespace retro {

/// Takes back that signed additions and subtractions of Fortran do not wrap as
/// unsigned ones either.
void dropWrongPromises(llvm::Function &F);

/// Removes from F, which was made of the user's function Name, the tags (TBAA)
/// of other Fortran procedures that were inlined into it.
void dropTagsOfInlined(llvm::Function &F, llvm::StringRef Name);

/// Was some of M compiled by flang?
bool isOfFlang(const llvm::Module &M);

} // namespace retro

#endif
