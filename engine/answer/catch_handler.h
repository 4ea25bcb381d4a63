// The handler that catches what a request throws.
#ifndef RETRO_ANSWER_CATCH_HANDLER_H
#define RETRO_ANSWER_CATCH_HANDLER_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace retro {

/// Makes a request that may unwind to a handler a plain call while it is
/// answered. Calls in the answer unwind to that handler afterwards.
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
  /// An invoke of nothing in the place of the request, which keeps the way to
  /// the handler.
  llvm::InvokeInst *Way = nullptr;
};

} // namespace retro

#endif
