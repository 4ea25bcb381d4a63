// Functions that a request passes as constant arguments.
#ifndef RETRO_FRONT_REQUESTS_BIND_H
#define RETRO_FRONT_REQUESTS_BIND_H

#include "front/requests/request.h"

#include "llvm/IR/PassManager.h"

#include <map>

namespace retro {

/// Makes clones of targets in which such a parameter is replaced by the
/// function. Calls of it are direct, and requests in the target know what they
/// differentiate. Clones live as long as the binder.
class FunctionBinder {
public:
  explicit FunctionBinder(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}
  ~FunctionBinder();

  /// The function to differentiate for this request: its target, or a clone of
  /// it.
  llvm::Function *bind(const Request &Req);

private:
  using Key = std::pair<llvm::Function *, std::vector<llvm::Function *>>;
  llvm::FunctionAnalysisManager &FAM;
  std::map<Key, llvm::Function *> Clones;
};

} // namespace retro

#endif
