// Lookup in known_functions.def: what the engine knows of a called function.
#ifndef RETRO_FRONT_KNOWN_KNOWN_FUNCTIONS_H
#define RETRO_FRONT_KNOWN_KNOWN_FUNCTIONS_H

#include "front/known/known_kinds.h"
#include "front/names/runtime.h"
#include "rules/dispatch.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace retro {

/// A row of the table.
struct KnownFunction {
  llvm::StringRef Name;
  KnownKind Kind = KnownKind::None;
  unsigned Effects = 0;
  rules::RuleId Rule = rules::RuleId::None;
  int A = -1, B = -1, C = -1;
  llvm::StringRef Text;
  RowText::OneWord Word = {};

  /// Is that the word in the last column?
  template <class W> bool says(W What) const {
    const W *Found = std::get_if<W>(&Word);
    return Found && *Found == What;
  }
  /// That word, of a row whose kind has one of this type.
  template <class W> W word() const { return std::get<W>(Word); }
};

/// The row for a function that is declared, or null.
const KnownFunction *lookupKnown(const llvm::Function &F);
/// The row for a name other than an intrinsic's, or null.
const KnownFunction *lookupKnown(llvm::StringRef Name);

/// The prefix of canonical functions, before the library's name. Calls of
/// libraries that pass numbers by address or packed are brought to a form with
/// one operand for each number (prepare/calls/library_calls.h).
inline constexpr llvm::StringLiteral CanonicalPrefix = "retro.lib.";
/// Attribute of a call that has a known function's name and is not made as that
/// library says: what it does is not known.
inline constexpr llvm::StringLiteral OtherThanKnown = "retro-other-than-known";

/// The prefix of names that an earlier run of the pass left.
inline constexpr llvm::StringLiteral EarlierPrefix = "earlier";

/// The row of a library function without a derivative, wherever its body is; or
/// null. Rust's library is linked as part of the program, and headers have
/// bodies.
const KnownFunction *lookupInactiveBody(const llvm::Function &F);

/// The name of the function that allocates what Free frees.
llvm::StringRef allocatorFreedBy(llvm::StringRef Free);

/// The row for the function that a call enters, and the call's operands by
/// their roles.
struct KnownCall {
  KnownKind Kind = KnownKind::None;
  const KnownFunction *Row = nullptr;
  bool Canonical = false; ///< in the form of prepare/calls/library_calls.h

  bool isCopy() const {
    return Kind == KnownKind::Copy || Kind == KnownKind::Move;
  }
  bool isRule() const {
    return Kind == KnownKind::Math || Kind == KnownKind::MathStore;
  }
  bool isAllocation() const {
    return Kind == KnownKind::Alloc || Kind == KnownKind::AllocZero;
  }
  /// Does it give or take memory, or copy or fill it, and nothing else?
  bool isPlainMemory() const {
    return isAllocation() || isCopy() || Kind == KnownKind::Free ||
           Kind == KnownKind::Set;
  }
  /// Does the call make its result active if operands are?
  bool isDifferentiable() const {
    return isRule() || Kind == KnownKind::Sincos ||
           Kind == KnownKind::Sincospi || Kind == KnownKind::Reduce ||
           Kind == KnownKind::Complex || Kind == KnownKind::Shuffle;
  }
  /// Has it no effect but on errno, so that the reverse pass may compute it
  /// again?
  bool isPure() const {
    return Row && (Row->Effects & ~unsigned(SetsErrno)) == 0 &&
           (Kind == KnownKind::Math || Kind == KnownKind::Inactive ||
            Kind == KnownKind::Reduce || Kind == KnownKind::Complex);
  }
  /// Does it concern only the calling thread of a team?
  bool isOfThread() const {
    return Kind == KnownKind::Share ||
           (Kind == KnownKind::Inactive && Row->says(Concern::OwnThread));
  }
  /// Has the result a derivative with respect to operand I?
  bool hasDerivative(unsigned I) const;
  /// The floating-point type stored through pointer operand I, or null.
  llvm::Type *outputType(const llvm::CallBase &C, unsigned I) const;
  /// The operand that the call returns, or -1.
  int returnedOperand() const;
};

KnownCall knownCall(const llvm::CallBase &C);
/// Is it a call of a string's function that is left to the library?
bool isStringCall(const llvm::CallBase &C);

/// Is F part of the engine's runtime, or of what an earlier run of the pass
/// left? The user's code enters it only by calls that the engine made.
bool isRuntime(const llvm::Function &F);

/// Does F allocate or free memory of a tape? It is known even where an earlier
/// run of the pass has brought its body.
bool isTapeMemory(const llvm::Function &F);

/// Does a call of any function only look at memory, and return no number?
bool onlyInspects(const llvm::CallBase &C);

/// How a rule's primal function is spelled: as an intrinsic ("" if there is
/// none), and as the C function for double.
struct PrimalSpelling {
  const char *Intrinsic, *Libm;
};
PrimalSpelling spellingOf(rules::Fn F);

/// Is M compiled for a GPU?
bool isGpu(const llvm::Module &M);

/// The name of the function in a GPU's library for numbers of type T; "" where
/// the intrinsic is an instruction.
std::string deviceSpelling(rules::Fn F, const llvm::Module &M, llvm::Type *T);

/// The name of a complex function of numbers of type T.
llvm::StringRef complexSpelling(rules::ComplexOp Operation, llvm::Type *T);

/// What a machine instruction computes.
enum class MachineOperation { None, Min, Max, Fma132, Fma213, Fma231 };
MachineOperation machineOperation(llvm::StringRef Mnemonic);

} // namespace retro

#endif
