// Input: the plan of a unit. Output: an error at each tape of which the
// compiler knows that it does not fit. The running program would end there, or
// write behind the memory that its caller has brought.
#include "plan/refusals/refused_tapes.h"

#include "base/toggles.h"
#include "facts/loops/tape_bytes.h"
#include "front/requests/request.h"
#include "plan/planner.h"

using namespace llvm;

namespace retro {
void refuseTapes(const UnitFunction &UF, const UnitPlan &Plan, Reporter &R) {
  for (auto &[Header, Tape] : Plan.of(UF).Tapes) {
    std::optional<uint64_t> Bytes =
        Tape.Indexed ? constantBytes(UF, Tape) : std::nullopt;
    if (Bytes && *Bytes > tapeBudget())
      R.error(Diag::TapeTooLarge, Header->getTerminator(),
              {std::to_string(*Bytes), std::to_string(tapeBudget())});
  }
}

void refuseMemory(const Request &Req, const ActivityAnalysis &Act,
                  const UnitPlan &Plan, Reporter &R) {
  Unit &U = Act.unit();
  if (!U.Split || Plan.pool().Used || !Req.Allocated ||
      *Req.Allocated == Request::Fitting)
    return;
  uint64_t Bytes = TapeHeaderBytes;
  if (U.DerivMode == Mode::Reverse)
    if (auto Fields = frameTypes(Plan.of(U.root())); !Fields.empty())
      Bytes += alignTo(U.M.getDataLayout().getTypeAllocSize(
                           StructType::get(U.M.getContext(), Fields)),
                       16);
  if (*Req.Allocated < Bytes)
    R.error(Diag::TapeMemory, Req.Call,
            {U.root().Source->getName().str(), std::to_string(Bytes),
             std::to_string(*Req.Allocated)});
}

} // namespace retro
