// Errors at the user's source line. A diagnostic ends the compilation of the
// request, never the compiler: emission is abandoned and clang exits with 1.
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

/// Thrown-free error channel of one request: the first report wins and is
/// printed; later stages ask failed() and stop.
class Reporter {
public:
  explicit Reporter(llvm::Instruction *Request) : Request(Request) {}

  /// Reports at the line of `At` (the request's where `At` has none), with
  /// the calls that lead there as notes.
  void error(Diag Id, const llvm::Instruction *At,
             llvm::ArrayRef<std::string> Args = {});
  /// Reports of something that no instruction stands for: at the line of a
  /// global where that is known, else at Near or at the request.
  void error(Diag Id, const llvm::GlobalVariable *At,
             const llvm::Function *Near, llvm::ArrayRef<std::string> Args);
  bool failed() const { return Failed; }
  /// Nothing is printed: somebody only looks whether there is an error.
  void silence() { Silent = true; }
  /// "file:line:column: in function 'f'", or "in function 'f'".
  std::string placeText(const llvm::Instruction &At) const;
  /// "'f' (file:line)", or how to get the line: for what the program will say.
  std::string ownerText(const llvm::Instruction &At) const;
  /// Clones stand for the user's functions; the first one is the target's.
  void setSource(const llvm::Function &Clone, const llvm::Function &Source) {
    if (SourceOf.empty())
      Root = &Clone;
    SourceOf[&Clone] = &Source == Bound ? Original : &Source;
  }
  /// The target is a clone that was made for this request.
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
