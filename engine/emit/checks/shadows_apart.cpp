// Whether shadows under different names are different memory: asked once, when
// the reverse pass of a region begins. Additions that are planned to be plain
// would lose one another where the caller passes one shadow twice. Members of
// ReverseSweep (emit/common/reverse_sweep.h).
#include "emit/common/reverse_sweep.h"
#include "emit/words/memory_adjoint.h"
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

/// Where the extent begins and ends in the shadow, as addresses.
std::pair<Value *, Value *> ReverseSweep::endsOf(const SharedExtent &E) {
  Type *I = B.getInt64Ty();
  Value *Base = B.CreatePtrToInt(shadow(E.Base), I);
  auto Plus = [&](Value *V, int64_t Bytes) {
    return B.CreateAdd(V, B.getInt64(static_cast<uint64_t>(Bytes)));
  };
  if (!E.First)
    return {Plus(Base, E.Low), Plus(Base, E.High)};
  auto Far = [&](const Value *Iteration) {
    Value *N = B.CreateIntCast(primal(Iteration), I, !E.IsUnsigned);
    return B.CreateMul(N, B.getInt64(static_cast<uint64_t>(E.Stride)));
  };
  Value *Least = Far(E.Stride < 0 ? E.Last : E.First);
  Value *Most = Far(E.Stride < 0 ? E.First : E.Last);
  return {Plus(B.CreateAdd(Base, Least), E.Low),
          Plus(B.CreateAdd(Base, Most), E.High)};
}

/// At the insertion point, which comes before all that is added: are they?
void ReverseSweep::compareShadows() {
  if (P.ApartIf.empty())
    return;
  E.forLanes([&] {
    Value *All = B.getTrue();
    for (auto [One, Other] : P.ApartIf) {
      auto [Begin, End] = endsOf(P.Extents[One]);
      auto [Begins, Ends] = endsOf(P.Extents[Other]);
      All = B.CreateAnd(All, B.CreateOr(B.CreateICmpULE(End, Begins),
                                        B.CreateICmpULE(Ends, Begin)));
    }
    AllocaInst *&Slot = ShadowsApart[E.lane()];
    Slot =
        IRBuilder<>(EntryPoint).CreateAlloca(B.getInt1Ty(), nullptr, "apart");
    B.CreateStore(All, Slot);
  });
}

/// Adds G, plainly if they are.
void ReverseSweep::addIfApart(Value *At, Value *G, Align A) {
  BasicBlock *Done = splitHere(B, "added");
  auto Way = [&](const char *Name, Adding How) {
    BasicBlock *Block =
        BasicBlock::Create(B.getContext(), Name, Done->getParent(), Done);
    IRBuilder<> WB(Block);
    addToMemory(WB, At, G, A, How);
    WB.CreateBr(Done);
    return Block;
  };
  BasicBlock *Plainly = Way("add.plain", Adding::Plain),
             *Atomically = Way("add.atomic", Adding::Atomic);
  B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), ShadowsApart.lookup(E.lane())),
                 Plainly, Atomically);
  B.SetInsertPoint(Done, Done->begin());
}

} // namespace retro
