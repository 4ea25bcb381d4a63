// Input: a call of an entry point. Output: a Request, with the function, the
// mode, and an activity, value and shadows for each parameter; or a message at
// the call that says what does not fit. Later stages check nothing of this
// again.
#include "front/requests/request.h"
#include "front/known/operands.h"
#include "front/registered/declared.h"

#include "front/known/known_functions.h"
#include "front/known/replaceable.h"
#include "front/known/stand_in_links.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

class Parser {
public:
  Parser(CallBase &Call, const ForwardSplits &Forward, Reporter &R)
      : Call(Call), Forward(Forward), R(R) {}
  std::optional<Request> parse();

private:
  bool bindAll();
  bool bind(Argument &A);
  bool bindLanes(Argument &A);
  bool takeActivity(Argument &A);
  bool takeShadows(Argument &A, BoundArgument &B, std::optional<uint64_t> V);
  bool takeSparse(BoundArgument &B);
  bool takeOptions();
  bool takeNumber(StringRef What, uint64_t &N);
  bool takePool(bool OfLaunch);
  bool takeSharedBytes();
  bool takeSplit();
  bool addResultShadow(Argument &A);
  bool atEnd() const { return Next >= Call.arg_size(); }
  StringRef marker() const {
    return atEnd() ? "" : markerOf(Call.getArgOperand(Next));
  }
  Value *take(Type *T, const Argument &A, bool &Ok);
  std::string askForShadow(const Argument &A, Value *Given) const;
  bool tooFew(const Twine &What);

  CallBase &Call;
  const ForwardSplits &Forward;
  Reporter &R;
  Request Req;
  unsigned Next = 0;
};

/// The target, if the linker may replace its body; else null.
const GlobalValue *replaceableTarget(const Request &Req) {
  if (Req.Kind == Entry::Batch)
    return nullptr;
  if (Req.Target)
    return isReplaceable(*Req.Target) &&
                   !Req.Target->hasFnAttribute(RegisteredAttribute)
               ? Req.Target
               : nullptr;
  Value *V = targetOperand(*Req.Call);
  return V ? dyn_cast<GlobalAlias>(originOf(V)) : nullptr;
}

std::optional<Request> Parser::parse() {
  Req.Call = &Call;
  Req.Kind = entryOf(Call);
  std::string Name = Call.getCalledOperand()->getName().str();
  if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet))
    Req.Sret = Call.getArgOperand(Next++);
  Req.Target = targetOf(Call);
  if (const GlobalValue *G = replaceableTarget(Req)) {
    R.error(Diag::Replaceable, &Call, {G->getName().str()});
    return std::nullopt;
  }
  if (!Req.Target) {
    R.error(Diag::TargetNotFunction, &Call, {Name});
    return std::nullopt;
  }
  ++Next;
  Req.ForwardSecond =
      (Req.Kind == Entry::AugmentFwd || Req.Kind == Entry::AugmentSize) &&
      Forward.contains(Req.Target);
  if (Req.Kind == Entry::Reverse && Forward.contains(Req.Target)) {
    R.error(Diag::TwoSecondPasses, &Call, {Req.Target->getName().str()});
    return std::nullopt;
  }
  if (Req.Target->isDeclaration() &&
      !Req.Target->hasFnAttribute(RegisteredAttribute)) {
    R.error(Diag::TargetNoBody, &Call, {Req.Target->getName().str()});
    return std::nullopt;
  }
  if (Req.Kind == Entry::PoolSize && Req.Pool == PoolWish::None)
    Req.Pool = PoolWish::Caller;
  if (Req.Kind != Entry::VirtualReverse && !bindAll())
    return std::nullopt;
  return Req;
}

bool Parser::bindAll() {
  for (Argument &A : Req.Target->args()) {
    bool Ok = takeOptions();
    if (Ok && A.hasStructRetAttr())
      Ok = addResultShadow(A);
    else if (Ok && Req.Kind == Entry::AugmentSize)
      Ok = takeActivity(A);
    else if (Ok)
      Ok = Req.Kind == Entry::Batch ? bindLanes(A) : bind(A);
    if (!Ok)
      return false;
  }
  if (!takeOptions() || !takeSplit())
    return false;
  if (!atEnd()) {
    R.error(Diag::TooManyArguments, &Call,
            {Req.Target->getName().str(),
             std::to_string(Call.arg_size() - Next) + " left over"});
    return false;
  }
  return true;
}

bool Parser::tooFew(const Twine &What) {
  R.error(Diag::TooFewArguments, &Call,
          {Req.Target->getName().str(), What.str()});
  return false;
}

bool Parser::takeNumber(StringRef What, uint64_t &N) {
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
bool Parser::takeOptions() {
  for (; !atEnd();) {
    StringRef M = marker();
    if (M == "primal_return")
      Req.PrimalReturn = true;
    else if (M == "const_return" || M == "noret")
      Req.ConstReturn |= M == "const_return";
    else if (M == "runtime_activity")
      Req.RuntimeActivity = true;
    else if (M == "nofree")
      Req.NoFree = true;
    else if (M == "allocated_fitting")
      Req.Allocated = Request::Fitting;
    else if (M == "pool_wished")
      Req.Pool = PoolWish::Launch;
    else if (M == "pool" || M == "pool_of_launch") {
      ++Next;
      if (!takePool(M == "pool_of_launch"))
        return false;
      continue;
    } else if (M == "shared_bytes") {
      ++Next;
      if (!takeSharedBytes())
        return false;
      continue;
    } else if (M == "width" || M == "allocated") {
      uint64_t N;
      ++Next;
      if (!takeNumber(M == "width" ? "enzyme_width" : "enzyme_allocated", N))
        return false;
      if (M == "allocated") {
        Req.Allocated = N;
      } else if (N < 1 || N > 1024) {
        R.error(Diag::BadWidth, &Call, {std::to_string(N)});
        return false;
      } else {
        Req.Width = static_cast<unsigned>(N);
      }
      continue;
    } else if (M == "tape") {
      if (++Next >= Call.arg_size())
        return tooFew("no tape follows enzyme_tape");
      Req.Tape = Call.getArgOperand(Next);
    } else if (M != "active_return" && M != "dup_return")
      return true;
    ++Next;
  }
  return true;
}

/// Takes a pool's memory and bytes. Requests of the engine's own also pass the
/// thread's number and how many threads there are.
bool Parser::takePool(bool OfLaunch) {
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

bool Parser::takeSharedBytes() {
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

/// Says which parameter lacks a shadow, and what is given for it: most often
/// what does not fit stands where the shadow should.
std::string Parser::askForShadow(const Argument &A, Value *Given) const {
  auto Described = [](const Declared &D, const Value &V) {
    return D                            ? "'" + D.text() + "'"
           : V.getType()->isPointerTy() ? std::string("a pointer")
           : V.getType()->isIntegerTy() ? std::string("an integer")
                                        : std::string("a number");
  };
  std::string Text = ": it is " + Described(declaredParameter(A), A);
  if (Given)
    Text += ", and " + Described(declaredOperand(*Given), *Given) + " is given";
  for (size_t N = Req.Args.size(); N-- > 0;) {
    const Argument &Before = *Req.Target->getArg(static_cast<unsigned>(N));
    if (!Req.Args[N].Primal || Req.Args[N].Act != Activity::Dup ||
        !Before.getType()->isPointerTy())
      continue;
    std::string Name = declaredParameter(Before).Name;
    return Text + "; was the shadow of " +
           (Name.empty() ? "parameter " + std::to_string(N + 1)
                         : "'" + Name + "'") +
           " forgotten?";
  }
  return Text;
}

Value *Parser::take(Type *T, const Argument &A, bool &Ok) {
  Ok = false;
  if (atEnd()) {
    tooFew("nothing is given for parameter " + Twine(A.getArgNo() + 1) +
           askForShadow(A, nullptr));
    return nullptr;
  }
  Value *Given = Call.getArgOperand(Next++);
  Value *V = coerce(Given, T, &Call);
  if (!V) {
    R.error(Diag::BadArgumentType, &Call,
            {std::to_string(A.getArgNo() + 1), Req.Target->getName().str(),
             askForShadow(A, Given)});
    return nullptr;
  }
  Ok = true;
  return V;
}

/// The marker that a misspelled one may stand for, as the end of a sentence.
std::string suggestion(StringRef Given) {
  constexpr StringRef Markers[] = {"dupnoneedv",   "dupnoneed",
                                   "dupv",         "dup",
                                   "const",        "out",
                                   "width",        "primal_return",
                                   "const_return", "runtime_activity"};
  constexpr unsigned Typo = 3; // so many letters may be wrong
  StringRef Best;
  unsigned Least = Typo;
  for (StringRef M : Markers) {
    unsigned Wrong =
        Given.starts_with(M) || M.starts_with(Given)
            ? 0
            : Given.edit_distance(M, /*AllowReplacements=*/true, Typo);
    if (Wrong < Least) {
      Best = M;
      Least = Wrong;
    }
  }
  return Best.empty() ? "" : (" (did you mean enzyme_" + Best + "?)").str();
}

/// Takes the activity of a parameter, from its marker or by default.
bool Parser::takeActivity(Argument &A) {
  BoundArgument B;
  B.Act = defaultActivity(A, Req.mode());
  StringRef M = marker();
  std::string Shown = ("enzyme_" + M).str();
  if (!M.empty()) {
    if (M == "const")
      B.Act = Activity::Const;
    else if (M == "dup" || M == "dupv")
      B.Act = Activity::Dup;
    else if (M == "dupnoneed" || M == "dupnoneedv")
      B.Act = Activity::DupNoNeed;
    else if (M == "out")
      B.Act = Activity::Out;
    else {
      R.error(Diag::UnknownMarker, &Call, {Shown, suggestion(M)});
      return false;
    }
    ++Next;
  }
  bool Dup = B.Act == Activity::Dup || B.Act == Activity::DupNoNeed;
  if ((B.Act == Activity::Out &&
       (!containsFloat(A.getType()) || Req.mode() == Mode::Forward)) ||
      (Dup && !A.getType()->isPointerTy() && Req.mode() == Mode::Reverse)) {
    R.error(Diag::BadActivity, &Call,
            {std::to_string(A.getArgNo() + 1), Req.Target->getName().str(),
             Dup ? "enzyme_dup" : "enzyme_out"});
    return false;
  }
  Req.Args.push_back(B);
  return true;
}

/// Takes the shadows of all lanes. With a Stride, they are one block, so many
/// bytes apart.
bool Parser::takeShadows(Argument &A, BoundArgument &B,
                         std::optional<uint64_t> Stride) {
  bool Ok;
  if (!Stride) {
    for (unsigned L = 0; L < Req.Width; ++L) {
      B.Shadows.push_back(take(A.getType(), A, Ok));
      if (!Ok)
        return false;
    }
    return true;
  }
  Value *Base = take(PointerType::getUnqual(Call.getContext()), A, Ok);
  if (!Ok)
    return false;
  IRBuilder<> At(&Call);
  for (unsigned L = 0; L < Req.Width; ++L) {
    Value *P = At.CreatePtrAdd(Base, At.getInt64(L * *Stride));
    B.Shadows.push_back(A.getType()->isPointerTy()
                            ? P
                            : At.CreateAlignedLoad(A.getType(), P, Align(1)));
  }
  return true;
}

bool Parser::bind(Argument &A) {
  bool Block = marker() == "dupv" || marker() == "dupnoneedv";
  if (!takeActivity(A))
    return false;
  BoundArgument &B = Req.Args.back();
  std::optional<uint64_t> Stride;
  if (Block) {
    uint64_t N;
    if (!takeNumber("enzyme_dupv", N))
      return false;
    Stride = N;
  }
  bool Ok;
  B.Primal = take(A.getType(), A, Ok);
  if (!Ok)
    return false;
  if (B.Act == Activity::Dup || B.Act == Activity::DupNoNeed)
    return takeShadows(A, B, Stride) && takeSparse(B);
  return true;
}

/// Finds out which of the shadows are sparse.
bool Parser::takeSparse(BoundArgument &B) {
  for (unsigned L = 0; L < B.Shadows.size(); ++L) {
    auto *C = dyn_cast<CallBase>(originOf(B.Shadows[L]));
    if (!C || !isSparseShadow(*C))
      continue;
    SparseShadow S;
    for (Value *A : C->args())
      S.Extra.push_back(A);
    if (S.Extra.size() >= 2) {
      S.Load = dyn_cast<Function>(originOf(S.Extra[0]));
      S.Store = dyn_cast<Function>(originOf(S.Extra[1]));
      S.Extra.erase(S.Extra.begin(), S.Extra.begin() + 2);
    }
    auto *I64 = Type::getInt64Ty(Call.getContext());
    Type *T = S.Load ? S.Load->getReturnType() : nullptr;
    bool Ok = T && T->isFloatingPointTy() && S.Store &&
              S.Load->arg_size() == 1 + S.Extra.size() &&
              S.Store->arg_size() == 2 + S.Extra.size() &&
              S.Load->getArg(0)->getType() == I64 &&
              S.Store->getArg(0)->getType() == T &&
              S.Store->getArg(1)->getType() == I64;
    if (!Ok || Req.isSplit()) {
      R.error(Diag::SparseFunctions, C, {Req.Target->getName().str()});
      return false;
    }
    B.Sparse.resize(B.Shadows.size());
    B.Sparse[L] = S;
  }
  return true;
}

/// Binds an argument of a batch: one value for each lane, one for all, or a
/// block of what pointers point to.
bool Parser::bindLanes(Argument &A) {
  BoundArgument B;
  StringRef M = marker();
  bool Ok = true;
  if (M == "scalar" || M == "vector" || M == "buffer")
    ++Next;
  if (M == "vector") {
    for (unsigned L = 0; L < Req.Width && Ok; ++L)
      B.Lanes.push_back(take(A.getType(), A, Ok));
  } else if (M == "buffer") {
    uint64_t Stride;
    if (!takeNumber("enzyme_buffer", Stride))
      return false;
    Value *Base = take(PointerType::getUnqual(Call.getContext()), A, Ok);
    IRBuilder<> At(&Call);
    for (unsigned L = 0; L < Req.Width && Ok; ++L) {
      Value *P = At.CreatePtrAdd(Base, At.getInt64(L * Stride));
      B.Lanes.push_back(A.getType()->isPointerTy()
                            ? P
                            : At.CreateAlignedLoad(A.getType(), P, Align(1)));
    }
  } else {
    B.Primal = take(A.getType(), A, Ok);
  }
  Req.Args.push_back(B);
  return Ok;
}

/// The result is returned in memory of the caller. Its tangent goes where the
/// caller of the request wants the result.
bool Parser::addResultShadow(Argument &A) {
  if (Req.Kind != Entry::Fwddiff || !Req.Sret) {
    R.error(Diag::BadReturn, &Call,
            {Req.Target->getName().str(), "it returns a struct in memory"});
    return false;
  }
  Type *T = A.getParamStructRetType();
  const DataLayout &DL = Req.Target->getDataLayout();
  uint64_t Bytes = DL.getTypeAllocSize(T).getFixedValue();
  IRBuilder<> EB(&*Call.getFunction()->getEntryBlock().begin());
  IRBuilder<> At(&Call);
  BoundArgument B;
  B.Act = Activity::Dup;
  B.Primal = Req.Sret;
  if (!Req.PrimalReturn) {
    auto *Scratch = EB.CreateAlloca(T, nullptr, "result");
    Scratch->setAlignment(A.getParamAlign().valueOrOne());
    B.Primal = Scratch;
  }
  for (unsigned L = 0; L < Req.Width; ++L)
    B.Shadows.push_back(At.CreatePtrAdd(
        Req.Sret, At.getInt64((L + (Req.PrimalReturn ? 1 : 0)) * Bytes)));
  for (Value *S : B.Shadows)
    At.CreateMemSet(S, At.getInt8(0), Bytes, MaybeAlign());
  Req.Args.push_back(B);
  Req.Sret = nullptr;
  return true;
}

/// Takes what follows the arguments in the second pass: the seeds, and the
/// tape.
bool Parser::takeSplit() {
  if (Req.Kind == Entry::Reverse && !Req.ConstReturn)
    if (Type *T = resultAdjointType(*Req.Target))
      for (unsigned L = 0; L < Req.Width; ++L) {
        if (atEnd())
          return tooFew("the adjoint of its result is missing");
        Value *V = coerce(Call.getArgOperand(Next++), T, &Call);
        if (!V) {
          R.error(Diag::BadReturn, &Call,
                  {Req.Target->getName().str(),
                   "the seed does not have the result's type"});
          return false;
        }
        Req.Seeds.push_back(V);
      }
  if (Req.Kind != Entry::Reverse && Req.Kind != Entry::FwdSplit)
    return true;
  if (Req.Place.Memory)
    return true;
  if (!Req.Tape) {
    if (atEnd())
      return tooFew("the tape is missing");
    Req.Tape = Call.getArgOperand(Next++);
  }
  if (!Req.Tape->getType()->isPointerTy()) {
    R.error(Diag::BadArgumentType, &Call,
            {"of the tape", Req.Target->getName().str()});
    return false;
  }
  return takeOptions();
}

} // namespace

std::vector<Activity> Request::activities() const {
  std::vector<Activity> Out;
  for (const BoundArgument &B : Args)
    Out.push_back(B.Act);
  return Out;
}

Type *resultAdjointType(const Function &F) {
  Type *T = F.getReturnType();
  return containsFloat(T) ? T : nullptr;
}

std::vector<unsigned> Request::sparseArgs() const {
  std::vector<unsigned> Out;
  for (unsigned N = 0; N < Args.size(); ++N)
    if (!Args[N].Sparse.empty())
      Out.push_back(N);
  return Out;
}

ForwardSplits forwardSplitsIn(Module &M) {
  ForwardSplits Out;
  for (Function &F : M)
    for (CallBase *C : requestsIn(F))
      if (entryOf(*C) == Entry::FwdSplit)
        Out.insert(targetOf(*C));
  return Out;
}

std::optional<Request> parseRequest(CallBase &Call,
                                    const ForwardSplits &Forward, Reporter &R) {
  return Parser(Call, Forward, R).parse();
}

} // namespace retro
