// The words in which the rows of known_functions.def are written: how a name
// matches, what a call does, its kind, and what the last column says more. It
// includes nothing of LLVM's, so that tests read the tables alone; a word that
// is spelled wrong in a row does not compile.
#ifndef RETRO_FRONT_KNOWN_KNOWN_KINDS_H
#define RETRO_FRONT_KNOWN_KNOWN_KINDS_H

#include "rules/complex.h"

#include <concepts>
#include <string_view>
#include <variant>

namespace retro {

/// How the name of a row is meant.
enum class Match { Exact, Prefix, Intrinsic, Rust, Header };

/// The kinds of known_functions.def, and None for a function not in it.
enum class KnownKind {
  None,
  Math,
  MathStore,
  Sincos,
  Sincospi,
  Reduce,
  Complex,
  Alloc,
  AllocZero,
  AllocStore,
  Realloc,
  Free,
  Copy,
  Move,
  Set,
  Sort,
  Search,
  Blas,
  Mirror,
  Mpi,
  Model,
  Parallel,
  Synchronize,
  Share,
  Cancel,
  Shuffle,
  Launch,
  Device,
  Beside,
  Inactive,
  Custom, ///< registered: a derivative that the user wrote
};

/// Effects of a call, as bits.
enum Effect : unsigned {
  Pure = 0,
  SetsErrno = 1,
  ReadsArgs = 2,
  WritesArgs = 4,
  Hidden = 8,
  CallsBack = 16,
  NoReturn = 32,
  MayThrow = 64,
  WritesState = 128,
  WritesText = 256 | WritesArgs,
};

/// What a call of the kinds Copy, Move and Set returns.
enum class Returned {
  Nothing,
  Start, ///< the first byte written
  End,   ///< the first byte not written
};

/// What a call of the kind Parallel does other than to run a team.
enum class ThreadCall {
  Start, ///< runs operand A on operand B in one thread
  Join,  ///< waits for thread A
};

/// What a call of the kind Share gives, and how iterations compare.
enum class ShareForm {
  Signed,
  Unsigned,
  SignedValues, ///< the iterations themselves, not their places
  UnsignedValues,
  Next, ///< the next share of those of an earlier call
};
constexpr bool hasValues(ShareForm F) {
  return F == ShareForm::SignedValues || F == ShareForm::UnsignedValues;
}
/// Is the share given at once, at places?
constexpr bool isStatic(ShareForm F) {
  return F == ShareForm::Signed || F == ShareForm::Unsigned;
}
constexpr bool isUnsigned(ShareForm F) {
  return F == ShareForm::Unsigned || F == ShareForm::UnsignedValues;
}

/// What a call of the kind Synchronize does.
enum class Sync {
  None,
  Barrier,       ///< all threads of the team wait for each other
  Acquire,       ///< takes the lock
  Release,       ///< gives the lock back: takes a ticket, for the reverse pass
  BlockBarrier,  ///< all threads of a GPU's block wait for each other
  Sequential,    ///< begins what one thread alone runs as a team
  EndSequential, ///< ends it
  Join,          ///< waits for the thread
};

/// Whom a call of the kind Inactive concerns, if that matters.
enum class Concern {
  OwnThread, ///< tells the calling thread what to do, or is told it is done
  NextTeam,  ///< says how many threads the next team has, or where
  CheckpointedLoop,
  CheckpointedState,
  StoresNumber, ///< the next four: prepare/memory/integer_words.h
  StoresOther,
  AsksNumber,
  UsesInteger,
};

/// Which part of a launch a call of the kind Launch is.
enum class LaunchPart { Configure, Launch, Register };

/// The last column of a row: a name or a pattern as the kind says, or a word of
/// the kind; of a launch the part and the vendor.
struct RowText {
  using OneWord = std::variant<std::monostate, Returned, ThreadCall, ShareForm,
                               Sync, Concern, LaunchPart, rules::ComplexOp>;
  std::string_view Text;
  OneWord Word;

  template <std::convertible_to<std::string_view> T>
  RowText(const T &Text) : Text(Text) {}
  template <class W>
    requires std::constructible_from<OneWord, W>
  RowText(W Word) : Word(Word) {}
  RowText(LaunchPart Part, std::string_view Vendor)
      : Text(Vendor), Word(Part) {}
};

} // namespace retro

#endif
