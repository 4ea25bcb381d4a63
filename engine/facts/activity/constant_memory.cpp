// Memory that a request marks constant, or that a static variable led to
// before, and that cannot be told from other memory: pointers to both are kept
// in one place. Input: the classes of memory that have shadows. Output: those
// of which only the running derivative knows what is constant, by the shadow
// pointer, which is then the primal's; what would be lost there; and errors
// where even that does not help. Without it such programs would be refused, or
// lose derivatives.
#include "facts/activity/constant_memory.h"

#include "base/toggles.h"
#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/activity/needs.h"
#include "facts/activity/transfer_layout.h"
#include "facts/memory/known_begins.h"
#include "front/known/blas.h"
#include "front/registered/library_calls.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Where memory comes from that has a shadow of its own.
constexpr unsigned HasShadow = FromStack | FromHeap | FromGlobal | FromDup;

const Value *operand(const CallBase &C, int N) {
  return C.getArgOperand(static_cast<unsigned>(N));
}

/// Constants that lead to no memory, or have no derivative.
bool isNothing(const Value *V) { return isa<ConstantData, Function>(V); }

/// Does a copy write numbers that matter, or pointers to memory with a shadow?
bool movesShadows(const ActivityAnalysis &Act, const CallBase &C) {
  const MemoryShape &Shape = Act.shape();
  const KnownFunction &Row = *knownCall(C).Row;
  return any_of(Shape.cellsIn(operand(C, Row.A),
                              MemoryShape::constantSize(operand(C, Row.C))),
                [&](const Cell *X) {
                  return X->Kind == CellKind::Float
                             ? X->active() && !constTrusted()
                             : X->Kind == CellKind::Pointer &&
                                   Shape.classAt(Shape.targetOf(*X)).Shadowed;
                });
}

using Uses = SmallVector<ConstantUse, 2>;

Uses ofStore(const ActivityAnalysis &Act, const StoreInst &S) {
  const Value *V = S.getValueOperand(), *P = S.getPointerOperand();
  if (!Act.comparesShadow(P))
    return {};
  if (Act.active(V) && Act.touchesActive(S) && !constTrusted())
    return {{P, ConstantUse::Written}};
  if (isNothing(V) || shadowStored(Act, S) != ShadowStore::Pointer)
    return {};
  return {{P, ConstantUse::Pointer}};
}

/// Is memory at P made by nothing that is differentiated, so that what a static
/// variable leads to there may as well be an input?
bool isOfOthers(const ActivityAnalysis &Act, const Value *P) {
  return Act.mayLackShadow(P) &&
         !(Act.shape().originsOf(P) & (FromHeap | FromStack));
}

Uses ofCopy(const ActivityAnalysis &Act, const CallBase &C) {
  const KnownFunction &Row = *knownCall(C).Row;
  const Value *To = operand(C, Row.A), *From = operand(C, Row.B);
  Uses Out;
  if (!Act.shadowed(From) || !Act.shadowed(To) || !movesShadows(Act, C))
    return Out;
  if (Act.comparesShadow(To))
    Out.push_back({To, ConstantUse::Copied});
  if (transferIsActive(Act, C) && isOfOthers(Act, From))
    Out.push_back({From, ConstantUse::Read});
  return Out;
}

/// Is a call given shadows, with which it does what it does to the memory?
bool takesShadows(const ActivityAnalysis &Act, const CallBase &C) {
  KnownCall K = knownCall(C);
  switch (K.Kind) {
  case KnownKind::Custom:
    return carriesDerivative(Act, C);
  case KnownKind::Mirror:
    return (K.Row->Effects & WritesArgs) == WritesArgs;
  case KnownKind::Mpi:
    return mpiHasWork(C);
  case KnownKind::Launch:
    return true;
  default:
    return false;
  }
}

/// Places that a library's function writes active numbers to.
SmallVector<const Value *, 2> outputs(const ActivityAnalysis &Act,
                                      const CallBase &C) {
  SmallVector<const Value *, 2> Out;
  KnownCall K = knownCall(C);
  if (K.Kind == KnownKind::Blas) {
    if (BlasCall X(C); X && blasHasWork(Act, C))
      for (const BlasArray &A : X.routine().Arrays)
        if (A.writes() && A.Form != BlasArray::PivotVector &&
            blasActive(Act, X, A.Slot))
          Out.push_back(X.operand(A.Slot));
    return Out;
  }
  bool Any = false;
  for (unsigned N = 0; N < C.arg_size(); ++N)
    Any |= K.hasDerivative(N) && Act.active(C.getArgOperand(N));
  for (unsigned N = 0; Any && N < C.arg_size(); ++N)
    if (Type *T = K.outputType(C, N);
        T && Act.touchesActive(C.getArgOperand(N), T))
      Out.push_back(C.getArgOperand(N));
  return Out;
}

Uses ofCall(const ActivityAnalysis &Act, const CallBase &C) {
  if (Act.unit().callee(C))
    return {};
  if (knownCall(C).isCopy())
    return ofCopy(Act, C);
  Uses Out;
  if (takesShadows(Act, C)) {
    for (unsigned N = 0; N < C.arg_size(); ++N)
      if (const Value *A = C.getArgOperand(N);
          A->getType()->isPointerTy() && !isOpaqueOperand(C, N) &&
          Act.shadowed(A) && Act.comparesShadow(A))
        Out.push_back({A, ConstantUse::Written});
  } else if (!constTrusted()) {
    for (const Value *P : outputs(Act, C))
      if (Act.comparesShadow(P))
        Out.push_back({P, ConstantUse::Written});
  }
  return Out;
}

} // namespace

/// What I would lose wherever the shadow of what it uses is that memory.
static Uses usesIfShadowless(const ActivityAnalysis &Act,
                             const Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return ofStore(Act, *S);
  if (auto *L = dyn_cast<LoadInst>(&I))
    if (const Value *P = L->getPointerOperand();
        Act.active(L) && Act.touchesActive(*L) && isOfOthers(Act, P))
      return {{P, ConstantUse::Read}};
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    if (const Value *P = A->getPointerOperand();
        Act.comparesShadow(P) && Act.active(A->getValOperand()) &&
        !constTrusted())
      return {{P, ConstantUse::Written}};
  if (auto *C = dyn_cast<CallBase>(&I))
    return ofCall(Act, *C);
  return {};
}

SmallVector<ConstantUse, 2> usesIfConstant(const ActivityAnalysis &Act,
                                           const Instruction &I) {
  if (!Act.unit().SettlesConstants)
    return {};
  Uses Out = usesIfShadowless(Act, I);
  // A request that asks for it loses nothing in memory that it marks constant.
  if (Act.unit().RuntimeActivity)
    erase_if(Out,
             [&](const ConstantUse &X) { return !Act.mayLackShadow(X.Place); });
  return Out;
}

/// Does Ptr lead into a variable, which has a shadow whatever else is of its
/// class?
static bool isInVariable(const Unit &U, const Value *Ptr) {
  const Value *Of = getUnderlyingObject(Ptr, /*MaxLookup=*/0);
  auto *G = dyn_cast<GlobalVariable>(Of);
  return isa<AllocaInst>(Of) ||
         (G && !G->isConstant() && !U.Registered.isInactive(*G));
}

bool ActivityAnalysis::comparesShadow(const Value *Ptr) const {
  if (U.RuntimeActivity)
    return !isInVariable(U, Ptr);
  return U.SettlesConstants && !isNothing(Ptr) &&
         Shape.classOf(Ptr).MayBeConstant && !isInVariable(U, Ptr);
}

/// The classes of an origin, and those that pointers in them lead to.
DenseSet<unsigned> ActivityAnalysis::reachedFrom(unsigned Origin) const {
  SetVector<unsigned> Work;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) && (Shape.classAt(Id).Origins & Origin))
      Work.insert(Id);
  for (size_t N = 0; N < Work.size(); ++N)
    for (const Cell &C : Shape.classAt(Work[N]).Cells)
      if (C.Kind == CellKind::Pointer)
        Work.insert(Shape.targetOf(C));
  return DenseSet<unsigned>(Work.begin(), Work.end());
}

/// What constant memory leads to is constant, and has no shadow but itself.
/// What static variables led to before has none: they were filled by a plain
/// call, or by code that has no derivative. As long as nothing active is
/// written there it is constant.
void ActivityAnalysis::findMaybeConstant() {
  if (U.KeepAccumulations || U.Errors || isGpu(U.M) || !constantsSettled())
    return;
  auto Mark = [&](unsigned Id) {
    Shape.classAt(Id).MayBeConstant = U.SettlesConstants = true;
  };
  for (unsigned Id : reachedFrom(FromConst))
    if (MemoryClass &M = Shape.classAt(Id); M.Shadowed) {
      M.Origins |= FromConst;
      if (!U.RuntimeActivity)
        Mark(Id);
    }
  findLeft();
  findImaged();
  for (unsigned Id : LeftByProgram)
    Mark(Id);
}

/// Classes with a shadow that static variables lead to, unless these have
/// shadows that the program has filled.
void ActivityAnalysis::findLeft() {
  SetVector<unsigned> Work;
  auto AddTargets = [&](const MemoryClass &M) {
    for (const Cell &C : M.Cells)
      if (C.Kind == CellKind::Pointer)
        Work.insert(Shape.targetOf(C));
  };
  const bool Images = mayHaveImages();
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id) {
    if (!Shape.isRepresentative(Id))
      continue;
    const MemoryClass &M = Shape.classAt(Id);
    bool Any = false, Others = false; // than arrays of Fortran
    for (const GlobalVariable *G : M.Globals)
      if (mayKeep(*G, U.Registered)) {
        Any = true;
        Others |= !holdsDescriptor(G->getValueType());
      }
    // Allocatable arrays are what a program computes with, and no caches: to
    // compare each access to those that it allocates itself, where they have
    // no images, would cost more than it helps.
    for (const Cell &C : M.Cells)
      if (C.Kind == CellKind::Pointer &&
          (Others || (Any && Images) ||
           (Any && !(Shape.classAt(Shape.targetOf(C)).Origins & FromHeap))))
        Work.insert(Shape.targetOf(C));
  }
  for (size_t N = 0; N < Work.size(); ++N)
    AddTargets(Shape.classAt(Work[N]));
  if (!U.DerivedAgain)
    findStaticVectors(Work);
  for (unsigned Id : Work)
    if (const MemoryClass &M = Shape.classAt(Id);
        M.Shadowed && ((M.Origins & FromHeap) || !(M.Origins & FromConst)))
      LeftByProgram.insert(Id);
}

bool ActivityAnalysis::mayLackShadow(const Value *Ptr) const {
  return !LeftByProgram.empty() && !isNothing(Ptr) &&
         LeftByProgram.contains(Shape.classId(Ptr));
}

/// Is memory constant wherever the class of Ptr comes from, or is Ptr an
/// argument that the request marks constant?
bool ActivityAnalysis::isOnlyConstant(const Value *Ptr) const {
  if (isNothing(Ptr))
    return false;
  const unsigned Origins = Shape.classOf(Ptr).Origins;
  if ((Origins & FromConst) && !(Origins & HasShadow))
    return true;
  auto *A = dyn_cast<Argument>(getUnderlyingObject(Ptr));
  return A && A->getParent() == U.root().F &&
         is_contained(U.Fixed, A->getArgNo());
}

/// A derivative of the user's own follows pointers in what it is given.
bool ActivityAnalysis::cannotSettle(const Instruction &I) const {
  auto *C = dyn_cast<CallBase>(&I);
  return C && U.SettlesConstants && isCustom(*C) && !U.callee(*C) &&
         carriesDerivative(*this, *C) &&
         any_of(Shape.reachedBy(*C), [&](unsigned Id) {
           const MemoryClass &M = Shape.classAt(Id);
           return M.MayBeConstant && (M.Origins & FromConst);
         });
}

/// Active values in memory whose shadow cannot exist.
void ActivityAnalysis::check() {
  // Constant memory may then be found anywhere, and its shadow is itself.
  if (U.RuntimeActivity)
    return;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      if (cannotSettle(I) ||
          any_of(usesIfConstant(*this, I), [&](const ConstantUse &X) {
            return X.Loss != ConstantUse::Read && isOnlyConstant(X.Place);
          })) {
        R.error(Diag::MixedConst, &I, {});
        continue;
      }
      const Value *Ptr = getLoadStorePointerOperand(&I);
      if (!Ptr || isa<UndefValue, ConstantPointerNull>(Ptr))
        continue;
      if (!touchesActive(I))
        continue;
      const MemoryClass &M = Shape.classOf(Ptr);
      if ((M.Origins & FromConst) &&
          (!M.MayBeConstant || !(M.Origins & HasShadow)))
        R.error(Diag::MixedConst, &I, {});
      else if ((M.Origins & FromUnknown) && !(M.Origins & HasShadow))
        R.error(Diag::UnknownShadow, &I,
                {"it comes from a function without a body"});
      else if (M.Origins == FromNumber)
        R.error(Diag::UnknownShadow, M.MadeAt,
                {"its address is computed with integers"});
    }
}

} // namespace retro
