// Registered functions stay what the user calls them for: until the module is
// differentiated their calls go to stand-ins, declarations of which the
// optimizer knows nothing. It cannot inline them, pass on what they return,
// or leave out arguments that a derivative reads. What inactive globals hold
// is hidden in the same way: their accesses are volatile until then.
#ifndef RETRO_PREPARE_CALLS_STAND_IN_H
#define RETRO_PREPARE_CALLS_STAND_IN_H

#include "front/registered/registrations.h"

#include "llvm/IR/PassManager.h"

namespace retro {

/// Puts stand-ins in the place of the callees, and keeps the registrations.
/// Called again, it brings what is known of them up to date.
bool hideRegistered(llvm::Module &M, const Registrations &R);

/// The same for the calls in one function, some of which may have become direct
/// since.
void hideRegisteredCalls(llvm::Function &F);

/// The stand-in of F; F itself if it has none.
llvm::Function *standInOf(llvm::Function &F);

/// Before a link that may run this pass or not, gives each stand-in a body that
/// the linker may replace: a call of its primal.
bool parkRegistered(llvm::Module &M);

/// A thin link copies functions into modules that do not know what is
/// registered for them. Marks them, so that their calls stay calls there; a
/// derivative of one is refused.
void markForThinLink(const Registrations &R);
/// Is F such a function, in a module other than its own?
bool isRegisteredElsewhere(const llvm::Function &F, const Registrations &R);

/// Was F compiled where calls of it may have been inlined without regard to
/// what is registered for it?
bool mayBeInlinedBefore(const llvm::Function &F);

/// Undoes hideRegistered; true if there was something to undo. With KeepParked,
/// stand-ins that other modules may call stay, with their bodies.
bool restoreRegistered(llvm::Module &M, bool KeepParked);

/// Inlines calls of registered functions and of their derivatives, for which
/// the pipeline's own inlining came too early.
void inlineRegistered(const Registrations &R,
                      llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
