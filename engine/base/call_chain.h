// The calls that lead from a request to a construct, through the clones of the
// unit and through what was inlined into them.
#ifndef RETRO_BASE_CALL_CHAIN_H
#define RETRO_BASE_CALL_CHAIN_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include <string>
#include <vector>

namespace retro {

/// Maps each clone of a unit to the user's function.
using SourceMap =
    llvm::DenseMap<const llvm::Function *, const llvm::Function *>;

/// One call on the way. The innermost comes first.
struct CallLink {
  std::string Callee, Caller;
  llvm::DebugLoc At; ///< of the call; empty without debug information
  bool Request = false;
};

/// The suffix of a stand-in's name (prepare/calls/stand_in.h), behind the name
/// of the user's function.
constexpr const char *StandInSuffix = ".registered";
/// The suffix of the copy of a function whose loops are checkpointed
/// (checkpoint/checkpoint.h).
constexpr const char *StepsSuffix = ".by_steps";
/// The suffix of a function of the program as long as the copy that requests
/// have of it has its name (front/requests/own_copies.h).
constexpr const char *OwnSuffix = ".own";
/// The suffix of the copy of a function for the constants that requests pass
/// (front/requests/bind.h).
constexpr const char *FixedSuffix = ".fixed";

/// The name by which a user knows a function: that of the source, with the
/// types where they are short.
std::string displayName(llvm::StringRef Symbol);
std::string displayName(const llvm::Function &F);

/// Does the function belong to the typed interface, which stands between a
/// request and what the user wrote?
bool isInterface(llvm::StringRef Symbol);

/// The place of an instruction in the source: its own, or the nearest that is
/// known.
llvm::DebugLoc placeOf(const llvm::Instruction &I, const SourceMap &SourceOf);

/// The chain to I, which is in a clone below Root. The last link is Request.
std::vector<CallLink> callChain(const llvm::Instruction &I,
                                const llvm::Function *Root,
                                const SourceMap &SourceOf,
                                const llvm::Instruction &Request);

} // namespace retro

#endif
