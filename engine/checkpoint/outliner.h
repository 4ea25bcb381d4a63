// The class that makes calls of steps of a loop. Its members stand in
// outline_loop.cpp and outline_calls.cpp.
#ifndef RETRO_CHECKPOINT_OUTLINER_H
#define RETRO_CHECKPOINT_OUTLINER_H

#include "checkpoint/outline_loop.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace retro {

/// Outlines one loop of a function.
class Outliner {
public:
  Outliner(llvm::Function &F, Reporter &R)
      : F(F), M(*F.getParent()), C(M.getContext()), R(R), DT(F), LI(DT) {}

  std::optional<OutlinedLoop> run(llvm::CallInst &Mark,
                                  llvm::ArrayRef<Activity> Activities);
  std::optional<OutlinedLoop> run(llvm::BasicBlock &Header, uint64_t Most,
                                  llvm::ArrayRef<Activity> Activities);

private:
  bool refuse(const llvm::Instruction &At, const std::string &Why,
              const std::string &Advice) {
    R.error(Diag::Checkpoint, &At, {Why, Advice});
    return false;
  }
  bool findLoop(llvm::CallInst &Mark);
  bool findRegion();
  bool findMarks(llvm::CallInst &Mark);
  std::optional<OutlinedLoop> outline(llvm::ArrayRef<Activity> Activities);
  void demote();
  void spill(llvm::Value *V);
  void takeIn(llvm::Value *V);
  void findInputs();
  llvm::Function *declareStep(const llvm::Twine &Name,
                              llvm::ValueToValueMapTy &VM, bool TakesSnapshot);
  llvm::Function *cloneStep(const llvm::Twine &Name,
                            llvm::ValueToValueMapTy &VM, bool TakesSnapshot);
  llvm::Function *makeStep();
  llvm::Function *makeNotes();
  bool endAtMarks(llvm::Function &N, llvm::CallInst &Last);
  using Fill = llvm::function_ref<llvm::Value *(
      llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>, llvm::Function &)>;
  llvm::Function *makeCallback(const llvm::Twine &Name, llvm::Type *Result,
                               bool TakesSnapshot, Fill Body);
  llvm::Constant *makeCallbacks(llvm::ArrayRef<Activity> Activities);
  llvm::Function *makePass(bool Forward, llvm::Constant *Callbacks);
  void runAllSteps(llvm::Function &Stand);
  void replaceLoop(llvm::Function &Stand);
  bool isConstant(const llvm::Value *V,
                  llvm::ArrayRef<Activity> Activities) const;
  std::optional<uint64_t> sizeOf(const llvm::Value *V) const;

  llvm::Function &F;
  llvm::Module &M;
  llvm::LLVMContext &C;
  Reporter &R;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  llvm::Loop *L = nullptr;
  llvm::Function *Step = nullptr;
  OutlinedLoop Out;
  uint64_t States = 0; ///< kept at a time; 0: as the mark says
  llvm::DebugLoc Loc;  ///< of the loop, for what stands for it
  llvm::BasicBlock *Exit = nullptr;
  /// The blocks that a step consists of.
  llvm::SmallSetVector<llvm::BasicBlock *, 16> Region;
  llvm::SmallSetVector<llvm::Value *, 16> Inputs;
  /// Addresses computed from inputs, in order.
  llvm::SmallSetVector<llvm::GetElementPtrInst *, 8> Addresses;
  /// Variables that live in one iteration alone.
  llvm::SmallPtrSet<llvm::AllocaInst *, 4> Inner;
  llvm::StructType *Context = nullptr; ///< inputs, then their shadows
  /// Empty if the loop was not chosen by the user.
  std::vector<llvm::CallInst *> Marks;
};

} // namespace retro

#endif
