// What copies, shared words and pointers make of the contents of memory that
// the instructions stated. It runs until nothing changes: what one copy says of
// its source may be what another one needs to know of its own. Members of
// ShapeBuilder (shape_builder.h) and of MemoryShape (memory_shape.h).
#include "base/halves.h"
#include "facts/memory/shape_builder.h"
#include "facts/types/declared_types.h"

#include "front/known/entry_points.h"
#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

/// Can no such word begin Off bytes behind the start of what is copied, one
/// side of which is aligned better than that?
static bool isMisplaced(const CallBase &C, const Cell &X, int64_t Off) {
  const Align Known = std::max(C.getParamAlign(0).valueOrOne(),
                               C.getParamAlign(1).valueOrOne());
  return Known.value() >= X.Size && Off % int64_t(X.Size) != 0;
}

/// Is X an integer of one kind of objects in the class, where another kind has
/// a number? What is copied of the one is taken for the other: as a number it
/// carries its adjoint, which is zero.
bool ShapeBuilder::isOfOtherObject(unsigned Class, const Cell &X) const {
  return isOwnInteger(X) && unitesObjects(Class) &&
         any_of(Classes[Class].Cells, [&](const Cell &Y) {
           return Y.Kind == CellKind::Float && Y.Declared &&
                  Y.Offset == X.Offset && Y.Size == X.Size;
         });
}

/// What lies in the cells of one side of a copy lies in those of the other.
void ShapeBuilder::propagateCells(const Copy &C, Address From, Address To) {
  const bool Integers = movesIntegers(C);
  int64_t Stride = Classes[From.Class].Stride;
  if (Stride && (C.Size < 0 || C.Size > Stride * 32))
    fold(To.Class, Stride);
  std::vector<Cell> Cells = Classes[find(From).Class].Cells;
  for (const Cell &X : Cells) {
    From = find(From);
    if (isOfOtherObject(From.Class, X) ||
        (Integers && X.Kind != CellKind::Int && !X.AsInteger))
      continue;
    int64_t Off = X.Offset - From.Offset;
    if (Stride) {
      Off = Off % Stride;
      if (Off < 0)
        Off += Stride;
    }
    if (Off < 0 || (C.Size >= 0 && Off >= C.Size))
      continue;
    // Every period: the other side may be indexed in wider steps.
    int64_t Last = Stride && C.Size > Stride && C.Size <= Stride * 32 &&
                           Classes[find(To).Class].Stride != Stride
                       ? C.Size - 1
                       : Off;
    for (; Off <= Last; Off += Stride ? Stride : Last + 1) {
      if (Stride < int64_t(X.Size) && isMisplaced(*C.At, X, Off))
        continue;
      unsigned N = cell({To.Class, To.Offset + Off}, X.Kind, X.FloatTy, X.Size,
                        X.Declared && X.Kind != CellKind::Float)
                       .Content;
      if (X.Kind != CellKind::Float)
        unifyContents(N, X.Content);
    }
  }
}

/// What is known exactly of one side, which Of points to, is of the other, too.
void ShapeBuilder::propagateExact(const Copy &C, const Value *Of, Address From,
                                  Address To) {
  if (C.Size < 0 || !placedExactly(Of, Classes[From.Class]))
    return;
  auto Exact = Classes[From.Class].Exact;
  for (auto &[Off, What] : Exact) {
    if (Off < From.Offset || Off >= From.Offset + C.Size)
      continue;
    const Address At{To.Class, Off - From.Offset + To.Offset};
    if (From.Class != To.Class)
      Classes[To.Class].noteExact(At.Offset, What.first, What.second,
                                  MemoryClass::By::Copy);
    // The declared numbers of a variable are numbers where it is copied, within
    // it too.
    if (What.first == CellKind::Float && !Classes[From.Class].Stride)
      markField(At, What.second->getScalarType(), false,
                static_cast<unsigned>(DL.getTypeStoreSize(What.second)));
  }
}

/// Copies move every kind of content; evidence flows both ways.
bool ShapeBuilder::propagateCopies() {
  Changed = false;
  for (const Copy &C : Copies) {
    Address D = addressOf(C.Dst), S = addressOf(C.Src);
    // Characters are none of what lies there at other times.
    if (Type *T = namedElement(*C.At); T && T->isIntegerTy(8))
      continue;
    if (D.Class == S.Class && C.Size < 0 && D.Offset != S.Offset)
      continue;
    for (bool Back : {false, true}) {
      const Address From = Back ? D : S, To = Back ? S : D;
      propagateCells(C, find(From), find(To));
      propagateExact(C, Back ? C.Dst : C.Src, find(From), find(To));
    }
  }
  return Changed;
}

/// Are objects of several kinds in the class? It is indexed, or has links to
/// itself: the head of a list or tree has counters where the nodes have data.
/// Or an array of pointers leads to it, as to the objects of a class hierarchy.
/// Where only one object is left of these, it still has its table of virtual
/// functions, and code for the other classes stands behind tests of that.
bool MemoryShape::unitesObjects(unsigned Class) const {
  auto IsTable = [](const GlobalVariable *G) {
    return isA(G->getName(), NameKind::VirtualTable);
  };
  auto LeadsToTable = [&](const Cell &C) {
    const unsigned T = Contents[findContent(C.Content)].Target.Class;
    return C.Kind == CellKind::Pointer && T != ~0u &&
           any_of(Classes[find(T).Class].Globals, IsTable);
  };
  auto LeadsTo = [&](const Cell &C) {
    const unsigned T = Contents[findContent(C.Content)].Target.Class;
    return C.Kind == CellKind::Pointer && T != ~0u && find(T).Class == Class;
  };
  if (Classes[Class].Stride != 0 || any_of(Classes[Class].Cells, LeadsTo) ||
      any_of(Classes[Class].Cells, LeadsToTable))
    return true;
  return any_of(Classes, [&](const MemoryClass &From) {
    return From.Stride != 0 &&
           isRepresentative(static_cast<unsigned>(&From - Classes.data())) &&
           any_of(From.Cells, LeadsTo);
  });
}

/// Is it a number of its own, not the bits of something else?
bool MemoryShape::isOwnInteger(const Cell &X) const {
  const Content &C = Contents[findContent(X.Content)];
  return X.Kind == CellKind::Int && X.Declared && C.Int && !C.Pointer &&
         !C.OfBits;
}

/// Is X, of which the program's types say that it is an integer, at the place
/// of what they call one and is none? Then it is no other field that folding
/// put there.
bool ShapeBuilder::sharesBits(const MemoryClass &C, const Cell &X) {
  // Among bytes anything is at the place of anything else.
  if (C.Stride && C.Stride < int64_t(X.Size))
    return false;
  auto From = [&](const Cell &A, const Cell &B) {
    const int64_t D = B.Offset - A.Offset;
    return C.Stride ? wrap(C, D) : D;
  };
  return any_of(C.Cells, [&](const Cell &Y) {
    if (&X == &Y ||
        !(Y.Kind == CellKind::Int
              ? Y.Declared && Contents[findContent(Y.Content)].OfBits
              : Y.AsInteger))
      return false;
    const int64_t After = From(X, Y), Before = From(Y, X);
    return (After >= 0 && After < int64_t(X.Size)) ||
           (Before >= 0 && Before < int64_t(Y.Size));
  });
}

/// Of integers the bits of numbers come to others that are computed of them,
/// and to wider ones around them.
void ShapeBuilder::followBits() {
  for (bool Again = true; Again;) {
    Again = false;
    for (unsigned Id = 0; Id < Classes.size(); ++Id)
      if (isRepresentative(Id))
        for (const Cell &X : Classes[Id].Cells)
          if (X.Kind == CellKind::Int && X.Declared &&
              !Contents[findContent(X.Content)].OfBits &&
              sharesBits(Classes[Id], X))
            Contents[findContent(X.Content)].OfBits = Again = true;
    for (auto [From, To] : Derived) {
      const Content &F = Contents[findContent(From)];
      Content &T = Contents[findContent(To)];
      // Of what the program calls an integer elsewhere, a number at the same
      // place may be another field.
      if ((F.OfBits || (F.Float && !F.Int)) && !T.OfBits)
        T.OfBits = Again = true;
    }
  }
}

bool MemoryShape::accessesOwnInteger(const Instruction &I) const {
  if (I.hasMetadata(NotedInteger))
    return true;
  const Value *P = getLoadStorePointerOperand(&I);
  const Value *V = isa<LoadInst>(I) ? &I : I.getOperand(0);
  if (V->getType()->isIntegerTy() && tracked(V->getType()) &&
      !isa<Constant>(V) && isMixed(V))
    if (auto K = declaredKind(V); K && K->first != CellKind::Float)
      return true;
  if (!declaredInteger(I) || !unitesObjects(classId(P)))
    return false;
  return ownsIntegerAt(P, 0,
                       static_cast<unsigned>(DL.getTypeStoreSize(
                           getLoadStoreType(&I)->getScalarType())));
}

bool MemoryShape::ownsIntegerAt(const Value *Ptr, int64_t Offset,
                                unsigned Size) const {
  const Address A = addressOf(Ptr);
  const Cell *X = findCell(Classes[A.Class], A.Offset + Offset, CellKind::Int,
                           nullptr, Size, true);
  return X && isOwnInteger(*X) && !Contents[findContent(X->Content)].Float;
}

/// Does the copy, by its name, move integers of the program that never hold the
/// bits of something else?
bool ShapeBuilder::movesIntegers(const Copy &C) const {
  Type *T = namedElement(*C.At);
  if (!T || !T->isIntegerTy())
    return false;
  const unsigned Size = T->getIntegerBitWidth() / 8;
  return ownsIntegerAt(C.Dst, 0, Size) || ownsIntegerAt(C.Src, 0, Size);
}

/// An integer access at a place that is also accessed as a pointer or a
/// floating-point number copies that.
bool ShapeBuilder::linkIntegerCells() {
  Changed = false;
  for (unsigned Id = 0; Id < Classes.size(); ++Id) {
    if (!isRepresentative(Id))
      continue;
    // Few classes ask, and those of large units are many.
    std::optional<bool> United;
    auto IsApart = [&](const Cell &X) {
      if (!isOwnInteger(X))
        return false;
      if (!United)
        United = unitesObjects(Id);
      return *United;
    };
    for (size_t A = 0; A < Classes[Id].Cells.size(); ++A) {
      Cell X = Classes[Id].Cells[A];
      if (X.Kind != CellKind::Int)
        continue;
      for (size_t B = 0; B < Classes[Id].Cells.size(); ++B) {
        Cell Y = Classes[Id].Cells[B];
        if (Y.Kind == CellKind::Int || X.Offset != Y.Offset)
          continue;
        if (Y.Kind == CellKind::Pointer && X.Size == Y.Size && !IsApart(X))
          unifyContents(X.Content, Y.Content);
        if (Y.Kind == CellKind::Float && X.Size % Y.Size == 0 &&
            !(Y.Declared && IsApart(X))) {
          Content &C = Contents[findContent(X.Content)];
          if (!C.Float) {
            C.Float = Y.FloatTy;
            Changed = true;
          }
        }
        if (!isRepresentative(Id))
          break;
      }
      if (!isRepresentative(Id))
        break;
      // In the other direction, a word that is known to be a float makes the
      // cell one of floats.
      const Content &C = Contents[findContent(X.Content)];
      if (C.Float && !IsApart(X)) {
        unsigned S = static_cast<unsigned>(DL.getTypeStoreSize(C.Float));
        for (unsigned O = 0; O + S <= X.Size; O += S) {
          Cell &Y = cell({Id, X.Offset + O}, CellKind::Float, C.Float, S);
          Y.Aligned = std::min(Y.Aligned, X.Aligned);
        }
      }
      if (C.Pointer && !C.Float && X.Size == 8) {
        unsigned N =
            cell({Id, X.Offset}, CellKind::Pointer, nullptr, 8).Content;
        unifyContents(N, X.Content);
      }
    }
  }
  return Changed;
}

/// The distance between two elements of arrays is a multiple of what their
/// indices step by, and so steps through other arrays.
bool ShapeBuilder::followDistances() {
  Changed = false;
  for (const Distance &D : Distances) {
    const unsigned Base = classId(D.Base);
    auto Fold = [&](int64_t Step) {
      fold(Base, Step < 0 ? -Step : Step, D.At);
    };
    const Address To = addressOf(D.To), From = addressOf(D.From);
    if (To.Class != From.Class) { // not of the same array, for all we know
      Fold(1);
      continue;
    }
    if (int64_t Step = Classes[To.Class].Stride)
      Fold(Step);
    const int64_t Missed = To.Offset - From.Offset - D.Taken;
    if (Missed != 0)
      Fold(Missed);
  }
  return Changed;
}

/// The pointers in the head of a container are those that the container's own
/// accesses find there.
bool ShapeBuilder::linkHeads() {
  Changed = false;
  for (const Instruction *I : HeadPointers) {
    const Value *Container = I->getOperand(0);
    const unsigned In = classId(I), Of = classId(Container);
    if (In == Of)
      continue;
    Classes[In].Origins |= Classes[Of].Origins;
    auto Number = [&](unsigned N) {
      return mdconst::extract<ConstantInt>(
                 I->getMetadata(HeadPointer)->getOperand(N))
          ->getZExtValue();
    };
    const uint64_t First = Number(0);
    for (uint64_t N = First; N < First + Number(1); ++N) {
      auto LinkAt = [&](const Value *P) {
        Address A = addressOf(P);
        A.Offset += int64_t(N) * DL.getPointerSize();
        return cell(A, CellKind::Pointer, nullptr, DL.getPointerSize()).Content;
      };
      unifyContents(LinkAt(I), LinkAt(Container));
    }
  }
  return Changed;
}

/// Pointers that were not followed through what was computed with them, or of
/// which nothing says where they come from.
void ShapeBuilder::findComputedPointers() {
  auto Mark = [&](bool Unknown) {
    for (auto &UF : U.Functions)
      for (Instruction &I : instructions(*UF->F)) {
        if (!isa<IntToPtrInst>(I) || !tracked(I.getType()) ||
            isa<Constant>(I.getOperand(0)) || isOfTwoWords(I.getOperand(0)))
          continue;
        MemoryClass &C = Classes[classId(&I)];
        if (Unknown ? C.Origins != 0
                    : !Contents[findContent(contentOf(&I))].Computed)
          continue;
        C.Origins |= FromNumber;
        C.MadeAt = &I;
      }
  };
  Mark(false);
  propagateOrigins();
  Mark(true);
}

/// What a duplicated or constant argument reaches is so too.
void ShapeBuilder::propagateOrigins() {
  for (bool Again = true; Again;) {
    Again = false;
    for (unsigned Id = 0; Id < Classes.size(); ++Id) {
      if (!isRepresentative(Id))
        continue;
      unsigned Inherit = Classes[Id].Origins &
                         (FromDup | FromConst | FromUnknown | FromNumber);
      if (!Inherit)
        continue;
      SmallVector<Cell> Cells(Classes[Id].Cells.begin(),
                              Classes[Id].Cells.end());
      for (const Cell &C : Cells) {
        if (C.Kind != CellKind::Pointer)
          continue;
        MemoryClass &T = Classes[targetOf(C)];
        unsigned Gets = Inherit;
        // Memory made by the code itself keeps its own origin, but what a
        // duplicated argument leads to is its caller's as well.
        if (T.Origins & (FromStack | FromHeap | FromGlobal))
          Gets &= FromDup;
        if ((T.Origins | Gets) != T.Origins) {
          T.Origins |= Gets;
          Again = true;
        }
      }
    }
  }
}

} // namespace retro
