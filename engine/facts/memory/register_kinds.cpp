// What an integer in a register is, where the memory that it comes from is
// several things: objects of several kinds share a class, but the program's
// types say what each access is. Without it such a register would be taken for
// all of them at once, and its number or its pointer would be lost. Members of
// MemoryShape (memory_shape.h).
#include "facts/memory/memory_shape.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {

std::optional<MemoryShape::WordKind>
MemoryShape::declaredKind(const Value *V) const {
  std::optional<WordKind> Kind;
  auto Agree = [&](WordKind K) {
    if (!Kind)
      Kind = K;
    return *Kind == K;
  };
  SmallSetVector<const Value *, 8> From;
  From.insert(V);
  for (size_t N = 0; N < From.size(); ++N) {
    auto *I = dyn_cast<Instruction>(From[N]);
    if (isa<Constant>(From[N]))
      continue;
    if (!I || N > 32)
      return std::nullopt;
    if (isa<PHINode, SelectInst, FreezeInst>(I)) {
      for (const Use &O : I->operands())
        if (O->getType() == I->getType())
          From.insert(O);
      continue;
    }
    bool Bits =
        isa<BitCastInst>(I) && I->getOperand(0)->getType()->isFPOrFPVectorTy();
    auto Declared = isa<LoadInst>(I) ? declaredAccess(*I) : std::nullopt;
    if (Bits)
      Declared = {CellKind::Float,
                  I->getOperand(0)->getType()->getScalarType()};
    else if (isa<PtrToIntInst>(I))
      Declared = {CellKind::Pointer, nullptr};
    else if (isa<OverflowingBinaryOperator, PossiblyExactOperator, ZExtInst,
                 SExtInst>(I))
      Declared = {CellKind::Int, nullptr};
    if (!Declared || !Agree(*Declared))
      return std::nullopt;
  }
  return Kind;
}

bool MemoryShape::isMixed(const Value *V) const {
  const Content *C = contentSeen(V);
  return C && C->Float && C->Pointer;
}

} // namespace retro
