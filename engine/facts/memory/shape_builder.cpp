// How classes and contents are made and unified, and in which order the parts
// of the analysis run. Two names of one memory that stayed two classes would be
// two shadows, of which one misses what is added to the other.
#include "facts/memory/shape_builder.h"

#include "base/assert.h"
#include "base/uniqued.h"
#include "facts/memory/leaves.h"
#include "facts/types/address_constants.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <numeric>

using namespace llvm;

namespace retro {

unsigned ShapeBuilder::newContent() {
  Contents.push_back({static_cast<unsigned>(Contents.size())});
  return static_cast<unsigned>(Contents.size() - 1);
}

unsigned ShapeBuilder::newClass() {
  unsigned Id = static_cast<unsigned>(Classes.size());
  Classes.emplace_back();
  ClassParent.push_back({Id, 0});
  return Id;
}

unsigned ShapeBuilder::findContent(unsigned C) {
  while (Contents[C].Parent != C) {
    Contents[C].Parent = Contents[Contents[C].Parent].Parent;
    C = Contents[C].Parent;
  }
  return C;
}

Address ShapeBuilder::find(Address A) {
  while (ClassParent[A.Class].Class != A.Class) {
    Address P = ClassParent[A.Class];
    // Path compression by one step keeps the offsets additive.
    if (ClassParent[P.Class].Class != P.Class)
      ClassParent[A.Class] = {ClassParent[P.Class].Class,
                              P.Offset + ClassParent[P.Class].Offset};
    A.Offset += P.Offset;
    A.Class = P.Class;
  }
  return A;
}

Address ShapeBuilder::target(unsigned C) {
  C = findContent(C);
  if (Contents[C].Target.Class == ~0u)
    Contents[C].Target = {newClass(), 0};
  return find(Contents[C].Target);
}

void ShapeBuilder::unifyContents(unsigned A, unsigned B) {
  PendingContents.push_back({A, B});
  settle();
}

void ShapeBuilder::unifyAddresses(Address A, Address B) {
  PendingAddresses.push_back({A, B});
  settle();
}

/// Works off the unifications that follow from each other, without recursion.
void ShapeBuilder::settle() {
  if (Settling)
    return;
  Settling = true;
  while (!PendingContents.empty() || !PendingAddresses.empty()) {
    if (!PendingContents.empty()) {
      auto [A, B] = PendingContents.back();
      PendingContents.pop_back();
      A = findContent(A);
      B = findContent(B);
      if (A == B)
        continue;
      Changed = true;
      Content &CA = Contents[A], &CB = Contents[B];
      CB.Parent = A;
      CA.Int |= CB.Int;
      CA.Pointer |= CB.Pointer;
      CA.Computed |= CB.Computed;
      CA.OfBits |= CB.OfBits;
      if (!CA.Float)
        CA.Float = CB.Float;
      if (CA.Target.Class == ~0u)
        CA.Target = CB.Target;
      else if (CB.Target.Class != ~0u)
        PendingAddresses.push_back({CA.Target, CB.Target});
      continue;
    }
    auto [A, B] = PendingAddresses.back();
    PendingAddresses.pop_back();
    A = find(A);
    B = find(B);
    if (A.Class == B.Class) {
      int64_t D = A.Offset - B.Offset;
      if (D != 0)
        fold(A.Class, D < 0 ? -D : D);
      continue;
    }
    Changed = true;
    mergeClass(A.Class, B.Class, A.Offset - B.Offset);
  }
  Settling = false;
}

/// From's offset x is Into's offset x + Delta.
void ShapeBuilder::mergeClass(unsigned Into, unsigned From, int64_t Delta) {
  ClassParent[From] = {Into, Delta};
  MemoryClass Old = std::move(Classes[From]);
  Classes[From] = MemoryClass();
  MemoryClass &New = Classes[Into];
  New.Origins |= Old.Origins;
  New.Freed |= Old.Freed;
  New.Exclusive |= Old.Exclusive;
  New.Needed |= Old.Needed;
  New.Foreign |= Old.Foreign;
  New.Linked |= Old.Linked;
  New.Mirrored |= Old.Mirrored;
  New.CopiedTo |= Old.CopiedTo;
  New.MoveAlign = std::min(New.MoveAlign, Old.MoveAlign);
  New.PartAlign = std::min(New.PartAlign, Old.PartAlign);
  New.UnseenVaried |= Old.UnseenVaried;
  New.UnseenUseful |= Old.UnseenUseful;
  New.Globals.append(Old.Globals.begin(), Old.Globals.end());
  for (auto &[Off, What] : Old.Exact)
    New.noteExact(Off + Delta, What.first, What.second,
                  Old.Passed.count(Off) ? MemoryClass::By::Copy
                                        : MemoryClass::By::Access);
  for (auto &[Off, What] : Old.Indexed)
    New.noteExact(Off + Delta, What.first, What.second, MemoryClass::By::Index);
  for (int64_t Off : Old.Disputed)
    New.Disputed.insert(Off + Delta);
  for (auto [Off, Bytes] : Old.Described)
    New.Described.push_back({Off + Delta, Bytes});
  if (Old.Stride)
    fold(Into, Old.Stride, Old.FoldedBy);
  for (const Cell &C : Old.Cells)
    moveCell(C, {Into, C.Offset + Delta});
}

/// A cell of a class that is made anew is one at To from here on.
void ShapeBuilder::moveCell(const Cell &C, Address To) {
  Cell &N = cell(To, C.Kind, C.FloatTy, C.Size, C.Declared);
  N.Varied |= C.Varied;
  N.Useful |= C.Useful;
  N.Declared |= C.Declared;
  N.AsInteger |= C.AsInteger;
  N.Aligned = std::min(N.Aligned, C.Aligned);
  PendingContents.push_back({N.Content, C.Content});
}

/// Makes the class periodic: it is indexed with this stride.
void ShapeBuilder::fold(unsigned Class, int64_t Stride, const Value *By) {
  Class = find(Class).Class;
  int64_t S = std::gcd(Classes[Class].Stride, Stride);
  if (S == Classes[Class].Stride)
    return;
  Changed = true;
  std::vector<Cell> Old = std::move(Classes[Class].Cells);
  Classes[Class].Cells.clear();
  Classes[Class].Stride = S;
  Classes[Class].FoldedBy = By;
  for (const Cell &C : Old)
    moveCell(C, {Class, C.Offset});
  settle();
}

Cell &ShapeBuilder::cell(Address A, CellKind K, Type *FloatTy, unsigned Size,
                         bool Declared) {
  A = find(A);
  std::vector<Cell> &Cells = Classes[A.Class].Cells;
  if (const Cell *Found =
          findCell(Classes[A.Class], A.Offset, K, FloatTy, Size, Declared)) {
    Cell &Known = Cells[static_cast<size_t>(Found - Cells.data())];
    Known.Declared |= Declared;
    return Known;
  }
  Changed = true;
  unsigned Id = newContent();
  Contents[Id].Pointer = K == CellKind::Pointer;
  Contents[Id].Float = FloatTy;
  Cells.push_back(
      {wrap(Classes[A.Class], A.Offset), K, FloatTy, Size, Id, Declared});
  return Cells.back();
}

unsigned ShapeBuilder::contentOf(const Value *V, unsigned Leaf) {
  auto [It, New] = ValueContent.try_emplace({V, Leaf}, 0);
  if (!New)
    return findContent(It->second);
  unsigned C = newContent();
  It->second = C;
  Contents[C].Pointer = V->getType()->isPtrOrPtrVectorTy();
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    addGlobal(*G);
  } else if (auto *CE = dyn_cast<ConstantExpr>(V)) {
    if (CE->getOpcode() == Instruction::GetElementPtr)
      visitGEP(*CE, C);
    else if (CE->isCast())
      unifyContents(C, contentOf(CE->getOperand(0)));
    else if (Constant *A = withAddresses(uniqued(CE)); A != CE)
      unifyContents(C, contentOf(A));
  } else if (auto *A = dyn_cast<GlobalAlias>(V)) {
    unifyContents(C, contentOf(A->getAliaseeObject()));
  }
  return findContent(C);
}

void ShapeBuilder::unifyValues(const Value *A, const Value *B) {
  if (isa<ConstantPointerNull, UndefValue, ConstantInt>(A) ||
      isa<ConstantPointerNull, UndefValue, ConstantInt>(B))
    return;
  SmallVector<Type *> Leaves;
  leavesOf(A->getType(), Leaves);
  for (unsigned I = 0; I < Leaves.size(); ++I)
    if (tracked(Leaves[I]))
      unifyContents(contentOf(A, I), contentOf(B, I));
}

/// A value of which nothing was said has a class nevertheless.
void ShapeBuilder::see(const Value *V) {
  SmallVector<Type *> Leaves;
  leavesOf(V->getType(), Leaves);
  for (unsigned N = 0; N < Leaves.size(); ++N)
    if (Leaves[N]->isPtrOrPtrVectorTy())
      target(contentOf(V, N));
    else if (tracked(Leaves[N]))
      contentOf(V, N);
}

/// Gives what is in a constant its classes, too. Constants that are numbers
/// point to no memory.
void ShapeBuilder::seeConstant(const Constant &C,
                               DenseSet<const Constant *> &Seen) {
  if (isa<ConstantData>(C) || !Seen.insert(&C).second)
    return;
  see(&C);
  if (!isa<GlobalValue>(C))
    for (const Use &O : C.operands())
      if (auto *X = dyn_cast<Constant>(O))
        seeConstant(*X, Seen);
}

/// Gives each value of the unit its class: from here on no query may meet a new
/// one.
void ShapeBuilder::seeAll() {
  DenseSet<const Constant *> Seen;
  for (auto &UF : U.Functions) {
    for (const Argument &A : UF->F->args())
      see(&A);
    for (const Instruction &I : instructions(*UF->F)) {
      see(&I);
      for (const Use &O : I.operands())
        if (auto *C = dyn_cast<Constant>(O))
          seeConstant(*C, Seen);
    }
  }
  for (unsigned C = 0; C < Contents.size(); ++C)
    if (Contents[C].Pointer && findContent(C) == C)
      target(C);
  Nowhere = newClass();
  Anywhere = newClass();
  Classes[Anywhere].Origins = FromUnknown;
}

/// Each class and content refers to its representative.
void ShapeBuilder::flatten() {
  for (unsigned Id = 0; Id < Classes.size(); ++Id)
    ClassParent[Id] = find(Id);
  for (unsigned C = 0; C < Contents.size(); ++C)
    Contents[C].Parent = findContent(C);
  // Characters are wherever what they lie in is.
  for (const Instruction *I : Characters) {
    MemoryClass &In = Classes[classId(I)];
    const MemoryClass &Of = Classes[classId(I->getOperand(0))];
    In.Origins |= Of.Origins;
    In.Linked |= Of.Linked;
    In.Exclusive |= Of.Exclusive;
  }
  for (const Instruction *I :
       concat<const Instruction *>(HeadPointers, Characters))
    SameMemory.unionSets(classId(I), classId(I->getOperand(0)));
}

void ShapeBuilder::propagate() {
  for (unsigned Round = 0; Round < 24; ++Round) {
    followBits();
    bool A = propagateCopies();
    bool B = linkIntegerCells();
    bool C = followDistances();
    bool D = linkHeads();
    if (!A && !B && !C && !D)
      break;
  }
}

void ShapeBuilder::build(ArrayRef<Activity> Args) {
  for (Argument &A : U.root().F->args())
    if (A.getType()->isPointerTy() && A.getArgNo() < Args.size()) {
      MemoryClass &C = Classes[classId(&A)];
      C.Origins |= Args[A.getArgNo()] == Activity::Const ? FromConst : FromDup;
      C.Exclusive |= A.hasNoAliasAttr();
      C.Needed |= Args[A.getArgNo()] != Activity::DupNoNeed;
    }
  for (auto &UF : U.Functions)
    if (saysTypes(*UF->F))
      Typed.insert(UF->F);
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F))
      visit(I);
  propagate();
  if (addDebugEvidence())
    propagate();
  if (assumeUniformCopies())
    propagate();
  findComputedPointers();
  propagateOrigins();
  assumeOverwrittenNumbers();
  forgetInactive();
  seeAll();
  markForeign();
  flatten();
}

} // namespace retro
