// The vocabulary of analyses and emission, and the Plan: every decision about
// the derivative of one function, made before anything is emitted. Members of
// BranchChoice: plan/branch_choice.cpp.
#ifndef RETRO_BASE_PLAN_H
#define RETRO_BASE_PLAN_H

#include "base/assert.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Value.h"
#include <memory>
#include <string>

namespace llvm {
class SCEV;
}

namespace retro {

enum class Mode { Reverse, Forward };

/// Does a request give a pool for the tapes of all threads of a launch?
enum class PoolWish {
  None,
  Caller, ///< yes: if the tape can lie there
  Launch, ///< a whole launch: if the tape can lie there, and its size be known
};

/// These arguments of the root are numbers from 0 to Most.
struct NumberBounds {
  /// The length of a row, or of a vector: products of two do not overflow.
  static constexpr int64_t Long = int64_t(1) << 25;
  /// Products of three do not, either: an arena has a part for each layer, with
  /// rows in it.
  static constexpr int64_t Short = int64_t(1) << 18;

  llvm::SmallVector<unsigned, 4> Arguments;
  int64_t Most = Long;
};

/// How a request treats one argument.
enum class Activity {
  Const,     ///< no derivative
  Out,       ///< a scalar whose adjoint is returned
  Dup,       ///< a pointer with a shadow; in forward mode a value and tangent
  DupNoNeed, ///< like Dup, and the primal result in it is not needed
};

/// A value of the forward pass that the reverse pass may need.
struct Item {
  enum Kind : unsigned {
    Primal,  ///< the value V itself
    Shadow,  ///< the shadow of pointer V
    Tape,    ///< what the augmented callee of call V returned for its reverse
    Base,    ///< the allocation of the loop nest with header V
    Head,    ///< the last record of the loop with header V
    Branch,  ///< the number of the predecessor that block V was entered from
    Witness, ///< what load V gave, though it is repeated: to compare with
    Last,    ///< phi V of a loop's header, in the loop's last iteration
    LastShadow, ///< the shadow of pointer V then
    Copy,       ///< of an array that load V reads, the first of such loads
  };
  Kind K;
  const llvm::Value *V;
  unsigned Lane = 0; ///< Shadow: which lane of vector mode
  /// Of a phi's value or shadow: that of the loop's last iteration.
  Item last() const { return {K == Primal ? Last : LastShadow, V, Lane}; }
  bool operator==(const Item &O) const {
    return K == O.K && V == O.V && Lane == O.Lane;
  }
};

/// Where a cached item is kept between the passes.
struct Storage {
  enum Place {
    Slot,    ///< a variable of the function that runs both passes
    Frame,   ///< a field of the function's frame record
    Indexed, ///< an array indexed by the counters of a loop nest
    Record,  ///< a field of the record of one loop iteration
  };
  Place Where = Slot;
  const llvm::BasicBlock *Loop = nullptr; ///< Indexed: nest; Record: loop
  unsigned Field = 0;
  llvm::Type *Ty = nullptr;
};

/// The tape of one loop nest (indexed) or loop (a chain of records).
struct LoopTape {
  struct Field {
    Item What;
    llvm::Type *Ty;
    /// Indexed: headers of the loops that index the field, outermost first.
    llvm::SmallVector<const llvm::BasicBlock *, 3> Nest;
    /// Indexed: the field lies beside the other interleaved fields of the nest,
    /// iteration by iteration; else it has an array of its own.
    bool Interleaved = false;
  };
  bool Indexed = false;
  /// Indexed, in the gradient of the root: short enough to be variables.
  bool OnStack = false;
  llvm::SmallVector<Field, 4> Fields;
};

/// The memory that the iterations of a nest read by some loads, of which it
/// writes nothing: a copy of it, made before the nest, gives the reverse pass
/// what the loads gave. Each loop's iterations move an address by a step.
struct ArrayRange {
  const llvm::BasicBlock *Nest = nullptr; ///< header of the outermost loop
  const llvm::Value *Base = nullptr;      ///< the pointer that all start from
  const llvm::SCEV *Start = nullptr;      ///< of the first load: bytes behind
  /// Headers of all loops of the nest that are around the loads, outermost
  /// first, with the step in bytes; null: none.
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::SCEV *>, 3>
      Loops;
  llvm::SmallVector<const llvm::SCEV *, 2> Apart; ///< the loads, from the first
  uint64_t Size = 0; ///< bytes of the largest of the loads
  llvm::Align Alignment;
};

/// A load that the reverse pass repeats from a copy of its array: the copy that
/// is made for the load Of. Apart: how many bytes the load's address is behind
/// the address of Of.
struct CopiedLoad {
  const llvm::LoadInst *Of = nullptr;
  const llvm::SCEV *Apart = nullptr;
};

/// Why threads do not add to the same shadow memory at the same time, or, where
/// they may, how each adds.
enum class Sharing {
  Atomic,      ///< they may
  Overwritten, ///< the thread overwrites it: no other thread reads it meanwhile
  Affine,      ///< the threads' iterations read different places
  Apart,       ///< the same, where memory under other names is apart from it
  Solved,      ///< the solver finds no two threads that read one place
  Reduced,     ///< all read one place: a warp adds up, then one of it adds
  Combined,    ///< they may: the thread adds up its own part, then atomically
};

/// What all threads of a team read by one name: from Low bytes beyond where
/// Base points to, to High, and so Stride bytes on with each iteration of a
/// shared-out loop, from the iteration First to the Last (null: no loop).
struct SharedExtent {
  const llvm::Argument *Base = nullptr;
  int64_t Low = 0, High = 0, Stride = 0;
  const llvm::Value *First = nullptr, *Last = nullptr;
  bool IsUnsigned = false; ///< that is how the iterations count
};

/// What a phi of a loop's header was in one iteration, from what phi From of it
/// is in the next: these steps led there, the last first.
struct Inversion {
  struct Step {
    const llvm::Instruction *I;
    unsigned Through; ///< the operand that is found by undoing it
  };
  const llvm::PHINode *From = nullptr;
  llvm::SmallVector<Step, 2> Steps;
};

/// The adjoint of a call's result, known before the call: that of Of, which a
/// loop sums up in each iteration, or of what the function returns, pulled
/// through the users of these uses, of which the first is the use of the
/// result.
struct EarlyAdjoint {
  const llvm::Instruction *Of = nullptr; ///< null: what is returned
  llvm::SmallVector<const llvm::Use *, 2> Through;
  /// What that reads and the primal computes after the call: it is computed
  /// before. In order.
  llvm::SetVector<const llvm::Instruction *> Earlier;
};

/// The reverse pass goes from a block to these blocks.
struct Reversal {
  enum Kind {
    Entry,  ///< to the end of the reverse pass
    Header, ///< to the latch, or before the loop after the last iteration
    Skip,   ///< to a dominator: nothing between needs a reverse pass
    Single, ///< to the only predecessor
    Choose, ///< to the predecessor that Branch names
  };
  Kind K = Entry;
  bool Works = false; ///< has adjoints to emit: it is in nothing skipped
  llvm::SmallVector<const llvm::BasicBlock *, 2> To;
};

/// A tree of decisions between the predecessors of a block.
struct BranchChoice {
  const llvm::BasicBlock *From = nullptr; ///< a leaf: this predecessor
  const llvm::Value *Condition = nullptr; ///< else: which subtree
  std::unique_ptr<BranchChoice> IfTrue, IfFalse;

  void
  forEachCondition(llvm::function_ref<void(const llvm::Value *)> Visit) const;
};

} // namespace retro

template <> struct llvm::DenseMapInfo<retro::Item> {
  static retro::Item getEmptyKey() {
    return {retro::Item::Primal, DenseMapInfo<const Value *>::getEmptyKey()};
  }
  static retro::Item getTombstoneKey() {
    return {retro::Item::Primal,
            DenseMapInfo<const Value *>::getTombstoneKey()};
  }
  static unsigned getHashValue(const retro::Item &I) {
    return DenseMapInfo<const Value *>::getHashValue(I.V) * 8 + I.K +
           I.Lane * 37;
  }
  static bool isEqual(const retro::Item &A, const retro::Item &B) {
    return A == B;
  }
};

namespace retro {

/// Is the tape of a unit in a pool?
struct PoolPlan {
  bool Used = false;
  std::string WhyNot; ///< where it was wished for
  /// Not empty: why no function can tell the bytes before the tape is made.
  std::string WhyNotMeasured;
};

/// Pointers in a static variable, Count of them, whose shadows an earlier
/// derivative may have left there, each so many bytes after the one before:
/// they begin as null, or as what the variable's own shadow begins as.
struct ForgottenPointers {
  uint64_t Offset = 0, Stride = 0, Count = 0;
};

/// Every decision for one function of a unit, in reverse mode.
struct FunctionPlan {
  llvm::MapVector<const llvm::BasicBlock *, Reversal> Blocks; ///< visited
  /// Of blocks to choose from: the conditions that tell the predecessors apart,
  /// where there are such.
  llvm::MapVector<const llvm::BasicBlock *, std::unique_ptr<BranchChoice>> Ways;
  llvm::MapVector<Item, Storage> Cached;
  llvm::MapVector<const llvm::BasicBlock *, LoopTape> Tapes; ///< by header
  /// Arrays of which the forward pass makes a copy before the nest that reads
  /// them, by the first of the loads that the reverse pass repeats from there.
  llvm::MapVector<const llvm::LoadInst *, ArrayRange> Copies;
  llvm::DenseMap<const llvm::LoadInst *, CopiedLoad> FromCopy;
  llvm::SmallVector<Item, 8> Frame; ///< fields of the frame record
  /// The block in which the frame record is made: a call that does not come by
  /// has no record. Null: it is made at the function's start.
  const llvm::BasicBlock *FrameMade = nullptr;
  /// Or the call after which the frame record is made: it lies behind the
  /// records of the callees then, so that the reverse pass goes down through
  /// the tape.
  const llvm::Instruction *FrameAfter = nullptr;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> ReversedLoops;
  /// Headers of the reversed loops whose iterations the reverse pass runs from
  /// the first to the last.
  llvm::SetVector<const llvm::BasicBlock *> InOrder;
  /// Headers of those loops in order that are fused: the primal does not run
  /// their iterations before the reverse pass does, which runs each forward and
  /// backward at a time.
  llvm::SetVector<const llvm::BasicBlock *> Fused;
  /// Headers of the fused loops that are awaited: what follows the loop, to the
  /// end of the iteration around it or of the function, is reversed before the
  /// loop runs, and runs when the loop is through.
  llvm::SetVector<const llvm::BasicBlock *> Awaited;
  /// Inactive recurrences of loops in order: computed again step by step.
  llvm::SetVector<const llvm::PHINode *> Rerun;
  /// By header: what the recurrences in Rerun compute with that comes from
  /// outside of the loop. It is found once, where the reverse pass enters the
  /// loop.
  llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<Item, 4>> Fixed;
  /// What loops carry, values and shadows: found again from the last iteration
  /// to the first.
  llvm::MapVector<Item, Inversion> Inverted;
  /// Arguments whose value or shadow the reverse function reads.
  llvm::BitVector PrimalArgs, ShadowArgs;
  /// Allocations that the reverse function still reads: on the tape.
  llvm::SmallPtrSet<const llvm::Value *, 8> TapedAllocas;
  /// Stores of results that nobody reads: the forward pass leaves them out.
  llvm::SetVector<const llvm::StoreInst *> DroppedStores;
  /// Stores that wait until the reverse pass is through, which reads what they
  /// overwrite. In order.
  llvm::SetVector<const llvm::StoreInst *> LateStores;
  /// Loads, among what the reverse pass may compute again, that give it the
  /// same as the primal.
  llvm::DenseSet<const llvm::LoadInst *> StableLoads;
  /// Library calls: the arrays of which copies are kept, bits by number.
  struct KeptArrays {
    unsigned Before = 0, After = 0; ///< as they are before and after the call
  };
  llvm::MapVector<const llvm::CallBase *, KeptArrays> Kept;
  /// Copies of words that may be numbers or pointers: the forward pass notes
  /// which they are.
  llvm::SetVector<const llvm::CallBase *> EitherCopies;
  /// Stores and copies of numbers of half a word to where a pointer may have
  /// been: the forward pass takes its shadow away.
  llvm::SetVector<const llvm::Instruction *> OverPointers;
  /// Loads and copies of numbers from among bytes: the reverse pass notes where
  /// it adds to adjoints.
  llvm::SetVector<const llvm::Instruction *> NotedReads;
  /// Stores and copies of numbers to where pointers may be as well: of what is
  /// in the shadow, what is noted alone is their adjoint.
  llvm::SetVector<const llvm::Instruction *> NotedWrites;
  /// Stores and copies to where such notes are beside pointers: shadows of
  /// pointers are put there, and taken away, with what is noted.
  llvm::SetVector<const llvm::Instruction *> AmongPointers;
  /// The root: its reverse pass begins and ends with no notes.
  bool OpensNotes = false;
  /// Writes of active numbers, or of pointers to memory with a shadow, to
  /// memory that may be constant: where it is, they end the program.
  llvm::SetVector<const llvm::Instruction *> EndIfConstant;
  /// Copies and fills of memory of which a caller may see the shadows: pointers
  /// that are there stay.
  llvm::SmallPtrSet<const llvm::CallBase *, 8> SeenByCaller;
  /// What adds to shadow memory that is not the thread's own.
  llvm::MapVector<const llvm::Instruction *, Sharing> Shared;
  /// Shadow memory that threads add to: where each part begins and ends.
  llvm::SmallVector<SharedExtent, 4> Extents;
  /// Pairs of Extents, by number. If the two of each pair do not overlap when
  /// the reverse pass begins, what is Apart is added plainly; else atomically.
  llvm::SetVector<std::pair<unsigned, unsigned>> ApartIf;
  /// Before their adjoints the thread hands over what it added up (Combined).
  llvm::SetVector<const llvm::Instruction *> Settled;
  /// Loads of a place that their block stores to later, and these stores. In
  /// the reverse pass nothing touches the place's adjoint between the two.
  llvm::SetVector<const llvm::Instruction *> Updates;
  /// The stores among Updates whose adjoints are read before anything else is
  /// done in their block's reverse.
  llvm::SetVector<const llvm::StoreInst *> ReadEarly;
  /// Operands of rules: their adjoint is 0 where that of the result is.
  llvm::SmallPtrSet<const llvm::Use *, 8> Guarded;
  /// In a pool: what decides how long the tape is, callees' tapes included, and
  /// the arguments among it.
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Measured;
  llvm::BitVector MeasuredArgs;
  /// On a GPU: parameters into whose memory nothing writes while threads run.
  llvm::BitVector Inputs;
  bool HasTape = false; ///< it, or what it calls, takes memory of the pool
  /// Both passes run when the reverse pass comes to a call of it: the forward
  /// pass has no effect. There is no frame.
  bool Combined = false;
  /// Combined: it returns the primal's result, too, as a caller needs it.
  bool GivesResult = false;
  /// Calls of combined functions that run where the primal comes to them: the
  /// adjoint of the result is known before. Their loops are fused.
  llvm::MapVector<const llvm::CallBase *, EarlyAdjoint> AtOnce;
  /// Combined: what a call puts on the tape is free again when it returns.
  bool GivesBack = false;
  /// Has the function anything to do in the reverse pass?
  bool HasWork = false;

  const llvm::BasicBlock *exitBlock = nullptr; ///< returns; null: never does

  /// The array that a load is repeated from a copy of.
  const ArrayRange &copyOf(const CopiedLoad &L) const {
    return promised(Copies, L.Of, "plan", L.Of->getFunction(),
                    "what is read from a copy has one");
  }
  /// The tape of a loop that keeps something, by its header.
  const LoopTape &tapeOf(const llvm::BasicBlock *Header) const {
    return promised(Tapes, Header, "plan", Header->getParent(),
                    "a loop in which something is kept has a tape");
  }
  /// Does it lie in the tape of a nest that is on the stack?
  bool isOnStack(const Storage &S) const {
    return S.Where == Storage::Indexed && tapeOf(S.Loop).OnStack;
  }
  /// The field of an item that is kept in a loop's tape.
  const LoopTape::Field &fieldOf(const Storage &S) const {
    return tapeOf(S.Loop).Fields[S.Field];
  }
  /// How the reverse pass goes on from a block that it comes to.
  const Reversal &reversalOf(const llvm::BasicBlock *B) const {
    return promised(Blocks, B, "plan", B->getParent(),
                    "each block that the reverse pass comes to has a way on");
  }
};

/// The type that a value has on the tape.
inline llvm::Type *memoryType(llvm::Type *T) {
  return T->isIntegerTy(1) ? llvm::Type::getInt8Ty(T->getContext()) : T;
}

/// The types of the fields of a function's frame.
inline llvm::SmallVector<llvm::Type *, 8> frameTypes(const FunctionPlan &P) {
  llvm::SmallVector<llvm::Type *, 8> Fields;
  for (Item I : P.Frame)
    Fields.push_back(memoryType(P.Cached.lookup(I).Ty));
  return Fields;
}

/// Bytes at the start of a tape of split mode that are the tape's own.
inline constexpr uint64_t TapeHeaderBytes = 64;

} // namespace retro

#endif
