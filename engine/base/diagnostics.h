// Errors at the user's source line. An error ends the request, never the
// compiler by itself: emission is abandoned, and clang exits with status 1.
#ifndef RETRO_BASE_DIAGNOSTICS_H
#define RETRO_BASE_DIAGNOSTICS_H

#include "base/call_chain.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/GlobalVariable.h"

namespace retro {

enum class Diag {
#define DIAGNOSTIC(Id, Name, Kind, Sentence, Advice) Id,
#include "base/diagnostics.def"
#undef DIAGNOSTIC
};

/// Collects the errors of one request without exceptions. The first report wins
/// and is printed; later stages ask failed() and stop.
class Reporter {
public:
  explicit Reporter(llvm::Instruction *Request) : Request(Request) {}

  /// Reports an error at the line of `At`, or of the request where `At` has
  /// none. Notes are the calls that lead there.
  void error(Diag Id, const llvm::Instruction *At,
             llvm::ArrayRef<std::string> Args = {});
  /// Reports an error for which no instruction stands: at the line of a global
  /// where that is known, else at Near or at the request.
  void error(Diag Id, const llvm::GlobalVariable *At,
             const llvm::Function *Near, llvm::ArrayRef<std::string> Args);
  bool failed() const { return Failed; }
  /// Prints nothing: the caller only wants to know whether there is an error.
  void silence() { Silent = true; }
  /// "file:line:column: in function 'f'", or "in function 'f'".
  std::string placeText(const llvm::Instruction &At) const;
  /// "'f' (file:line)", or how to get the line, for what the program will
  /// print.
  std::string ownerText(const llvm::Instruction &At) const;
  /// Notes that a clone stands for a user's function. The first clone is the
  /// target's.
  void setSource(const llvm::Function &Clone, const llvm::Function &Source) {
    if (SourceOf.empty())
      Root = &Clone;
    SourceOf[&Clone] = &Source == Bound ? Original : &Source;
  }
  /// Notes that the target is a clone that was made for this request.
  void standsFor(const llvm::Function &Target, const llvm::Function &Of) {
    Bound = &Target;
    Original = &Of;
  }

private:
  const llvm::Function *Bound = nullptr, *Original = nullptr;
  SourceMap SourceOf;
  const llvm::Function *Root = nullptr;
  llvm::Instruction *Request;
  bool Failed = false, Silent = false;
};

} // namespace retro

#endif
