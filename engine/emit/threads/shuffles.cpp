// Operations that move a value between the lanes of a GPU's warp. A tangent
// moves as the value does; an adjoint goes back to the lane whose value was
// read, which only the runtime can find out. Without it what comes from another
// lane would have no derivative. Members of ReverseSweep and TangentSweep
// (emit/common/).
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "front/names/runtime.h"

using namespace llvm;

namespace retro {
namespace {

unsigned moved(const KnownCall &K) { return static_cast<unsigned>(K.Row->A); }

} // namespace

/// What a lane has of the result goes to the lane that it read. The function
/// of the runtime finds out which lanes read this one.
void ReverseSweep::shuffleAdjoint(CallBase &C, KnownCall K) {
  Value *G = takeAdjoint(&C);
  Type *T = G->getType();
  SmallVector<Value *> Args;
  bool Known = true; // at compile time, who reads whom
  for (unsigned N = 0; N < C.arg_size(); ++N) {
    Args.push_back(N == moved(K) ? G : primal(C.getArgOperand(N)));
    Known &= N <= moved(K) || isa<Constant>(Args.back());
  }
  // On amdgcn it is a function of the lane.
  if (!C.getModule()->getTargetTriple().isAMDGPU())
    Args.push_back(B.getInt32(Known));
  else if (moved(K) == 1)
    std::swap(Args[0], Args[1]);
  std::optional<Rt> Moves = runtimeNamed("adjoint_" + K.Row->Text +
                                         (T->isFloatTy() ? "_f32" : "_f64"));
  CallInst *R = callRuntime(B, *Moves, Args);
  R->setConvergent();
  addAdjoint(C.getArgOperand(moved(K)), R);
}

/// Tangents move like the values.
Value *TangentSweep::shuffleTangent(CallBase &C, KnownCall K, IRBuilder<> &B) {
  SmallVector<Value *> Args;
  for (unsigned N = 0; N < C.arg_size(); ++N)
    Args.push_back(N == moved(K)
                       ? B.CreateBitCast(tangent(C.getArgOperand(N)),
                                         C.getArgOperand(N)->getType())
                       : primal(C.getArgOperand(N)));
  CallInst *New = B.CreateCall(C.getCalledFunction(), Args);
  New->setConvergent();
  return B.CreateBitCast(New, Act.adjointType(&C));
}

} // namespace retro
