// Words that are moved through registers as integers, of which only the running
// program knows what they are, are copied in memory instead: of a copy it is
// noted when it runs (emit/calls/either_words.h), of a register it cannot be.
#ifndef RETRO_PREPARE_MEMORY_WHOLE_WORDS_H
#define RETRO_PREPARE_MEMORY_WHOLE_WORDS_H

#include "base/plan.h"
#include "base/unit.h"

namespace retro {

/// Makes copies of loads of such words that are only stored. Args, Returns:
/// what the request says of the root's arguments and result.
void copyWholeWords(Unit &U, llvm::ArrayRef<Activity> Args, bool Returns);

} // namespace retro

#endif
