// Branches to what reports a mistake, as the checks of sanitizers and
// assertions have them: they are no ways through the program.
#ifndef RETRO_FACTS_THREADS_REPORTS_H
#define RETRO_FACTS_THREADS_REPORTS_H

#include "llvm/IR/BasicBlock.h"

namespace retro {

/// Does I report a mistake of the program's, and nothing else?
bool isReportCall(const llvm::Instruction &I);
/// Does I nothing to memory and threads, but for such a report?
bool doesNothing(const llvm::Instruction &I);
/// Does B report, and then end the program?
bool endsInReport(const llvm::BasicBlock &B);
/// The block that follows B where there is nothing to report; null if there are
/// several, or none.
llvm::BasicBlock *wayOn(const llvm::BasicBlock &B);
/// Does B branch to a report that is a part of the program, and no check of a
/// sanitizer?
bool asserts(const llvm::BasicBlock &B);

} // namespace retro

#endif
