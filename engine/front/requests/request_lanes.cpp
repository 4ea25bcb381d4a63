// The arguments of a batch: how many values each has, and where they are.
#include "front/requests/markers.h"
#include "front/requests/parser.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace retro {

/// Has an argument without a marker a value for each lane? Behind the last
/// marker that follows from how many values there are: one for each argument,
/// one a lane for each, or one a lane for pointers alone.
bool RequestParser::hasUnmarkedLanes(const Argument &A) const {
  unsigned Given = 0, Arguments = 0;
  for (unsigned I = Next; I < End; ++I) {
    if (!markerOf(Call.getArgOperand(I)).empty())
      return false;
    ++Given;
  }
  for (const Argument &B : Req.Target->args())
    Arguments += B.getArgNo() >= A.getArgNo();
  if (Given == Arguments)
    return false;
  return Given == Arguments * Req.Width || A.getType()->isPointerTy();
}

/// Binds an argument of a batch: one value for each lane, one for all, or a
/// block of what pointers point to.
bool RequestParser::bindLanes(Argument &A) {
  BoundArgument B;
  StringRef M = marker();
  bool Ok = true;
  const Marker *Known = findMarker(M);
  if (!M.empty() && (!Known || Known->What != Marker::Lanes))
    return unknownMarker();
  if (Known)
    ++Next;
  if (Known ? M == "vector" : hasUnmarkedLanes(A)) {
    for (unsigned L = 0; L < Req.Width && Ok; ++L)
      B.Lanes.push_back(take(A.getType(), A, Ok));
  } else if (M == "buffer") {
    uint64_t Stride;
    if (!takeNumber("enzyme_buffer", Stride))
      return false;
    Value *Base = take(PointerType::getUnqual(Call.getContext()), A, Ok);
    IRBuilder<> At(&Call);
    for (unsigned L = 0; L < Req.Width && Ok; ++L) {
      Value *P = At.CreatePtrAdd(Base, At.getInt64(L * Stride));
      B.Lanes.push_back(A.getType()->isPointerTy()
                            ? P
                            : At.CreateAlignedLoad(A.getType(), P, Align(1)));
    }
  } else {
    B.Primal = take(A.getType(), A, Ok);
  }
  Req.Args.push_back(B);
  return Ok;
}

} // namespace retro
