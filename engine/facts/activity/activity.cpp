// Input: what memory holds, and the activities of a request. Output: what
// depends on inputs, found forward, and what results depend on, found
// backward, until nothing is new. What is missed here has no derivative.
#include "facts/activity/activity.h"

#include "base/faults.h"
#include "base/unit_promises.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/kept_memory.h"
#include "facts/activity/operation_errors.h"
#include "facts/activity/rounding.h"
#include "facts/memory/known_begins.h"
#include "front/known/entry_points.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// Instructions that pass on the derivative of the operands they have. Those of
/// integers do where these are the bits of numbers.
bool passesDerivative(const Instruction &I) {
  const unsigned Op = I.getOpcode();
  if (Op == Instruction::FAdd || Op == Instruction::FSub)
    return !roundsToInteger(I);
  return is_contained<unsigned>({Instruction::FNeg,
                                 Instruction::FMul,
                                 Instruction::FDiv,
                                 Instruction::FRem,
                                 Instruction::FPExt,
                                 Instruction::FPTrunc,
                                 Instruction::BitCast,
                                 Instruction::PHI,
                                 Instruction::Freeze,
                                 Instruction::InsertElement,
                                 Instruction::ShuffleVector,
                                 Instruction::ExtractValue,
                                 Instruction::InsertValue,
                                 Instruction::ExtractElement,
                                 Instruction::Select,
                                 Instruction::And,
                                 Instruction::Or,
                                 Instruction::Xor,
                                 Instruction::Add,
                                 Instruction::Sub,
                                 Instruction::Mul,
                                 Instruction::Shl,
                                 Instruction::LShr,
                                 Instruction::AShr,
                                 Instruction::Trunc,
                                 Instruction::ZExt,
                                 Instruction::SExt},
                                Op);
}

/// Is operand N a condition or index, which has no derivative?
bool isControlOperand(const Instruction &I, unsigned N) {
  return (isa<SelectInst>(I) && N == 0) ||
         (isa<ExtractElementInst>(I) && N == 1) ||
         (isa<InsertElementInst>(I) && N == 2);
}

} // namespace

bool passesDerivative(const Instruction &I, unsigned N) {
  return passesDerivative(I) && !isControlOperand(I, N);
}

bool ActivityAnalysis::carriesFloat(const Value *V) const {
  return adjointType(V) != nullptr;
}

Type *ActivityAnalysis::adjointType(const Value *V) const {
  Type *T = Shape.numbersOf(V);
  return containsFloat(T) ? T : nullptr;
}

bool ActivityAnalysis::vary(const Value *V) {
  return !isa<Constant>(V) && carriesFloat(V) && Varied.insert(V).second;
}

bool ActivityAnalysis::use(const Value *V) {
  return !isa<Constant>(V) && carriesFloat(V) && Useful.insert(V).second;
}

bool ActivityAnalysis::touchesActive(const Value *Ptr, Type *T) const {
  for (Cell *C : Shape.cellsOf(Ptr, T))
    if (C->Kind == CellKind::Float && C->active())
      return true;
  return false;
}

bool ActivityAnalysis::touchesActive(const Instruction &Access) const {
  if (Access.hasMetadata(ReferenceCount)) // an integer, whatever is beside it
    return false;
  if (auto *A = dyn_cast<AtomicRMWInst>(&Access))
    return touchesActive(A->getPointerOperand(), A->getType());
  // A narrower integer is a field of another object: its bits go nowhere.
  const Value *Ptr = getLoadStorePointerOperand(&Access);
  Type *T = getLoadStoreType(&Access);
  const auto Size = static_cast<int64_t>(
      Access.getDataLayout().getTypeStoreSize(T).getFixedValue());
  auto IsOther = [&](const Cell &C) {
    return T->isIntegerTy() && Shape.classOf(Ptr).Stride == 0 &&
           MemoryShape::missesExponent(C, Shape.addressOf(Ptr).Offset, Size);
  };
  return any_of(Shape.cellsOf(Ptr, T),
                [&](Cell *C) {
                  return C->Kind == CellKind::Float && C->active() &&
                         !IsOther(*C);
                }) &&
         !Shape.accessesOwnInteger(Access);
}

/// Calls Found with the class that each pointer in V points to.
void ActivityAnalysis::forEachPointee(
    const Value *V, function_ref<void(unsigned)> Found) const {
  unsigned Leaf = 0;
  std::function<void(Type *)> Visit = [&](Type *T) {
    if (auto *S = dyn_cast<StructType>(T)) {
      for_each(S->elements(), Visit);
      return;
    }
    if (auto *A = dyn_cast<ArrayType>(T)) {
      for (uint64_t I = 0; I < A->getNumElements(); ++I)
        Visit(A->getElementType());
      return;
    }
    int C = T->isPointerTy() ? Shape.classOfLeaf(V, Leaf) : -1;
    ++Leaf;
    if (C >= 0)
      Found(static_cast<unsigned>(C));
  };
  Visit(V->getType());
}

bool ActivityAnalysis::shadowed(const Value *V) const {
  if (isa<Function>(V))
    return false;
  if (V->getType()->isPtrOrPtrVectorTy() || V->getType()->isIntegerTy()) {
    if (isa<ConstantPointerNull, UndefValue, ConstantInt>(V) ||
        !Shape.carriesPointer(V))
      return false;
    return Shape.classOf(V).Shadowed;
  }
  if (!V->getType()->isAggregateType())
    return false;
  bool Any = false;
  forEachPointee(V, [&](unsigned C) { Any |= Shape.classAt(C).Shadowed; });
  return Any;
}

bool ActivityAnalysis::copyCells(const Value *To, const Value *From,
                                 int64_t Size, bool Cell::*Flag) {
  // Cells correspond by their offset from the two pointers; folded classes
  // correspond by kind, which is conservative.
  bool Changed = false;
  Address A = Shape.addressOf(From), B = Shape.addressOf(To);
  bool Folded = Shape.classOf(From).Stride || Shape.classOf(To).Stride;
  for (Cell *F : Shape.cellsIn(From, Size)) {
    if (F->Kind != CellKind::Float || !(F->*Flag))
      continue;
    for (Cell *T : Shape.cellsIn(To, Size))
      if (T->Kind == CellKind::Float && T->FloatTy == F->FloatTy &&
          !(T->*Flag) &&
          (Folded || F->Offset - A.Offset == T->Offset - B.Offset)) {
        T->*Flag = true;
        Changed = true;
      }
  }
  return Changed;
}

/// Of a function with a derivative of its own only the operands are known: it
/// is taken to move whatever goes in anywhere to wherever something comes out.
bool ActivityAnalysis::spreadThrough(CallBase &C, DenseSet<const Value *> &Set,
                                     bool Cell::*Flag,
                                     bool MemoryClass::*Unseen) {
  auto Reached = Shape.reachedBy(C);
  bool Forward = &Set == &Varied;
  bool Any = Forward
                 ? any_of(C.args(), [&](Value *A) { return Set.contains(A); })
                 : Set.contains(&C);
  for (unsigned Id : Reached) {
    Any |= Shape.classAt(Id).*Unseen;
    for (const Cell &X : Shape.classAt(Id).Cells)
      Any |= X.Kind == CellKind::Float && X.*Flag;
  }
  if (!Any)
    return false;
  bool Changed = false;
  auto Mark = [&](bool &B) {
    Changed |= !B;
    B = true;
  };
  for (unsigned Id : Reached) {
    if (Shape.holdsUnseen(Id))
      Mark(Shape.classAt(Id).*Unseen);
    for (Cell &X : Shape.classAt(Id).Cells)
      if (X.Kind == CellKind::Float)
        Mark(X.*Flag);
  }
  if (Forward)
    return vary(&C) || Changed;
  for (Value *A : C.args())
    Changed |= use(A);
  return Changed;
}

/// What calls of the kinds that move numbers, have derivatives of their own, or
/// none, spread from what goes in to what comes out, or backward; nothing if
/// the call is of none of them.
std::optional<bool> ActivityAnalysis::spreadByKind(CallBase &C, KnownCall K,
                                                   bool Backward) {
  bool Cell::*Flag = Backward ? &Cell::Useful : &Cell::Varied;
  bool MemoryClass::*Unseen =
      Backward ? &MemoryClass::UnseenUseful : &MemoryClass::UnseenVaried;
  auto Arg = [&](int I) { return C.getArgOperand(static_cast<unsigned>(I)); };
  if (roundsToInteger(C))
    return false;
  if (K.Kind == KnownKind::Custom)
    return spreadThrough(C, Backward ? Useful : Varied, Flag, Unseen);
  if (K.Kind == KnownKind::Blas)
    return Backward ? usefulBlas(C) : variedBlas(C);
  if (K.Kind == KnownKind::Mpi)
    return markMessages(C, Backward, Flag, Unseen);
  if (!K.isCopy())
    return std::nullopt;
  Value *To = Arg(K.Row->A), *From = Arg(K.Row->B);
  if (Backward)
    std::swap(To, From);
  return copyCells(To, From, MemoryShape::constantSize(Arg(K.Row->C)), Flag);
}

/// Does I add an error of its own, whatever it is computed from? What rounds
/// does; a program may ask for the error of what it stores, too.
bool ActivityAnalysis::addsError(const Instruction &I) const {
  if (!U.Errors)
    return false;
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Asks && S->getValueOperand()->getType()->isFPOrFPVectorTy();
  return rounds(I) || (Asks && isa<SIToFPInst, UIToFPInst>(I));
}

bool ActivityAnalysis::variedCall(CallBase &C) {
  bool Changed = false;
  if (UnitFunction *G = U.callee(C)) {
    for (Argument &A : G->F->args())
      if (A.getArgNo() < C.arg_size() &&
          Varied.contains(C.getArgOperand(A.getArgNo())))
        Changed |= vary(&A);
    if (any_of(Returned[G->F], [&](Value *V) { return Varied.contains(V); }))
      Changed |= vary(&C);
    return Changed;
  }
  KnownCall K = knownCall(C);
  if (auto Moved = spreadByKind(C, K, false))
    return *Moved;
  if (!K.isDifferentiable())
    return false;
  bool Any = addsError(C);
  for (unsigned I = 0; I < C.arg_size(); ++I)
    Any |= Varied.contains(C.getArgOperand(I)) && K.hasDerivative(I);
  if (!Any)
    return false;
  Changed |= vary(&C);
  for (unsigned I = 0; I < C.arg_size(); ++I)
    if (Type *T = K.outputType(C, I))
      for (Cell *X : Shape.cellsOf(C.getArgOperand(I), T))
        if (!X->Varied && X->Kind == CellKind::Float)
          X->Varied = Changed = true;
  return Changed;
}

bool ActivityAnalysis::propagateVaried(Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return variedCall(*C);
  if (I.hasMetadata(ReferenceCount))
    return false;
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    for (Cell *C : Shape.cellsOf(L->getPointerOperand(), L->getType()))
      if (C->Kind == CellKind::Float && C->Varied)
        return vary(L);
    return false;
  }
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    bool Changed = false;
    if (Varied.contains(S->getValueOperand()) || addsError(I))
      for (Cell *C : Shape.cellsOf(S->getPointerOperand(),
                                   S->getValueOperand()->getType()))
        if (C->Kind == CellKind::Float && !C->Varied)
          C->Varied = Changed = true;
    return Changed;
  }
  if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
    bool Changed = false;
    for (Cell *C : Shape.cellsOf(A->getPointerOperand(), A->getType())) {
      if ((Varied.contains(A->getValOperand()) || addsError(I)) && !C->Varied)
        C->Varied = Changed = true;
      if (C->Varied)
        Changed |= vary(A);
    }
    return Changed;
  }
  if (addsError(I))
    return vary(&I);
  if (!passesDerivative(I) || Varied.contains(&I))
    return false;
  for (unsigned N = 0; N < I.getNumOperands(); ++N)
    if (!isControlOperand(I, N) && Varied.contains(I.getOperand(N)))
      return vary(&I);
  return false;
}

bool ActivityAnalysis::usefulCall(CallBase &C) {
  bool Changed = false;
  if (UnitFunction *G = U.callee(C)) {
    if (Useful.contains(&C))
      for (Value *V : Returned[G->F])
        Changed |= use(V);
    for (Argument &A : G->F->args())
      if (Useful.contains(&A) && A.getArgNo() < C.arg_size())
        Changed |= use(C.getArgOperand(A.getArgNo()));
    return Changed;
  }
  KnownCall K = knownCall(C);
  if (auto Moved = spreadByKind(C, K, true))
    return *Moved;
  bool Out = Useful.contains(&C);
  for (unsigned I = 0; I < C.arg_size(); ++I)
    if (Type *T = K.outputType(C, I))
      for (Cell *X : Shape.cellsOf(C.getArgOperand(I), T))
        Out |= X->Useful;
  // What an unknown function does with an active value matters: it is reported
  // when its derivative is asked for.
  if (Out || K.Kind == KnownKind::None)
    for (Value *A : C.args())
      Changed |= use(A);
  return Changed;
}

bool ActivityAnalysis::propagateUseful(Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return usefulCall(*C);
  if (I.hasMetadata(ReferenceCount))
    return false;
  bool Changed = false;
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (Useful.contains(L))
      for (Cell *C : Shape.cellsOf(L->getPointerOperand(), L->getType()))
        if (C->Kind == CellKind::Float && !C->Useful)
          C->Useful = Changed = true;
    return Changed;
  }
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    for (Cell *C :
         Shape.cellsOf(S->getPointerOperand(), S->getValueOperand()->getType()))
      if (C->Kind == CellKind::Float && C->Useful)
        return use(S->getValueOperand());
    return false;
  }
  if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
    for (Cell *C : Shape.cellsOf(A->getPointerOperand(), A->getType())) {
      if (Useful.contains(A) && !C->Useful)
        C->Useful = Changed = true;
      if (C->Useful)
        Changed |= use(A->getValOperand());
    }
    return Changed;
  }
  if (!passesDerivative(I) || !Useful.contains(&I))
    return false;
  for (unsigned N = 0; N < I.getNumOperands(); ++N)
    if (!isControlOperand(I, N))
      Changed |= use(I.getOperand(N));
  return Changed;
}

/// What the caller can see through duplicated arguments is input and result;
/// so may be what lies at an address of which nothing is known.
void ActivityAnalysis::exposeDuplicated() {
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) &&
        (Shape.classAt(Id).Origins & (FromDup | FromNumber))) {
      MemoryClass &M = Shape.classAt(Id);
      M.UnseenVaried = M.UnseenUseful = Shape.holdsUnseen(Id);
      for (Cell &C : M.Cells)
        if (C.Kind == CellKind::Float)
          C.Varied = C.Useful = true;
    }
}

/// The caller gets the shadow of a pointer that is returned: what lies behind
/// it is a result.
void ActivityAnalysis::exposeReturned() {
  if (U.DerivMode != Mode::Forward && !U.Split)
    return;
  SmallSetVector<unsigned, 8> Reached;
  for (Value *V : Returned[U.root().F])
    if (!isa<Constant>(V))
      forEachPointee(V, [&](unsigned C) { Reached.insert(C); });
  for (unsigned Id : Reached)
    if (MemoryClass &M = Shape.classAt(Id);
        (M.Origins & FromDup) && !(M.Origins & FromConst))
      M.Shadowed = true;
  for (size_t I = 0; I < Reached.size(); ++I) {
    MemoryClass &M = Shape.classAt(Reached[I]);
    M.UnseenUseful |= Shape.holdsUnseen(Reached[I]);
    for (Cell &C : M.Cells)
      C.Useful |= C.Kind == CellKind::Float;
    SmallVector<Cell> Cells(M.Cells.begin(), M.Cells.end());
    for (const Cell &C : Cells)
      if (C.Kind == CellKind::Pointer)
        Reached.insert(Shape.targetOf(C));
  }
}

void ActivityAnalysis::findShadowed() {
  for (bool Again = true; Again;) {
    Again = false;
    for (unsigned Id = 0; Id < Shape.numClasses(); ++Id) {
      if (!Shape.isRepresentative(Id) || Shape.classAt(Id).Shadowed)
        continue;
      if (Shape.classAt(Id).UnseenVaried && Shape.classAt(Id).UnseenUseful) {
        Shape.classAt(Id).Shadowed = Again = true;
        continue;
      }
      for (size_t K = 0; K < Shape.classAt(Id).Cells.size(); ++K) {
        Cell C = Shape.classAt(Id).Cells[K];
        bool S = (C.Kind == CellKind::Float && C.active()) ||
                 (C.Kind == CellKind::Pointer &&
                  Shape.classAt(Shape.targetOf(C)).Shadowed);
        if (S) {
          Shape.classAt(Id).Shadowed = Again = true;
          break;
        }
      }
    }
  }
}

/// A registered derivative may write to the shadow of memory that is the unit's
/// own. Such memory gets a shadow, even if no result depends on it.
bool ActivityAnalysis::shadowForCustom() {
  bool Changed = false;
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      if (!C || !isCustom(*C) || !carriesDerivative(*this, *C))
        continue;
      for (unsigned N = 0; N < C->arg_size(); ++N) {
        Value *A = C->getArgOperand(N);
        if (!A->getType()->isPointerTy() || isa<ConstantPointerNull>(A) ||
            shadowed(A) || !writesShadow(U, *C, N))
          continue;
        MemoryClass &M = Shape.classOf(A);
        if (!(M.Origins & (FromConst | FromUnknown)))
          M.Shadowed = Changed = true;
      }
    }
  return Changed;
}

/// Calls ask for it in each round: to look through the callee's blocks then
/// took a tenth of the compiler's time where a unit has thousands of calls.
void ActivityAnalysis::findReturned() {
  Returned.clear();
  for (auto &UF : U.Functions)
    for (BasicBlock &B : *UF->F)
      if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
        if (Value *V = Ret->getReturnValue())
          Returned[UF->F].push_back(V);
}

/// Memory to which static variables lead may be the same in two classes: what
/// the one's numbers are, the other's are.
bool ActivityAnalysis::shareLed(bool Cell::*Flag) {
  SmallVector<unsigned> Led;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) && Shape.classAt(Id).LedBy)
      Led.push_back(Id);
  bool Changed = false;
  for (unsigned From : Led) {
    SmallDenseSet<unsigned, 4> Sizes;
    for (const Cell &X : Shape.classAt(From).Cells)
      if (X.Kind == CellKind::Float && X.*Flag)
        Sizes.insert(X.Size);
    for (unsigned To : Led)
      if (!Sizes.empty() && From != To && Shape.mayCoincide(From, To))
        for (Cell &X : Shape.classAt(To).Cells)
          if (X.Kind == CellKind::Float && !(X.*Flag) && Sizes.contains(X.Size))
            X.*Flag = Changed = true;
  }
  return Changed;
}

void ActivityAnalysis::run(ArrayRef<Activity> Args, bool Ret) {
  checkUnit(U);
  ActiveReturn = Ret;
  Asks = U.Errors && ownErrorFunction(U.M);
  markLed(U, Shape, [&](const GlobalVariable &G, int64_t At) {
    return keepsBlocks(U, {&G, At});
  });
  findReturned();
  Function &Root = *U.root().F;
  for (Argument &A : Root.args())
    if (Args[A.getArgNo()] != Activity::Const)
      vary(&A);
  exposeDuplicated();
  auto Fixpoint = [&](auto Step, bool Backward) {
    for (bool Again = true; Again;) {
      Again = false;
      for (auto &UF : U.Functions) {
        if (!Backward) {
          for (Instruction &I : instructions(*UF->F))
            Again |= (this->*Step)(I);
          continue;
        }
        for (BasicBlock &B : reverse(*UF->F))
          for (Instruction &I : reverse(B))
            Again |= (this->*Step)(I);
      }
    }
  };
  do
    Fixpoint(&ActivityAnalysis::propagateVaried, false);
  while (shareLed(&Cell::Varied));
  if (ActiveReturn)
    exposeReturned();
  if (ActiveReturn)
    for (Value *V : Returned[&Root])
      use(V);
  do
    Fixpoint(&ActivityAnalysis::propagateUseful, true);
  while (shareLed(&Cell::Useful));
  do
    findShadowed();
  while (shadowForCustom());
  findMaybeConstant();
  findUnneeded();
  findNoted();
  check();
  if (isPlanted(Fault::Inactive))
    for (auto &UF : U.Functions)
      for (Instruction &I : instructions(*UF->F))
        if (I.getOpcode() == Instruction::FDiv)
          Varied.erase(&I);
}

} // namespace retro
