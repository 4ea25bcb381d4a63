// Models: bodies for functions of language runtimes whose own bodies are in a
// library. They are written in C (engine/models), are part of the plugin, and
// are differentiated like the program's own functions.
#ifndef RETRO_FRONT_REGISTERED_MODELS_H
#define RETRO_FRONT_REGISTERED_MODELS_H

#include "llvm/IR/Module.h"

namespace retro {

/// Links the models of functions that M declares and calls.
void linkModels(llvm::Module &M);

/// Deletes the models that nothing uses any more.
void dropModels(llvm::Module &M);

/// The model of a function that is declared, or null.
llvm::Function *modelOf(const llvm::Function &F);

/// Models ask what is known of a call. Does F still contain a question?
bool asksAnything(const llvm::Function &F);

/// Answers what can be answered. With All, answers the rest too, as nothing
/// more will be known.
bool answerModels(llvm::Function &F, bool All);

/// Is F a model that looks for a type among the tables of the module? It stays
/// a function, since types within types lead back to it.
bool asksForTables(const llvm::Function &F);

/// Is F a model whose calls have to be inlined, since it depends on what is
/// known of them?
bool isModel(const llvm::Function &F);

} // namespace retro

#endif
