// What a kernel with a derivative in it has to be for the assemblers of
// devices.
#ifndef RETRO_ANSWER_KERNEL_FORM_H
#define RETRO_ANSWER_KERNEL_FORM_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace retro {

/// A block of the kernel may have all registers of a multiprocessor, where the
/// program says nothing else: ptxas may take few to run many blocks at a time,
/// and spill.
void giveAllRegisters(llvm::Function &Kernel);

/// Functions that return an empty struct, as derivatives do that give no
/// number, return nothing: PTX has no type for that.
void dropEmptyResults(llvm::Module &M);

} // namespace retro

#endif
