// Where a derivative cannot go on, the program ends with a sentence.
#ifndef RETRO_IR_END_PROGRAM_H
#define RETRO_IR_END_PROGRAM_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Text in memory of the program.
llvm::Value *emitString(llvm::IRBuilder<> &B, llvm::StringRef Text);

/// A call that ends the program with a sentence: Before, Number and After (a
/// string of the program), or Before alone if Number is null. (AMD's devices
/// have nothing to say it with, and trap.)
void endProgram(llvm::IRBuilder<> &B, llvm::StringRef Before,
                llvm::Value *Number, llvm::Value *After);
void endProgram(llvm::IRBuilder<> &B, llvm::StringRef Before,
                llvm::Value *Number = nullptr, llvm::StringRef After = "");

} // namespace retro

#endif
