// Where a word in a lane comes from, followed through operations that only move
// bits.
#ifndef RETRO_PREPARE_LANES_LANE_TRACER_H
#define RETRO_PREPARE_LANES_LANE_TRACER_H

#include "prepare/lanes/lanes.h"

namespace retro {

/// Where the bits of a word come from: the same bits of an operand, or zero, or
/// nowhere else (Of is null then).
struct Step {
  llvm::Value *Of = nullptr;
  unsigned Word = 0;
  bool Zero = false;
};

/// One step back from the word of W bits, for what only moves bits.
class Tracer {
public:
  Tracer(const Lanes &L, unsigned W) : L(L), W(W) {}
  Step step(llvm::Value *V, unsigned Word) const;

private:
  Step same(llvm::Value *V, unsigned Word) const { return {V, Word, false}; }
  Step ofShuffle(llvm::ShuffleVectorInst &S, unsigned Word) const;
  Step ofShift(llvm::BinaryOperator &B, unsigned Word) const;
  Step ofJoin(llvm::BinaryOperator &B, unsigned Word) const;
  bool isZero(llvm::Value *V, unsigned Word, unsigned Depth = 0) const;

  const Lanes &L;
  unsigned W;
};

} // namespace retro

#endif
