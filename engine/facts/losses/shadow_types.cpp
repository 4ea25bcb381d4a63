// Input: a request. Output: errors and warnings, by the types that the program
// declares for an argument and its shadow. Adjoints of doubles in memory of
// floats would be written over its neighbours.
#include "facts/losses/shadow_types.h"

#include "facts/losses/warnings.h"
#include "facts/types/debug_types.h"
#include "front/known/operands.h"
#include "front/registered/declared.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace retro {
namespace {

/// The only type that memory is declared to hold: a floating-point type, or an
/// integer as wide as one. Null: of several types, or not known.
Type *onlyScalar(Type *T) {
  if (auto *S = dyn_cast<StructType>(T);
      S && S->hasName() && S->getName().starts_with("union."))
    return nullptr;
  if (auto *V = dyn_cast<VectorType>(T))
    T = V->getElementType();
  if (T->isFloatingPointTy() || T->isIntegerTy(32) || T->isIntegerTy(64))
    return T;
  if (auto *A = dyn_cast<ArrayType>(T))
    return onlyScalar(A->getElementType());
  Type *Only = nullptr;
  for (Type *E : T->subtypes()) {
    Type *S = onlyScalar(E);
    if (!S || (Only && Only != S))
      return nullptr;
    Only = S;
  }
  return Only;
}

const DIType *withoutQualifiers(const DIType *T) {
  while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    if (D->getTag() == dwarf::DW_TAG_pointer_type ||
        D->getTag() == dwarf::DW_TAG_member)
      break;
    T = D->getBaseType();
  }
  return T;
}

Type *onlyScalar(const DIType *T, LLVMContext &C) {
  T = withoutQualifiers(T);
  if (auto *A = dyn_cast_or_null<DICompositeType>(T);
      A && A->getTag() == dwarf::DW_TAG_array_type)
    return onlyScalar(A->getBaseType(), C);
  auto *B = dyn_cast_or_null<DIBasicType>(T);
  if (!B)
    return nullptr;
  switch (B->getEncoding()) {
  case dwarf::DW_ATE_float:
    return B->getSizeInBits() == 64   ? Type::getDoubleTy(C)
           : B->getSizeInBits() == 32 ? Type::getFloatTy(C)
                                      : nullptr;
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_unsigned:
    return B->getSizeInBits() == 64 || B->getSizeInBits() == 32
               ? Type::getIntNTy(C, static_cast<unsigned>(B->getSizeInBits()))
               : nullptr;
  default:
    return nullptr;
  }
}

/// What a variable points to, or is made of if it is an array.
Type *numbersOf(const Declared &D, LLVMContext &C) {
  const DIType *T = withoutQualifiers(D.Type);
  auto *P = dyn_cast_or_null<DIDerivedType>(T);
  return onlyScalar(P ? P->getBaseType() : T, C);
}

/// What the memory behind an operand is declared to hold.
Type *numbersBehind(Value &V) {
  if (Type *T = numbersOf(declaredOperand(V), V.getContext()))
    return T;
  Value *Base = getUnderlyingObject(originOf(&V));
  if (auto *A = dyn_cast<AllocaInst>(Base))
    return onlyScalar(A->getAllocatedType());
  if (auto *G = dyn_cast<GlobalVariable>(Base))
    return onlyScalar(G->getValueType());
  return nullptr;
}

std::string nameOf(Type *T) {
  if (T->isDoubleTy())
    return "double";
  if (T->isIntegerTy())
    return T->isIntegerTy(32) ? "int" : "long";
  std::string S;
  raw_string_ostream(S) << *T;
  return S;
}

std::string inWords(const Declared &D, Type *T) {
  return D ? "'" + D.text() + "'" : "memory of type " + nameOf(T);
}

/// The same pointer, or the same variable of the caller's, read twice.
bool isSamePointer(const Value *A, const Value *B) {
  A = A->stripPointerCasts();
  B = B->stripPointerCasts();
  auto *X = dyn_cast<LoadInst>(A), *Y = dyn_cast<LoadInst>(B);
  return A == B ||
         (X && Y && X->getPointerOperand() == Y->getPointerOperand() &&
          isa<AllocaInst>(X->getPointerOperand()) &&
          X->getParent() == Y->getParent());
}

class ShadowCheck {
public:
  ShadowCheck(const Request &Req, Reporter &R) : Req(Req), R(R) {}

  void run() {
    for (unsigned N = 0; N < Req.Args.size() && !R.failed(); ++N)
      if (Req.Args[N].Primal && Req.Args[N].Sparse.empty() &&
          Req.Target->getArg(N)->getType()->isPointerTy())
        for (Value *S : Req.Args[N].Shadows) {
          checkType(N, *S);
          checkOrder(N, *S);
        }
  }

private:
  void checkType(unsigned N, Value &Shadow);
  void checkOrder(unsigned N, Value &Shadow);

  const Request &Req;
  Reporter &R;
};

void ShadowCheck::checkType(unsigned N, Value &Shadow) {
  Declared P = declaredParameter(*Req.Target->getArg(N));
  Type *Wanted = numbersOf(P, Shadow.getContext());
  if (!Wanted)
    Wanted = numbersBehind(*Req.Args[N].Primal);
  Type *Given = numbersBehind(Shadow);
  if (!Wanted || !Given || Wanted == Given ||
      (Wanted->isIntegerTy() && Given->isIntegerTy()) || R.failed())
    return;
  std::string Text = ": what is given as the shadow of " + inWords(P, Wanted) +
                     " is " + inWords(declaredOperand(Shadow), Given) +
                     "; was its shadow forgotten?";
  R.error(Diag::BadArgumentType, Req.Call,
          {std::to_string(N + 1), Req.Target->getName().str(), Text});
}

/// The call f(x, y, dx, dy), where f(x, dx, y, dy) was meant, has the right
/// types, so the names tell: the variable that is given as a shadow has the
/// name of a later parameter, and what is given for that parameter is named
/// after one of the two. Memory that is its own shadow is overwritten by its
/// derivative; a question about the size of a tape writes nothing.
void ShadowCheck::checkOrder(unsigned N, Value &Shadow) {
  const bool IsWritten = Req.Kind != Entry::PoolSize;
  if (Req.Call && IsWritten && !isa<Constant>(Shadow) &&
      isSamePointer(&Shadow, Req.Args[N].Primal))
    warn(Warning::OwnShadow, *Req.Call, *Req.Call->getFunction(),
         {std::to_string(N + 1), Req.Target->getName().str()});
  Declared S = declaredOperand(Shadow),
           X = declaredOperand(*Req.Args[N].Primal);
  if (!S || !X || S.Name.empty() || X.Name.empty() || !Req.Call)
    return;
  for (unsigned L = N + 1; L < Req.Args.size(); ++L) {
    Value *Later = Req.Args[L].Primal;
    if (!Later || declaredParameter(*Req.Target->getArg(L)).Name != S.Name)
      continue;
    std::string Given = declaredOperand(*Later).Name;
    if (Given != X.Name && Given != S.Name &&
        (StringRef(Given).contains(X.Name) ||
         StringRef(Given).contains(S.Name)))
      warn(Warning::ShadowOrder, *Req.Call, *Req.Call->getFunction(),
           {S.Name, X.Name, Given});
  }
}

} // namespace

void checkShadowTypes(const Request &Req, Reporter &R) {
  if (Req.Kind != Entry::Batch && Req.Kind != Entry::VirtualReverse)
    ShadowCheck(Req, R).run();
}

} // namespace retro
