// Input: a call of an entry point. Output: a Request, with the function, the
// mode, and an activity, value and shadows for each parameter; or a message at
// the call that says what does not fit. Later stages check nothing of this
// again.
#include "front/requests/request.h"
#include "front/registered/declared.h"
#include "front/requests/markers.h"
#include "front/requests/parser.h"
#include "front/requests/registers.h"

#include "front/known/known_functions.h"
#include "front/known/replaceable.h"
#include "front/known/stand_in_links.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

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

} // namespace

std::optional<Request> RequestParser::parse() {
  Req.Call = &Call;
  Req.Kind = entryOf(Call);
  std::string Name = Call.getCalledOperand()->getName().str();
  if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet))
    Req.Sret = Call.getArgOperand(Next++);
  Req.Target = targetOf(Call);
  if (Req.Kind == Entry::VirtualReverse && targetOperand(Call) &&
      targetOperand(Call)->getType()->isPointerTy())
    return Req;
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
  if (Req.Target->isDeclaration() && Req.Kind != Entry::Batch &&
      !Req.Target->hasFnAttribute(RegisteredAttribute)) {
    R.error(Diag::TargetNoBody, &Call, {Req.Target->getName().str()});
    return std::nullopt;
  }
  if (Req.estimatesErrors() && isGpu(*Call.getModule())) {
    R.error(Diag::UnsupportedMode, &Call, {Name + " in device code"});
    return std::nullopt;
  }
  if (Req.Kind == Entry::PoolSize && Req.Pool == PoolWish::None)
    Req.Pool = PoolWish::Caller;
  findShadows();
  if (!bindAll())
    return std::nullopt;
  return Req;
}

/// Finds the marker that ends the arguments, where all shadows follow them.
void RequestParser::findShadows() {
  for (unsigned I = Next; I < Call.arg_size() && !NextShadow; ++I)
    if (markerOf(Call.getArgOperand(I)) == "interleave") {
      End = I;
      NextShadow = I + 1;
    }
}

/// Goes on behind the shadows.
void RequestParser::goToShadows() {
  if (!NextShadow || !atEnd())
    return;
  Next = *NextShadow;
  End = Call.arg_size();
  NextShadow.reset();
}

bool RequestParser::bindOne(Registers As) {
  if (!takeOptions())
    return false;
  if (As[0]->hasStructRetAttr())
    return Req.Kind == Entry::Batch ? addResultLanes(*As[0])
                                    : addResultShadow(*As[0]);
  if (Req.Kind == Entry::AugmentSize)
    return takeActivity(As);
  return Req.Kind == Entry::Batch ? bindLanes(As) : bind(As);
}

bool RequestParser::bindAll() {
  auto Counts = registersOf(*Req.Target);
  if (!Counts) {
    R.error(Diag::StructRegisters, &Call, {Req.Target->getName().str()});
    return false;
  }
  SmallVector<Argument *> All(make_pointer_range(Req.Target->args()));
  for (Registers Left(All); unsigned N : *Counts) {
    if (!bindOne(Left.take_front(N)))
      return false;
    Left = Left.drop_front(N);
    ByAddress.reset();
  }
  if (!takeOptions())
    return false;
  goToShadows();
  if (!takeOptions() || !takeSplit())
    return false;
  if (!atEnd()) {
    if (!marker().empty())
      return unknownMarker();
    R.error(Diag::TooManyArguments, &Call,
            {Req.Target->getName().str(),
             std::to_string(Call.arg_size() - Next) + " left over"});
    return false;
  }
  return true;
}

bool RequestParser::unknownMarker() {
  std::string Text = Req.Kind == Entry::Batch
                         ? " of a batch, which has enzyme_vector, "
                           "enzyme_scalar and enzyme_buffer"
                         : suggestion(marker());
  R.error(Diag::UnknownMarker, &Call, {("enzyme_" + marker()).str(), Text});
  return false;
}

bool RequestParser::tooFew(const Twine &What) {
  R.error(Diag::TooFewArguments, &Call,
          {Req.Target->getName().str(), What.str()});
  return false;
}

/// Says which parameter lacks a shadow, and what is given for it: most often
/// what does not fit stands where the shadow should.
std::string RequestParser::askForShadow(const Argument &A, Value *Given) const {
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

Value *RequestParser::take(Type *T, const Argument &A, bool &Ok) {
  Ok = false;
  if (atEnd()) {
    tooFew("nothing is given for parameter " + Twine(A.getArgNo() + 1) +
           askForShadow(A, nullptr));
    return nullptr;
  }
  Value *Given = Call.getArgOperand(Next++);
  Value *V = ByAddress ? fromAddress(T, A, Given) : coerce(Given, T, &Call);
  if (!V) {
    R.error(Diag::BadArgumentType, &Call,
            {std::to_string(A.getArgNo() + 1), Req.Target->getName().str(),
             askForShadow(A, Given)});
    return nullptr;
  }
  Ok = true;
  return V;
}

/// What lies at an address that is given for a value.
Value *RequestParser::fromAddress(Type *T, const Argument &A, Value *Given) {
  const DataLayout &DL = Call.getDataLayout();
  bool InMemory = A.hasByValAttr();
  uint64_t Bytes =
      DL.getTypeAllocSize(InMemory ? A.getParamByValType() : T).getFixedValue();
  if (Bytes != *ByAddress)
    return nullptr;
  if (InMemory || !Given->getType()->isPointerTy())
    return coerce(Given, T, &Call);
  return IRBuilder<>(&Call).CreateAlignedLoad(T, Given, Align(1));
}

/// Loads the registers of a struct from memory.
void RequestParser::loadWhole(Registers As, Value *From, uint64_t Offset,
                              SmallVectorImpl<Value *> &Values) {
  IRBuilder<> At(&Call);
  for (const Argument *A : As) {
    Value *P = At.CreatePtrAdd(From, At.getInt64(Offset));
    Values.push_back(At.CreateAlignedLoad(A->getType(), P, Align(1)));
    Offset += RegisterBytes;
  }
}

/// Takes the value of a parameter. A struct in several registers may be given
/// in memory, by its address or where a call has no registers left.
bool RequestParser::takeWhole(Registers As, SmallVectorImpl<Value *> &Values) {
  Value *Given = atEnd() ? nullptr : Call.getArgOperand(Next);
  const bool InMemory = Given && Given->getType()->isPointerTy() &&
                        (ByAddress || Call.isByValArgument(Next));
  if (As.size() > 1 && InMemory) {
    ++Next;
    loadWhole(As, Given, 0, Values);
    return true;
  }
  bool Ok = true;
  for (Argument *A : As)
    if (Ok)
      Values.push_back(take(A->getType(), *A, Ok));
  return Ok;
}

/// Takes the activity of a parameter, from its marker or by default.
bool RequestParser::takeActivity(Registers As) {
  auto Act = Activity::Const;
  for (const Argument *A : As)
    if (auto By = defaultActivity(*A, Req.mode()); By != Activity::Const)
      Act = By;
  const Marker *M = findMarker(marker());
  if (!marker().empty()) {
    if (!M || M->What != Marker::Activity)
      return unknownMarker();
    Act = M->Act;
    ++Next;
  }
  const bool Dup = Act == Activity::Dup || Act == Activity::DupNoNeed;
  bool Any = false;
  for (const Argument *A : As) {
    if (isPackedNumber(*A) && (Act != Activity::Const || M == nullptr)) {
      R.error(Diag::UnsupportedMode, &Call,
              {"a float beside an integer in one register of argument " +
               std::to_string(A->getArgNo() + 1) + " of '" +
               demangle(Req.Target->getName()) +
               "', a struct by value that is not enzyme_const,"});
      return false;
    }
    Any |= containsFloat(A->getType());
    if ((Act == Activity::Out &&
         (A->getType()->isPointerTy() || Req.mode() == Mode::Forward)) ||
        (Dup && !A->getType()->isPointerTy() && Req.mode() == Mode::Reverse)) {
      R.error(Diag::BadActivity, &Call,
              {std::to_string(A->getArgNo() + 1), Req.Target->getName().str(),
               Dup ? "enzyme_dup" : "enzyme_out"});
      return false;
    }
  }
  if (Act == Activity::Out && !Any) {
    R.error(Diag::BadActivity, &Call,
            {std::to_string(As[0]->getArgNo() + 1), Req.Target->getName().str(),
             "enzyme_out"});
    return false;
  }
  for (const Argument *A : As) {
    // The registers of a struct that hold integers have no derivative.
    const bool Held = Act == Activity::Out && !containsFloat(A->getType());
    Req.Args.emplace_back().Act = Held ? Activity::Const : Act;
  }
  return true;
}

/// Takes the shadows of all lanes. With a Stride, they are one block, so many
/// bytes apart.
bool RequestParser::takeShadows(Registers As, std::optional<uint64_t> Stride) {
  auto Give = [&](ArrayRef<Value *> Values) {
    for (auto [B, V] : zip_equal(boundLast(As), Values))
      B.Shadows.push_back(V);
  };
  if (!Stride) {
    for (unsigned L = 0; L < Req.Width; ++L) {
      SmallVector<Value *> Values;
      if (!takeWhole(As, Values))
        return false;
      Give(Values);
    }
    return true;
  }
  bool Ok = true;
  Value *Base = take(PointerType::getUnqual(Call.getContext()), *As[0], Ok);
  if (!Ok)
    return false;
  for (unsigned L = 0; L < Req.Width; ++L)
    Give(valuesAt(As, Base, L * *Stride));
  return true;
}

/// What a block has for a lane: pointers point into it, the rest lies in it.
SmallVector<Value *> RequestParser::valuesAt(Registers As, Value *Base,
                                             uint64_t Offset) {
  SmallVector<Value *> Values;
  if (As.size() == 1 && As[0]->getType()->isPointerTy()) {
    IRBuilder<> At(&Call);
    Values.push_back(At.CreatePtrAdd(Base, At.getInt64(Offset)));
  } else {
    loadWhole(As, Base, Offset, Values);
  }
  return Values;
}

bool RequestParser::bind(Registers As) {
  const Marker *M = findMarker(marker());
  if (!takeActivity(As))
    return false;
  std::optional<uint64_t> Stride;
  if (M && M->Block) {
    uint64_t N;
    if (!takeNumber("enzyme_dupv", N))
      return false;
    Stride = N;
  }
  SmallVector<Value *> Primals;
  if (!takeOptions() || !takeWhole(As, Primals))
    return false;
  for (auto [B, V] : zip_equal(boundLast(As), Primals))
    B.Primal = V;
  const Activity Act = boundLast(As)[0].Act;
  if (Act != Activity::Dup && Act != Activity::DupNoNeed)
    return takeSparse(boundLast(As)[0]);
  if (!NextShadow)
    return takeShadows(As, Stride) && takeSparse(boundLast(As)[0]);
  unsigned Behind = std::exchange(Next, *NextShadow), Last = End;
  End = Call.arg_size();
  bool Ok = takeShadows(As, Stride) && takeSparse(boundLast(As)[0]);
  NextShadow = std::exchange(Next, Behind);
  End = Last;
  return Ok;
}

bool RequestParser::sparseBehind(Value *V, SparseShadow &S) {
  auto *C = dyn_cast<CallBase>(originOf(V));
  if (!C || !isSparseShadow(*C))
    return true;
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
  if (!Ok || Req.isSplit())
    R.error(Diag::SparseFunctions, C, {Req.Target->getName().str()});
  return Ok && !Req.isSplit();
}

/// Finds out which of the shadows are sparse, and whether the argument is.
bool RequestParser::takeSparse(BoundArgument &B) {
  if (!sparseBehind(B.Primal, B.Whole))
    return false;
  for (unsigned L = 0; L < B.Shadows.size(); ++L) {
    SparseShadow S;
    if (!sparseBehind(B.Shadows[L], S))
      return false;
    if (!S.Load)
      continue;
    B.Sparse.resize(B.Shadows.size());
    B.Sparse[L] = S;
  }
  return true;
}

/// The result is returned in memory of the caller. Its tangent goes where the
/// caller of the request wants the result.
bool RequestParser::addResultShadow(Argument &A) {
  if (!isForwardPass(Req.Kind) || !Req.Sret) {
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
  auto Scratch = [&]() -> Value * {
    auto *Memory = EB.CreateAlloca(T, nullptr, "result");
    Memory->setAlignment(A.getParamAlign().valueOrOne());
    return Memory;
  };
  B.Primal = Req.PrimalReturn ? Req.Sret : Scratch();
  for (unsigned L = 0; L < Req.Width; ++L)
    B.Shadows.push_back(
        Req.ConstReturn
            ? Scratch()
            : At.CreatePtrAdd(Req.Sret,
                              At.getInt64((L + Req.PrimalReturn) * Bytes)));
  for (Value *S : B.Shadows)
    At.CreateMemSet(S, At.getInt8(0), Bytes, MaybeAlign());
  Req.Args.push_back(B);
  Req.Sret = nullptr;
  return true;
}

/// Takes the adjoint of the result. A struct that is returned in registers is
/// passed field by field. Null if it does not fit.
Value *RequestParser::takeSeed(Type *T) {
  auto *S = dyn_cast<StructType>(T);
  if (!S || Call.getArgOperand(Next)->getType() == T)
    return coerce(Call.getArgOperand(Next++), T, &Call);
  Value *Seed = PoisonValue::get(T);
  IRBuilder<> B(&Call);
  for (unsigned I = 0; I < S->getNumElements(); ++I) {
    Value *V = atEnd() ? nullptr
                       : coerce(Call.getArgOperand(Next++),
                                S->getElementType(I), &Call);
    if (!V)
      return nullptr;
    Seed = B.CreateInsertValue(Seed, V, I);
  }
  return Seed;
}

/// Takes what follows the arguments in the second pass: the seeds, and the
/// tape.
bool RequestParser::takeSplit() {
  if (Req.Kind == Entry::Reverse && !Req.ConstReturn)
    if (Type *T = resultAdjointType(*Req.Target))
      for (unsigned L = 0; L < Req.Width; ++L) {
        if (atEnd())
          return tooFew("the adjoint of its result is missing");
        Value *V = takeSeed(T);
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
    if (Args[N].Whole.Load || !Args[N].Sparse.empty())
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
  return RequestParser(Call, Forward, R).parse();
}

} // namespace retro
