#include "analyses/library_losses.h"

#include "front/known_functions.h"
#include "front/registrations.h"

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

/// Can a number that depends on an input be in G, or be reached from there?
bool holdsNumbers(MemoryShape &Shape, const GlobalVariable &G) {
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
bool seesNumbers(ActivityAnalysis &Act, const CallBase &C) {
  const Unit &U = Act.unit();
  Globals Named;
  bool Unknown = knownCall(C).Kind == KnownKind::None;
  bool Later = C.getCalledFunction() &&
               C.getCalledFunction()->getName().contains("atexit");
  if (!Later)
    for (const Value *A : C.args())
      if (auto *F = dyn_cast<Function>(A->stripPointerCasts()))
        collectNamed(*F, Named);
  return any_of(U.M.globals(), [&](const GlobalVariable &G) {
    bool Shared = Unknown && !G.hasLocalLinkage() &&
                  !C.onlyAccessesInaccessibleMemOrArgMem();
    return (Shared || Named.contains(&G)) && !G.isConstant() &&
           !U.Registered.isInactive(G) && isInUnit(U, G) &&
           holdsNumbers(Act.shape(), G);
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

/// Are the bytes that a function of text moves those of a number? Where places
/// of an array are folded into one, text beside numbers is taken for text.
bool movesNumber(ActivityAnalysis &Act, const CallBase &C, const KnownCall &K) {
  if (K.Kind != KnownKind::Inactive || K.Row->B < 0)
    return false;
  const Value *From = C.getArgOperand(static_cast<unsigned>(K.Row->B));
  MemoryShape &Shape = Act.shape();
  return !Shape.classOf(From).Stride &&
         any_of(Shape.cellsOverlapping(From, Type::getInt8Ty(C.getContext())),
                [](const Cell *X) {
                  return X->Kind == CellKind::Float && X->Varied;
                });
}

} // namespace

void reportLibraryLosses(ActivityAnalysis &Act, CallBase &C, Reporter &R) {
  if (isa<IntrinsicInst>(C) || C.isInlineAsm() || isGpu(Act.unit().M))
    return;
  StringRef Name =
      C.getCalledFunction() ? C.getCalledFunction()->getName() : "";
  if (endsThread(C))
    return R.error(Diag::Parallel, &C, {Name.str()});
  if (Act.unit().callee(C) || onlyInspects(C))
    return;
  KnownCall K = knownCall(C);
  bool Bodiless = K.Kind == KnownKind::None || K.Kind == KnownKind::Inactive;
  if (movesNumber(Act, C, K) ||
      (Bodiless && C.getCalledFunction() &&
       C.getCalledFunction()->isDeclaration() && seesNumbers(Act, C)))
    R.error(Diag::NoDerivative, &C, {Name.str()});
}

} // namespace retro
