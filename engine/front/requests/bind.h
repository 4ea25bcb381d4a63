// Functions and integers that a request passes as constant arguments.
#ifndef RETRO_FRONT_REQUESTS_BIND_H
#define RETRO_FRONT_REQUESTS_BIND_H

#include "base/toggles.h"
#include "front/requests/request.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/PassManager.h"

#include <map>
#include <optional>
#include <vector>

namespace retro {

/// Does the program have addresses of F's labels (a computed goto)?
bool hasLabelsTaken(const llvm::Function &F);

/// Makes clones of targets in which such a parameter is replaced by what is
/// passed. Calls of a function are direct then, and requests in the target know
/// what they differentiate; loops know how often they run. Clones live as long
/// as the binder.
class FunctionBinder {
public:
  explicit FunctionBinder(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}
  ~FunctionBinder();

  /// Finds the integers that all requests of a function pass. Others are not
  /// bound: each would cost a derivative of its own.
  void noteRequests(llvm::Module &M);
  /// The function to differentiate for this request: its target, or a clone of
  /// it.
  llvm::Function *bind(const Request &Req, Traits Modes);

private:
  using Constants = std::vector<llvm::Constant *>;
  using Key = std::pair<llvm::Function *, Constants>;

  bool isAgreed(const llvm::Function &Target,
                const llvm::ConstantInt &Value) const;
  Constants knownArguments(const Request &Req, Traits Modes) const;

  llvm::FunctionAnalysisManager &FAM;
  std::map<Key, llvm::Function *> Clones;
  /// The integers that requests of a function have among their operands, if
  /// they are the same in all of them.
  std::map<const llvm::Function *, std::optional<Constants>> Agreed;
};

} // namespace retro

#endif
