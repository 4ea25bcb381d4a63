// The arguments of a batch: how many values each has, and where they are.
// Without the places each value of the batch would be taken for an argument of
// its own. Members of RequestParser (parser.h).
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
bool RequestParser::bindLanes(Registers As) {
  StringRef M = marker();
  const Marker *Known = findMarker(M);
  if (!M.empty() && (!Known || Known->What != Marker::Lanes))
    return unknownMarker();
  if (Known)
    ++Next;
  for (unsigned N = 0; N < As.size(); ++N)
    Req.Args.emplace_back();
  auto Give = [&](ArrayRef<Value *> Values) {
    for (auto [B, V] : zip_equal(boundLast(As), Values))
      B.Lanes.push_back(V);
  };
  SmallVector<Value *> Values;
  if (Known ? M == "vector" : hasUnmarkedLanes(*As[0])) {
    for (unsigned L = 0; L < Req.Width; ++L, Values.clear()) {
      if (!takeWhole(As, Values))
        return false;
      Give(Values);
    }
    return true;
  }
  if (M != "buffer") {
    if (!takeWhole(As, Values))
      return false;
    for (auto [B, V] : zip_equal(boundLast(As), Values))
      B.Primal = V;
    return true;
  }
  uint64_t Stride;
  if (!takeNumber("enzyme_buffer", Stride))
    return false;
  bool Ok = true;
  Value *Base = take(PointerType::getUnqual(Call.getContext()), *As[0], Ok);
  for (unsigned L = 0; L < Req.Width && Ok; ++L)
    Give(valuesAt(As, Base, L * Stride));
  return Ok;
}

/// Each lane returns its result in its part of the memory where the caller
/// wants them all.
bool RequestParser::addResultLanes(Argument &A) {
  const DataLayout &DL = Call.getDataLayout();
  uint64_t Bytes = DL.getTypeAllocSize(A.getParamStructRetType());
  if (!Req.Sret ||
      DL.getTypeAllocSize(Call.getParamStructRetType(0)) != Bytes * Req.Width) {
    R.error(Diag::BadReturn, &Call,
            {Req.Target->getName().str(), "it returns a struct in memory, " +
                                              std::to_string(Bytes) +
                                              " bytes for each lane"});
    return false;
  }
  BoundArgument &B = Req.Args.emplace_back();
  IRBuilder<> At(&Call);
  for (unsigned L = 0; L < Req.Width; ++L)
    B.Lanes.push_back(At.CreatePtrAdd(Req.Sret, At.getInt64(L * Bytes)));
  Req.Sret = nullptr;
  return true;
}

} // namespace retro
