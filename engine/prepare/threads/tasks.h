// Tasks of std::async.
#ifndef RETRO_PREPARE_THREADS_TASKS_H
#define RETRO_PREPARE_THREADS_TASKS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace retro {

/// Is F libstdc++'s std::async with a policy, which starts a thread or does
/// not?
bool startsTask(const llvm::Function &F);

/// Keeps LLVM from inlining such functions, or changing how they are called,
/// before requests are answered. True if there is one, and a request.
bool keepTasks(llvm::Module &M);
/// Lets LLVM inline them again, once requests are answered. True if there is
/// one.
bool releaseTasks(llvm::Module &M);

/// A copy of F, which startsTask, that runs the task by itself before it
/// returns.
llvm::Function *runTask(llvm::Function &F);

} // namespace retro

#endif
