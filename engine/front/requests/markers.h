// The markers of requests, and which one a misspelled name may stand for.
#ifndef RETRO_FRONT_REQUESTS_MARKERS_H
#define RETRO_FRONT_REQUESTS_MARKERS_H

#include "front/requests/request.h"

namespace retro {

struct Marker {
  llvm::StringRef Name; ///< without its prefix
  enum Kind { Activity, Lanes, Flag, Silent, Operand, Place, Internal } What;
  retro::Activity Act = retro::Activity::Const; ///< Activity
  bool Block = false;                           ///< Activity
  bool Request::*Field = nullptr;               ///< Flag
};

/// The marker of this name, or null.
const Marker *findMarker(llvm::StringRef Name);

/// The marker that a misspelled one may stand for, as the end of a sentence.
std::string suggestion(llvm::StringRef Given);

} // namespace retro

#endif
