// Input: calls of sscanf and its kind, of streams and of Fortran's `read`,
// which read numbers of a text into the program's memory. Output: they read
// into variables, and what they have read is stored where the program wants it:
// a constant, which ends the derivative of what was there.
#include "prepare/calls/scanned_numbers.h"

#include "front/names/foreign.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace retro {
namespace {

/// A place that a conversion of the format stores to.
struct Scanned {
  Type *Number = nullptr; ///< null: no floating-point number
  bool Counted = true;    ///< in the result of the call
};

/// The type of a floating-point conversion with this length.
Type *numberOf(StringRef Length, LLVMContext &C) {
  return Length.empty()  ? Type::getFloatTy(C)
         : Length == "l" ? Type::getDoubleTy(C)
                         : nullptr;
}

/// Takes one conversion, behind its %, off the text; nothing if it is not one
/// that is known.
std::optional<Scanned> conversion(StringRef &Text, LLVMContext &C) {
  Text = Text.drop_while(isDigit);
  const StringRef Length =
      Text.take_while([](char L) { return StringRef("hlLqjzt").contains(L); });
  Text = Text.drop_front(Length.size());
  const char Kind = Text.empty() ? '\0' : Text.front();
  Text = Text.drop_front(Text.empty() ? 0 : 1);
  if (StringRef("aAeEfFgG").contains(Kind) && Kind) {
    Type *T = numberOf(Length, C);
    return T ? std::optional(Scanned{T}) : std::nullopt;
  }
  if (Kind == '[') {
    // The first bracket behind [ or [^ stands for itself.
    Text.consume_front("^");
    Text = Text.drop_front(Text.empty() ? 0 : 1);
    Text = Text.drop_while([](char L) { return L != ']'; });
    Text.consume_front("]");
    return Scanned{};
  }
  if (Kind && StringRef("diouxXscpn").contains(Kind))
    return Scanned{nullptr, Kind != 'n'};
  return std::nullopt;
}

/// The places of a format; nothing if a conversion is not known.
std::optional<SmallVector<Scanned>> placesOf(StringRef Text, LLVMContext &C) {
  SmallVector<Scanned> Places;
  while (!Text.empty()) {
    if (!Text.consume_front("%")) {
      Text = Text.drop_front();
      continue;
    }
    if (Text.consume_front("%"))
      continue;
    const bool Stores = !Text.consume_front("*");
    auto One = conversion(Text, C);
    if (!One)
      return std::nullopt;
    if (Stores)
      Places.push_back(*One);
  }
  return Places;
}

constexpr const char *Settled = "retro.scanned";

/// The type of the number that a call reads by reference, which its function's
/// name says; null of an integer and of other calls.
Type *referredNumber(const CallBase &Call) {
  LLVMContext &C = Call.getContext();
  if (callsA(Call, NameKind::ReadsDouble))
    return Type::getDoubleTy(C);
  if (callsA(Call, NameKind::ReadsFloat))
    return Type::getFloatTy(C);
  if (!callsA(Call, NameKind::ReadsNumber))
    return nullptr;
  const Function &F = *Call.getCalledFunction();
  const std::string Name = demangle(F.getName());
  auto Says = [&](StringRef What) { return StringRef(Name).contains(What); };
  if (Says("long double&"))
    return Triple(F.getParent()->getTargetTriple()).isX86()
               ? Type::getX86_FP80Ty(C)
               : Type::getFP128Ty(C);
  return Says("double&")  ? Type::getDoubleTy(C)
         : Says("float&") ? Type::getFloatTy(C)
                          : nullptr;
}

/// A function that reads one number may store none, where the text has none. A
/// NaN that no text gives tells whether it has.
bool settleReferred(CallBase &C) {
  Type *T = referredNumber(C);
  if (!T || !isa<CallInst>(C) || C.hasMetadata(Settled))
    return false;
  unsigned Arg = C.arg_size() - 1;
  while (Arg && !C.getArgOperand(Arg)->getType()->isPointerTy())
    --Arg;
  C.setMetadata(Settled, MDNode::get(C.getContext(), {}));
  IRBuilder<> Entry(&*C.getFunction()->getEntryBlock().getFirstInsertionPt());
  AllocaInst *Variable = Entry.CreateAlloca(T, nullptr, "read");
  const APInt Payload(32, 0x26574);
  const APFloat None = APFloat::getQNaN(T->getFltSemantics(), false, &Payload);
  IRBuilder<>(&C).CreateStore(ConstantFP::get(T, None), Variable);
  Value *At = C.getArgOperand(Arg);
  C.setArgOperand(Arg, Variable);
  IRBuilder<> B(C.getNextNode());
  Value *Bits =
      B.CreateLoad(B.getIntNTy(T->getPrimitiveSizeInBits()), Variable);
  Value *Read = B.CreateICmpNE(
      Bits, ConstantInt::get(Bits->getType(), None.bitcastToAPInt()));
  Value *Old = B.CreateLoad(T, At), *New = B.CreateLoad(T, Variable);
  B.CreateStore(B.CreateSelect(Read, New, Old), At);
  return true;
}

} // namespace

bool settleScanned(CallBase &C) {
  if (settleReferred(C))
    return true;
  const bool OfMedium = callsA(C, NameKind::ScansMedium);
  if (!isa<CallInst>(C) || (!OfMedium && !callsA(C, NameKind::ScansInput)))
    return false;
  const unsigned Format = OfMedium ? 1 : 0;
  StringRef Text;
  if (!C.getType()->isIntegerTy() || C.arg_size() <= Format ||
      !getConstantStringInfo(C.getArgOperand(Format), Text))
    return false;
  auto Places = placesOf(Text, C.getContext());
  if (!Places || C.arg_size() != Format + 1 + Places->size() ||
      C.hasMetadata(Settled))
    return false;
  C.setMetadata(Settled, MDNode::get(C.getContext(), {}));
  IRBuilder<> Entry(&*C.getFunction()->getEntryBlock().getFirstInsertionPt());
  IRBuilder<> B(C.getNextNode());
  uint64_t Before = 0; // conversions that are counted
  bool Changed = false;
  for (auto [N, Place] : enumerate(*Places)) {
    const auto Arg = static_cast<unsigned>(Format + 1 + N);
    Value *At = C.getArgOperand(Arg);
    if (Place.Number) {
      AllocaInst *Variable =
          Entry.CreateAlloca(Place.Number, nullptr, "scanned");
      C.setArgOperand(Arg, Variable);
      Value *Read = B.CreateICmpSGT(&C, ConstantInt::get(C.getType(), Before));
      Value *Old = B.CreateLoad(Place.Number, At);
      Value *New = B.CreateLoad(Place.Number, Variable);
      B.CreateStore(B.CreateSelect(Read, New, Old), At);
      Changed = true;
    }
    Before += Place.Counted;
  }
  return Changed;
}

} // namespace retro
