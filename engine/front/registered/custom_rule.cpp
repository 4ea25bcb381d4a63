// Matches the functions of a registered derivative with what the calling
// convention expects of them, at the level of the ABI: numbers may travel in
// registers, in memory, or as parts of a struct. What does not fit is an error,
// as a call of it would pass garbage.
#include "front/registered/custom_rule.h"

#include "base/call_chain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

bool contains(Type *T, function_ref<bool(Type *)> Is) {
  return Is(T->getScalarType()) ||
         any_of(T->subtypes(), [&](Type *S) { return contains(S, Is); });
}

} // namespace

bool holdsNumbers(Type *T) {
  return contains(T, [](Type *S) { return S->isFloatingPointTy(); });
}

bool holdsPointers(Type *T) {
  return contains(T, [](Type *S) { return S->isPointerTy(); });
}

namespace {

/// A type in words that a reader of C knows.
std::string inWords(Type *T) {
  if (T->isVoidTy())
    return "nothing";
  if (T->isPointerTy())
    return "a pointer";
  if (T->isFloatTy())
    return "float";
  if (T->isDoubleTy())
    return "double";
  if (T->isX86_FP80Ty())
    return "long double";
  if (auto *I = dyn_cast<IntegerType>(T))
    return "an integer of " + std::to_string(I->getBitWidth()) + " bits";
  std::string Text;
  if (auto *S = dyn_cast<StructType>(T)) {
    for (Type *E : S->elements())
      Text += (Text.empty() ? "{" : ", ") + inWords(E);
    return Text.empty() ? "nothing" : Text + "}";
  }
  raw_string_ostream OS(Text);
  T->print(OS);
  return Text;
}

/// What each byte of a value of type T holds: a pointer, a number, an integer
/// or, for padding, nothing.
void describe(const DataLayout &DL, Type *T, uint64_t At, std::string &Bytes) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      describe(DL, S->getElementType(I),
               At + DL.getStructLayout(S)->getElementOffset(I), Bytes);
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    uint64_t Step = DL.getTypeAllocSize(A->getElementType());
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      describe(DL, A->getElementType(), At + I * Step, Bytes);
    return;
  }
  Type *S = T->getScalarType();
  char Kind = S->isPointerTy() ? 'p' : S->isFloatingPointTy() ? 'f' : 'i';
  for (uint64_t I = 0; I < DL.getTypeStoreSize(T).getFixedValue(); ++I)
    Bytes[At + I] = Kind;
}

/// How a C struct aligns what the ABI passes as T. A struct of two floats
/// travels as a vector (Guess 1), one of small parts as an integer (Guess 2).
Align alignmentIn(const DataLayout &DL, Type *T, unsigned Guess) {
  if (auto *S = dyn_cast<StructType>(T)) {
    Align A;
    for (Type *E : S->elements())
      A = std::max(A, alignmentIn(DL, E, Guess));
    return A;
  }
  if (Guess >= 1 && T->isVectorTy())
    return DL.getABITypeAlign(T->getScalarType());
  if (Guess >= 2 && T->isIntegerTy())
    return std::min(DL.getABITypeAlign(T), Align(4));
  return DL.getABITypeAlign(T);
}

/// The C struct with these fields, its padding written out. Numbers gets the
/// places of the fields in it.
StructType *layOut(const DataLayout &DL, ArrayRef<Type *> Fields,
                   unsigned Guess, SmallVectorImpl<int> &Numbers) {
  LLVMContext &C = Fields[0]->getContext();
  SmallVector<Type *> Parts;
  uint64_t At = 0;
  Align Most;
  auto Pad = [&](Align A) {
    if (uint64_t Gap = offsetToAlignment(At, A))
      Parts.push_back(ArrayType::get(Type::getInt8Ty(C), Gap));
    At = alignTo(At, A);
  };
  Numbers.clear();
  for (Type *T : Fields) {
    Align A = alignmentIn(DL, T, Guess);
    Pad(A);
    Numbers.push_back(static_cast<int>(Parts.size()));
    Parts.push_back(T);
    At += DL.getTypeStoreSize(T);
    Most = std::max(Most, A);
  }
  Pad(Most);
  auto *Packed = StructType::get(C, Parts, true);
  auto *Plain = StructType::get(C, Fields);
  const StructLayout &A = *DL.getStructLayout(Packed),
                     &B = *DL.getStructLayout(Plain);
  bool Same = true;
  for (size_t I = 0; I < Fields.size(); ++I)
    Same &= A.getElementOffset(static_cast<unsigned>(Numbers[I])) ==
            B.getElementOffset(static_cast<unsigned>(I));
  if (!Same)
    return Packed;
  for (size_t I = 0; I < Fields.size(); ++I)
    Numbers[I] = static_cast<int>(I);
  return Plain;
}

/// Can a value that the ABI returns as type Is be the C struct Want? Exact:
/// with each number and pointer where Want has one, and nowhere else.
bool isImage(const DataLayout &DL, Type *Is, StructType *Want, bool Exact) {
  uint64_t Has = DL.getTypeAllocSize(Is), Needs = DL.getTypeAllocSize(Want);
  if (Has < DL.getTypeStoreSize(Want) || Has >= Needs + 8)
    return false;
  std::string A(std::max(Has, Needs), ' '), B = A;
  describe(DL, Is, 0, A);
  describe(DL, Want, 0, B);
  for (size_t I = 0; I < A.size(); ++I) {
    // Small structs travel as integers, whatever they contain.
    auto Fixed = [](char C) { return C == 'p' || C == 'f'; };
    if ((Fixed(A[I]) && Fixed(B[I]) && A[I] != B[I]) ||
        (Exact && Fixed(A[I]) != Fixed(B[I])) || (Fixed(B[I]) && A[I] == ' ') ||
        (Fixed(A[I]) && B[I] == ' '))
      return false;
  }
  return true;
}

/// Binds the parameters of one function, from left to right.
class Binder {
public:
  Binder(const PrimalSignature &P, Function &F, CustomFunction &Out)
      : P(P), F(F), Out(Out), DL(F.getDataLayout()) {
    Out = CustomFunction();
    Out.F = &F;
    if (F.arg_size() && F.hasParamAttribute(0, Attribute::StructRet)) {
      Returned = F.getParamStructRetType(0);
      Out.ResultsInMemory = true;
      Out.Params.push_back({CustomParam::Results});
    } else {
      Returned = F.getReturnType();
    }
    if (F.isVarArg())
      Error = "it has no fixed parameters";
  }

  /// Binds the primal's arguments; with Tangents, each with its own.
  void arguments(bool Tangents);
  void seed();
  /// Binds what is left, the tape.
  Type *tape();
  void end();
  /// Binds the result to these fields, if they fit.
  bool results(ArrayRef<Type *> Fields, bool Exact = false);
  void wrongResults(StringRef Meaning, ArrayRef<Type *> Fields);

  std::string Error;

private:
  unsigned next() const { return static_cast<unsigned>(Out.Params.size()); }
  bool done() const { return next() == F.arg_size(); }
  void take(const Argument &A, CustomParam::Role What);
  void missing(const std::string &What);

  const PrimalSignature &P;
  Function &F;
  CustomFunction &Out;
  const DataLayout &DL;
  Type *Returned;
};

void Binder::missing(const std::string &What) {
  if (Error.empty())
    Error = "it has no parameter for " + What;
}

void Binder::take(const Argument &A, CustomParam::Role What) {
  if (!Error.empty())
    return;
  std::string Role =
      (What == CustomParam::Primal ? "parameter "
                                   : "the shadow of parameter ") +
      std::to_string(A.getArgNo() + 1 - (P.ResultArg >= 0));
  if (done())
    return missing(Role);
  Argument &Mine = *F.getArg(next());
  bool Same =
      Mine.getType() == A.getType() &&
      Mine.hasByValAttr() == A.hasByValAttr() &&
      (!A.hasByValAttr() || DL.getTypeAllocSize(A.getParamByValType()) ==
                                DL.getTypeAllocSize(Mine.getParamByValType()));
  if (!Same)
    Error = "its parameter " +
            std::to_string(next() + 1 - Out.ResultsInMemory) + " is " +
            inWords(Mine.getType()) + ", but " + Role + " is " +
            inWords(A.getType());
  Out.Params.push_back({What, A.getArgNo()});
}

void Binder::arguments(bool Tangents) {
  for (const Argument &A : P.F.args()) {
    if (static_cast<int>(A.getArgNo()) == P.ResultArg)
      continue;
    take(A, CustomParam::Primal);
    if (Tangents || !P.isNumber(A.getArgNo()))
      take(A, CustomParam::Shadow);
  }
}

void Binder::seed() {
  if (!Error.empty() || !holdsNumbers(P.Result))
    return;
  const char *What = "the adjoint of the result";
  if (done())
    return missing(What);
  Argument &A = *F.getArg(next());
  if (A.hasByValAttr() && DL.getTypeAllocSize(A.getParamByValType()) ==
                              DL.getTypeAllocSize(P.Result)) {
    Out.Params.push_back({CustomParam::Seed, 0, -1, true});
    return;
  }
  if (A.getType() == P.Result) {
    Out.Params.push_back({CustomParam::Seed});
    return;
  }
  // A struct in registers comes scalar by scalar.
  auto *S = dyn_cast<StructType>(P.Result);
  unsigned N = S ? S->getNumElements() : 0;
  bool Fits = N > 0 && next() + N <= F.arg_size();
  for (unsigned I = 0; Fits && I < N; ++I)
    Fits = F.getArg(next() + I)->getType() == S->getElementType(I);
  if (!Fits) {
    Error = "its parameter " +
            std::to_string(next() + 1 - Out.ResultsInMemory) + " is " +
            inWords(A.getType()) + ", but " + What + " is " + inWords(P.Result);
    return;
  }
  for (unsigned I = 0; I < N; ++I)
    Out.Params.push_back({CustomParam::Seed, 0, static_cast<int>(I)});
}

Type *Binder::tape() {
  unsigned Remaining = static_cast<unsigned>(F.arg_size()) - next();
  if (!Error.empty() || Remaining == 0)
    return nullptr;
  Argument &A = *F.getArg(next());
  if (Remaining == 1) {
    Out.Params.push_back({CustomParam::Tape, 0, -1, A.hasByValAttr()});
    return A.hasByValAttr() ? A.getParamByValType() : A.getType();
  }
  SmallVector<Type *> Parts;
  for (unsigned I = 0; I < Remaining; ++I) {
    Parts.push_back(F.getArg(next())->getType());
    Out.Params.push_back({CustomParam::Tape, 0, static_cast<int>(I)});
  }
  return StructType::get(F.getContext(), Parts);
}

void Binder::end() {
  if (Error.empty() && !done())
    Error = "it has " + std::to_string(F.arg_size() - Out.ResultsInMemory) +
            " parameters, but " + std::to_string(next() - Out.ResultsInMemory) +
            " are expected";
}

bool Binder::results(ArrayRef<Type *> Fields, bool Exact) {
  SmallVector<Type *> Real;
  for (Type *T : Fields)
    if (T && !T->isVoidTy())
      Real.push_back(T);
  if (Real.empty())
    return Returned->isVoidTy();
  if (Returned->isVoidTy())
    return false;
  for (unsigned Guess = 0; Guess < 3; ++Guess) {
    StructType *Want = layOut(DL, Real, Guess, Out.Fields);
    // A number alone is not cut in two.
    if (Real.size() == 1 && Real[0] != Returned &&
        (Real[0]->isFloatingPointTy() || Returned->isFloatingPointTy()))
      return false;
    if (isImage(DL, Returned, Want, Exact)) {
      Out.Results = Want;
      return true;
    }
  }
  return false;
}

void Binder::wrongResults(StringRef Meaning, ArrayRef<Type *> Fields) {
  if (!Error.empty())
    return;
  SmallVector<Type *> Real;
  for (Type *T : Fields)
    if (T && !T->isVoidTy())
      Real.push_back(T);
  Type *Want =
      Real.size() == 1 ? Real[0] : StructType::get(F.getContext(), Real);
  Error = "it returns " + inWords(Returned) + ", but " + Meaning.str() +
          (Real.empty() ? "" : ", " + inWords(Want) + ",") + " is expected";
}

std::string named(const Function &F, const std::string &Error) {
  return Error.empty() ? Error
                       : "'" + displayName(F) + "' does not fit: " + Error;
}

/// What an augmented primal may return: fields of a CustomFunction, in order.
using ReturnOrder = SmallVector<int CustomFunction::*, 3>;

/// Binds the result of an augmented primal to the first of these orders that
/// fits.
bool bindResults(Binder &B, const PrimalSignature &P, Type *Tape,
                 ArrayRef<ReturnOrder> Orders, bool Exact,
                 CustomFunction &Out) {
  for (const ReturnOrder &Order : Orders) {
    SmallVector<Type *, 3> Types;
    ReturnOrder Real;
    for (int CustomFunction::*Field : Order) {
      Type *T = Field == &CustomFunction::Tape ? Tape : P.Result;
      if (!T || T->isVoidTy())
        continue;
      Types.push_back(T);
      Real.push_back(Field);
    }
    if (!B.results(Types, Exact))
      continue;
    for (size_t I = 0; I < Real.size(); ++I)
      Out.*Real[I] = Out.Fields[I];
    return true;
  }
  return false;
}

/// Binds the augmented primal, which returns the tape, the result, and the
/// result's shadow if that is a pointer; the tape also comes last. Lacking: the
/// result may be missing, which the primal then gives.
std::string bindAugmented(const PrimalSignature &P, Function &F, Type *Tape,
                          CustomFunction &Out, bool Tangents, bool Lacking) {
  Binder B(P, F, Out);
  B.arguments(Tangents);
  B.end();
  if (!B.Error.empty())
    return B.Error;
  constexpr auto T = &CustomFunction::Tape, R = &CustomFunction::Primal,
                 D = &CustomFunction::Derivative;
  SmallVector<ReturnOrder> Orders;
  if (holdsPointers(P.Result))
    Orders = {{T, R, D}, {R, D, T}};
  Orders.append({{T, R}, {R, T}});
  // Small structs travel as integers. What is seen as it is comes first, else a
  // number could be read from the bits of a tape.
  if (bindResults(B, P, Tape, Orders, true, Out) ||
      bindResults(B, P, Tape, Orders, false, Out) ||
      (Lacking && bindResults(B, P, Tape, {{T}}, false, Out)))
    return "";
  B.wrongResults(!Tape                   ? "the result"
                 : !P.Result->isVoidTy() ? "the tape and the result"
                                         : "the tape",
                 {Tape, P.Result});
  return B.Error;
}

} // namespace

PrimalSignature::PrimalSignature(const Function &F) : F(F) {
  if (F.arg_size() && F.hasParamAttribute(0, Attribute::StructRet)) {
    ResultArg = 0;
    Result = F.getParamStructRetType(0);
  } else {
    Result = F.getReturnType();
  }
}

bool PrimalSignature::isNumber(unsigned Arg) const {
  return static_cast<int>(Arg) != ResultArg &&
         holdsNumbers(F.getArg(Arg)->getType());
}

std::string bindGradient(const PrimalSignature &P, Function *Augmented,
                         Function *Reverse, CustomRule &Out) {
  Binder B(P, *Reverse, Out.Derivative);
  B.arguments(false);
  B.seed();
  Out.Tape = B.tape();
  SmallVector<Type *> Adjoints;
  for (const Argument &A : P.F.args())
    if (P.isNumber(A.getArgNo()))
      Adjoints.push_back(A.getType());
  if (B.Error.empty() && !B.results(Adjoints))
    B.wrongResults(Adjoints.empty() ? "nothing" : "the adjoint of each number",
                   Adjoints);
  if (!B.Error.empty())
    return named(*Reverse, B.Error);
  if (Augmented)
    return named(*Augmented,
                 bindAugmented(P, *Augmented, Out.Tape, Out.Augmented, false,
                               /*Lacking=*/true));
  if (Out.Tape)
    return named(*Reverse, "it has a tape that nobody makes");
  return "";
}

std::string bindDerivative(const PrimalSignature &P, Function *Forward,
                           CustomRule &Out) {
  CustomFunction &D = Out.Derivative;
  Binder B(P, *Forward, D);
  B.arguments(true);
  B.end();
  bool Derived = holdsNumbers(P.Result) || holdsPointers(P.Result);
  if (!B.results({P.Result, P.Result}) &&
      ((Derived && !holdsPointers(P.Result)) || !B.results({P.Result})))
    B.wrongResults("the result and its tangent", {P.Result, P.Result});
  if (!D.Fields.empty())
    D.Primal = D.Fields.front();
  if (D.Fields.size() > 1)
    D.Derivative = D.Fields.back();
  return named(*Forward, B.Error);
}

std::string bindSplit(const PrimalSignature &P, Function *Augmented,
                      Function *Forward, CustomRule &Out) {
  CustomFunction &D = Out.Derivative;
  Binder B(P, *Forward, D);
  B.arguments(true);
  Out.Tape = B.tape();
  if (!holdsNumbers(P.Result) && !holdsPointers(P.Result)) {
    if (!B.results({}) && !B.results({P.Result}))
      B.wrongResults("nothing", {});
  } else if (B.results({P.Result, P.Result})) {
    D.Primal = D.Fields.front();
    D.Derivative = D.Fields.back();
  } else if (B.results({P.Result})) {
    D.Derivative = D.Fields.front();
  } else {
    B.wrongResults("the tangent of the result", {P.Result});
  }
  if (!B.Error.empty())
    return named(*Forward, B.Error);
  // Numbers may come with or without their tangents.
  auto Bind = [&](bool Tangents) {
    return bindAugmented(P, *Augmented, Out.Tape, Out.Augmented, Tangents,
                         /*Lacking=*/false);
  };
  std::string Error = Bind(false);
  if (!Error.empty() && Bind(true).empty())
    return "";
  return named(*Augmented, Error);
}

} // namespace retro
