#include "emit/calls/either_words.h"

#include "emit/calls/transfer_words.h"
#include "emit/common/shadow_emitter.h"

using namespace llvm;

namespace retro {
namespace {

/// The addresses of a program lie in this range. Of numbers there are so small
/// ones only below 1.4e-309.
constexpr uint64_t LowestAddress = 0x10000, AddressesEnd = 1ull << 48;

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

Value *mayBeAddress(IRBuilder<> &B, Value *Word) {
  return B.CreateICmpULT(B.CreateSub(Word, B.getInt64(LowestAddress)),
                         B.getInt64(AddressesEnd - LowestAddress));
}

void zeroWord(IRBuilder<> &B, Value *Ptr, bool IfAddress) {
  Value *Old = B.CreateAlignedLoad(B.getInt64Ty(), Ptr, Align(1));
  Value *Zero = B.getInt64(0), *Is = mayBeAddress(B, Old);
  B.CreateAlignedStore(
      B.CreateSelect(Is, IfAddress ? Zero : Old, IfAddress ? Old : Zero), Ptr,
      Align(1));
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
    Value *IsPointer =
        B.CreateAnd(mayBeAddress(B, Shadow), mayBeAddress(B, Load(Primal)));
    Value *Number = B.CreateSelect(mayBeAddress(B, Old), B.getInt64(0), Old);
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
