// The forward pass of reverse mode: the primal with shadows, and what the plan
// keeps of it on the tape. Without it the reverse pass would find nothing that
// was overwritten.
//
// Members: forward_sweep.cpp; tape_arrays.cpp (tapes of loop nests);
// copied_arrays.cpp; fuse.cpp; and by the kind of call calls/custom.cpp,
// calls/blas_sweeps.cpp, calls/mpi.cpp, threads/fork.cpp, threads/spawn.cpp,
// threads/sync_adjoint.cpp.
#ifndef RETRO_EMIT_COMMON_FORWARD_SWEEP_H
#define RETRO_EMIT_COMMON_FORWARD_SWEEP_H

#include "emit/common/shadow_emitter.h"

namespace retro {

struct CustomFunction;
struct IndexedLayout;

/// The bytes of a variable that lies on the tape.
uint64_t tapedBytes(const llvm::AllocaInst &A, const llvm::DataLayout &DL);

/// The forward pass of reverse mode: the primal with shadows and the tape.
class ForwardSweep : public ShadowEmitter {
public:
  ForwardSweep(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : ShadowEmitter(E, UF, T), P(E.Plan->of(UF)) {}

  void run();
  /// The frame record of a call, or null where it has none.
  llvm::Value *frameAtReturn(llvm::IRBuilder<> &B) const;

  llvm::StructType *frameType() const { return FrameType; }
  /// In a pool: the bytes from one word of the tape to the next.
  llvm::Value *stride() const { return Stride; }
  /// The instruction before which variables are put.
  llvm::Instruction *variables() const { return EntryPoint; }
  /// The variable that keeps I; null if none was stored: the block is not
  /// reached.
  llvm::AllocaInst *slotOf(Item I) const { return Slots.lookup(I); }
  /// Where field N of the nest's tape lies.
  llvm::Value *arrayOf(const llvm::BasicBlock *Header, unsigned N) const {
    return Arrays.lookup({Header, N});
  }

  /// The reverse sweep has emitted what stands for the call.
  void callAnswered(const llvm::CallBase &C, llvm::Value *Result) {
    replaceCloned(C, Result);
  }

private:
  void makeFrame(llvm::IRBuilder<> &B);
  void prepareFrame();
  void prepareTapes();
  void copyArray(const llvm::LoadInst &First, const ArrayRange &R);
  void storeInPool(llvm::IRBuilder<> &B, const Storage &S, llvm::Value *V);
  llvm::Value *indexOf(llvm::IRBuilder<> &B, const LoopTape::Field &F);
  llvm::Value *placeArrays(llvm::IRBuilder<> &B, const llvm::BasicBlock &H,
                           const LoopTape &Tape, const IndexedLayout &Layout);
  void prepareIndexed(const llvm::BasicBlock &H, const LoopTape &Tape);
  void prepareRecords(const llvm::BasicBlock &H, const LoopTape &Tape);
  void store(Item I, llvm::Value *V, llvm::IRBuilder<> &B);
  void keep(const llvm::Instruction &I);
  void keep(Item X, llvm::Value *V);
  void visit(llvm::Instruction &I);
  void unitCall(llvm::CallBase &C, UnitFunction &G);
  void customCall(llvm::CallBase &C, const CustomFunction &Augmented);
  void forkCall(llvm::CallBase &C, UnitFunction &G,
                llvm::ArrayRef<llvm::Value *> Args);
  void spawnCall(llvm::CallBase &C, UnitFunction &G,
                 llvm::ArrayRef<llvm::Value *> Args);
  void synchronize(llvm::CallBase &C);
  void mpiCall(llvm::CallBase &C);
  void tapeAlloca(llvm::AllocaInst &A);
  void keepArrays(llvm::CallBase &C);
  bool keepsKinds(const llvm::CallBase &C) const override {
    return P.Cached.count({Item::Tape, &C});
  }
  void keepKinds(const llvm::CallBase &C, llvm::IRBuilder<> &B,
                 llvm::Value *Kinds) override {
    store({Item::Tape, &C}, Kinds, B);
  }
  void branchNumbers();
  void deferFree(llvm::CallBase &C);
  void heads();
  void lastValues();
  void passBy(const llvm::BasicBlock &Header);

  const FunctionPlan &P;
  llvm::Value *Frame = nullptr;
  llvm::AllocaInst *FrameSlot = nullptr;  ///< where not all calls have one
  llvm::Instruction *FrameDone = nullptr; ///< with it: the last of its making
  llvm::StructType *FrameType = nullptr;
  llvm::Value *Stride = nullptr;
  llvm::Instruction *EntryPoint = nullptr;
  llvm::DenseMap<Item, llvm::AllocaInst *> Slots;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> Records;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::StructType *> RecordTypes;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, unsigned>, llvm::Value *>
      Arrays;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Instruction *> RecordMade;

  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<uint64_t, 4>>
      Steps; ///< from element to element of the arrays of a nest
  /// In a pool: variables that lie there, and their shadows, lane by lane.
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<llvm::Value *, 2>>
      Pieces;
};

} // namespace retro

#endif
