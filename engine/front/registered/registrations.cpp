// Reads registration arrays, annotations and metadata of a module into one
// table. What is malformed becomes a problem that is reported, since ignoring
// it would derive the body that the user meant to replace.
#include "front/registered/registrations.h"

#include "front/known/known_functions.h"
#include "front/registered/launches.h"
#include "front/registered/library_calls.h"
#include "front/registered/sayings.h"

#include "base/call_chain.h"
#include "front/known/entry_points.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

enum class What {
  Nothing,
  Gradient,
  Derivative,
  Split,
  Inactive,
  InactiveGlobal,
  ShadowGlobal,
  Like,
  Allocation,
  Recompute,
  NoFree,
};

struct Convention {
  StringRef Array;      ///< what the name of an array contains
  StringRef Annotation; ///< the text of an annotation, up to '='
  What Kind;
};
const Convention Entries[] = {
#define REGISTRATION(Kind, Array, Annotation) {Array, Annotation, What::Kind},
#include "front/known/entry_points.def"
};

constexpr const char *InactiveAttribute = "retro-inactive";

/// Does an annotation of the convention say nothing here?
bool isSilent(StringRef Annotation) {
#define SILENT_ANNOTATION(Name)                                                \
  if (Annotation == Name)                                                      \
    return true;
#include "front/known/entry_points.def"
  return false;
}

What kindOfArray(const GlobalVariable &G) {
  for (const Convention &E : Entries)
    if (G.getName().contains(E.Array))
      return E.Kind;
  return What::Nothing;
}

/// Collects the scalars of an initializer, in order.
void flatten(Constant *C, SmallVectorImpl<Constant *> &Out) {
  Type *T = C->getType();
  if (!T->isAggregateType()) {
    Out.push_back(cast<Constant>(C->stripPointerCasts()));
    return;
  }
  uint64_t N =
      T->isStructTy() ? T->getStructNumElements() : T->getArrayNumElements();
  for (unsigned I = 0; I < N && I < 64; ++I)
    if (Constant *E = C->getAggregateElement(I))
      flatten(E, Out);
}

/// The number that was cast to a pointer, if C is one.
std::optional<int64_t> numberIn(const Constant *C) {
  if (C->isNullValue())
    return 0;
  if (auto *E = dyn_cast<ConstantExpr>(C);
      E && E->getOpcode() == Instruction::IntToPtr)
    C = E->getOperand(0);
  if (auto *I = dyn_cast<ConstantInt>(C))
    return I->getSExtValue();
  return std::nullopt;
}

} // namespace

/// Reads the registrations of one module.
class RegistrationReader {
public:
  RegistrationReader(Module &M, Registrations &Out)
      : M(M), Out(Out), DL(M.getDataLayout()) {}
  void run();

private:
  SmallVector<Constant *> entriesOf(GlobalVariable &G);
  void addStored(GlobalVariable &G, SmallVectorImpl<Constant *> &Entries);
  void annotations();
  void enter(What Kind, ArrayRef<Constant *> E);
  Function *functionIn(ArrayRef<Constant *> E, size_t I);
  bool count(ArrayRef<Constant *> E, size_t N, StringRef Shape);
  void like(Registration &R, StringRef Name);
  void allocation(Registration &R, ArrayRef<Constant *> E);
  void custom(What Kind, Registration &R, ArrayRef<Constant *> E);
  void shadow(ArrayRef<Constant *> E);
  void shadowMetadata();
  void problem(const std::string &Text) {
    if (Out.Problems.empty() || Out.Problems.back().Array != Array || !Array)
      Out.Problems.push_back({Array, Near, Text});
  }

  Module &M;
  Registrations &Out;
  const DataLayout &DL;
  GlobalVariable *Array = nullptr; ///< that is being read
  Function *Near = nullptr;        ///< the function it speaks of
};

/// Adds what is stored before main runs. C++ does that for initializers that
/// are no constant expressions, and leaves them empty.
void RegistrationReader::addStored(GlobalVariable &G,
                                   SmallVectorImpl<Constant *> &Entries) {
  uint64_t Word = DL.getPointerSize();
  SmallVector<std::pair<User *, uint64_t>> Work;
  for (User *U : G.users())
    Work.push_back({U, 0});
  while (!Work.empty()) {
    auto [U, At] = Work.pop_back_val();
    if (auto *GEP = dyn_cast<GEPOperator>(U)) {
      APInt Offset(64, At);
      if (GEP->accumulateConstantOffset(DL, Offset))
        for (User *V : GEP->users())
          Work.push_back({V, Offset.getZExtValue()});
    } else if (auto *S = dyn_cast<StoreInst>(U)) {
      Function *F = functionBehind(S->getValueOperand());
      if (F && At / Word < Entries.size() && Entries[At / Word]->isNullValue())
        Entries[At / Word] = F;
    }
  }
}

SmallVector<Constant *> RegistrationReader::entriesOf(GlobalVariable &G) {
  SmallVector<Constant *> E;
  if (G.hasInitializer())
    flatten(G.getInitializer(), E);
  if (any_of(E, [](Constant *C) { return C->isNullValue(); }))
    addStored(G, E);
  return E;
}

Function *RegistrationReader::functionIn(ArrayRef<Constant *> E, size_t I) {
  auto *F = I < E.size()
                ? dyn_cast<Function>(E[I]->stripPointerCastsAndAliases())
                : nullptr;
  if (F)
    return primalOf(*F);
  static const char *Nth[] = {"first", "second", "third", "fourth"};
  problem(std::string("its ") + Nth[std::min<size_t>(I, 3)] +
          " entry is not a function");
  return nullptr;
}

bool RegistrationReader::count(ArrayRef<Constant *> E, size_t N,
                               StringRef Shape) {
  if (E.size() == N)
    return true;
  problem("it has " + std::to_string(E.size()) + " entries, but it must be " +
          Shape.str());
  return false;
}

void RegistrationReader::like(Registration &R, StringRef Name) {
  const KnownFunction *Row = lookupKnown(Name);
  const Function &F = *R.Primal;
  if (!Row)
    return problem("nothing is known of a function '" + Name.str() + "'");
  for (int Operand : {Row->A, Row->B, Row->C})
    if (Operand >= static_cast<int>(F.arg_size()))
      return problem("'" + displayName(F) +
                     "' has too few parameters to be like '" + Name.str() +
                     "'");
  if (Row->Kind == KnownKind::Math) {
    unsigned Arity = static_cast<unsigned>(rules::arityOf(Row->Rule));
    bool Fits = F.arg_size() >= Arity && F.getReturnType()->isFPOrFPVectorTy();
    for (unsigned I = 0; Fits && I < Arity; ++I)
      Fits = F.getArg(I)->getType() == F.getReturnType() ||
             !F.getArg(I)->getType()->isFPOrFPVectorTy();
    if (!Fits)
      return problem("'" + displayName(F) +
                     "' does not have the parameters of '" + Name.str() + "'");
  }
  R.Like = Name.str();
}

/// {allocator, operand with the size, operands of the release, release}. The
/// release's operands are numbers of the allocator's operands, and -1 is the
/// memory itself.
void RegistrationReader::allocation(Registration &R, ArrayRef<Constant *> E) {
  if (!count(E, 4,
             "{allocator, (void *)operand with the size, \"operands of the "
             "release\", release}"))
    return;
  auto Size = numberIn(E[1]);
  Function &F = *R.Primal;
  bool Valid = Size && *Size >= 0 && *Size < static_cast<int64_t>(F.arg_size());
  if (!Valid ||
      !F.getArg(static_cast<unsigned>(*Size))->getType()->isIntegerTy())
    return problem(
        "its second entry is not the number of an integer parameter of '" +
        displayName(F) + "', counted from 0");
  if (!F.getReturnType()->isPointerTy())
    return problem("'" + displayName(F) + "' does not return a pointer");
  R.AllocationSize = static_cast<int>(*Size);
  if (E[3]->isNullValue())
    return;
  Function *Release = functionIn(E, 3);
  StringRef Text;
  if (!Release)
    return;
  if (!getConstantStringInfo(E[2], Text))
    return problem("its third entry is not a string");
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  int At = 0, Pointer = 0;
  for (StringRef Part : Parts) {
    if (Part.trim() == "-1")
      Pointer = At;
    ++At;
  }
  if (Pointer >= static_cast<int>(Release->arg_size()) ||
      !Release->getArg(static_cast<unsigned>(Pointer))
           ->getType()
           ->isPointerTy())
    return problem("'" + displayName(*Release) +
                   "' cannot be given the memory");
  if (Release->arg_size() > 3 || any_of(Release->args(), [](Argument &A) {
        return !A.getType()->isPointerTy() && !A.getType()->isIntegerTy();
      }))
    return problem("'" + displayName(*Release) +
                   "' has more than three parameters, or numbers among them");
  const KnownFunction *Row = lookupKnown(Release->getName());
  if (Release->isDeclaration() && Row && Row->Kind == KnownKind::Free)
    return;
  Registration &Free = Out.ByFunction[Release];
  Free.Primal = Release;
  Free.Released = Pointer;
}

void RegistrationReader::custom(What Kind, Registration &R,
                                ArrayRef<Constant *> E) {
  // An annotation may leave out the augmented function. That is the same as the
  // primal in its place.
  size_t N = Kind == What::Derivative ? 2 : 3;
  if (Kind == What::Gradient && !Array && E.size() == 2)
    N = 2;
  else if (!count(E, N,
                  Kind == What::Gradient ? "{function, augmented, reverse}"
                  : Kind == What::Split  ? "{function, augmented, tangent}"
                                         : "{function, derivative}"))
    return;
  // Null in the place of the augmented function stands for the primal, too.
  bool Nothing = Kind == What::Gradient && N == 3 && E[1]->isNullValue();
  Function *First = Nothing ? R.Primal : functionIn(E, 1);
  Function *Second = N == 3 ? functionIn(E, 2) : First;
  if (!First || !Second)
    return;
  bool Augments = N == 3 && First != R.Primal;
  CustomRule Rule;
  std::string Error;
  PrimalSignature P(*R.Primal);
  auto &Slot = Kind == What::Gradient ? R.Gradient
               : Kind == What::Split  ? R.Split
                                      : R.Derivative;
  if (R.Primal->isVarArg())
    Error = "'" + displayName(*R.Primal) + "' has no fixed parameters";
  else if (Kind == What::Gradient)
    Error = bindGradient(P, Augments ? First : nullptr, Second, Rule);
  else if (Kind == What::Split)
    Error = bindSplit(P, First, Second, Rule);
  else
    Error = bindDerivative(P, First, Rule);
  if (Error.empty() && Slot &&
      (Slot->Augmented.F != Rule.Augmented.F ||
       Slot->Derivative.F != Rule.Derivative.F))
    Error = "'" + displayName(*R.Primal) + "' is registered twice";
  if (!Error.empty())
    return problem(Error);
  Slot = std::move(Rule);
}

/// {variable, shadow}: the shadow of a global, known everywhere, like an
/// argument's.
void RegistrationReader::shadow(ArrayRef<Constant *> E) {
  if (!count(E, 2, "{variable, shadow}"))
    return;
  auto *G = dyn_cast<GlobalVariable>(E[0]->stripPointerCastsAndAliases());
  auto *S = dyn_cast<GlobalVariable>(E[1]->stripPointerCastsAndAliases());
  if (!G || !S)
    return problem(std::string("its ") + (G ? "second" : "first") +
                   " entry is not a global variable");
  if (G == S)
    return problem("'" + displayName(G->getName()) + "' is its own shadow");
  for (auto &[V, Shadow] : Out.ShadowGlobals)
    if ((V == G) != (Shadow == S))
      return problem("'" + displayName((V == G ? G : S)->getName()) +
                     "' is registered twice");
  for (GlobalVariable *V : {G, S})
    if (V->isConstant())
      return problem("'" + displayName(V->getName()) + "' is constant");
  if (DL.getTypeAllocSize(G->getValueType()) !=
          DL.getTypeAllocSize(S->getValueType()) ||
      G->getAddressSpace() != S->getAddressSpace() ||
      G->getThreadLocalMode() != S->getThreadLocalMode())
    return problem("'" + displayName(S->getName()) + "' has not the size of '" +
                   displayName(G->getName()) +
                   "', or is in another kind of memory");
  Out.ShadowGlobals[G] = S;
}

/// Reads what other front ends say of a variable: !enzyme_shadow !{shadow}.
void RegistrationReader::shadowMetadata() {
  for (GlobalVariable &G : M.globals()) {
    MDNode *N = G.hasMetadata() ? G.getMetadata("enzyme_shadow") : nullptr;
    if (!N)
      continue;
    Array = &G;
    Near = nullptr;
    auto *S = N->getNumOperands() == 1
                  ? dyn_cast_or_null<ConstantAsMetadata>(N->getOperand(0).get())
                  : nullptr;
    if (S)
      shadow({&G, S->getValue()});
    else
      problem("its metadata enzyme_shadow is no variable");
  }
}

void RegistrationReader::enter(What Kind, ArrayRef<Constant *> E) {
  if (Kind == What::ShadowGlobal)
    return shadow(E);
  if (Kind == What::InactiveGlobal) {
    for (Constant *C : E)
      if (auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(C)))
        Out.InactiveGlobals.insert(G);
      else
        problem("its entry is not a global variable");
    return;
  }
  if (Kind == What::Inactive || Kind == What::Recompute ||
      Kind == What::NoFree) {
    for (size_t I = 0; I < E.size(); ++I) {
      Function *F = functionIn(E, I);
      if (!F)
        return;
      if (Kind == What::NoFree) {
        F->addFnAttr(Attribute::NoFree);
        continue;
      }
      Registration &R = Out.ByFunction[F];
      R.Primal = F;
      (Kind == What::Inactive ? R.Inactive : R.Recompute) = true;
    }
    return;
  }
  Near = functionIn(E, 0);
  if (!Near)
    return;
  Registration &R = Out.ByFunction[Near];
  R.Primal = Near;
  StringRef Name;
  switch (Kind) {
  case What::Like:
    if (!count(E, 2, "{function, \"name\"}"))
      return;
    if (!getConstantStringInfo(E[1], Name))
      return problem("its second entry is not a string");
    return like(R, Name);
  case What::Allocation:
    return allocation(R, E);
  default:
    return custom(Kind, R, E);
  }
}

/// Reads annotations of functions and globals: {what, text, file, line,
/// operands}.
void RegistrationReader::annotations() {
  GlobalVariable *G = M.getNamedGlobal("llvm.global.annotations");
  auto *All = G && G->hasInitializer()
                  ? dyn_cast<ConstantArray>(G->getInitializer())
                  : nullptr;
  if (!All)
    return;
  Array = nullptr;
  for (Value *V : All->operands()) {
    auto *Row = dyn_cast<ConstantStruct>(V);
    StringRef Text;
    if (!Row || Row->getNumOperands() < 2 ||
        !getConstantStringInfo(Row->getOperand(1), Text))
      continue;
    auto *Object =
        cast<Constant>(Row->getOperand(0)->stripPointerCastsAndAliases());
    auto [Name, Operand] = Text.split('=');
    const Convention *E =
        find_if(Entries, [&](auto &X) { return X.Annotation == Name; });
    if (E == std::end(Entries)) {
      Near = dyn_cast<Function>(Object);
      if (Name.starts_with("enzyme_") && !isSilent(Name))
        problem("there is no annotation '" + Name.str() + "'");
      continue;
    }
    SmallVector<Constant *> Operands{Object};
    if (Row->getNumOperands() > 4)
      if (auto *A =
              dyn_cast<GlobalVariable>(Row->getOperand(4)->stripPointerCasts());
          A && A->hasInitializer())
        flatten(A->getInitializer(), Operands);
    Near = dyn_cast<Function>(Object);
    What Kind = E->Kind;
    if (!Near) {
      // For a global, the only annotation that means anything is that it is
      // inactive.
      if (Kind == What::Inactive)
        enter(What::InactiveGlobal, Object);
      continue;
    }
    if (Kind == What::Like) {
      Near = primalOf(*Near);
      Registration &R = Out.ByFunction[Near];
      R.Primal = Near;
      like(R, Operand);
    } else {
      if (Kind == What::Inactive || Kind == What::Recompute ||
          Kind == What::NoFree)
        Operands.resize(1);
      enter(Kind, Operands);
    }
  }
}

void RegistrationReader::run() {
  for (GlobalVariable &G : M.globals()) {
    if (G.hasAttribute(InactiveAttribute))
      Out.InactiveGlobals.insert(&G);
    What Kind = kindOfArray(G);
    // In host code, arrays of the device are declarations and say nothing.
    if (G.isDeclaration() || isa<UndefValue>(G.getInitializer()))
      continue;
    Array = &G;
    Near = nullptr;
    if (Kind == What::Nothing) {
      if (G.getName().contains(conventionPrefix()) && !G.hasPrivateLinkage())
        problem("there is no registration of this name");
      continue;
    }
    Out.Arrays.push_back(&G);
    enter(Kind, entriesOf(G));
  }
  shadowMetadata();
  annotations();
  Array = nullptr;
  for (Function &F : M)
    if (sayingOf(F) != Saying::Nothing && !F.getName().contains(StandInSuffix))
      enter(What::Inactive, &F);
}

//===----------------------------------------------------------------------===//

Registrations::Registrations(Module &M) {
  RegistrationReader(M, *this).run();
  readLaunches(M, ByFunction);
  readLibraryCalls(M, ByFunction);
}

const Registration *Registrations::of(const Function &F) const {
  auto It = ByFunction.find(primalOf(F));
  return It == ByFunction.end() ? nullptr : &It->second;
}

const Registration *Registrations::of(const CallBase &C) const {
  auto *F =
      dyn_cast<Function>(C.getCalledOperand()->stripPointerCastsAndAliases());
  return F ? of(*F) : nullptr;
}

const CustomRule *Registrations::rule(const Function &F, Mode M,
                                      bool Split) const {
  const Registration *R = of(F);
  if (!R || R->Inactive)
    return nullptr;
  if (M == Mode::Reverse)
    return R->Gradient ? &*R->Gradient : nullptr;
  if (R->Derivative &&
      (!Split || none_of(R->Primal->args(), [](const Argument &A) {
        return holdsPointers(A.getType());
      })))
    return &*R->Derivative;
  return R->Split ? &*R->Split : nullptr;
}

bool Registrations::isOpaque(const Function &F, Mode M, bool Split) const {
  const Registration *R = of(F);
  return R && R->changesMeaning() &&
         (rule(F, M, Split) || R->Inactive || !R->Like.empty() ||
          R->AllocationSize >= 0 || R->Released >= 0);
}

bool Registrations::hasAddressTaken(const Function &F, bool ByRuntime) const {
  // A constant in an array of registrations is a use that only registers.
  std::function<bool(const User *)> Registers = [&](const User *U) {
    if (auto *G = dyn_cast<GlobalVariable>(U))
      return is_contained(Arrays, G) || holdsStandIns(*G) ||
             G->getName().starts_with("llvm.") ||
             G->getSection() == "llvm.metadata";
    return isa<Constant>(U) && !U->user_empty() &&
           all_of(U->users(), Registers);
  };
  return any_of(F.uses(), [&](const Use &U) {
    if (auto *C = dyn_cast<CallBase>(U.getUser()))
      return !C->isCallee(&U) && !isRequest(*C) &&
             (ByRuntime || !C->getCalledFunction() ||
              !isRuntime(*C->getCalledFunction()));
    return !Registers(U.getUser());
  });
}

//===----------------------------------------------------------------------===//

void markInactive(GlobalVariable &G) { G.addAttribute(InactiveAttribute); }

std::string registeredText(const Registration &R) {
  if (R.Inactive)
    return R.Primal->doesNotAccessMemory() ? "inactive pure"
           : R.Primal->onlyReadsMemory()   ? "inactive reads"
                                           : "inactive";
  if (R.Gradient || R.Derivative || R.Split)
    return "custom";
  if (!R.Like.empty())
    return "like " + R.Like;
  if (R.AllocationSize >= 0)
    return "alloc " + std::to_string(R.AllocationSize);
  return "free " + std::to_string(R.Released);
}

} // namespace retro
