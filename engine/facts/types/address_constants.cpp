// Input: a constant in which the address of a variable is an integer, as LLVM
// folds what a program computes of it. Output: the same as an address. The
// shadow of a pointer is at the same offset; an integer has none.
#include "facts/types/address_constants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace retro {

/// The pointer in C, an integer, and how far C is from it.
static std::pair<Constant *, APInt> pointerIn(Constant *C) {
  APInt Offset(C->getType()->getIntegerBitWidth(), 0);
  while (auto *X = dyn_cast<ConstantExpr>(C)) {
    if (X->getOpcode() == Instruction::PtrToInt)
      return {X->getOperand(0), Offset};
    auto *Step = dyn_cast<ConstantInt>(X->getOperand(X->getNumOperands() - 1));
    if (!Step || (X->getOpcode() != Instruction::Add &&
                  X->getOpcode() != Instruction::Sub))
      break;
    Offset = X->getOpcode() == Instruction::Add ? Offset + Step->getValue()
                                                : Offset - Step->getValue();
    C = X->getOperand(0);
  }
  return {nullptr, Offset};
}

Constant *withAddresses(Constant *C) {
  auto *X = dyn_cast<ConstantExpr>(C);
  if (!X)
    return C;
  SmallVector<Constant *> Ops;
  for (Use &O : X->operands())
    Ops.push_back(withAddresses(cast<Constant>(O)));
  if (!equal(Ops, X->operands()))
    C = X->getWithOperands(Ops);
  const bool IsPointer = X->getOpcode() == Instruction::IntToPtr;
  if (!IsPointer && X->getOpcode() != Instruction::Add &&
      X->getOpcode() != Instruction::Sub)
    return C;
  auto [P, Offset] = pointerIn(IsPointer ? Ops[0] : C);
  if (!P)
    return C;
  LLVMContext &Context = C->getContext();
  Constant *Moved =
      Offset.isZero()
          ? P
          : ConstantExpr::getGetElementPtr(Type::getInt8Ty(Context), P,
                                           ConstantInt::get(Context, Offset));
  return IsPointer ? ConstantExpr::getPointerCast(Moved, C->getType())
                   : ConstantExpr::getPtrToInt(Moved, C->getType());
}

} // namespace retro
