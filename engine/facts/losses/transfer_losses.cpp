// Input: the copies of a unit. Output: an error at each that moves bytes of
// which nothing says what they are, if numbers with a derivative may be among
// them.
#include "facts/losses/transfer_losses.h"

#include "facts/activity/needs.h"
#include "facts/activity/transfer_layout.h"
#include "front/registered/registrations.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// The reverse pass moves adjoints number by number: are they known?
bool movesUnknownNumbers(const ActivityAnalysis &Act, CallBase &C) {
  KnownCall K = knownCall(C);
  if (!K.isCopy() || !transferIsActive(Act, C))
    return false;
  return !transferLayout(Act, C) || copiesBesideNumbers(Act, C);
}

/// May numbers be among what is moved, or overwritten, that matter? In memory
/// from outside, and in what is given to a function with a derivative of the
/// user's own and read by nobody else.
bool mayLose(const ActivityAnalysis &Act, const MemoryShape::UntypedMove &M) {
  const MemoryClass &To = Act.shape().classAt(M.To);
  const MemoryClass &From = Act.shape().classAt(M.From);
  if (To.Origins & (FromDup | FromNumber))
    return true;
  bool Constant =
      From.Origins == FromConst ||
      (From.Origins == FromGlobal &&
       all_of(From.Globals, [&](const GlobalVariable *G) {
         return G->isConstant() || Act.unit().Registered.isInactive(*G);
       }));
  return To.Foreign && !Constant &&
         (To.UnseenUseful || any_of(To.Cells, [](const Cell &X) {
            return X.Kind == CellKind::Float && X.Useful;
          }));
}

} // namespace

void reportTransferLosses(const ActivityAnalysis &Act, Reporter &R) {
  if (Act.unit().DerivMode == Mode::Reverse)
    for (auto &UF : Act.unit().Functions)
      for (Instruction &I : instructions(*UF->F))
        if (auto *C = dyn_cast<CallBase>(&I); C && movesUnknownNumbers(Act, *C))
          return R.error(Diag::UnknownType, C);
  for (auto &M : Act.shape().untypedMoves())
    if (mayLose(Act, M))
      return R.error(Diag::UnknownType, M.At);
}

} // namespace retro
