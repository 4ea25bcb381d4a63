// What each primal value has once in each lane of vector mode. Emitters write
// code for one lane at a time, and what they look up is that lane's: without
// this every emitter would have to say which lane it means.
#ifndef RETRO_EMIT_COMMON_LANE_MAP_H
#define RETRO_EMIT_COMMON_LANE_MAP_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace retro {

/// What each primal value has once per lane of vector mode: a shadow, a
/// tangent, the place of its adjoint. All uses speak of the current lane.
template <class T> class LaneMap {
public:
  LaneMap(const unsigned &Lane, unsigned Width) : Lane(Lane), Maps(Width) {}
  T &operator[](const llvm::Value *V) { return Maps[Lane][V]; }
  T lookup(const llvm::Value *V) const { return Maps[Lane].lookup(V); }
  bool count(const llvm::Value *V) const { return Maps[Lane].count(V); }
  llvm::DenseMap<const llvm::Value *, T> &all() { return Maps[Lane]; }
  /// Parameters of F from First on are what there is of each of `Of`, which
  /// names each primal value once a lane.
  void bind(llvm::Function &F, unsigned First,
            llvm::ArrayRef<const llvm::Argument *> Of) {
    for (unsigned I = 0; I < Of.size(); ++I)
      Maps[I % Maps.size()][Of[I]] = F.getArg(First + I);
  }

private:
  const unsigned &Lane;
  llvm::SmallVector<llvm::DenseMap<const llvm::Value *, T>, 1> Maps;
};

} // namespace retro

#endif
