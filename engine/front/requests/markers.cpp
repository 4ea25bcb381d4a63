// The table of markers. One that is not in it ends a request with an error: if
// it were skipped, the request would mean something else.
#include "front/requests/markers.h"

using namespace llvm;

namespace retro {
namespace {

constexpr Marker Markers[] = {
#define ACTIVITY(Name, Act, Block)                                             \
  {Name, Marker::Activity, Activity::Act, Block, nullptr},
#define LANES(Name) {Name, Marker::Lanes},
#define FLAG(Name, Field)                                                      \
  {Name, Marker::Flag, Activity::Const, false, &Request::Field},
#define SILENT(Name) {Name, Marker::Silent},
#define OPERAND(Name) {Name, Marker::Operand},
#define PLACE(Name) {Name, Marker::Place},
#define INTERNAL(Name) {Name, Marker::Internal},
#include "front/requests/markers.def"
};

} // namespace

const Marker *findMarker(StringRef Name) {
  auto *M = find_if(Markers, [&](const Marker &K) { return K.Name == Name; });
  return M == std::end(Markers) ? nullptr : M;
}

std::string suggestion(StringRef Given) {
  constexpr unsigned Typo = 3; // so many letters may be wrong
  const Marker *Best = nullptr;
  unsigned Least = Typo;
  for (const Marker &M : Markers) {
    if (M.What == Marker::Internal)
      continue;
    unsigned Wrong =
        Given.edit_distance(M.Name, /*AllowReplacements=*/true, Typo);
    // Of two names that the given one begins with, the longer one is meant.
    if (Given.starts_with(M.Name) || M.Name.starts_with(Given))
      Wrong = 0;
    if (Wrong < Least || (Best && Wrong == 0 && Least == 0 &&
                          M.Name.size() > Best->Name.size())) {
      Best = &M;
      Least = Wrong;
    }
  }
  return Best ? (" (did you mean enzyme_" + Best->Name + "?)").str() : "";
}

} // namespace retro
