// Input: calls of functions without a body. Output: errors at those that can
// move a number which none of their operands shows. Its derivative would be
// lost.
#include "facts/losses/library_losses.h"

#include "facts/losses/characters.h"
#include "front/known/entry_points.h"
#include "front/known/known_functions.h"
#include "front/names/strings.h"
#include "front/registered/registrations.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

using Globals = SmallPtrSet<const GlobalVariable *, 8>;

/// The variables that the code of F names, and that of all it names.
void collectNamed(const Function &F, Globals &Out) {
  SmallSetVector<const Value *, 16> Seen;
  Seen.insert(&F);
  for (size_t N = 0; N < Seen.size(); ++N) {
    const Value *V = Seen[N];
    auto See = [&](const User &U) {
      for (const Value *O : U.operands())
        if (isa<Constant>(O))
          Seen.insert(O);
    };
    if (auto *G = dyn_cast<Function>(V)) {
      for (const Instruction &I : instructions(*G))
        See(I);
    } else if (auto *G = dyn_cast<GlobalVariable>(V)) {
      Out.insert(G);
    } else {
      See(*cast<User>(V));
    }
  }
}

/// Is V, or a constant address made of it, in the code of the unit?
bool isInUnit(const Unit &U, const Value &V) {
  return any_of(V.users(), [&](const User *X) {
    if (auto *I = dyn_cast<Instruction>(X))
      return U.find(I->getFunction()) != nullptr;
    return isa<ConstantExpr>(X) && isInUnit(U, *X);
  });
}

class LibraryCheck {
public:
  LibraryCheck(const ActivityAnalysis &Act, Reporter &R)
      : Act(Act), Shape(Act.shape()), U(Act.unit()), R(R) {}
  void run();

private:
  bool holdsNumbers(const GlobalVariable &G);
  bool seesNumbers(const CallBase &C);
  bool isNumber(const Value *From) const;
  bool movesNumber(const CallBase &C, const KnownCall &K) const;
  bool hidesNumber(const Instruction &I) const;
  void check(CallBase &C);

  const ActivityAnalysis &Act;
  const MemoryShape &Shape;
  Unit &U;
  Reporter &R;
  /// Pointers to the characters of strings.
  ValueSet Characters;
  /// Variables of the unit with numbers that depend on an input.
  SmallVector<const GlobalVariable *> Active;
};

/// Can a number that depends on an input be in G, or be reached from there?
bool LibraryCheck::holdsNumbers(const GlobalVariable &G) {
  SmallSetVector<unsigned, 8> Classes;
  Classes.insert(Shape.classId(&G));
  for (size_t N = 0; N < Classes.size(); ++N) {
    const MemoryClass &C = Shape.classAt(Classes[N]);
    if (C.Origins & FromDup)
      return true;
    for (const Cell &X : C.Cells) {
      if (X.Kind == CellKind::Float && X.Varied)
        return true;
      if (X.Kind == CellKind::Pointer)
        Classes.insert(Shape.targetOf(X));
    }
  }
  return false;
}

/// A function without a body here, and what it is given to call, see the
/// variables that they name: the former none that is this file's own.
bool LibraryCheck::seesNumbers(const CallBase &C) {
  Globals Named;
  bool Unknown = knownCall(C).Kind == KnownKind::None;
  if (!C.getCalledFunction()->getName().contains("atexit"))
    for (const Value *A : C.args())
      if (auto *F = dyn_cast<Function>(A->stripPointerCasts()))
        collectNamed(*F, Named);
  return any_of(Active, [&](const GlobalVariable *G) {
    bool Shared = Unknown && !G->hasLocalLinkage() &&
                  !C.onlyAccessesInaccessibleMemOrArgMem();
    return Shared || Named.contains(G);
  });
}

/// Does the function that is called end its thread?
bool endsThread(const CallBase &C) {
  const Function *F = C.getCalledFunction();
  return F && F->doesNotReturn() && any_of(instructions(*F), [](auto &I) {
           auto *D = dyn_cast<CallBase>(&I);
           return D && D->doesNotReturn() &&
                  knownCall(*D).Kind == KnownKind::Parallel;
         });
}

/// Are the bytes at From those of a number? Where places of an array are folded
/// into one, text beside numbers is taken for text.
bool LibraryCheck::isNumber(const Value *From) const {
  return From->getType()->isPointerTy() && !Shape.classOf(From).Stride &&
         any_of(
             Shape.cellsOverlapping(From, Type::getInt8Ty(From->getContext())),
             [](const Cell *X) {
               return X->Kind == CellKind::Float && X->Varied;
             });
}

/// Does a function of text, or of strings, move a number?
bool LibraryCheck::movesNumber(const CallBase &C, const KnownCall &K) const {
  if (K.Kind != KnownKind::Inactive)
    return false;
  // A string, in a variant, may be where a number is at another time.
  if (isStringCall(C))
    return takesCharacters(C.getCalledFunction()->getName()) &&
           any_of(drop_begin(C.args(), C.hasStructRetAttr() ? 2 : 1),
                  [&](const Value *A) { return isNumber(A); });
  return K.Row->B >= 0 &&
         isNumber(C.getArgOperand(static_cast<unsigned>(K.Row->B)));
}

/// Does I put a number among the characters of a string? The library moves
/// them, and knows nothing of a shadow. Where to is not followed.
bool LibraryCheck::hidesNumber(const Instruction &I) const {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Characters.contains(S->getPointerOperand()) &&
           (Act.varied(S->getValueOperand()) || Act.touchesActive(*S));
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  return Copy && Characters.contains(Copy->getRawDest()) &&
         isNumber(Copy->getRawSource());
}

void LibraryCheck::check(CallBase &C) {
  if (isa<IntrinsicInst>(C) || C.isInlineAsm())
    return;
  const Function *F = C.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  if (endsThread(C))
    return R.error(Diag::Parallel, &C, {Name.str()});
  if (U.callee(C) || onlyInspects(C))
    return;
  KnownCall K = knownCall(C);
  bool Bodiless = K.Kind == KnownKind::None || K.Kind == KnownKind::Inactive;
  if (movesNumber(C, K) ||
      (Bodiless && F && F->isDeclaration() && seesNumbers(C)))
    R.error(Diag::NoDerivative, &C, {Name.str()});
}

void LibraryCheck::run() {
  if (isGpu(U.M))
    return;
  for (const GlobalVariable &G : U.M.globals())
    if (!G.isConstant() && !U.Registered.isInactive(G) && isInUnit(U, G) &&
        holdsNumbers(G))
      Active.push_back(&G);
  Characters = charactersIn(U);
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      if (auto *C = dyn_cast<CallBase>(&I))
        check(*C);
      if (hidesNumber(I))
        R.error(Diag::UnknownShadow, &I, {"it is among a string's characters"});
    }
}

} // namespace

void reportLibraryLosses(const ActivityAnalysis &Act, Reporter &R) {
  LibraryCheck(Act, R).run();
}

} // namespace retro
