// The tape arena: memory for everything that the forward pass keeps, and the
// frees that wait for the reverse pass. Emitted as IR, so that users link
// nothing.
#ifndef RETRO_EMIT_TAPE_ARENA_H
#define RETRO_EMIT_TAPE_ARENA_H

#include "front/names/runtime.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// A place in an arena: where its free memory began, and the end of that chunk.
struct TapeMark {
  llvm::Value *Top, *End;
};

class Runtime {
public:
  /// Objects: what is on the tape is asked for one by one, by functions that
  /// the next derivative knows for what they are (runtime/objects.c).
  Runtime(llvm::Module &M, bool Objects) : M(M), Objects(Objects) {}
  bool hasObjects() const { return Objects; }

  /// Gives what an earlier run of the pass left in a module other names: the
  /// optimizer has fitted it to its callers of then.
  static void retire(llvm::Module &M);

  /// Variable for the arena of one request, in the entry block of F.
  llvm::AllocaInst *createArena(llvm::IRBuilder<> &Entry, bool OnStack);
  /// Bytes of 16-aligned memory that live until the arena is released. Of says
  /// whose they are, for the message where there is no memory.
  llvm::Value *allocate(llvm::IRBuilder<> &B, llvm::Value *Arena,
                        llvm::Value *Bytes, llvm::StringRef Of = "",
                        bool Single = false);
  /// Split mode: the tape is an arena in Memory (the caller's, of Allocated
  /// bytes), or in new memory. Returns it.
  llvm::Value *openTape(llvm::IRBuilder<> &B, llvm::Value *Memory,
                        std::optional<uint64_t> Allocated);
  /// The frame record of the root, kept in the tape.
  void keepFrame(llvm::IRBuilder<> &B, llvm::Value *Tape, llvm::Value *Frame);
  llvm::Value *frameOf(llvm::IRBuilder<> &B, llvm::Value *Tape);
  void closeTape(llvm::IRBuilder<> &B, llvm::Value *Tape, bool CallersMemory);
  /// A tape that is read in the order in which it was written: to its start;
  /// another value at its end; the next value.
  void rewind(llvm::IRBuilder<> &B, llvm::Value *Tape);
  void append(llvm::IRBuilder<> &B, llvm::Value *Tape, llvm::Value *V);
  llvm::Value *next(llvm::IRBuilder<> &B, llvm::Value *Tape, llvm::Type *T);
  /// The arena of one thread of a team, in memory that Arena points to.
  void startArena(llvm::IRBuilder<> &B, llvm::Value *Arena);
  /// void (ptr): frees everything that an arena has.
  llvm::Function *releaseFunction();
  /// Calls Free with Of when the arena is released.
  void deferCall(llvm::IRBuilder<> &B, llvm::Value *Arena,
                 llvm::FunctionCallee Free, llvm::Value *Of);
  /// Emits that the size of the tape is noted, for -retro-tape-stats.
  void noteTapeBytes(llvm::IRBuilder<> &B, llvm::Value *Bytes);
  /// Emits the call that frees everything in the arena.
  void release(llvm::IRBuilder<> &B, llvm::Value *Arena);
  /// How far an arena is taken, and the memory back to there. What lies in a
  /// chunk that is new since then is kept.
  TapeMark mark(llvm::IRBuilder<> &B, llvm::Value *Arena);
  void goBack(llvm::IRBuilder<> &B, llvm::Value *Arena, TapeMark To);
  /// Instead of `Call`, a call of a deallocation function: frees Ptr, its
  /// operand Which, when the arena is released.
  void deferFree(llvm::IRBuilder<> &B, llvm::Value *Arena,
                 const llvm::CallBase &Call, unsigned Which, llvm::Value *Ptr);

  llvm::StructType *arenaType();
  /// An i64 in memory that a derivative of the derivative knows for one.
  llvm::Value *loadInteger(llvm::IRBuilder<> &B, llvm::Value *At);
  void storeInteger(llvm::IRBuilder<> &B, llvm::Value *N, llvm::Value *At);

private:
  llvm::Function *function(llvm::StringRef Name, llvm::FunctionType *T,
                           llvm::function_ref<void(llvm::Function &)> Body);
  llvm::Function *growFunction();
  llvm::Value *grow(llvm::IRBuilder<> &B, llvm::Value *Arena,
                    llvm::Value *Bytes, llvm::StringRef Of);
  llvm::Function *deferFunction();
  void defer(llvm::IRBuilder<> &B, llvm::Value *Arena, llvm::Value *Of,
             llvm::Value *Free, llvm::Value *X, llvm::Value *Y);
  llvm::Function *thunkFor(const llvm::CallBase &Call, unsigned Which);
  void initialize(llvm::IRBuilder<> &B, llvm::Value *Arena, llvm::Value *Begin,
                  llvm::Value *Limit, uint64_t FirstChunk);

  llvm::Value *object(llvm::IRBuilder<> &B, Rt F,
                      llvm::ArrayRef<llvm::Value *> Args);

  llvm::Module &M;
  const bool Objects;
};

} // namespace retro

#endif
