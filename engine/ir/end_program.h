// Ends the program with a sentence, where a derivative cannot go on.
#ifndef RETRO_IR_END_PROGRAM_H
#define RETRO_IR_END_PROGRAM_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// A string in constant memory of the program.
llvm::Value *emitString(llvm::IRBuilder<> &B, llvm::StringRef Text);

/// Emits a call that ends the program with Before, Number and After (a string
/// of the program), or with Before alone if Number is null. AMD's devices
/// cannot print, and trap.
void endProgram(llvm::IRBuilder<> &B, llvm::StringRef Before,
                llvm::Value *Number, llvm::Value *After);
void endProgram(llvm::IRBuilder<> &B, llvm::StringRef Before,
                llvm::Value *Number = nullptr, llvm::StringRef After = "");

} // namespace retro

#endif
