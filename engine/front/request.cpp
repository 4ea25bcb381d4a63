#include "front/request.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

enum class Entry { None, Autodiff, Fwddiff, Other };

struct EntryName {
  const char *Text;
  Entry Kind;
};
// Longer names first: the first that is contained decides.
const EntryName EntryNames[] = {
    {"__enzyme_autodiff", Entry::Autodiff},
    {"__enzyme_fwddiff", Entry::Fwddiff},
    {"__enzyme_fwdsplit", Entry::Other},
    {"__enzyme_augmentfwd", Entry::Other},
    {"__enzyme_augmentsize", Entry::Other},
    {"__enzyme_reverse", Entry::Other},
    {"__enzyme_batch", Entry::Other},
    {"__enzyme_virtualreverse", Entry::Other},
};

Entry entryOf(const CallBase &Call) {
  const auto *F =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || !F->isDeclaration())
    return Entry::None;
  for (const EntryName &E : EntryNames)
    if (F->getName().contains(E.Text))
      return E.Kind;
  return Entry::None;
}

/// The one value a function without parameters returns, if it is constant
/// (a captureless lambda's conversion to a function pointer at -O0).
Value *constantResult(Function &F) {
  Value *Result = nullptr;
  for (BasicBlock &B : F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator())) {
      if (Result || !Ret->getReturnValue())
        return nullptr;
      Result = Ret->getReturnValue()->stripPointerCasts();
    }
  return isa_and_nonnull<Constant>(Result) ? Result : nullptr;
}

/// The only value ever stored to a local variable, when there is just one.
Value *onlyStore(Value *Ptr) {
  auto *Slot = dyn_cast<AllocaInst>(Ptr);
  if (!Slot)
    return nullptr;
  Value *Stored = nullptr;
  for (User *U : Slot->users()) {
    if (auto *S = dyn_cast<StoreInst>(U)) {
      if (S->getPointerOperand() != Slot || Stored)
        return nullptr;
      Stored = S->getValueOperand();
    } else if (!isa<LoadInst>(U)) {
      return nullptr;
    }
  }
  return Stored;
}

Function *resolveFunction(Value *V, unsigned Depth = 0) {
  V = V->stripPointerCasts();
  if (auto *F = dyn_cast<Function>(V))
    return F;
  if (Depth > 8)
    return nullptr;
  if (auto *A = dyn_cast<GlobalAlias>(V))
    return resolveFunction(A->getAliasee(), Depth + 1);
  if (auto *L = dyn_cast<LoadInst>(V)) {
    if (Value *S = onlyStore(L->getPointerOperand()))
      return resolveFunction(S, Depth + 1);
    auto *G = dyn_cast<GlobalVariable>(L->getPointerOperand());
    if (G && G->isConstant() && G->hasInitializer())
      return resolveFunction(G->getInitializer(), Depth + 1);
  }
  if (auto *C = dyn_cast<CallBase>(V))
    if (Function *F = C->getCalledFunction(); F && !F->isDeclaration())
      if (Value *R = constantResult(*F))
        return resolveFunction(R, Depth + 1);
  return nullptr;
}

/// The marker (without its prefix) that an argument is, or "".
StringRef markerOf(const Value *V) {
  V = V->stripPointerCasts();
  while (auto *C = dyn_cast<CastInst>(V))
    V = C->getOperand(0);
  if (auto *L = dyn_cast<LoadInst>(V))
    V = L->getPointerOperand()->stripPointerCasts();
  auto *G = dyn_cast<GlobalVariable>(V);
  if (!G)
    return "";
  StringRef Name = G->getName();
  return Name.consume_front("enzyme_") ? Name : "";
}

bool containsFloat(Type *T) {
  if (T->isFPOrFPVectorTy())
    return true;
  return any_of(T->subtypes(), containsFloat);
}

Activity defaultActivity(const Argument &A, Mode M) {
  if (A.getType()->isPointerTy())
    return Activity::Dup;
  if (containsFloat(A.getType()))
    return M == Mode::Reverse ? Activity::Out : Activity::Dup;
  return Activity::Const;
}

/// Converts what was passed to the parameter's type where C promotion or the
/// ABI changed it; null when that is not possible.
Value *coerce(Value *V, Type *T, Instruction *Before) {
  Type *S = V->getType();
  if (S == T)
    return V;
  if (S->isFloatingPointTy() && T->isFloatingPointTy())
    return CastInst::CreateFPCast(V, T, "", Before->getIterator());
  if (S->isIntegerTy() && T->isIntegerTy())
    return CastInst::CreateIntegerCast(V, T, true, "", Before->getIterator());
  return nullptr;
}

class Parser {
public:
  Parser(CallBase &Call, Reporter &R) : Call(Call), R(R) {}
  std::optional<Request> parse();

private:
  bool bindAll();
  bool bind(Argument &A);
  bool takeOptions();
  Value *take(Type *T, const Argument &A, bool &Ok);

  CallBase &Call;
  Reporter &R;
  Request Req;
  unsigned Next = 0;
};

std::optional<Request> Parser::parse() {
  Req.Call = &Call;
  Req.DerivMode =
      entryOf(Call) == Entry::Fwddiff ? Mode::Forward : Mode::Reverse;
  std::string Name = Call.getCalledOperand()->getName().str();
  if (entryOf(Call) == Entry::Other) {
    R.error(Diag::UnsupportedMode, &Call, {Name});
    return std::nullopt;
  }
  if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet))
    Req.Sret = Call.getArgOperand(Next++);
  Req.Target = targetOf(Call);
  if (!Req.Target) {
    R.error(Diag::TargetNotFunction, &Call, {Name});
    return std::nullopt;
  }
  ++Next;
  if (Req.Target->isDeclaration()) {
    R.error(Diag::TargetNoBody, &Call, {Req.Target->getName().str()});
    return std::nullopt;
  }
  if (!bindAll())
    return std::nullopt;
  return Req;
}

bool Parser::bindAll() {
  for (Argument &A : Req.Target->args())
    if (!bind(A))
      return false;
  if (!takeOptions())
    return false;
  if (Next < Call.arg_size()) {
    R.error(Diag::TooManyArguments, &Call,
            {Req.Target->getName().str(),
             std::to_string(Call.arg_size() - Next) + " left over"});
    return false;
  }
  return true;
}

/// Markers that speak of the request, not of the next argument.
bool Parser::takeOptions() {
  while (Next < Call.arg_size()) {
    StringRef M = markerOf(Call.getArgOperand(Next));
    if (M == "primal_return")
      Req.PrimalReturn = true;
    else if (M == "const_return")
      Req.ConstReturn = true;
    else if (M == "noret" || M == "active_return")
      ;
    else if (M == "width" || M == "tape" || M == "allocated" ||
             M == "runtime_activity" || M == "dup_return") {
      R.error(Diag::UnsupportedMode, &Call, {"the option enzyme_" + M.str()});
      return false;
    } else
      return true;
    ++Next;
  }
  return true;
}

Value *Parser::take(Type *T, const Argument &A, bool &Ok) {
  Ok = false;
  if (Next >= Call.arg_size()) {
    R.error(
        Diag::TooFewArguments, &Call,
        {Req.Target->getName().str(),
         "nothing is given for parameter " + std::to_string(A.getArgNo() + 1)});
    return nullptr;
  }
  Value *V = coerce(Call.getArgOperand(Next++), T, &Call);
  if (!V) {
    R.error(Diag::BadArgumentType, &Call,
            {std::to_string(A.getArgNo() + 1), Req.Target->getName().str()});
    return nullptr;
  }
  Ok = true;
  return V;
}

bool Parser::bind(Argument &A) {
  if (!takeOptions())
    return false;
  BoundArgument B;
  B.Act = defaultActivity(A, Req.DerivMode);
  if (Next < Call.arg_size()) {
    StringRef M = markerOf(Call.getArgOperand(Next));
    if (!M.empty()) {
      if (M == "const")
        B.Act = Activity::Const;
      else if (M == "dup")
        B.Act = Activity::Dup;
      else if (M == "dupnoneed")
        B.Act = Activity::DupNoNeed;
      else if (M == "out")
        B.Act = Activity::Out;
      else {
        R.error(Diag::UnsupportedMode, &Call, {"the marker enzyme_" + M.str()});
        return false;
      }
      ++Next;
    }
  }
  bool Wrong = (B.Act == Activity::Out && (!containsFloat(A.getType()) ||
                                           Req.DerivMode == Mode::Forward)) ||
               ((B.Act == Activity::Dup || B.Act == Activity::DupNoNeed) &&
                !A.getType()->isPointerTy() && Req.DerivMode == Mode::Reverse);
  if (Wrong) {
    R.error(Diag::BadActivity, &Call,
            {std::to_string(A.getArgNo() + 1), Req.Target->getName().str(),
             B.Act == Activity::Out ? "enzyme_out" : "enzyme_dup"});
    return false;
  }
  bool Ok;
  B.Primal = take(A.getType(), A, Ok);
  if (!Ok)
    return false;
  if (B.Act == Activity::Dup || B.Act == Activity::DupNoNeed) {
    B.Shadow = take(A.getType(), A, Ok);
    if (!Ok)
      return false;
  }
  Req.Args.push_back(B);
  return true;
}

} // namespace

std::vector<Activity> Request::activities() const {
  std::vector<Activity> Out;
  for (const BoundArgument &B : Args)
    Out.push_back(B.Act);
  return Out;
}

bool isRequest(const CallBase &Call) { return entryOf(Call) != Entry::None; }

std::vector<CallBase *> requestsIn(Function &F) {
  std::vector<CallBase *> Out;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (isRequest(*C))
        Out.push_back(C);
  return Out;
}

Function *targetOf(const CallBase &Call) {
  unsigned I = Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet);
  return I < Call.arg_size() ? resolveFunction(Call.getArgOperand(I)) : nullptr;
}

std::optional<Request> parseRequest(CallBase &Call, Reporter &R) {
  return Parser(Call, R).parse();
}

} // namespace retro
