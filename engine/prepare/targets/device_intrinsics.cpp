// Input: intrinsics of NVIDIA's and AMD's processors. A plain function of its
// operands has a row in the table of known functions and stays; what is
// composed of others becomes these here, with the same rounding. Other
// intrinsics on active values are errors.
#include "prepare/targets/device_intrinsics.h"
#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

/// A call like I, of another intrinsic; null if there is none of that name.
Value *callOf(IRBuilder<> &B, StringRef Name, IntrinsicInst &I,
              ArrayRef<Value *> Args) {
  Intrinsic::ID Id = Intrinsic::lookupIntrinsicID(Name);
  if (Id == Intrinsic::not_intrinsic || Intrinsic::isOverloaded(Id))
    return nullptr;
  Value *V = B.CreateIntrinsic(Id, ArrayRef<Type *>(), Args);
  return V->getType() == I.getType() ? V : nullptr;
}

std::string without(StringRef Name, StringRef Part) {
  auto [Before, After] = Name.split(Part);
  return (Before + After).str();
}

Value *constant(Value *Like, double X) {
  return ConstantFP::get(Like->getType(), X);
}

/// X clamped to [0, 1]; what is no number becomes 0.
Value *saturated(IRBuilder<> &B, Value *X) {
  Value *Above = B.CreateMaxNum(X, constant(X, 0));
  return B.CreateMinNum(Above, constant(X, 1));
}

/// The upper or the lower of the two words of a double, and a double of two
/// words.
Value *wordOf(IRBuilder<> &B, Value *X, bool High) {
  Value *Bits = B.CreateBitCast(X, B.getInt64Ty());
  return B.CreateTrunc(High ? B.CreateLShr(Bits, 32) : Bits, B.getInt32Ty());
}

Value *ofWords(IRBuilder<> &B, Value *Low, Value *High) {
  Value *Above = B.CreateShl(B.CreateZExt(High, B.getInt64Ty()), 32);
  Value *Bits = B.CreateOr(Above, B.CreateZExt(Low, B.getInt64Ty()));
  return B.CreateBitCast(Bits, B.getDoubleTy());
}

Value *loweredNvidia(IRBuilder<> &B, IntrinsicInst &I) {
  StringRef Full = I.getCalledFunction()->getName(), Name = Full;
  if (!Name.consume_front("llvm.nvvm."))
    return nullptr;
  Value *X = I.arg_size() ? I.getArgOperand(0) : nullptr;
  SmallVector<Value *> Args(I.args());
  if (Name.contains(".sat.")) {
    Value *V = callOf(B, without(Full, ".sat"), I, Args);
    return V ? saturated(B, V) : nullptr;
  }
  if (Name.contains(".relu.") && Name.starts_with("fma.")) {
    Value *V = callOf(B, without(Full, ".relu"), I, Args);
    return V ? B.CreateMaximum(V, constant(V, 0)) : nullptr;
  }
  if (Name.starts_with("saturate."))
    return saturated(B, X);
  if (Name == "rcp.approx.ftz.d")
    return B.CreateFDiv(constant(X, 1), X);
  if (Name.consume_front("rcp."))
    return callOf(B, ("llvm.nvvm.div." + Name).str(), I, {constant(X, 1), X});
  // Other modes of rounding have no known function, and would give a neighbour
  // of the number.
  if (Name == "d2f.rn" || Name == "d2f.rn.ftz")
    return B.CreateFPTrunc(X, I.getType());
  if (Name.starts_with("move."))
    return X;
  if (Name == "d2i.hi" || Name == "d2i.lo")
    return wordOf(B, X, Name.ends_with("hi"));
  if (Name == "lohi.i2d")
    return ofWords(B, X, I.getArgOperand(1));
  if (Name == "f2h.rn" || Name == "f2h.rn.ftz")
    return B.CreateBitCast(B.CreateFPTrunc(X, B.getHalfTy()), B.getInt16Ty());
  if (Name == "f2f16.rn" || Name == "f2bf16.rn")
    return B.CreateFPTrunc(X, I.getType());
  return nullptr;
}

Value *callOfLibrary(IRBuilder<> &B, CallBase &I, rules::Fn F, Value *X) {
  Module &M = *I.getModule();
  Type *T = X->getType();
  return B.CreateCall(M.getOrInsertFunction(deviceSpelling(F, M, T), T, T), X);
}

/// Replaces sincos by calls of the two functions. ocml returns the sine and
/// stores the cosine; libdevice's sincos is known as it is.
bool lowerSincos(IRBuilder<> &B, CallBase &C) {
  Function *F = C.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  const bool OfOcml = isA(Name, NameKind::SincospiOfOcml);
  const bool Amd = OfOcml || isA(Name, NameKind::SincosOfOcml);
  const bool Turns = OfOcml || isA(Name, NameKind::SincospiOfCuda);
  if (!Amd && !Turns)
    return false;
  Value *X = C.getArgOperand(0);
  Value *Sine =
      callOfLibrary(B, C, Turns ? rules::Fn::Sinpi : rules::Fn::Sin, X);
  Value *Cosine =
      callOfLibrary(B, C, Turns ? rules::Fn::Cospi : rules::Fn::Cos, X);
  if (Amd)
    C.replaceAllUsesWith(Sine);
  else
    B.CreateStore(Sine, C.getArgOperand(1));
  B.CreateStore(Cosine, C.getArgOperand(Amd ? 1 : 2));
  C.eraseFromParent();
  return true;
}

/// sin(2 pi x) or cos(2 pi x), of an angle in turns.
Value *ofTurns(IRBuilder<> &B, IntrinsicInst &I, rules::Fn F) {
  if (!I.getType()->isFloatTy())
    return nullptr;
  Value *X = I.getArgOperand(0);
  return callOfLibrary(B, I, F, B.CreateFAdd(X, X));
}

Value *loweredAmd(IRBuilder<> &B, IntrinsicInst &I) {
  Value *X = I.arg_size() ? I.getArgOperand(0) : nullptr;
  switch (I.getIntrinsicID()) {
  case Intrinsic::amdgcn_rcp:
    return B.CreateFDiv(constant(X, 1), X);
  case Intrinsic::amdgcn_sin:
    return ofTurns(B, I, rules::Fn::Sinpi);
  case Intrinsic::amdgcn_cos:
    return ofTurns(B, I, rules::Fn::Cospi);
  case Intrinsic::amdgcn_fmed3: {
    Value *Y = I.getArgOperand(1), *Z = I.getArgOperand(2);
    return B.CreateMaxNum(B.CreateMinNum(X, Y),
                          B.CreateMinNum(B.CreateMaxNum(X, Y), Z));
  }
  default:
    return nullptr;
  }
}

} // namespace

bool lowerDeviceIntrinsic(CallBase &C) {
  if (!isGpu(*C.getModule()))
    return false;
  IRBuilder<> B(&C);
  auto *I = dyn_cast<IntrinsicInst>(&C);
  if (!I)
    return lowerSincos(B, C);
  Value *V = C.getModule()->getTargetTriple().isNVPTX() ? loweredNvidia(B, *I)
                                                        : loweredAmd(B, *I);
  if (!V)
    return false;
  C.replaceAllUsesWith(V);
  C.eraseFromParent();
  return true;
}

} // namespace retro
