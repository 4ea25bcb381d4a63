// Models: bodies for functions of language runtimes whose own bodies are in a
// library. They are written in C (engine/models), are part of the plugin, and
// are differentiated like the program's own functions.
#ifndef RETRO_FRONT_REGISTERED_MODELS_H
#define RETRO_FRONT_REGISTERED_MODELS_H

#include "llvm/IR/Module.h"

namespace retro {

/// Brings the models of functions that M declares and calls into M.
void linkModels(llvm::Module &M);

/// Deletes those of which nothing is left.
void dropModels(llvm::Module &M);

/// The body that stands for a declared function's, or null.
llvm::Function *modelOf(const llvm::Function &F);

/// Models ask what is known of a call. Is there a question left in F?
bool asksAnything(const llvm::Function &F);

/// Answers what can be answered; with All, what is left: nothing more will be
/// known.
bool answerModels(llvm::Function &F, bool All);

/// Must calls of F, a model, be inlined, for it depends on what is known?
bool isModel(const llvm::Function &F);

} // namespace retro

#endif
