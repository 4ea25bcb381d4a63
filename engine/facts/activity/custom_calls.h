// Calls of functions with a derivative that the user wrote: which rule serves
// one, what its reverse pass reads, and what such a call may do to memory.
#ifndef RETRO_FACTS_ACTIVITY_CUSTOM_CALLS_H
#define RETRO_FACTS_ACTIVITY_CUSTOM_CALLS_H

#include "facts/activity/activity.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace retro {

bool isCustom(const llvm::CallBase &C);
/// The rule for C in the unit's mode; null if there is none.
const CustomRule *customRule(const Unit &U, const llvm::CallBase &C);
/// The type of the tape that C's reverse pass takes.
llvm::Type *customTape(const Unit &U, const llvm::CallBase &C);

/// Does anything active come out of C?
bool carriesDerivative(const ActivityAnalysis &Act, const llvm::CallBase &C);
/// What the reverse pass of C reads.
void customNeeds(const ActivityAnalysis &Act, const llvm::CallBase &C,
                 llvm::function_ref<void(Item)> Need);
/// Does the function look at the parameter?
bool reads(const CustomFunction &F, unsigned Param);

/// Does somebody read a result of C that only the primal gives, not its
/// augmented function?
bool readsPrimal(const llvm::CallBase &C, const CustomFunction &Augmented);

/// Do the rule's functions visibly write numbers to the shadow of operand Arg,
/// without comparing it with the operand itself?
bool writesShadow(const Unit &U, const llvm::CallBase &C, unsigned Arg);

/// The memory classes that C may write.
void customWrites(const ActivityAnalysis &Act, const llvm::CallBase &C,
                  llvm::SmallVectorImpl<unsigned> &Classes);

/// Reports a call that its rule cannot serve.
void checkCustomCall(const ActivityAnalysis &Act, const llvm::CallBase &C,
                     Reporter &R);

} // namespace retro

#endif
