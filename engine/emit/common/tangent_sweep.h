// Forward mode: the primal with the tangent of every active value beside it.
//
// Members: tangent_sweep.cpp; forward_split.cpp (what split mode takes from the
// first pass); error_sweep.cpp (errors in the place of tangents); and by the
// kind of call calls/custom.cpp, calls/complex.cpp, calls/blas_sweeps.cpp,
// calls/mpi.cpp, threads/fork.cpp, threads/spawn.cpp, threads/shuffles.cpp,
// threads/sync_adjoint.cpp.
#ifndef RETRO_EMIT_COMMON_TANGENT_SWEEP_H
#define RETRO_EMIT_COMMON_TANGENT_SWEEP_H

#include "emit/common/shadow_emitter.h"
#include "emit/words/partials.h"

namespace retro {

class ComplexRule;
class CustomCall;
struct CustomRule;
struct OwnError;

class TangentSweep : public ShadowEmitter {
public:
  TangentSweep(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : ShadowEmitter(E, UF, T), Tangents(E.lane(), E.width()),
        Shared(E.width()) {}
  void run();
  llvm::Value *tangent(const llvm::Value *V);
  /// In the lane that is being emitted.
  void bindTangent(const llvm::Argument *A, llvm::Value *V) { Tangents[A] = V; }
  /// Split mode: with what the first pass read.
  void replayFrom(llvm::Value *FirstPass) { Tape = FirstPass; }

private:
  void replay();
  void visit(llvm::Instruction &I);
  void visitLane(llvm::Instruction &I);
  void fillTangentPhis();
  void dropUnneeded();
  void storeTangent(llvm::StoreInst &S);
  llvm::Value *activeTangent(llvm::Instruction &I, llvm::IRBuilder<> &B);
  llvm::Value *movedTangent(llvm::Instruction &I, llvm::IRBuilder<> &B);
  llvm::Value *loadTangent(llvm::LoadInst &L, llvm::IRBuilder<> &B);
  llvm::Value *phiTangent(llvm::PHINode &Phi);
  llvm::Value *copyTangent(llvm::Instruction &I, llvm::IRBuilder<> &B);
  void visitCall(llvm::CallBase &C);
  void freeShadow(llvm::CallBase &C, KnownCall K);
  void clearCopied(llvm::CallBase &C, KnownCall K);
  void activeCall(llvm::CallBase &C, KnownCall K);
  void unitCall(llvm::CallBase &C, UnitFunction &G);
  void forkCall(llvm::CallBase &C, UnitFunction &G,
                llvm::ArrayRef<llvm::Value *> Args);
  void spawnCall(llvm::CallBase &C, UnitFunction &G,
                 llvm::ArrayRef<llvm::Value *> Args);
  void atomicTangent(llvm::AtomicRMWInst &I);
  void customCall(llvm::CallBase &C, const CustomRule &Rule);
  llvm::Value *replayCustom(llvm::CallBase &C, const CustomRule &Rule,
                            llvm::Value *&Result, llvm::IRBuilder<> &B);
  void takeDerivative(llvm::CallBase &C, CustomCall &Call, int Field,
                      llvm::IRBuilder<> &B, bool ShadowKnown);
  void mpiCall(llvm::CallBase &C);
  void sincosTangent(llvm::CallBase &C, KnownCall K);
  llvm::Value *shuffleTangent(llvm::CallBase &C, KnownCall K,
                              llvm::IRBuilder<> &B);
  void blasTangent(llvm::CallBase &C);
  llvm::Value *complexTangent(llvm::CallBase &C, llvm::IRBuilder<> &B);
  llvm::Value *tangentLike(llvm::Value *Operand, const llvm::Instruction &I,
                           llvm::IRBuilder<> &B);
  llvm::Value *ruleTangent(llvm::Instruction &I, rules::RuleId Rule,
                           llvm::IRBuilder<> &B);
  llvm::Value *maskTangent(llvm::Instruction &I, llvm::IRBuilder<> &B);

  llvm::Value *carriedError(llvm::Instruction &I, rules::RuleId Rule,
                            llvm::function_ref<llvm::Value *(int)> Fetch,
                            llvm::IRBuilder<> &B);
  llvm::Value *choiceError(llvm::SelectInst &S, llvm::Value *Chosen,
                           llvm::IRBuilder<> &B);
  llvm::Value *resultError(llvm::Instruction &I, llvm::Value *Carried,
                           llvm::IRBuilder<> &B);
  llvm::Value *ownErrorOf(llvm::Instruction &I, const OwnError &OfStep,
                          llvm::Value *Y, llvm::IRBuilder<> &B);
  llvm::Value *sumError(llvm::AtomicRMWInst &I, llvm::IRBuilder<> &B);
  llvm::Value *sincosError(llvm::CallBase &C, llvm::Value *Carried, rules::Fn F,
                           llvm::IRBuilder<> &B);
  llvm::Value *complexError(llvm::CallBase &C, ComplexRule &Rule,
                            llvm::ArrayRef<llvm::Value *> Errors,
                            llvm::IRBuilder<> &B);
  void logError(const llvm::Instruction &I, llvm::Value *V, llvm::Value *Error,
                llvm::IRBuilder<> &B);
  llvm::Value *askedError(const llvm::Instruction &I, llvm::Value *V,
                          llvm::Value *OfStep, llvm::IRBuilder<> &B);
  llvm::Value *storedError(const llvm::StoreInst &S, llvm::Value *D,
                           llvm::IRBuilder<> &B);
  void nameMemory();
  llvm::CallInst *tell(llvm::Function &Hook, const llvm::Instruction &I,
                       llvm::Value *V, llvm::Value *Error,
                       llvm::IRBuilder<> &B);

  LaneMap<llvm::Value *> Tangents;
  llvm::Value *Tape = nullptr;
  llvm::SmallVector<const llvm::PHINode *> Phis;
  Partials Shared;
  llvm::Function *Logger = nullptr;        ///< is told errors of operations
  llvm::Function *ErrorFunction = nullptr; ///< is asked what operations round
  /// The variables of each class of memory, which it is told.
  llvm::DenseMap<unsigned, std::string> Variables;
};

} // namespace retro

#endif
