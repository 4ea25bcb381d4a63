// Algorithms of a library that runs them in a pool of threads: oneTBB, and with
// it the parallel algorithms of libstdc++.
#ifndef RETRO_PREPARE_THREADS_POOL_CALLS_H
#define RETRO_PREPARE_THREADS_POOL_CALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace retro {

/// The member of F's class whose name goes on with Other where F's does with
/// Member, whatever its parameters are; null if there is none.
llvm::Function *memberLike(llvm::Function &F, llvm::StringRef Member,
                           llvm::StringRef Other);

/// Finds such functions, of which the front end says what they run, and makes
/// their serial forms: functions with the same parameters that run all of it on
/// the calling thread. Returns both, of those for which there is one.
llvm::SmallVector<llvm::Function *> makeSerialForms(llvm::Module &M);

/// The serial form of F; null if it has none.
llvm::Function *serialForm(const llvm::Function &F);
/// Is F such a form?
bool isSerialForm(const llvm::Function &F);

/// -Rpass=retro, -Rpass-missed=retro: says of a call of such a form in a copy
/// of In whether the derivative is parallel.
void remarkPool(const llvm::CallBase &Call, const llvm::Function &In);

/// Deletes the serial forms.
void dropSerialForms(llvm::Module &M);

} // namespace retro

#endif
