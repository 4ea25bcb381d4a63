// One step back from a word in a lane, for each operation that only moves bits:
// shuffles, casts, shifts, and what puts words beside each other. Lanes asks
// again for the operand that comes out, until nothing moves the word any more.
// A step that is not known here ends the search, and a pointer that travels so
// has no shadow.
#include "prepare/lanes/lane_tracer.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {

Step Tracer::ofShuffle(ShuffleVectorInst &S, unsigned Word) const {
  auto *T = dyn_cast<FixedVectorType>(S.getOperand(0)->getType());
  const unsigned E = L.laneBits(&S);
  if (T && W % E == 0 && W > E) {
    // The word consists of several elements that stay beside each other.
    const unsigned Elements = W / E;
    ArrayRef<int> Mask = S.getShuffleMask().slice(Word * Elements, Elements);
    const int At = Mask.front(), N = static_cast<int>(T->getNumElements());
    for (unsigned K = 0; K < Elements; ++K)
      if (At < 0 || Mask[K] != At + static_cast<int>(K) ||
          At % static_cast<int>(Elements) != 0 || N % Elements != 0)
        return {};
    return same(S.getOperand(At < N ? 0 : 1),
                static_cast<unsigned>(At % N) / Elements);
  }
  if (!T || E % W != 0)
    return {};
  int From = S.getMaskValue(Word * W / E);
  if (From < 0)
    return {nullptr, 0, true};
  int N = static_cast<int>(T->getNumElements());
  return same(S.getOperand(From < N ? 0 : 1),
              static_cast<unsigned>(From % N) * (E / W) + Word % (E / W));
}

Step Tracer::ofShift(BinaryOperator &B, unsigned Word) const {
  const APInt *C;
  if (B.getType()->isVectorTy() || !match(B.getOperand(1), m_APInt(C)) ||
      C->getActiveBits() > 16 || C->getZExtValue() % W != 0)
    return {};
  const unsigned By = static_cast<unsigned>(C->getZExtValue()) / W;
  const unsigned All = L.bits(B.getType()) / W;
  if (B.getOpcode() == Instruction::Shl)
    return Word < By ? Step{nullptr, 0, true}
                     : same(B.getOperand(0), Word - By);
  return Word + By >= All ? Step{nullptr, 0, true}
                          : same(B.getOperand(0), Word + By);
}

bool Tracer::isZero(Value *V, unsigned Word, unsigned Depth) const {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().extractBits(W, Word * W).isZero();
  if (auto *C = dyn_cast<Constant>(V))
    return C->isNullValue();
  if (Depth > 8)
    return false;
  Step S = step(V, Word);
  return S.Zero || (S.Of && isZero(S.Of, S.Word, Depth + 1));
}

/// The word is one of those that are put beside each other.
Step Tracer::ofJoin(BinaryOperator &B, unsigned Word) const {
  if (B.getType()->isVectorTy() || L.bits(B.getType()) <= W)
    return {};
  for (unsigned N = 0; N < 2; ++N)
    if (isZero(B.getOperand(N), Word))
      return same(B.getOperand(1 - N), Word);
  return {};
}

Step Tracer::step(Value *V, unsigned Word) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || L.bits(V->getType()) % W != 0)
    return {};
  const unsigned E = L.laneBits(V);
  Value *First = I->getNumOperands() ? I->getOperand(0) : nullptr;
  switch (I->getOpcode()) {
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return L.bits(First->getType()) == L.bits(V->getType()) ? same(First, Word)
                                                            : Step{};
  case Instruction::Freeze:
    return same(First, Word);
  case Instruction::ExtractElement: {
    auto *N = dyn_cast<ConstantInt>(I->getOperand(1));
    return N && E % W == 0 && L.bits(First->getType()) &&
                   N->getValue().ult(L.bits(First->getType()) / E)
               ? same(First,
                      static_cast<unsigned>(N->getZExtValue()) * (E / W) + Word)
               : Step{};
  }
  case Instruction::InsertElement: {
    auto *N = dyn_cast<ConstantInt>(I->getOperand(2));
    if (!N || E % W != 0)
      return {};
    const unsigned Lane = Word * W / E;
    return N->getZExtValue() == Lane ? same(I->getOperand(1), Word % (E / W))
                                     : same(First, Word);
  }
  case Instruction::ShuffleVector:
    return ofShuffle(*cast<ShuffleVectorInst>(I), Word);
  case Instruction::Trunc:
    return V->getType()->isVectorTy() || L.bits(First->getType()) % W != 0
               ? Step{}
               : same(First, Word);
  case Instruction::ZExt:
    if (V->getType()->isVectorTy() || L.bits(First->getType()) % W != 0)
      return {};
    return Word < L.bits(First->getType()) / W ? same(First, Word)
                                               : Step{nullptr, 0, true};
  case Instruction::Shl:
  case Instruction::LShr:
    return ofShift(*cast<BinaryOperator>(I), Word);
  case Instruction::Or:
  case Instruction::Add:
  case Instruction::Xor:
    return ofJoin(*cast<BinaryOperator>(I), Word);
  default:
    return {};
  }
}

} // namespace retro
