// Emits how the forward pass finds out by shadows what the words of a copy
// are, and how the reverse pass asks for it. Without it adjoints of such words
// would be lost, or added to addresses.
#include "emit/calls/either_words.h"

#include "emit/calls/transfer_words.h"
#include "emit/common/shadow_emitter.h"
#include "facts/types/declared_types.h"

using namespace llvm;

namespace retro {
namespace {

/// The addresses of a program lie in this range. Of numbers there are so small
/// ones only below 1.4e-309. Where the halves of a word are numbers, addresses
/// have an upper half, which as a number is below 4.6e-41, and a lower one.
constexpr uint64_t LowestAddress = 0x10000, LowestOfHalves = 1ull << 32,
                   AddressesEnd = 1ull << 48;

/// The shadow of a word that is no pointer, with the note that its source has:
/// runtime/noted_words.c says what that is.
Value *withNote(IRBuilder<> &B, Value *Number, Value *Source) {
  Value *Note = B.getInt64(uint64_t(1) << 63), *Zero = B.getInt64(0);
  return B.CreateSelect(
      B.CreateICmpEQ(Source, Note),
      B.CreateSelect(B.CreateICmpEQ(Number, Zero), Note, Number),
      B.CreateSelect(B.CreateICmpEQ(Number, Note), Zero, Number));
}

/// The address of the next of a row of bytes, a variable that is moved on.
Value *nextByte(IRBuilder<> &B, AllocaInst *Next) {
  Value *At = B.CreateLoad(B.getPtrTy(), Next);
  B.CreateStore(B.CreatePtrAdd(At, B.getInt64(1)), Next);
  return At;
}

AllocaInst *variable(Instruction *EntryPoint) {
  IRBuilder<> Entry(EntryPoint);
  return Entry.CreateAlloca(Entry.getPtrTy(), nullptr, "kinds.next");
}

} // namespace

Value *mayBeAddress(IRBuilder<> &B, Value *Word, Type *Number) {
  const bool Halves = Number->isVectorTy();
  const uint64_t Lowest = Halves ? LowestOfHalves : LowestAddress;
  Value *Is = B.CreateICmpULT(B.CreateSub(Word, B.getInt64(Lowest)),
                              B.getInt64(AddressesEnd - Lowest));
  // The lower half may have been taken away.
  return Halves ? B.CreateAnd(Is, B.CreateIsNotNull(
                                      B.CreateTrunc(Word, B.getInt32Ty())))
                : Is;
}

void zeroWord(IRBuilder<> &B, Value *Ptr, Type *Number, bool IfAddress) {
  Value *Old = B.CreateAlignedLoad(B.getInt64Ty(), Ptr, Align(1));
  Value *Zero = B.getInt64(0), *Is = mayBeAddress(B, Old, Number);
  B.CreateAlignedStore(
      B.CreateSelect(Is, IfAddress ? Zero : Old, IfAddress ? Old : Zero), Ptr,
      Align(1));
}

/// Of a pointer that was there, the part goes whose place I writes to. What is
/// left is the address of nothing.
void ShadowEmitter::clearAddresses(Instruction &I) {
  IRBuilder<> B = after(I);
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    Value *P = S->getPointerOperand();
    Type *T = S->getValueOperand()->getType();
    Value *At = guard(B, P).place(shadow(P), T, S->getAlign(), entryPoint());
    if (E.Plan->isAmongPointers(I))
      coverPlace(B, At, T);
    else
      B.CreateAlignedStore(Constant::getNullValue(T), At, S->getAlign());
    return;
  }
  auto &C = cast<CallBase>(I);
  const KnownFunction &Row = *knownCall(C).Row;
  Value *To = C.getArgOperand(static_cast<unsigned>(Row.A));
  const TransferLayout L = plannedLayout(Act, C);
  SmallVector<Run> Runs;
  copy_if(L.Numbers, std::back_inserter(Runs),
          [](const Run &R) { return R.T->isFloatTy(); });
  Value *Bytes = guard(B, To).value(B.CreateZExtOrTrunc(
      primal(C.getArgOperand(static_cast<unsigned>(Row.C))), B.getInt64Ty()));
  Value *SD = shadow(To);
  const bool Notes = E.Plan->isAmongPointers(C);
  forEachWord(B, L, Runs, Bytes, [&](const Place &W) {
    if (Notes)
      coverPlace(B, W.in(B, SD), W.T);
    else
      B.CreateAlignedStore(Constant::getNullValue(W.T), W.in(B, SD), Align(1));
  });
}

/// The shadows of pointers go along. Where a number takes the place of a
/// pointer, its adjoint begins with zero. An adjoint may be there where the
/// forward pass runs again in the reverse pass: then the primal's word says,
/// too, that it is no pointer.
void ShadowEmitter::copyEither(IRBuilder<> &B, CallBase &C,
                               const TransferLayout &L, Value *To, Value *From,
                               Value *Bytes) {
  KnownCall K = knownCall(C);
  // Behind the copy the primal words are at the destination.
  Value *Primal = primal(
      C.getArgOperand(static_cast<unsigned>(Before ? K.Row->B : K.Row->A)));
  const bool Keep = E.lane() == 0 && keepsKinds(C), Mask = fitsMask(L);
  Value *Kinds = B.getInt64(0);
  AllocaInst *Next = nullptr;
  if (Keep && !Mask) {
    E.useArena();
    Kinds = E.RT.allocate(B, Arena,
                          B.CreateAdd(B.CreateLShr(Bytes, 3), B.getInt64(1)),
                          E.R.ownerText(C));
    Next = variable(entryPoint());
    B.CreateStore(Kinds, Next);
  }
  unsigned Word = 0;
  Type *I64 = B.getInt64Ty();
  forEachWord(B, L, L.Either, Bytes, [&](const Place &W) {
    auto Load = [&](Value *Base) {
      return B.CreateAlignedLoad(I64, W.in(B, Base), Align(1));
    };
    Value *Shadow = Load(From), *Old = Load(To);
    Value *IsPointer = B.CreateAnd(mayBeAddress(B, Shadow, W.T),
                                   mayBeAddress(B, Load(Primal), W.T));
    // Where the halves are numbers, none has an adjoint yet.
    Value *Number =
        W.T->isVectorTy()
            ? B.getInt64(0)
            : B.CreateSelect(mayBeAddress(B, Old, W.T), B.getInt64(0), Old);
    if (C.hasMetadata(MovesNotes))
      Number = withNote(B, Number, Shadow);
    B.CreateAlignedStore(B.CreateSelect(IsPointer, Shadow, Number), W.in(B, To),
                         Align(1));
    if (!Keep)
      return;
    if (Mask)
      Kinds = B.CreateOr(
          Kinds,
          B.CreateShl(B.CreateZExt(B.CreateNot(IsPointer), I64), Word++));
    else
      B.CreateStore(B.CreateZExt(B.CreateNot(IsPointer), B.getInt8Ty()),
                    nextByte(B, Next));
  });
  if (Keep)
    keepKinds(C, B, Kinds);
}

void NotedKinds::restart(IRBuilder<> &B) {
  Word = 0;
  if (!Kinds || !Kinds->getType()->isPointerTy())
    return;
  if (!Next)
    Next = variable(EntryPoint);
  B.CreateStore(Kinds, Next);
}

Value *NotedKinds::isNumber(IRBuilder<> &B) {
  Value *Kind = Next ? B.CreateLoad(B.getInt8Ty(), nextByte(B, Next))
                     : B.CreateLShr(Kinds, Word++);
  return B.CreateTrunc(Kind, B.getInt1Ty());
}

} // namespace retro
