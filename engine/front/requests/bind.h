// Functions that a request gives as constant arguments.
#ifndef RETRO_FRONT_REQUESTS_BIND_H
#define RETRO_FRONT_REQUESTS_BIND_H

#include "front/requests/request.h"

#include <map>

namespace retro {

/// Makes, for targets of requests, clones in which such a parameter is the
/// function: calls of it are direct, and what the target itself asks to be
/// differentiated is known. A clone lives as long as the binder.
class FunctionBinder {
public:
  explicit FunctionBinder(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}
  ~FunctionBinder();

  /// The function to differentiate for this request: the target, or a clone.
  llvm::Function *bind(const Request &Req);

private:
  using Key = std::pair<llvm::Function *, std::vector<llvm::Function *>>;
  llvm::FunctionAnalysisManager &FAM;
  std::map<Key, llvm::Function *> Clones;
};

} // namespace retro

#endif
