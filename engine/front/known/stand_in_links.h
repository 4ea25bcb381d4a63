// How a registered function and its stand-in refer to each other, and what is
// known of their calls.
#ifndef RETRO_FRONT_KNOWN_STAND_IN_LINKS_H
#define RETRO_FRONT_KNOWN_STAND_IN_LINKS_H

#include "front/known/known_functions.h"
#include "front/names/runtime.h"
#include "llvm/IR/GlobalVariable.h"

namespace retro {

/// Links between functions are metadata, which follows when a function is
/// replaced.
constexpr const char *PrimalLink = "retro.primal"; ///< of a stand-in
constexpr const char *StandInLink = "retro.stand_in";
llvm::Function *linkOf(const llvm::Function &F, const char *Link);
void setLink(llvm::Function &F, const char *Link, llvm::Function *To);

/// Arrays of {stand-in, primal}, which stay in the module behind a pass.
constexpr llvm::StringLiteral StandInsName = nameOf(Named::stand_ins);
inline bool holdsStandIns(const llvm::GlobalVariable &G) {
  return G.getName().starts_with(StandInsName) && G.hasInitializer();
}

/// The user's function for which F, a stand-in, stands; or F itself.
llvm::Function *primalOf(llvm::Function &F);
const llvm::Function *primalOf(const llvm::Function &F);

/// The function attribute under which a registered function and its stand-in
/// carry what knownCall() says of their calls.
constexpr const char *RegisteredAttribute = "retro-registered";
/// What knownCall() answers for a function with the attribute; null if it has
/// none.
const KnownFunction *registeredRow(const llvm::Function &F);

} // namespace retro

#endif
