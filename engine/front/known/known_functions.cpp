// Looks up what the engine knows of a called function: the tables of this
// folder by name, then attributes, then the program's own registrations.
// Everything that is not found is unknown, never harmless.
#include "front/known/known_functions.h"
#include "front/known/exceptions.h"

#include "front/known/device_library.h"
#include "front/known/exceptions.h"
#include "front/known/stand_in_links.h"
#include "front/names/runtime.h"
#include "front/names/rust_names.h"
#include "front/names/strings.h"
#include "rules/uses.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <array>

using namespace llvm;

namespace retro {
namespace {

struct Table {
  StringMap<KnownFunction> Exact, Intrinsics;
  std::vector<KnownFunction> Prefixes; ///< longest first
  std::vector<KnownFunction> Rust;     ///< by the beginning of the path
  std::vector<KnownFunction> Headers;  ///< by the beginning of the name
  StringMap<StringRef> AllocatorFor;   ///< by what frees

  Table() {
    using enum KnownKind;
    using rules::RuleId;
    auto Add = [this](StringRef Name, Match M, unsigned Effects, KnownKind K,
                      RuleId R, int A, int B, int C, const RowText &T) {
      KnownFunction F{Name, K, Effects, R, A, B, C, T.Text, T.Word};
      if (K == KnownKind::Alloc)
        AllocatorFor.try_emplace(F.Text, Name);
      if (M == Match::Prefix)
        Prefixes.push_back(F);
      else if (M == Match::Rust)
        Rust.push_back(F);
      else if (M == Match::Header)
        Headers.push_back(F);
      else
        (M == Match::Exact ? Exact : Intrinsics)[Name] = F;
    };
#define FN(Name, M, Effects, Kind, Rule, A, B, C, Text)                        \
  Add(Name, Match::M, Effects, Kind, RuleId::Rule, A, B, C, Text);
#include "front/known/known_functions.def"
    auto LongerFirst = [](const auto &A, const auto &B) {
      return A.Name.size() > B.Name.size();
    };
    llvm::stable_sort(Prefixes, LongerFirst);
    llvm::stable_sort(Rust, LongerFirst);
  }
};

const Table &table() {
  static const Table T;
  return T;
}

const KnownFunction *lookupRust(StringRef Mangled) {
  if (!Mangled.starts_with("_R") && !Mangled.starts_with("_ZN"))
    return nullptr;
  // Demangling is slow, and the same names are asked for again and again.
  static thread_local StringMap<const KnownFunction *> Seen;
  auto [It, New] = Seen.try_emplace(Mangled, nullptr);
  if (New)
    if (std::string Path = rustPath(Mangled); !Path.empty())
      for (const KnownFunction &R : table().Rust)
        if (StringRef(Path).starts_with(R.Name)) {
          It->second = &R;
          break;
        }
  return It->second;
}

/// What attributes say of an allocator that has no row.
const KnownFunction *lookupAllocator(const Function &F) {
  AllocFnKind K = F.getAttributes().getAllocKind();
  auto Sized = F.getFnAttribute(Attribute::AllocSize);
  KnownFunction Row;
  Row.Name = F.getName();
  Row.Effects = Hidden;
  for (const Argument &A : F.args()) {
    if (A.hasAttribute(Attribute::AllocatedPointer))
      Row.A = static_cast<int>(A.getArgNo());
    if (A.hasAttribute(Attribute::AllocAlign))
      Row.C = static_cast<int>(A.getArgNo());
  }
  if ((K & AllocFnKind::Free) != AllocFnKind::Unknown) {
    Row.Kind = KnownKind::Free;
    if (Row.A < 0)
      return nullptr;
  } else if ((K & AllocFnKind::Alloc) != AllocFnKind::Unknown &&
             Sized.isValid()) {
    auto [Size, Count] = Sized.getAllocSizeArgs();
    Row.Kind = (K & AllocFnKind::Zeroed) != AllocFnKind::Unknown
                   ? KnownKind::AllocZero
                   : KnownKind::Alloc;
    Row.A = static_cast<int>(Size);
    Row.B = Count ? static_cast<int>(*Count) : -1;
  } else {
    return nullptr;
  }
  static thread_local StringMap<KnownFunction> Rows;
  KnownFunction &Kept = Rows[F.getName()];
  Kept = Row;
  Kept.Name = Rows.find(F.getName())->getKey();
  return &Kept;
}

/// The C library's name of a function that a GPU's library spells otherwise, or
/// "".
StringRef libmName(StringRef Device) {
  static const StringMap<StringRef> Names = [] {
    StringMap<StringRef> Names;
#define DEVICE_NAME(Device, Libm) Names[Device] = Libm;
#include "front/known/known_functions.def"
    return Names;
  }();
  if (auto It = Names.find(Device); It != Names.end())
    return It->second;
#define DEVICE_LIBRARY(Arch, Prefix, Double, Float)                            \
  if (StringRef Name = Device; Name.consume_front(Prefix)) {                   \
    bool IsFloat = *Double && Name.ends_with(Float);                           \
    if (*Double && !Name.consume_back(Double) && !Name.consume_back(Float))    \
      return "";                                                               \
    static thread_local StringMap<std::string> Spelled;                        \
    auto [It, New] = Spelled.try_emplace(Device);                              \
    if (New)                                                                   \
      It->second = (Name + (IsFloat ? "f" : "")).str();                        \
    return It->second;                                                         \
  }
#include "front/known/known_functions.def"
  return "";
}

/// A function that does not return has no derivative, and needs none: nothing
/// is derived on the path that enters it.
const KnownFunction DeadEnd{.Name = "",
                            .Kind = KnownKind::Inactive,
                            .Effects = NoReturn | Hidden | MayThrow,
                            .Text = ""};

} // namespace

bool isRuntime(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_front(EarlierPrefix);
  return isNamed(Name, Named::any);
}

bool isTapeMemory(const Function &F) {
  return F.getName() == nameOf(Rt::tape_take) ||
         F.getName() == nameOf(Rt::tape_give) ||
         isNamed(F.getName(), Named::object);
}

StringRef allocatorFreedBy(StringRef Free) {
  return table().AllocatorFor.lookup(Free);
}

/// Has F the type that Row speaks of? A function that is declared here and
/// defined elsewhere may happen to have a library function's name. No function
/// without a derivative takes numbers and returns one.
static bool fitsType(const Function &F, const KnownFunction &Row) {
  if (F.isVarArg() || F.isIntrinsic())
    return true;
  bool Result = F.getReturnType()->isFPOrFPVectorTy();
  if (Row.Kind == KnownKind::Math)
    return Result && static_cast<int>(F.arg_size()) == rules::arityOf(Row.Rule);
  if (Row.Kind != KnownKind::Inactive)
    return true;
  static thread_local StringMap<TargetLibraryInfoImpl> Libraries;
  const Triple &Target = F.getParent()->getTargetTriple();
  auto It = Libraries.try_emplace(Target.str(), Target).first;
  LibFunc Id;
  if (It->second.getLibFunc(F.getName(), Id))
    return It->second.getLibFunc(F, Id);
  return !Result || none_of(F.args(), [](const Argument &A) {
    return A.getType()->isFPOrFPVectorTy();
  });
}

const KnownFunction *lookupKnown(const Function &F) {
  const Table &T = table();
  StringRef Name = F.getName(), Intrinsic = Name;
  Intrinsic.consume_front(CanonicalPrefix);
  if (Intrinsic.starts_with("llvm.")) {
    // From llvm.sin.v2f64 to llvm.sin: type suffixes are dropped until a row
    // matches.
    for (StringRef Base = Intrinsic;; Base = Base.rsplit('.').first) {
      auto It = T.Intrinsics.find(Base);
      if (It != T.Intrinsics.end())
        return &It->second;
      if (!Base.contains('.'))
        break;
    }
  }
  if (const KnownFunction *Row = lookupKnown(Name); Row && fitsType(F, *Row))
    return Row;
  return F.isDeclaration() ? lookupAllocator(F) : nullptr;
}

const KnownFunction *lookupKnown(StringRef Name) {
  const Table &T = table();
  Name.consume_front(CanonicalPrefix);
  auto It = T.Exact.find(Name);
  if (It != T.Exact.end())
    return &It->second;
  for (const KnownFunction &P : T.Prefixes)
    if (Name.starts_with(P.Name))
      return &P;
  if (StringRef Libm = libmName(Name); !Libm.empty())
    if (auto It = T.Exact.find(Libm); It != T.Exact.end())
      return &It->second;
  return lookupRust(Name);
}

bool isStringCall(const CallBase &C) {
  const Function *F = C.getCalledFunction();
  return F && isLeftToLibrary(stringMember(F->getName()));
}

const KnownFunction *lookupInactiveBody(const Function &F) {
  // A string's functions are left to the library, whether they have a body in
  // this module or not.
  if (isLeftToLibrary(stringMember(F.getName())))
    return lookupKnown(F.getName());
  // Small functions are inlined instead, as they may only put arguments
  // together: but for those that are listed by their whole name.
  const bool IsSmall = F.hasFnAttribute(Attribute::InlineHint);
  for (const KnownFunction &H : table().Headers)
    if (IsSmall ? F.getName() == H.Name : F.getName().starts_with(H.Name))
      return &H;
  if (IsSmall)
    return nullptr;
  const KnownFunction *R = lookupRust(F.getName());
  return R && R->Kind == KnownKind::Inactive ? R : nullptr;
}

KnownCall knownCall(const CallBase &C) {
  auto *F =
      dyn_cast<Function>(C.getCalledOperand()->stripPointerCastsAndAliases());
  if (!F)
    return {};
  bool Body = !F->isDeclaration() && !F->hasAvailableExternallyLinkage() &&
              !isTapeMemory(*F);
  const KnownFunction *Row = registeredRow(*F);
  if (!Row)
    Row = Body ? lookupInactiveBody(*F) : lookupKnown(*F);
  // Such a call is replaced by a model's body, or by what launches are lowered
  // to.
  if (Row && (Row->Kind == KnownKind::Model || Row->Kind == KnownKind::Launch ||
              Row->Kind == KnownKind::Device || Row->Kind == KnownKind::Beside))
    Row = nullptr;
  if (!Row && C.doesNotReturn())
    Row = &DeadEnd;
  if (!Row)
    return {};
  auto Bad = [&](int I) { return I >= static_cast<int>(C.arg_size()); };
  if (C.hasFnAttr(OtherThanKnown))
    return {};
  if (Row->Kind == KnownKind::Blas)
    return {Row->Kind, Row, F->getName().starts_with(CanonicalPrefix)};
  if (Bad(Row->A) || Bad(Row->B) || Bad(Row->C))
    return {};
  return {Row->Kind, Row, F->getName().starts_with(CanonicalPrefix)};
}

bool onlyInspects(const CallBase &C) {
  if (asksException(C))
    return true;
  return C.onlyReadsMemory() &&
         (C.getType()->isVoidTy() || C.getType()->isIntegerTy());
}

bool KnownCall::hasDerivative(unsigned I) const {
  switch (Kind) {
  case KnownKind::Math:
  case KnownKind::MathStore:
    return static_cast<int>(I) < rules::arityOf(Row->Rule) &&
           !rules::hasZeroDerivative(Row->Rule, static_cast<int>(I));
  case KnownKind::Sincos:
  case KnownKind::Sincospi:
    return I == 0;
  case KnownKind::Reduce:
  case KnownKind::Complex:
    return true;
  case KnownKind::Shuffle:
    return static_cast<int>(I) == Row->A;
  default:
    return false;
  }
}

Type *KnownCall::outputType(const CallBase &C, unsigned I) const {
  int N = static_cast<int>(I);
  switch (Kind) {
  case KnownKind::Sincos:
  case KnownKind::Sincospi:
    return Row->A >= 0 && (N == Row->A || N == Row->B)
               ? C.getArgOperand(0)->getType()
               : nullptr;
  default:
    return nullptr;
  }
}

int KnownCall::returnedOperand() const {
  if ((isCopy() || Kind == KnownKind::Set) && Row->says(Returned::Start))
    return Row->A;
  return -1;
}

PrimalSpelling spellingOf(rules::Fn F) {
  switch (F) {
#define PRIMAL(Id, Intrinsic, Libm)                                            \
  case rules::Fn::Id:                                                          \
    return {Intrinsic, Libm};
#include "front/known/known_functions.def"
  }
  return {"", ""};
}

bool isGpu(const Module &M) {
  return M.getTargetTriple().isNVPTX() || M.getTargetTriple().isAMDGPU();
}

bool isDeviceLibraryName(StringRef Name, const Module &M) {
#define DEVICE_LIBRARY(Arch, Prefix, Double, Float)                            \
  if (M.getTargetTriple().is##Arch() && Name.starts_with(Prefix))              \
    return true;
#include "front/known/known_functions.def"
  return false;
}

std::string deviceSpelling(rules::Fn F, const Module &M, Type *T) {
  bool IsFloat = T->isFloatTy();
  StringRef Libm = F == rules::Fn::Powi ? "pow" : spellingOf(F).Libm;
  switch (F) {
#define NATIVE(Id) case rules::Fn::Id:
#include "front/known/known_functions.def"
    return "";
  default:
    break;
  }
#define DEVICE_LIBRARY(Arch, Prefix, Double, Float)                            \
  if (M.getTargetTriple().is##Arch())                                          \
    return (Prefix + Libm + (IsFloat ? Float : Double)).str();
#include "front/known/known_functions.def"
  return "";
}

StringRef complexSpelling(rules::ComplexOp Operation, Type *T) {
  enum { Float, Double, Extended, Quad } Size = Double;
  if (T->isFloatTy())
    Size = Float;
  else if (T->isX86_FP80Ty() || T->isPPC_FP128Ty())
    Size = Extended;
  else if (T->isFP128Ty())
    Size = Quad;
#define COMPLEX_TYPED(Op, Effects, F, D, X, Q)                                 \
  if (Operation == rules::ComplexOp::Op)                                       \
    return std::array<const char *, 4>{F, D, X, Q}[Size];
#include "front/known/known_functions.def"
  return "";
}

MachineOperation machineOperation(StringRef Mnemonic) {
#define ASSEMBLY(Name, Operation)                                              \
  if (Mnemonic == Name)                                                        \
    return MachineOperation::Operation;
#include "front/known/known_functions.def"
  return MachineOperation::None;
}

} // namespace retro
