// Primal and shadow values of one function in the function being emitted: what
// the passes that run the primal share. The body is cloned, and a shadow is
// computed beside each pointer to memory that has one; without it derivatives
// of memory would have no place.
//
// Members: shadow_emitter.cpp; kept_shadows.cpp (of static variables);
// constant_memory.cpp (memory that may be constant); calls/transfer.cpp (copies
// of pointers), calls/either_words.cpp, calls/noted_words.cpp and
// calls/noted_places.cpp (words of several kinds); threads/fork.cpp and
// threads/spawn.cpp (regions without derivatives).
#ifndef RETRO_EMIT_COMMON_SHADOW_EMITTER_H
#define RETRO_EMIT_COMMON_SHADOW_EMITTER_H

#include "base/uniqued.h"
#include "emit/common/activity_guard.h"
#include "emit/common/lane_map.h"
#include "emit/common/unit_emitter.h"
#include "facts/activity/transfer_layout.h"
#include "front/names/runtime.h"

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace retro {

class ActivityTrace;

class ShadowEmitter {
public:
  ShadowEmitter(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : E(E), Act(E.Act), UF(UF), T(T), Shadows(E.lane(), E.width()) {}

  /// T's first parameters are the primal's.
  void bindArguments() {
    for (llvm::Argument &A : UF.F->args())
      VM[&A] = T.getArg(A.getArgNo());
  }
  /// T's parameters from First on are shadows, as in LaneMap::bind.
  void bindShadows(unsigned First, llvm::ArrayRef<const llvm::Argument *> Of) {
    Shadows.bind(T, First, Of);
  }
  /// In the lane that is being emitted.
  void bindShadow(const llvm::Argument *A, llvm::Value *V) { Shadows[A] = V; }
  void setArena(llvm::Value *V) { Arena = V; }
  llvm::Value *arena() const { return Arena; }

  llvm::Value *primal(const llvm::Value *V) const {
    if (llvm::Value *Same = uniqued(V))
      return Same;
    return VM.lookup(V);
  }
  llvm::Value *shadow(const llvm::Value *V);
  llvm::Instruction *cloned(const llvm::Instruction &I) const {
    return cast<llvm::Instruction>(VM.lookup(&I));
  }
  /// The copy of I, or null: it may have been replaced by what is none.
  llvm::Instruction *findCloned(const llvm::Instruction &I) const {
    return llvm::dyn_cast_or_null<llvm::Instruction>(VM.lookup(&I));
  }
  /// The copy of a block, which may have been split since.
  llvm::BasicBlock *clonedBlock(const llvm::BasicBlock &B) const {
    return cast<llvm::BasicBlock>(VM.lookup(&B));
  }
  bool hasShadow(const llvm::Value *V) const { return Shadows.count(V); }
  /// The block in T that ends as B ends, whatever it was split into.
  llvm::BasicBlock *endOf(const llvm::BasicBlock &B) const {
    return cloned(*B.getTerminator())->getParent();
  }

  // Whose body is emitted, and where to.
  UnitEmitter &E;
  const ActivityAnalysis &Act;
  UnitFunction &UF;
  llvm::Function &T;

protected:
  void cloneBody();
  /// Definitions come before uses. Ends at the first error.
  void visitAll(llvm::function_ref<void(llvm::Instruction &)> Visit);
  /// The copy of C goes, and V takes its place; null: C gives nothing.
  void replaceCloned(const llvm::CallBase &C, llvm::Value *V);
  /// Comes before all else that is emitted for I.
  void endIfConstant(llvm::Instruction &I);
  /// Emits the shadow of what I gives, and of what it does to pointers in
  /// memory, right after its clone. Most instructions have neither.
  void emitShadow(llvm::Instruction &I);
  void callShadow(llvm::CallBase &C);
  void variableShadow(llvm::AllocaInst &A);
  llvm::Value *variableAgain(llvm::IRBuilder<> &B, llvm::AllocaInst &A);
  llvm::Value *allocateAgain(llvm::IRBuilder<> &B, llvm::CallBase &C,
                             llvm::ArrayRef<llvm::Value *> Args);
  void phiShadow(llvm::PHINode &Phi);
  void copyShadow(llvm::Instruction &I);
  void fillShadowPhis();
  void storeShadow(llvm::StoreInst &S);
  llvm::Value *freedShadow(llvm::IRBuilder<> &B, const llvm::Value *Ptr);
  void copyUnlessConstant(llvm::IRBuilder<> &B, llvm::CallBase &C,
                          llvm::Value *To, llvm::Value *From,
                          llvm::Value *Bytes, llvm::Value *IsConstant);
  llvm::Value *loadedShadow(llvm::IRBuilder<> &B, llvm::LoadInst &L,
                            llvm::Value *S);
  llvm::Value *keptShadow(llvm::IRBuilder<> &B, llvm::LoadInst &L);
  llvm::Value *imageLoaded(llvm::IRBuilder<> &B, llvm::LoadInst &L);
  void copyPointers(llvm::CallBase &C);
  void copyPointerWords(llvm::IRBuilder<> &B, llvm::CallBase &C,
                        llvm::Value *SD, llvm::Value *SS, llvm::Value *Bytes,
                        bool Notes);
  void clearAddresses(llvm::Instruction &I);
  void copyPlaces(llvm::IRBuilder<> &B, llvm::Value *To, llvm::Value *From,
                  llvm::Value *Bytes, llvm::Value *IsConstant);
  void coverPlace(llvm::IRBuilder<> &B, llvm::Value *At, llvm::Type *T);
  void copyEither(llvm::IRBuilder<> &B, llvm::CallBase &C,
                  const TransferLayout &L, llvm::Value *To, llvm::Value *From,
                  llvm::Value *Bytes);
  /// Does the reverse pass ask what the words are that C copies? Then it is
  /// told: a bit a word, or the address of a byte a word.
  virtual bool keepsKinds(const llvm::CallBase &) const { return false; }
  virtual void keepKinds(const llvm::CallBase &, llvm::IRBuilder<> &,
                         llvm::Value *) {}
  void clearPointers(llvm::CallBase &C);
  static bool isNote(const llvm::CallBase &C);
  void noteWord(llvm::CallBase &C);
  llvm::Value *isNotedNumber(llvm::IRBuilder<> &B, llvm::CallBase &C, Rt Ask);
  void forgetNotes(llvm::CallBase &C);
  llvm::Value *notedBytes(llvm::IRBuilder<> &B, llvm::CallBase &C);
  void allocationShadow(llvm::CallBase &C);
  void exceptionShadow(llvm::CallBase &C);
  void mirror(llvm::CallBase &C);
  void plainFork(llvm::CallBase &C, UnitFunction &G);
  void plainSpawn(llvm::CallBase &C, UnitFunction &G);
  llvm::Value *zeroed(llvm::IRBuilder<> &B, llvm::Value *Ptr,
                      llvm::Value *Bytes, llvm::MaybeAlign A);
  llvm::IRBuilder<> after(const llvm::Instruction &I);
  /// The instruction before which variables are put.
  llvm::Instruction *entryPoint() {
    return &*T.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  }
  ActivityGuard guard(llvm::IRBuilder<> &B, const llvm::Value *Ptr) {
    return {E, B, Act.comparesShadow(Ptr) ? primal(Ptr) : nullptr, shadow(Ptr)};
  }

  llvm::ValueToValueMapTy VM;
  LaneMap<llvm::Value *> Shadows;
  llvm::Value *Arena = nullptr;
  ActivityTrace *Trace = nullptr;                ///< where it is instrumented
  llvm::SmallVector<llvm::PHINode *> ShadowPhis; ///< of UF
  /// What is emitted for the instruction at hand goes before it, if set.
  llvm::Instruction *Before = nullptr;
};

} // namespace retro

#endif
