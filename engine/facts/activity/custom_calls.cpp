// Input: a call, and what the program registered for its function. Output: the
// rule that serves it, and what that reads and writes. A rule that read more
// than is said here would read what has changed since.
#include "facts/activity/custom_calls.h"

#include "facts/memory/visible_writes.h"
#include "front/registered/library_calls.h"

using namespace llvm;

namespace retro {

bool isCustom(const CallBase &C) {
  return knownCall(C).Kind == KnownKind::Custom;
}

const CustomRule *customRule(const Unit &U, const CallBase &C) {
  auto *F =
      dyn_cast<Function>(C.getCalledOperand()->stripPointerCastsAndAliases());
  return F ? U.Registered.rule(*F, U.DerivMode, U.Split) : nullptr;
}

Type *customTape(const Unit &U, const CallBase &C) {
  const CustomRule *Rule = customRule(U, C);
  return Rule ? Rule->Tape : nullptr;
}

bool carriesDerivative(const ActivityAnalysis &Act, const CallBase &C) {
  return Act.active(&C) || Act.shadowed(&C) ||
         any_of(C.args(), [&](Value *A) { return Act.shadowed(A); });
}

bool reads(const CustomFunction &F, unsigned Param) {
  return !F.F->hasExactDefinition() || !F.F->getArg(Param)->use_empty();
}

void customNeeds(const ActivityAnalysis &Act, const CallBase &C,
                 function_ref<void(Item)> Need) {
  const CustomRule *Rule = customRule(Act.unit(), C);
  if (!Rule || !Rule->Derivative.F)
    return;
  const CustomFunction &D = Rule->Derivative;
  for (unsigned I = 0; I < D.Params.size(); ++I) {
    const CustomParam &P = D.Params[I];
    if (!reads(D, I))
      continue;
    if (P.What == CustomParam::Tape)
      Need({Item::Tape, &C});
    if (P.What != CustomParam::Primal && P.What != CustomParam::Shadow)
      continue;
    const Value *A = C.getArgOperand(P.Arg);
    bool Shadow = P.What == CustomParam::Shadow && Act.shadowed(A);
    Need({Shadow ? Item::Shadow : Item::Primal, A});
  }
  // The adjoint of a result in memory is taken from there.
  if (C.arg_size() && C.paramHasAttr(0, Attribute::StructRet) &&
      Act.shadowed(C.getArgOperand(0)))
    Need({Item::Shadow, C.getArgOperand(0)});
}

bool readsPrimal(const CallBase &C, const CustomFunction &Augmented) {
  bool InMemory = C.arg_size() && C.paramHasAttr(0, Attribute::StructRet);
  return Augmented.F && Augmented.Primal < 0 && (InMemory || !C.use_empty());
}

/// May F write memory that it is given?
static bool mayWriteOperands(const Function &F) {
  if (F.onlyReadsMemory())
    return false;
  auto Writes = [](const Argument &A) {
    return A.getType()->isPointerTy() && !A.hasStructRetAttr() &&
           !A.onlyReadsMemory();
  };
  if (F.isDeclaration())
    return any_of(F.args(), Writes);
  return any_of(visibleWrites(F), [&](const VisibleWrite &W) {
    return Writes(*F.getArg(W.Arg));
  });
}

/// Is a pointer compared, also as a variable of -O0?
static bool isCompared(const Value &P) {
  return any_of(P.users(), [&](const User *U) {
    if (auto *S = dyn_cast<StoreInst>(U))
      return S->getValueOperand() == &P &&
             isa<AllocaInst>(S->getPointerOperand()) &&
             any_of(S->getPointerOperand()->users(), [](const User *L) {
               return isa<LoadInst>(L) && isCompared(*L);
             });
    return isa<ICmpInst>(U);
  });
}

bool writesShadow(const Unit &U, const CallBase &C, unsigned Arg) {
  const CustomRule *Rule = customRule(U, C);
  if (!Rule)
    return false;
  for (const CustomFunction *F : {&Rule->Augmented, &Rule->Derivative})
    for (unsigned I = 0; F->F && I < F->Params.size(); ++I) {
      const CustomParam &P = F->Params[I];
      if (P.What != CustomParam::Shadow || P.Arg != Arg ||
          isCompared(*F->F->getArg(I)))
        continue;
      if (any_of(visibleWrites(*F->F),
                 [&](const VisibleWrite &W) { return W.Arg == I; }))
        return true;
    }
  return false;
}

void customWrites(const ActivityAnalysis &Act, const CallBase &C,
                  SmallVectorImpl<unsigned> &Classes) {
  const CustomRule *Rule = isCustom(C) ? customRule(Act.unit(), C) : nullptr;
  const Registration *Reg = Act.unit().Registered.of(C);
  const Function *Augmented = Rule ? Rule->Augmented.F : nullptr;
  auto OnlyRead = [&](unsigned N) {
    if (!C.onlyReadsMemory(N) && !(Reg && N < Reg->Primal->arg_size() &&
                                   Reg->Primal->getArg(N)->onlyReadsMemory()))
      return false;
    if (!Augmented)
      return true;
    const auto &Params = Rule->Augmented.Params;
    for (unsigned I = 0; I < Params.size(); ++I)
      if (Params[I].What == CustomParam::Primal && Params[I].Arg == N &&
          !Augmented->getArg(I)->onlyReadsMemory())
        return false;
    return true;
  };
  SmallVector<const Value *> Written;
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (!isOpaqueOperand(C, N) && !OnlyRead(N))
      Written.push_back(C.getArgOperand(N));
  for (unsigned Class : Act.shape().reachedFrom(Written))
    Classes.push_back(Class);
}

/// Does C follow a pointer that may come from where nobody knows where it
/// leads?
static bool followsUnknown(const ActivityAnalysis &Act, const CallBase &C) {
  const int Follows = Act.unit().Registered.of(C)->Follows;
  return Follows >= 0 && Act.shape().originsOf(C.getArgOperand(
                             static_cast<unsigned>(Follows))) != FromHeap;
}

void checkCustomCall(const ActivityAnalysis &Act, const CallBase &C,
                     Reporter &R) {
  if (followsUnknown(Act, C))
    return R.error(Diag::PlanOfOthers, &C,
                   {Act.unit().Registered.of(C)->Primal->getName().str()});
  if (!carriesDerivative(Act, C))
    return;
  const Unit &U = Act.unit();
  const Registration &Reg = *U.Registered.of(C);
  const CustomRule *Rule = customRule(U, C);
  bool Reverse = U.DerivMode == Mode::Reverse;
  std::string Name = Reg.Primal->getName().str();
  if (!Rule)
    return R.error(Diag::NoRuleInMode, &C,
                   {Reverse   ? "gradient"
                    : U.Split ? "split forward derivative"
                              : "forward derivative",
                    Name});
  PrimalSignature P(*Reg.Primal);
  if (!Rule->Besides && readsPrimal(C, Rule->Augmented) &&
      mayWriteOperands(*Reg.Primal))
    return R.error(Diag::CustomResult, &C,
                   {Name, Rule->Augmented.F->getName().str()});
  for (unsigned N = 0; N < C.arg_size(); ++N) {
    const Value *A = C.getArgOperand(N);
    if (Reverse && C.isByValArgument(N) && Act.shadowed(A))
      return R.error(
          Diag::CustomArgument, &C,
          {Name, "a copy of it has no adjoint that could be added to"});
    if (A->getType()->isPointerTy() && !Act.shadowed(A) &&
        writesShadow(U, C, N))
      return R.error(Diag::InactiveShadow, &C,
                     {std::to_string(N + 1 - (P.ResultArg >= 0)), Name});
  }
  bool Pointers =
      Act.shadowed(&C) || (P.ResultArg >= 0 && holdsPointers(P.Result) &&
                           Act.shadowed(C.getArgOperand(0)));
  const CustomFunction &First =
      Rule->Augmented.F ? Rule->Augmented : Rule->Derivative;
  if (Pointers && (First.Derivative < 0 || (Reverse && !Rule->Augmented.F)))
    return R.error(Diag::UnknownShadow, &C,
                   {"it is returned by '" + Name +
                    "', whose registered derivative does not return one"});
  if (U.Width == 1)
    return;
  bool Numbers = none_of(C.args(), [&](Value *A) { return Act.shadowed(A); });
  if (!Numbers || Rule->Tape)
    R.error(Diag::UnsupportedMode, &C,
            {"vector mode for a registered derivative with " +
             std::string(Numbers ? "a tape" : "pointers")});
}

} // namespace retro
