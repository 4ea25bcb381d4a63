// Emits what prepare/memory/integer_words.cpp has put into the unit: shadows
// note which words are numbers, and the derivative ends where the bits of one
// are computed with as an integer. Without the notes a word that is a number at
// one time and an integer at another would lose its derivative silently.
// Members of ShadowEmitter (emit/common/shadow_emitter.h).
#include "emit/common/shadow_emitter.h"
#include "front/names/runtime.h"
#include "ir/end_program.h"

using namespace llvm;

namespace retro {
/// Which of the calls that are put into a unit C is; none: it is another call.
static std::optional<Concern> concernOf(const CallBase &C) {
  KnownCall K = knownCall(C);
  if (K.Kind == KnownKind::Inactive)
    for (Concern Of : {Concern::StoresNumber, Concern::StoresOther,
                       Concern::AsksNumber, Concern::UsesInteger})
      if (K.Row->says(Of))
        return Of;
  return std::nullopt;
}

bool ShadowEmitter::isNote(const CallBase &C) {
  return concernOf(C).has_value();
}

void ShadowEmitter::forgetNotes(CallBase &C) {
  const KnownFunction &Row = *knownCall(C).Row;
  IRBuilder<> B = after(C);
  const Value *To = C.getArgOperand(static_cast<unsigned>(Row.A));
  Value *Bytes =
      guard(B, To).value(primal(C.getArgOperand(static_cast<unsigned>(Row.C))));
  callRuntime(B, Rt::note_other,
              {shadow(To), B.CreateZExtOrTrunc(Bytes, B.getInt64Ty())});
}

/// How many bytes a note is about: none where memory is constant, which has no
/// notes.
Value *ShadowEmitter::notedBytes(IRBuilder<> &B, CallBase &C) {
  return guard(B, C.getArgOperand(0)).value(primal(C.getArgOperand(1)));
}

/// Is the word a number, in any direction?
Value *ShadowEmitter::isNotedNumber(IRBuilder<> &B, CallBase &C, Rt Ask) {
  Value *Any = B.getFalse();
  for (unsigned Lane = 0; Lane < E.width(); ++Lane)
    E.inLane(Lane, [&] {
      CallInst *Is =
          callRuntime(B, Ask,
                      {shadow(C.getArgOperand(0)), primal(C.getArgOperand(0)),
                       notedBytes(B, C)});
      Any = B.CreateOr(Any, B.CreateTrunc(Is, B.getInt1Ty()));
    });
  return Any;
}

/// In forward mode the tangents themselves say it: an integer has none.
void ShadowEmitter::noteWord(CallBase &C) {
  const bool Forward = Act.unit().DerivMode == Mode::Forward,
             IsShadowed = Act.shadowed(C.getArgOperand(0));
  IRBuilder<> B = after(C);
  Value *Result = nullptr;
  switch (*concernOf(C)) {
  case Concern::AsksNumber:
    Result =
        IsShadowed
            ? isNotedNumber(B, C, Forward ? Rt::has_tangent : Rt::noted_number)
            : B.getFalse();
    break;
  case Concern::UsesInteger:
    callRuntime(B, Rt::end_if,
                {B.CreateZExt(primal(C.getArgOperand(0)), B.getInt32Ty()),
                 emitString(B, "the bits of an active number are computed with "
                               "as an integer in " +
                                   E.R.ownerText(C))});
    break;
  case Concern::StoresOther:
    if (IsShadowed)
      E.forLanes([&] {
        Value *Place = shadow(C.getArgOperand(0)), *Bytes = notedBytes(B, C);
        if (Forward)
          B.CreateMemSet(Place, B.getInt8(0), Bytes, MaybeAlign());
        else
          callRuntime(B, Rt::note_other, {Place, Bytes});
      });
    break;
  default:
    if (IsShadowed && !Forward)
      E.forLanes([&] {
        callRuntime(B, Rt::note_number,
                    {shadow(C.getArgOperand(0)), notedBytes(B, C)});
      });
  }
  replaceCloned(C, Result);
}

} // namespace retro
