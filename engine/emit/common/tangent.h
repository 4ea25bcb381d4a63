// Emission of forward mode, and what both modes share about sign masks.
#ifndef RETRO_EMIT_COMMON_TANGENT_H
#define RETRO_EMIT_COMMON_TANGENT_H

#include "emit/common/emit.h"
#include "emit/words/partials.h"

namespace retro {

/// What a bit operation on the words of floats does to operand N.
enum class SignEffect {
  None,       ///< something else: not differentiable
  Flat,       ///< the result does not vary with it
  Absolute,   ///< |a|
  MinusAbs,   ///< -|a|
  Negate,     ///< -a
  TakeSign,   ///< the sign of the other operand
  ChooseMask, ///< a or 0, by a mask of all ones or zeros
};
SignEffect signEffect(const llvm::Instruction &I, unsigned N, llvm::Type *F);

/// Applies the effect to the bits of an adjoint or tangent.
llvm::Value *applySign(llvm::IRBuilder<> &B, SignEffect S, llvm::Value *Bits,
                       llvm::Value *Operand, llvm::Value *Other, llvm::Type *F);

class TangentSweep : public ShadowEmitter {
public:
  TangentSweep(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : ShadowEmitter(E, UF, T), Tangents(E.Lane, E.width()),
        Shared(E.width()) {}
  void run();
  llvm::Value *tangent(const llvm::Value *V);
  LaneMap<llvm::Value *> Tangents;
  llvm::Value *Tape = nullptr; ///< split mode: with what the first pass read

private:
  void replay();
  void visit(llvm::Instruction &I);
  void visitLane(llvm::Instruction &I);
  void fillTangentPhis();
  void dropUnneeded();
  void visitActive(llvm::Instruction &I);
  void visitCall(llvm::CallBase &C);
  void unitCall(llvm::CallBase &C, UnitFunction &G);
  void forkCall(llvm::CallBase &C, UnitFunction &G,
                llvm::ArrayRef<llvm::Value *> Args);
  void spawnCall(llvm::CallBase &C, UnitFunction &G,
                 llvm::ArrayRef<llvm::Value *> Args);
  void atomicTangent(llvm::AtomicRMWInst &I);
  void customCall(llvm::CallBase &C, const CustomRule &Rule);
  void mpiCall(llvm::CallBase &C);
  void sincosTangent(llvm::CallBase &C, KnownCall K);
  llvm::Value *shuffleTangent(llvm::CallBase &C, KnownCall K,
                              llvm::IRBuilder<> &B);
  void blasTangent(llvm::CallBase &C);
  llvm::Value *complexTangent(llvm::CallBase &C, KnownCall K,
                              llvm::IRBuilder<> &B);
  llvm::Value *tangentLike(llvm::Value *Operand, const llvm::Instruction &I,
                           llvm::IRBuilder<> &B);
  llvm::Value *ruleTangent(llvm::Instruction &I, RuleUse Use,
                           llvm::IRBuilder<> &B);
  llvm::Value *maskTangent(llvm::Instruction &I, llvm::IRBuilder<> &B);
  llvm::SmallVector<const llvm::PHINode *> Phis;
  Partials Shared;
};

} // namespace retro

#endif
