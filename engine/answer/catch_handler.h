// What the program catches of what a request throws.
#ifndef RETRO_ANSWER_CATCH_HANDLER_H
#define RETRO_ANSWER_CATCH_HANDLER_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace retro {

/// Makes a request that may unwind to a handler a plain call while it is
/// answered; the calls that the answer consists of unwind to that handler.
class Handler {
public:
  explicit Handler(llvm::CallBase &Site);
  Handler(const Handler &) = delete;
  Handler &operator=(const Handler &) = delete;
  ~Handler();

  llvm::CallBase &request() { return *Call; }

private:
  void catchFrom(llvm::CallInst &C);

  llvm::CallBase *Call;
  /// Does nothing, in the place of the request: keeps the way to the handler.
  llvm::InvokeInst *Way = nullptr;
};

} // namespace retro

#endif
