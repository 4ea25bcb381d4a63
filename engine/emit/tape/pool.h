// The tape of one thread in a pool: word n of all threads of a launch, side by
// side, then word n + 1 of all. An address on the tape is that of the first
// word there, and the next word is `stride` bytes behind it.
#ifndef RETRO_EMIT_TAPE_POOL_H
#define RETRO_EMIT_TAPE_POOL_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace retro {

/// Where a function's code finds the pool.
struct PoolArguments {
  llvm::Value *Memory, *Bytes, *Thread, *Threads;
  /// The last four parameters of F.
  static PoolArguments of(llvm::Function &F);
  static llvm::SmallVector<llvm::Type *, 4> types(llvm::LLVMContext &C);
};

class Pool {
public:
  explicit Pool(llvm::Module &M) : M(M) {}

  static constexpr uint64_t Word = 8;

  /// What a thread knows of its tape while it makes it, a variable.
  llvm::AllocaInst *open(llvm::IRBuilder<> &B, const PoolArguments &At);
  /// The bytes from one word of a thread to its next.
  llvm::Value *stride(llvm::IRBuilder<> &B, llvm::Value *State);
  static llvm::Value *stride(llvm::IRBuilder<> &B, const PoolArguments &At);
  /// The thread's first word.
  static llvm::Value *first(llvm::IRBuilder<> &B, const PoolArguments &At);
  /// Bytes for more of the tape. The program ends if there are none left.
  llvm::Value *take(llvm::IRBuilder<> &B, llvm::Value *State,
                    llvm::Value *Bytes);
  /// Takes bytes in one piece, where all threads have taken as much before.
  llvm::Value *takePiece(llvm::IRBuilder<> &B, llvm::Value *State,
                         uint64_t Bytes, llvm::Align A);
  /// The bytes of the pool that takePiece takes for Bytes.
  static uint64_t pieceBytes(uint64_t Bytes, llvm::Align A);
  /// Bytes that the thread has taken.
  llvm::Value *taken(llvm::IRBuilder<> &B, llvm::Value *State);

  /// The bytes that a value takes, so that it is in one word or in whole ones.
  uint64_t bytesOf(llvm::Type *T) const;
  struct Fields {
    llvm::SmallVector<uint64_t, 8> Offsets;
    uint64_t Bytes = 0;
  };
  Fields layout(llvm::ArrayRef<llvm::Type *> Types) const;

  /// The word at an offset that is a multiple of a word's bytes.
  static llvm::Value *word(llvm::IRBuilder<> &B, llvm::Value *Base,
                           llvm::Value *Offset, llvm::Value *Stride);
  /// Element Index of an array of values of T.
  llvm::Value *element(llvm::IRBuilder<> &B, llvm::Value *Base, llvm::Type *T,
                       llvm::Value *Index, llvm::Value *Stride) const;
  /// A field of a record; a multiple of its size from the start.
  llvm::Value *field(llvm::IRBuilder<> &B, llvm::Value *Base, uint64_t Offset,
                     llvm::Value *Stride) const;
  /// Field N of a record of these.
  llvm::Value *field(llvm::IRBuilder<> &B, llvm::Value *Base,
                     llvm::ArrayRef<llvm::Type *> Types, unsigned N,
                     llvm::Value *Stride) const {
    return field(B, Base, layout(Types).Offsets[N], Stride);
  }

  /// Accesses a value. Mark is called with each of the loads or stores.
  void store(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Value *At,
             llvm::Value *Stride, llvm::Instruction *Variables,
             llvm::function_ref<void(llvm::Instruction *)> Mark) const;
  llvm::Value *load(llvm::IRBuilder<> &B, llvm::Type *T, llvm::Value *At,
                    llvm::Value *Stride, llvm::Instruction *Variables,
                    llvm::function_ref<void(llvm::Instruction *)> Mark) const;

private:
  void checkRoom(llvm::IRBuilder<> &B, llvm::Value *State, llvm::Value *Left,
                 llvm::Value *Bytes);
  llvm::Module &M;
};

/// The number of the thread among all of the launch, and how many there are.
llvm::Value *threadOfLaunch(llvm::IRBuilder<> &B);
llvm::Value *threadsOfLaunch(llvm::IRBuilder<> &B);

} // namespace retro

#endif
