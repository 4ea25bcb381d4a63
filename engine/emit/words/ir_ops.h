// The builder over which rules emit LLVM IR: the same text of a rule is a proof
// over other builders (verify/rules/). It adds nothing that a rule did not say.
#ifndef RETRO_EMIT_WORDS_IR_OPS_H
#define RETRO_EMIT_WORDS_IR_OPS_H

#include "rules/dispatch.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace retro {

struct IROps {
  using Value = llvm::Value *;
  using Bool = llvm::Value *;
  using Int = llvm::Value *;
  /// Fetches primal values at the builder's place.
  struct Operands {
    llvm::function_ref<llvm::Value *(int)> Fetch; ///< -1: the result
    Value in(int I) { return Fetch(I); }
    Int inInt(int I) { return Fetch(I); }
    Value out() { return Fetch(-1); }
  };

  explicit IROps(llvm::IRBuilder<> &B, bool GuardProducts = false)
      : B(B), GuardProducts(GuardProducts) {}

  Value constant(double C, Value Like) {
    return llvm::ConstantFP::get(Like->getType(), C);
  }
  std::optional<double> known(Value V);
  Value neg(Value A) { return B.CreateFNeg(A); }
  Value add(Value A, Value C) { return B.CreateFAdd(A, C); }
  Value sub(Value A, Value C) { return B.CreateFSub(A, C); }
  Value mul(Value A, Value C) { return B.CreateFMul(A, C); }
  Value div(Value A, Value C) { return B.CreateFDiv(A, C); }
  Value fma(Value A, Value C, Value D) { return add(mul(A, C), D); }
  Bool lt(Value A, Value C) { return B.CreateFCmpOLT(A, C); }
  Bool le(Value A, Value C) { return B.CreateFCmpOLE(A, C); }
  Bool gt(Value A, Value C) { return B.CreateFCmpOGT(A, C); }
  Bool ge(Value A, Value C) { return B.CreateFCmpOGE(A, C); }
  Bool eq(Value A, Value C) { return B.CreateFCmpOEQ(A, C); }
  Bool ne(Value A, Value C) { return B.CreateFCmpUNE(A, C); }
  Bool unordered(Value A, Value C) { return B.CreateFCmpUNO(A, C); }
  Bool signbit(Value A);
  Bool andB(Bool A, Bool C) { return B.CreateAnd(A, C); }
  Bool orB(Bool A, Bool C) { return B.CreateOr(A, C); }
  Bool xorB(Bool A, Bool C) { return B.CreateXor(A, C); }
  Bool notB(Bool A) { return B.CreateNot(A); }
  Value select(Bool P, Value A, Value C) { return B.CreateSelect(P, A, C); }
  Value call(rules::Fn F, Value A) { return callPrimal(F, {A}); }
  Value call(rules::Fn F, Value A, Value C) { return callPrimal(F, {A, C}); }
  Value callInt(rules::Fn F, Value A, Int N);
  Int addInt(Int N, int C) {
    return B.CreateAdd(N, llvm::ConstantInt::getSigned(N->getType(), C));
  }
  Bool eqInt(Int N, int C, Value Like);
  Value fromInt(Int N, Value Like);
  bool guards(rules::Guard G) {
    bool Yes = G == rules::Guard::Singular || GuardProducts;
    GuardAsked |= Yes;
    return Yes;
  }
  /// Was a product guarded?
  bool askedForGuard() const { return GuardAsked; }

private:
  Value callPrimal(rules::Fn F, llvm::ArrayRef<llvm::Value *> Args);
  Value spread(llvm::Value *V, llvm::Type *Like);

  llvm::IRBuilder<> &B;
  bool GuardProducts;
  bool GuardAsked = false;
};
static_assert(rules::Ops<IROps>);

} // namespace retro

#endif
