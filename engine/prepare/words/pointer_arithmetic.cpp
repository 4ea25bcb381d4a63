// Input: addresses that a program computes with integers: (p + n), (p | tag),
// (p & ~mask), (p ^ key). Output: offsets from a pointer. A shadow is at the
// same offset from that pointer's shadow; of an integer there is no shadow.
#include "prepare/words/pointer_arithmetic.h"

#include "base/halves.h"
#include "base/unit.h"
#include "facts/types/address_constants.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// Tags, and the bits that a mask clears for alignment, are at most so many.
constexpr unsigned SmallMask = 12;

class AddressArithmetic {
public:
  AddressArithmetic(Function &F) : F(F), DL(F.getDataLayout()) {}
  void run();

private:
  bool isWord(const Value *V) const {
    return V->getType()->isIntegerTy(DL.getPointerSizeInBits());
  }
  bool isAddress(const Value *V) const {
    return match(V, m_PtrToInt(m_Value())) || Addresses.contains(V);
  }
  bool surelyNumber(const Value *V) const;
  bool add(const Value *V) { return Addresses.insert(V).second; }
  bool isMask(const Value *V) const;
  int baseOperand(const BinaryOperator &I) const;
  int addressOperand(const BinaryOperator &I) const;
  bool step(Instruction &I);
  void rewrite(BinaryOperator &I);
  void lowerPointerMasks();
  void findMixed();

  Function &F;
  const DataLayout &DL;
  /// Integers that are addresses, tagged and hidden ones included.
  SmallPtrSet<const Value *, 16> Addresses;
  /// Results of other arithmetic on addresses. Each may be an address in
  /// disguise.
  SmallPtrSet<const Value *, 16> Mixed;
};

bool isArithmetic(const Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  return I && (I->getOpcode() == Instruction::Add ||
               I->getOpcode() == Instruction::Sub || I->isBitwiseLogicOp());
}

/// Does V look like something the program computes with, and not like an
/// address?
bool AddressArithmetic::surelyNumber(const Value *V) const {
  if (isAddress(V) || Mixed.contains(V))
    return false;
  if (isa<Constant>(V))
    return true;
  if (isa<ZExtInst, SExtInst, FPToSIInst, FPToUIInst>(V))
    return true;
  if (auto *I = dyn_cast<BinaryOperator>(V))
    return !isArithmetic(I) ||
           (surelyNumber(I->getOperand(0)) && surelyNumber(I->getOperand(1)));
  return false;
}

/// Is V a mask of bits that tag or align an address? Other bits may be part of
/// one, and half of one is none.
bool AddressArithmetic::isMask(const Value *V) const {
  if (match(V, m_SpecificInt(0xffffffff)) ||
      match(V, m_SpecificInt(0xffffffff00000000)))
    return false;
  if (isa<ConstantInt>(V))
    return true;
  KnownBits K = computeKnownBits(V, DL);
  return K.countMaxActiveBits() <= SmallMask || K.countMinTrailingZeros() >= 48;
}

/// The number of the operand that is the address, or -1.
int AddressArithmetic::baseOperand(const BinaryOperator &I) const {
  int N = addressOperand(I);
  bool Linear =
      I.getOpcode() == Instruction::Add || I.getOpcode() == Instruction::Sub;
  // What a mask leaves of an address, and the program uses as one, is a place
  // of the same object, whatever the mask is.
  bool Aligns = I.getOpcode() == Instruction::And && isAddress(&I);
  return N < 0 || Linear || Aligns ||
                 isMask(I.getOperand(static_cast<unsigned>(1 - N)))
             ? N
             : -1;
}

int AddressArithmetic::addressOperand(const BinaryOperator &I) const {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  bool Sub = I.getOpcode() == Instruction::Sub;
  if (isAddress(A) && !isAddress(B))
    return 0;
  if (isAddress(B) && !isAddress(A))
    return Sub ? -1 : 1;
  if (isAddress(A) || !isAddress(&I))
    return -1; // two addresses, or none
  if (surelyNumber(B))
    return surelyNumber(A) ? -1 : 0;
  return surelyNumber(A) && !Sub ? 1 : -1;
}

/// Lets what is known of addresses spread by one step. False if nothing is new.
bool AddressArithmetic::step(Instruction &I) {
  if (auto *C = dyn_cast<PtrToIntInst>(&I))
    return isWord(C) && add(C);
  if (auto *C = dyn_cast<IntToPtrInst>(&I))
    return isWord(C->getOperand(0)) && !isa<Constant>(C->getOperand(0)) &&
           !isOfTwoWords(C->getOperand(0)) && add(C->getOperand(0));
  if (!isWord(&I))
    return false;
  bool Changed = false;
  if (isa<PHINode, SelectInst, FreezeInst>(I)) {
    unsigned First = isa<SelectInst>(I) ? 1 : 0;
    bool Any = isAddress(&I);
    for (unsigned N = First; N < I.getNumOperands(); ++N)
      Any |= isAddress(I.getOperand(N));
    if (!Any)
      return false;
    Changed = add(&I);
    for (unsigned N = First; N < I.getNumOperands(); ++N)
      if (!isa<Constant>(I.getOperand(N)))
        Changed |= add(I.getOperand(N));
    return Changed;
  }
  if (!isArithmetic(&I))
    return false;
  auto &B = cast<BinaryOperator>(I);
  int N = baseOperand(B);
  if (N < 0)
    return false;
  // A tag, or another part of an address, is a number.
  const APInt *Mask;
  if (B.getOpcode() == Instruction::And && !isAddress(&I) &&
      match(B.getOperand(1), m_APInt(Mask)) &&
      Mask->getActiveBits() <= SmallMask)
    return false;
  Changed = add(&I);
  return add(B.getOperand(static_cast<unsigned>(N))) || Changed;
}

/// Writes the word as the address of a byte at an offset from the base.
void AddressArithmetic::rewrite(BinaryOperator &I) {
  int N = baseOperand(I);
  if (N < 0)
    return;
  Value *Base = I.getOperand(static_cast<unsigned>(N));
  Value *Operand = I.getOperand(static_cast<unsigned>(1 - N));
  IRBuilder<> B(I.getParent(), std::next(I.getIterator()));
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Value *Offset = nullptr;
  StringRef Kind;
  if (I.getOpcode() == Instruction::Add) {
    Offset = Operand;
  } else if (I.getOpcode() == Instruction::Sub) {
    Offset = B.CreateNeg(Operand);
  } else {
    // (p + 15) & -16 is p, moved up to the next aligned address.
    const APInt *Mask, *Up;
    if (match(&I, m_And(m_Value(), m_APInt(Mask)))) {
      Value *Down;
      if (match(Base, m_PtrToInt(m_PtrAdd(m_Value(Down), m_APInt(Up)))) &&
          Up->ult(-*Mask))
        Base = B.CreatePtrToInt(Down, I.getType());
      Kind = (~*Mask).trunc(SmallMask).ult(8) ? TaggedPointer : AlignedPointer;
    } else {
      Kind = TaggedPointer;
    }
    Offset = B.CreateSub(&I, Base);
  }
  Value *P;
  if (!match(Base, m_PtrToInt(m_Value(P))))
    P = B.CreateIntToPtr(Base, B.getPtrTy());
  Value *G = B.CreatePtrAdd(P, Offset, I.getName() + ".address");
  if (auto *GI = dyn_cast<Instruction>(G); GI && !Kind.empty())
    GI->setMetadata(Kind, MDNode::get(F.getContext(), {}));
  Value *Word = B.CreatePtrToInt(G, I.getType());
  Addresses.insert(Word);
  I.replaceUsesWithIf(Word, [&](Use &U) { return U.getUser() != Offset; });
}

/// llvm.ptrmask masks an address.
void AddressArithmetic::lowerPointerMasks() {
  SmallVector<IntrinsicInst *> Masks;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<IntrinsicInst>(&I);
        C && C->getIntrinsicID() == Intrinsic::ptrmask &&
        C->getType()->isPointerTy() && isWord(C->getArgOperand(1)))
      Masks.push_back(C);
  for (IntrinsicInst *C : Masks) {
    IRBuilder<> B(C);
    Value *Word =
        B.CreatePtrToInt(C->getArgOperand(0), C->getArgOperand(1)->getType());
    Value *Masked = B.CreateAnd(Word, C->getArgOperand(1));
    C->replaceAllUsesWith(B.CreateIntToPtr(Masked, C->getType()));
    C->eraseFromParent();
  }
}

void AddressArithmetic::findMixed() {
  auto Takes = [&](const Use &U) {
    return match(U.get(), m_PtrToInt(m_Value())) || Mixed.contains(U.get());
  };
  for (bool Again = true; Again;) {
    Again = false;
    for (Instruction &I : instructions(F))
      if (isa<BinaryOperator, CastInst, PHINode, SelectInst>(I) &&
          I.getType()->isIntegerTy() && any_of(I.operands(), Takes))
        Again |= Mixed.insert(&I).second;
  }
}

void AddressArithmetic::run() {
  for (Instruction &I : instructions(F))
    for (Use &O : I.operands())
      if (auto *C = dyn_cast<ConstantExpr>(O))
        O.set(withAddresses(C));
  lowerPointerMasks();
  findMixed();
  for (bool Again = true; Again;) {
    Again = false;
    for (Instruction &I : instructions(F))
      Again |= step(I);
  }
  // The order matters: what is rewritten is the base of what follows.
  SmallVector<BinaryOperator *> Work;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *B)
      if (isArithmetic(&I) && isAddress(&I))
        Work.push_back(cast<BinaryOperator>(&I));
  for (BinaryOperator *I : Work)
    rewrite(*I);
}

} // namespace

void followPointerArithmetic(Function &F) { AddressArithmetic(F).run(); }

} // namespace retro
