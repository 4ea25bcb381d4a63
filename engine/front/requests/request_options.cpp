// Markers that say something of the whole request, and what follows them. One
// that is not taken here would be read as the next argument of the function.
// Members of RequestParser (parser.h).
#include "front/known/known_functions.h"
#include "front/requests/markers.h"
#include "front/requests/parser.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

bool RequestParser::takeNumber(StringRef What, uint64_t &N) {
  if (atEnd())
    return tooFew("no number follows " + What);
  std::optional<uint64_t> C = constantOf(Call.getArgOperand(Next));
  if (!C) {
    R.error(Diag::NotConstant, &Call, {What.str()});
    return false;
  }
  ++Next;
  N = *C;
  return true;
}

/// Takes markers that say something of the request, not of the next argument.
bool RequestParser::takeOptions() {
  while (const Marker *M = atEnd() ? nullptr : findMarker(marker())) {
    if (M->What == Marker::Activity || M->What == Marker::Lanes)
      return true;
    ++Next;
    if (M->What == Marker::Flag)
      Req.*M->Field = true;
    else if (M->Name == "allocated_fitting")
      Req.Allocated = Request::Fitting;
    else if (M->Name == "pool_wished")
      Req.Pool = PoolWish::Launch;
    else if (M->What != Marker::Silent && !takeOperand(M->Name))
      return false;
  }
  return true;
}

/// Takes what follows a marker.
bool RequestParser::takeOperand(StringRef M) {
  if (M == "pool" || M == "pool_of_launch")
    return takePool(M == "pool_of_launch");
  if (M == "shared_bytes")
    return takeSharedBytes();
  if (M == "tape") {
    if (atEnd())
      return tooFew("no tape follows enzyme_tape");
    Req.Tape = Call.getArgOperand(Next++);
    return true;
  }
  uint64_t N;
  // The size may be what another request is going to say.
  auto *Size = atEnd() ? nullptr
                       : dyn_cast<CallBase>(originOf(Call.getArgOperand(Next)));
  if (M == "allocated" && Size && entryOf(*Size) == Entry::AugmentSize &&
      targetOf(*Size) == Req.Target) {
    ++Next;
    Req.Allocated = Request::Fitting;
    return true;
  }
  if (!takeNumber(("enzyme_" + M).str(), N))
    return false;
  if (M == "allocated") {
    Req.Allocated = N;
  } else if (M == "byref") {
    ByAddress = N;
  } else if (N < 1 || N > 1024) {
    R.error(Diag::BadWidth, &Call, {std::to_string(N)});
    return false;
  } else {
    Req.Width = static_cast<unsigned>(N);
  }
  return true;
}

/// Takes a pool's memory and bytes. Requests of the engine's own also pass the
/// thread's number and how many threads there are.
bool RequestParser::takePool(bool OfLaunch) {
  Type *I64 = Type::getInt64Ty(Call.getContext());
  Type *P = PointerType::getUnqual(Call.getContext());
  std::pair<Value **, Type *> Operands[] = {{&Req.Place.Memory, P},
                                            {&Req.Place.Bytes, I64},
                                            {&Req.Place.Thread, I64},
                                            {&Req.Place.Threads, I64}};
  for (auto [V, T] : ArrayRef(Operands).take_front(OfLaunch ? 4 : 2)) {
    if (atEnd())
      return tooFew("memory and its bytes for each thread follow enzyme_pool");
    *V = coerce(Call.getArgOperand(Next++), T, &Call);
    if (!*V) {
      R.error(Diag::BadArgumentType, &Call,
              {"of enzyme_pool", Req.Target->getName().str()});
      return false;
    }
  }
  Req.Pool = OfLaunch ? PoolWish::Launch : PoolWish::Caller;
  if (!OfLaunch && (!isGpu(*Call.getModule()) || Req.Kind != Entry::Autodiff)) {
    R.error(Diag::UnsupportedMode, &Call,
            {"enzyme_pool other than in __enzyme_autodiff in device code"});
    return false;
  }
  return true;
}

bool RequestParser::takeSharedBytes() {
  if (!isGpu(*Call.getModule())) {
    R.error(Diag::UnsupportedMode, &Call,
            {"enzyme_shared_bytes other than in device code"});
    return false;
  }
  if (atEnd())
    return tooFew("the bytes of shared memory follow enzyme_shared_bytes");
  Req.SharedBytes = coerce(Call.getArgOperand(Next++),
                           Type::getInt64Ty(Call.getContext()), &Call);
  if (!Req.SharedBytes)
    R.error(Diag::BadArgumentType, &Call,
            {"of enzyme_shared_bytes", Req.Target->getName().str()});
  return Req.SharedBytes;
}

} // namespace retro
