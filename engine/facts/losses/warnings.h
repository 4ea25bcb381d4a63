// What is differentiated as it is written, though it is hardly what was meant.
#ifndef RETRO_FACTS_LOSSES_WARNINGS_H
#define RETRO_FACTS_LOSSES_WARNINGS_H

#include "facts/activity/activity.h"
#include "front/requests/request.h"

namespace retro {

enum class Warning {
#define WARNING(Id, Name, Sentence) Id,
#include "facts/losses/warnings.def"
#undef WARNING
};

/// A warning at the place of I, which is in F or in a clone of it.
void warn(Warning Id, const llvm::Instruction &I, const llvm::Function &F,
          llvm::ArrayRef<std::string> Args = {});

/// Warns of a function whose derivative is zero everywhere, because nothing
/// active is stored where the caller sees it, and of numbers that are written
/// as text, or into a file, and read again.
void warnOfZeros(const Request &Req, const ActivityAnalysis &Act);

} // namespace retro

#endif
