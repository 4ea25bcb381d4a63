// What a kernel with a derivative in it must be like for the assemblers of
// devices.
#ifndef RETRO_ANSWER_KERNEL_FORM_H
#define RETRO_ANSWER_KERNEL_FORM_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace retro {

/// Lets a block of the kernel have all registers of a multiprocessor, unless
/// the program says something else. ptxas would use few, to run many blocks at
/// a time, and spill.
void giveAllRegisters(llvm::Function &Kernel);

/// Makes functions that return an empty struct, as derivatives without a number
/// as result do, return nothing. PTX has no type for it.
void dropEmptyResults(llvm::Module &M);

} // namespace retro

#endif
