// Promises of a front end about arithmetic that do not hold.
#ifndef RETRO_PREPARE_WRONG_PROMISES_H
#define RETRO_PREPARE_WRONG_PROMISES_H

namespace llvm {
class Function;
}

namespace retro {

/// Takes back that signed additions and subtractions of Fortran do not wrap as
/// unsigned ones either.
void dropWrongPromises(llvm::Function &F);

/// Was some of M compiled by flang?
bool isOfFlang(const llvm::Module &M);

} // namespace retro

#endif
