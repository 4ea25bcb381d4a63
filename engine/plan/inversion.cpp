// Input: a phi of a loop's header. Output: the steps that lead back to it from
// the next iteration. A step that is not exact would give another value than
// the primal had.
#include "plan/inversion.h"

#include "plan/planner.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// Longer steps, and larger expressions in them, are not looked at.
constexpr unsigned MostSteps = 8, MostValues = 32;

class Inverter {
public:
  Inverter(const PHINode &Phi, const UnitFunction &UF, const Loop &L,
           const Unit &U)
      : Phi(Phi), UF(UF), L(L), U(U) {}

  /// The steps from Phi to V, the last first.
  bool walk(const Value *V, SmallVectorImpl<Inversion::Step> &Steps) const;

private:
  bool isCarried(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I);
  }
  bool isKnown(const Value *V) const;
  bool mayUndo(const Instruction &I, unsigned Through) const;

  const PHINode &Phi;
  const UnitFunction &UF;
  const Loop &L;
  const Unit &U;
};

/// Can the reverse pass say what V is before it knows what the header's values
/// are? Of an iteration's values, those that follow from its number.
bool Inverter::isKnown(const Value *V) const {
  const PHINode *Counter = UF.loopAt(L.getHeader()).Counter;
  SmallSetVector<const Value *, 16> Work;
  Work.insert(V);
  for (size_t N = 0; N < Work.size(); ++N) {
    if (!isCarried(Work[N]) || Work[N] == Counter)
      continue;
    auto *I = cast<Instruction>(Work[N]);
    if (N == MostValues || UF.LI.getLoopFor(I->getParent()) != &L ||
        !isRepeatable(*I, U)) // nor is a phi
      return false;
    Work.insert(I->op_begin(), I->op_end());
  }
  return true;
}

/// Is I a bijection of its operand, whatever the others are?
bool Inverter::mayUndo(const Instruction &I, unsigned Through) const {
  auto Other = [&] { return I.getOperand(1 - Through); };
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Xor:
    return isKnown(Other());
  case Instruction::Mul: {
    auto *C = dyn_cast<ConstantInt>(Other());
    return C && C->getValue()[0];
  }
  case Instruction::FNeg:
    return true;
  case Instruction::GetElementPtr:
    return Through == 0 && !I.getType()->isVectorTy() &&
           all_of(drop_begin(I.operands()),
                  [&](const Use &O) { return isKnown(O); });
  case Instruction::Call:
    switch (auto *C = dyn_cast<IntrinsicInst>(&I);
            C ? C->getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      return Through == 0 && I.getOperand(0) == I.getOperand(1) &&
             isKnown(I.getOperand(2));
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
      return true;
    default:
      return false;
    }
  default:
    return false;
  }
}

bool Inverter::walk(const Value *V,
                    SmallVectorImpl<Inversion::Step> &Steps) const {
  if (V == &Phi)
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<PHINode>(I) || !L.contains(I) || Steps.size() == MostSteps)
    return false;
  for (unsigned N = 0; N < std::min(2u, I->getNumOperands()); ++N) {
    if (!isCarried(I->getOperand(N)) || !mayUndo(*I, N))
      continue;
    Steps.push_back({I, N});
    if (walk(I->getOperand(N), Steps))
      return true;
    Steps.pop_back();
  }
  return false;
}

} // namespace

std::optional<Inversion> findInversion(const PHINode &Phi,
                                       const UnitFunction &UF, const Loop &L,
                                       const Unit &U) {
  SmallVector<const PHINode *> All{&Phi}; // itself before others
  for (const PHINode &P : L.getHeader()->phis())
    if (P.getType() == Phi.getType())
      All.push_back(&P);
  for (const PHINode *P : All) {
    Inversion Out;
    Out.From = P;
    if (Inverter(Phi, UF, L, U)
            .walk(P->getIncomingValueForBlock(L.getLoopLatch()), Out.Steps))
      return Out;
  }
  return std::nullopt;
}

} // namespace retro
