// Reads formats of numbers from the operands of requests. Output: the formats,
// or an error at the request for one that does not exist.
#include "formats/format.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace retro {
namespace {

Type *typeOf(LLVMContext &C, uint64_t Bits) {
  switch (Bits) {
  case 64:
    return Type::getDoubleTy(C);
  case 32:
    return Type::getFloatTy(C);
  case 16:
    return Type::getHalfTy(C);
  default:
    return nullptr;
  }
}

/// Why what Said names is no format; empty: it is one.
std::string problemOf(Format &F, LLVMContext &C, ArrayRef<uint64_t> Said) {
  F.From = Said[0] == 16 ? nullptr : typeOf(C, Said[0]);
  if (!F.From)
    return "numbers of " + std::to_string(Said[0]) + " bits are not changed";
  if (Said.size() == 2 || (Said.size() == 3 && Said[1] == 0)) {
    F.Narrow = typeOf(C, Said.back());
    if (F.Narrow && F.Narrow->getScalarSizeInBits() < Said[0])
      return "";
    return "there is no type of " + std::to_string(Said.back()) +
           " bits that is narrower";
  }
  if (Said.size() != 4 || Said[1] != 1)
    return "it takes two numbers, or four of which the second is 1";
#ifndef RETRO_HAS_MPFR
  return "the engine was built without MPFR (Debian's libmpfr-dev)";
#endif
  F.Exponent = static_cast<unsigned>(Said[2]);
  F.Mantissa = static_cast<unsigned>(Said[3]);
  if (!F.From->isDoubleTy())
    return "only numbers of 64 bits are computed with MPFR";
  // What an operation gives is kept as a double, which has to hold it.
  if (Said[2] < 2 || Said[2] > 11)
    return "an exponent has 2 to 11 bits";
  if (Said[3] < 1 || Said[3] > 52)
    return "a mantissa has 1 to 52 bits";
  return "";
}

} // namespace

std::optional<Format> parseFormat(CallBase &Call, unsigned First, Reporter &R) {
  SmallVector<uint64_t> Said;
  bool Constant = Call.arg_size() > First + 1;
  for (unsigned N = First; N < Call.arg_size(); ++N) {
    auto *K = dyn_cast<ConstantInt>(Call.getArgOperand(N));
    Constant &= K != nullptr;
    Said.push_back(K ? K->getZExtValue() : 0);
  }
  Format F;
  std::string Problem = Constant ? problemOf(F, Call.getContext(), Said)
                                 : "its bits are not constants";
  if (Problem.empty())
    return F;
  R.error(Diag::BadFormat, &Call,
          {Call.getCalledOperand()->getName().str(), Problem});
  return std::nullopt;
}

} // namespace retro
