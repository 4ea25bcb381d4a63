// What a std::thread of libstdc++ runs is an object with a virtual function,
// which its constructor makes and starts.
#ifndef RETRO_PREPARE_THREADS_THREAD_STATES_H
#define RETRO_PREPARE_THREADS_THREAD_STATES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace retro {

/// Virtual functions of such objects that are made nowhere in what Target
/// reaches: it starts none of them, for nobody starts an object but who has
/// just made it. CalleesOf gives what a function calls, also by addresses.
llvm::SmallPtrSet<const llvm::Function *, 8> threadsElsewhere(
    const llvm::Module &M, llvm::Function &Target,
    llvm::function_ref<llvm::SmallVector<llvm::Function *>(llvm::Function &)>
        CalleesOf);

} // namespace retro

#endif
