// Errors at the user's source line. A diagnostic ends the compilation of the
// request, never the compiler: emission is abandoned and clang exits with 1.
#ifndef RETRO_DIAGNOSTICS_H
#define RETRO_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instruction.h"
#include <string>

namespace retro {

enum class Diag {
#define DIAGNOSTIC(Id, Name, Kind, Sentence, Advice) Id,
#include "diagnostics.def"
#undef DIAGNOSTIC
};

/// Thrown-free error channel of one request: the first report wins and is
/// printed; later stages ask failed() and stop.
class Reporter {
public:
  explicit Reporter(llvm::Instruction *Request) : Request(Request) {}

  /// Reports at the line of `At` (the request's where `At` has none).
  void error(Diag Id, const llvm::Instruction *At,
             llvm::ArrayRef<std::string> Args = {});
  bool failed() const { return Failed; }
  /// Where there are no lines, a report in a clone names the user's function.
  void setSource(const llvm::Function &Clone, const llvm::Function &Source) {
    SourceOf[&Clone] = &Source;
  }

private:
  llvm::DenseMap<const llvm::Function *, const llvm::Function *> SourceOf;
  llvm::Instruction *Request;
  bool Failed = false;
};

} // namespace retro

#endif
