// Instruments the pass that runs the primal (-retro-check-plan): it records
// which numbers are computed from which, so that what was held inactive can be
// checked when the derivative runs (runtime/plan_check.c).
#ifndef RETRO_EMIT_CHECKS_ACTIVITY_TRACE_H
#define RETRO_EMIT_CHECKS_ACTIVITY_TRACE_H

#include "emit/common/shadow_emitter.h"

namespace retro {

class ActivityTrace {
public:
  /// S's body has been cloned, and nothing else. Entry: in its entry block.
  ActivityTrace(ShadowEmitter &S, llvm::Instruction &Entry);

  /// A call was replaced by one of the callee's own forward pass.
  void called(const llvm::CallBase &C, llvm::CallBase &New);
  /// Instruments S's function, which is complete but for its return.
  void run();

private:
  using Builder = llvm::IRBuilder<>;
  bool isTracked(const llvm::Value *V) const;
  llvm::Value *idOf(const llvm::Value *V);
  llvm::Value *claim(Builder &B, const llvm::Instruction &I);
  llvm::Value *sizeOf(Builder &B, llvm::Type *T);
  llvm::Value *isResult(Builder &B, const llvm::Value *Ptr, llvm::Type *T);
  bool isDeclaredInactive(const llvm::Value *Ptr) const;
  void arguments();
  void visit(const llvm::Instruction &I);
  void visitCall(const llvm::CallBase &C, Builder &B);
  void visitUnitCall(const llvm::CallBase &C, UnitFunction &G,
                     llvm::CallBase &New);
  void store(Builder &B, const llvm::Value *Ptr, llvm::Type *T,
             llvm::Value *Id);
  llvm::Value *load(Builder &B, const llvm::Instruction &I,
                    const llvm::Value *Ptr, llvm::Value *Claim);
  void update(const llvm::AtomicRMWInst &A, llvm::Instruction &Clone);
  llvm::Value *join(Builder &B, const llvm::Instruction &I,
                    llvm::ArrayRef<const llvm::Value *> Operands);
  void visitPhi(const llvm::PHINode &Phi, llvm::Instruction &Clone);
  void visitReturn(const llvm::ReturnInst &Ret, llvm::Instruction &Clone);
  void fillPhis();

  ShadowEmitter &S;
  const ActivityAnalysis &Act;
  llvm::Type *IdTy;
  llvm::Value *Trace = nullptr;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Ids;
  llvm::DenseMap<const llvm::CallBase *, llvm::CallBase *> Calls;
  llvm::MapVector<const llvm::PHINode *, llvm::PHINode *> Phis;
};

} // namespace retro

#endif
