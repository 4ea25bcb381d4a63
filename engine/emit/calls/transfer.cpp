// Copies and fills of memory. The layout of the memory says which words are
// numbers, whose adjoints or tangents move, and which are pointers, whose
// shadows move; all other words are left alone. Without it what a program
// copies as bytes would lose its derivative. Members of ShadowEmitter and
// ReverseSweep (emit/common/).
#include "emit/calls/either_words.h"
#include "emit/calls/transfer_words.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/shadow_emitter.h"
#include "emit/words/memory_adjoint.h"
#include "facts/activity/transfer_layout.h"
#include "facts/types/declared_types.h"
#include "front/names/foreign.h"
#include "front/names/runtime.h"
#include "ir/emit_loop.h"
#include "ir/heap.h"
#include "prepare/calls/known_calls.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace retro {
namespace {

Value *operand(const CallBase &C, int N) {
  return C.getArgOperand(static_cast<unsigned>(N));
}

/// How many of the Bytes that a copy moves are there in the source's shadow.
Value *bytesOfShadow(IRBuilder<> &B, const CallBase &C, Value *Bytes,
                     Value *Source) {
  if (!C.hasMetadata(MovesBlock))
    return Bytes;
  Type *T = Bytes->getType();
  return B.CreateBinaryIntrinsic(
      Intrinsic::umin, Bytes,
      B.CreateZExtOrTrunc(callForeign(B, Foreign::malloc_usable_size, Source),
                          T));
}

/// How the adjoint of a word leaves the destination's shadow, and how it comes
/// to the source's.
struct WordMove {
  function_ref<Value *(const Place &)> Take;
  function_ref<void(const Place &, Value *)> Add;
};

/// Of all words of a copy: those of numbers, and those that may be pointers.
struct CopyMoves {
  IRBuilder<> &B;
  const TransferLayout &L;
  Value *Bytes;
  WordMove Number, Either;
};

bool areFew(const TransferLayout &L) {
  auto IsShort = [](const Run &R) { return R.Repeat <= MostUnrolled; };
  return L.Period == 0 && all_of(L.Numbers, IsShort) &&
         all_of(L.Either, IsShort);
}

/// All of the destination is read before any of the source is written: the two
/// may overlap.
void moveAtOnce(const CopyMoves &M) {
  SmallVector<std::pair<Place, Value *>> Numbers, Either;
  forEachWord(M.B, M.L, M.L.Numbers, M.Bytes, [&](const Place &W) {
    Numbers.push_back({W, M.Number.Take(W)});
  });
  forEachWord(M.B, M.L, M.L.Either, M.Bytes,
              [&](const Place &W) { Either.push_back({W, M.Either.Take(W)}); });
  for (auto &[W, G] : Numbers)
    M.Number.Add(W, G);
  for (auto &[W, G] : Either)
    M.Either.Add(W, G);
}

void moveOneByOne(const CopyMoves &M) {
  auto Move = [&](const WordMove &How) {
    return [&](const Place &W) {
      Value *G = How.Take(W);
      How.Add(W, G);
    };
  };
  forEachWord(M.B, M.L, M.L.Numbers, M.Bytes, Move(M.Number));
  forEachWord(M.B, M.L, M.L.Either, M.Bytes, Move(M.Either));
}

/// Does the same as moveAtOnce, by way of memory of its own. From: the
/// destination's shadow.
void moveThroughMemory(const CopyMoves &M, Value *From) {
  IRBuilder<> &B = M.B;
  Module &Mod = *B.GetInsertBlock()->getModule();
  Value *Tmp = B.CreateCall(mallocOf(Mod), M.Bytes);
  auto Take = [&](ArrayRef<Run> Runs, const WordMove &How) {
    forEachWord(B, M.L, Runs, M.Bytes, [&](const Place &W) {
      Value *G = How.Take(W);
      B.CreateAlignedStore(G, W.in(B, Tmp), Align(1));
    });
  };
  auto Add = [&](ArrayRef<Run> Runs, const WordMove &How) {
    forEachWord(B, M.L, Runs, M.Bytes, [&](const Place &W) {
      How.Add(W, B.CreateAlignedLoad(W.T, W.in(B, Tmp), Align(1)));
    });
  };
  if (isArray(M.L, M.L.Numbers, Mod.getDataLayout())) {
    noteElement(*B.CreateMemCpy(Tmp, MaybeAlign(), From, MaybeAlign(), M.Bytes),
                M.L.Numbers.front().T);
    B.CreateMemSet(From, B.getInt8(0), M.Bytes, MaybeAlign());
  } else {
    Take(M.L.Numbers, M.Number);
    Take(M.L.Either, M.Either);
  }
  Add(M.L.Numbers, M.Number);
  Add(M.L.Either, M.Either);
  B.CreateCall(freeOf(Mod), Tmp);
}

} // namespace

/// Adjoint of a copy: the destination's adjoint moves to the source's.
void ReverseSweep::copyAdjoint(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A), *Src = operand(C, K.Row->B);
  const TransferLayout L = plannedLayout(Act, C);
  Value *SD = shadow(Dst);
  Value *SS = Act.shadowed(Src) ? shadow(Src) : nullptr;
  Value *Bytes =
      B.CreateZExtOrTrunc(primal(operand(C, K.Row->C)), B.getInt64Ty());
  ActivityGuard To = guard(Dst), From = guard(SS ? Src : Dst);
  Bytes = To.value(SS ? bytesOfShadow(B, C, Bytes, SS) : Bytes);
  if (L.Noted)
    return movePlaces(C, SS, SD, Bytes);
  auto Take = [&](const Place &W) {
    Value *P = To.place(W.in(B, SD), W.T, Align(1), EntryPoint);
    takePlace(C, P, W.T);
    return To.value(takeFromMemory(B, P, W.T, Align(1)));
  };
  auto Add = [&](const Place &W, Value *G) {
    if (!SS)
      return;
    Value *At = From.place(W.in(B, SS), W.T, Align(1), EntryPoint);
    if (P.NotedReads.contains(&C))
      addNoted(At, G);
    else
      addToMemory(B, At, G, Align(1), adding(C));
  };
  NotedKinds Kinds(L.Either.empty() ? nullptr : lookup({Item::Tape, &C}),
                   EntryPoint);
  Kinds.restart(B);
  auto AddIfNumber = [&](const Place &W, Value *G) {
    emitIf(B, Kinds.isNumber(B), [&] { Add(W, G); });
  };
  // A caller may see the shadows of pointers, which stay.
  const bool Seen = P.SeenByCaller.contains(&C);
  auto TakeEither = [&](const Place &W) {
    if (!Seen)
      return Take(W);
    Value *P = To.place(W.in(B, SD), W.T, Align(1), EntryPoint);
    Value *G = B.CreateAlignedLoad(W.T, P, Align(1));
    zeroWord(B, P, W.T, /*IfAddress=*/false);
    return To.value(G);
  };
  const CopyMoves Moves{B, L, Bytes, {Take, Add}, {TakeEither, AddIfNumber}};
  if (areFew(L))
    return moveAtOnce(Moves);
  if (K.Kind != KnownKind::Move || !SS)
    return moveOneByOne(Moves);
  moveThroughMemory(Moves, SD);
}

/// Memory that is overwritten by constants has no adjoint from here on.
void ReverseSweep::setMemoryAdjoint(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A);
  const MemoryShape &Shape = Act.shape();
  int64_t N = MemoryShape::constantSize(operand(C, K.Row->C));
  bool Pointers = any_of(Shape.cellsIn(Dst, N), [](const Cell *X) {
    return X->Kind == CellKind::Pointer;
  });
  Value *Bytes =
      B.CreateZExtOrTrunc(primal(operand(C, K.Row->C)), B.getInt64Ty());
  // Shadow pointers are not read before this place in the reverse pass: loads
  // of what is overwritten here are not repeated. A caller could see them.
  if (!Pointers || !P.SeenByCaller.contains(&C)) {
    B.CreateMemSet(shadow(Dst), B.getInt8(0), guard(Dst).value(Bytes),
                   MaybeAlign());
    return;
  }
  const TransferLayout L = plannedLayout(Act, C);
  Value *SD = shadow(Dst);
  forEachWord(B, L, L.Numbers, guard(Dst).value(Bytes), [&](const Place &W) {
    takeFromMemory(B, W.in(B, SD), W.T, Align(1));
  });
  forEachWord(B, L, L.Either, guard(Dst).value(Bytes), [&](const Place &W) {
    zeroWord(B, W.in(B, SD), W.T, /*IfAddress=*/false);
  });
}

/// Pointers that a copy moves are moved in the shadow too; numbers are the
/// business of the reverse pass, or of the tangent.
void ShadowEmitter::copyPointers(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A), *Src = operand(C, K.Row->B);
  const bool Notes =
      Act.unit().DerivMode != Mode::Forward && C.hasMetadata(MovesNotes);
  if (Notes && Act.shadowed(Dst) && !Act.shadowed(Src))
    return forgetNotes(C);
  if (!Act.shadowed(Dst) || !Act.shadowed(Src))
    return;
  const MemoryShape &Shape = Act.shape();
  int64_t N = MemoryShape::constantSize(operand(C, K.Row->C));
  bool Pointers = false, Floats = false, Numbers = false;
  for (const Cell *X : Shape.cellsIn(Dst, N)) {
    Pointers |= X->Kind == CellKind::Pointer &&
                Shape.classAt(Shape.targetOf(*X)).Shadowed;
    Numbers |= X->Kind == CellKind::Float;
    Floats |= X->Kind == CellKind::Float && X->active();
  }
  bool Forward = Act.unit().DerivMode == Mode::Forward;
  const bool Noted = Act.movesNoted(C);
  const bool AmongPointers = Noted && E.Plan->isAmongPointers(C);
  if (!Pointers && !(Forward && (Floats || Noted)) && !Notes && !AmongPointers)
    return;
  IRBuilder<> B = after(C);
  Value *SD = shadow(Dst), *SS = shadow(Src);
  ActivityGuard To = guard(B, Dst), From = guard(B, Src);
  Value *Bytes =
      To.value(bytesOfShadow(B, C, primal(operand(C, K.Row->C)), SS));
  if (AmongPointers)
    return copyPlaces(B, SD, SS, Bytes, From.inactive());
  if (!Forward && Floats)
    return copyPointerWords(B, C, SD, SS, Bytes, Notes);
  // A number that no input reaches has a tangent of zero, which another copy
  // may move to where active ones are: that of constant memory is the number.
  if (From.inactive() && Numbers)
    return copyUnlessConstant(B, C, SD, SS, Bytes, From.inactive());
  CallInst *Copy =
      K.Kind == KnownKind::Move
          ? B.CreateMemMove(SD, MaybeAlign(), SS, MaybeAlign(), Bytes)
          : B.CreateMemCpy(SD, MaybeAlign(), SS, MaybeAlign(), Bytes);
  noteElement(*Copy, namedElement(C));
}

/// Where words are read one by one: at From, or in a copy of it, which the
/// caller frees, if C may move them over themselves.
static Value *readable(IRBuilder<> &B, CallBase &C, Value *From, Value *Bytes) {
  if (knownCall(C).Kind != KnownKind::Move)
    return From;
  Value *Copy = B.CreateCall(mallocOf(*C.getModule()), Bytes);
  B.CreateMemCpy(Copy, MaybeAlign(), From, MaybeAlign(), Bytes);
  return Copy;
}

/// Of a copy of numbers and pointers: the pointers alone.
void ShadowEmitter::copyPointerWords(IRBuilder<> &B, CallBase &C, Value *SD,
                                     Value *SS, Value *Bytes, bool Notes) {
  const TransferLayout L = plannedLayout(Act, C);
  Bytes = B.CreateZExtOrTrunc(Bytes, B.getInt64Ty());
  Value *Read = readable(B, C, SS, Bytes);
  forEachWord(B, L, L.Pointers, Bytes, [&](const Place &W) {
    Value *V = B.CreateAlignedLoad(W.T, W.in(B, Read), Align(1));
    B.CreateAlignedStore(V, W.in(B, SD), Align(1));
  });
  if (!L.Either.empty())
    copyEither(B, C, L, SD, Read, Bytes);
  if (Notes)
    forEachWord(B, L, L.Numbers, Bytes, [&](const Place &W) {
      callRuntime(B, Rt::note_moved,
                  {W.in(B, SD), W.in(B, Read),
                   B.getInt64(E.M.getDataLayout().getTypeStoreSize(W.T))});
    });
  if (Read != SS)
    B.CreateCall(freeOf(E.M), Read);
}

/// In forward mode: what is copied from constant memory has no tangent, but
/// pointers in it are their own shadows.
void ShadowEmitter::copyUnlessConstant(IRBuilder<> &B, CallBase &C, Value *To,
                                       Value *From, Value *Bytes,
                                       Value *IsConstant) {
  const TransferLayout L = plannedLayout(Act, C);
  Bytes = B.CreateZExtOrTrunc(Bytes, B.getInt64Ty());
  if (L.Noted) {
    Value *None = B.getInt64(0);
    B.CreateMemMove(To, MaybeAlign(), From, MaybeAlign(),
                    B.CreateSelect(IsConstant, None, Bytes));
    B.CreateMemSet(To, B.getInt8(0), B.CreateSelect(IsConstant, Bytes, None),
                   MaybeAlign());
    return;
  }
  Value *Read = readable(B, C, From, Bytes);
  auto Copy = [&](ArrayRef<Run> Runs, function_ref<Value *(Value *, Type *)> As,
                  bool Whole) {
    forEachWord(B, L, Runs, Bytes, [&](const Place &W) {
      Type *T = Whole ? B.getInt64Ty() : W.T;
      Value *V = B.CreateAlignedLoad(T, W.in(B, Read), Align(1));
      B.CreateAlignedStore(As(V, W.T), W.in(B, To), Align(1));
    });
  };
  auto UnlessConstant = [&](Value *V) {
    return B.CreateSelect(IsConstant, Constant::getNullValue(V->getType()), V);
  };
  Copy(L.Pointers, [](Value *V, Type *) { return V; }, false);
  Copy(L.Numbers, [&](Value *V, Type *) { return UnlessConstant(V); }, false);
  Copy(
      L.Either,
      [&](Value *V, Type *Number) {
        return B.CreateSelect(mayBeAddress(B, V, Number), V, UnlessConstant(V));
      },
      true);
  if (Read != From)
    B.CreateCall(freeOf(E.M), Read);
}

void ShadowEmitter::clearPointers(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A), *Bytes = operand(C, K.Row->C);
  if (!Act.shadowed(Dst))
    return;
  const MemoryShape &Shape = Act.shape();
  int64_t N = MemoryShape::constantSize(Bytes);
  bool Forward = Act.unit().DerivMode == Mode::Forward;
  IRBuilder<> B = after(C);
  bool Floats = false, Pointers = false;
  for (const Cell *X : Shape.cellsIn(Dst, N)) {
    Pointers |= X->Kind == CellKind::Pointer;
    Floats |= X->Kind == CellKind::Float && X->active();
  }
  if (Forward || (Pointers && !Floats) ||
      (Pointers && !E.Plan->of(UF).SeenByCaller.contains(&C))) {
    zeroed(B, shadow(Dst), guard(B, Dst).value(primal(Bytes)), MaybeAlign());
    return;
  }
  if (!Pointers)
    return;
  const TransferLayout L = plannedLayout(Act, C);
  Value *SD = shadow(Dst);
  Value *Whole =
      guard(B, Dst).value(B.CreateZExtOrTrunc(primal(Bytes), B.getInt64Ty()));
  forEachWord(B, L, L.Pointers, Whole, [&](const Place &W) {
    B.CreateAlignedStore(Constant::getNullValue(W.T), W.in(B, SD), Align(1));
  });
  forEachWord(B, L, L.Either, Whole, [&](const Place &W) {
    zeroWord(B, W.in(B, SD), W.T, /*IfAddress=*/true);
  });
}

} // namespace retro
